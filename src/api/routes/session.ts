/** `/session`: signs a browser in and out, and tells a caller who they are and what they may do. */
import { signInSchema } from "../../contract/index.ts";
import { actionsOf } from "../../engine/index.ts";
import { type Identity, SCOPES } from "../../model/index.ts";
import { whoOf } from "../identity.ts";
import { isoInstant } from "../iso-instant.ts";
import { clearCookie, setCookie } from "../session-cookie.ts";
import { type Api, answers, forAnyone, forTheSignedIn, type RouteWorld, urlOf } from "./api.ts";

/** Registers the routes of sessions. */
export function addSession(api: Api, world: RouteWorld): void {
  addSignIn(api, world);
  addLook(api, world);
  addSignOut(api);
}

function addSignIn(api: Api, world: RouteWorld): void {
  api.post(
    urlOf("signIn"),
    {
      config: forAnyone,
      bodyLimit: 4096,
      schema: {
        summary: "Sign a browser in: later requests are identified by the cookie",
        tags: ["session"],
        body: signInSchema,
        response: answers("Session", 200),
      },
    },
    async (request, reply) => {
      const token = request.body.token.trim();
      const who = await world.guard.signIn(request, token);
      setCookie(request, reply, token);
      reply.header("cache-control", "no-store");
      return sessionView(world, who);
    },
  );
}

function addLook(api: Api, world: RouteWorld): void {
  api.get(
    urlOf("getSession"),
    {
      config: forTheSignedIn,
      schema: {
        summary: "Get the caller's identity and permitted actions",
        tags: ["session"],
        response: answers("Session", 200),
      },
    },
    async (request, reply) => {
      reply.header("cache-control", "no-store");
      return sessionView(world, whoOf(request));
    },
  );
}

function addSignOut(api: Api): void {
  api.delete(
    urlOf("signOut"),
    {
      config: forAnyone,
      schema: {
        summary: "Sign a browser out; the token stays valid",
        tags: ["session"],
        response: answers("Status", 200),
      },
    },
    async (request, reply) => {
      clearCookie(request, reply);
      return { status: "ok" };
    },
  );
}

function sessionView({ brokerApi, version }: RouteWorld, who: Identity) {
  const { owner, consumer, role, site = null, scopes = SCOPES, token = null } = who;
  const record = token === null ? undefined : brokerApi.query("token", token);
  const expiresAt = record === undefined ? null : isoInstant(record.expiresAtMs);
  return { owner, consumer, role, site, scopes, token, expiresAt, may: actionsOf(who), version };
}
