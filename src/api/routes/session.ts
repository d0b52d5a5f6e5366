/** `/session`: signs a browser in and out, and tells a caller who they are and what they may do. */
import type { FastifyRequest } from "fastify";
import { signInSchema } from "../../contract/index.ts";
import { actionsOf } from "../../engine/index.ts";
import { type Identity, SCOPES } from "../../model/index.ts";
import { unidentifiedProblem } from "../bearer-token.ts";
import { isoInstant } from "../iso-instant.ts";
import { clearCookie, setCookie } from "../session-cookie.ts";
import { type Api, answers, forAnyone, type RouteWorld, urlOf } from "./api.ts";

/** Registers the routes of sessions. They are for anyone, and identify their caller themselves. */
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
      // Only what can be in a header and in a cookie; the rest is no token of any broker.
      if (!/^[A-Za-z0-9_-]+$/.test(token)) throw unidentifiedProblem("tokenWrong");
      request.headers.authorization = `Bearer ${token}`;
      const who = await callerOf(world, request);
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
      config: forAnyone,
      schema: {
        summary: "Tell who the caller is, and which actions they may perform",
        tags: ["session"],
        response: answers("Session", 200),
      },
    },
    async (request, reply) => {
      reply.header("cache-control", "no-store");
      return sessionView(world, await callerOf(world, request));
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

async function callerOf({ identify }: RouteWorld, request: FastifyRequest): Promise<Identity> {
  const who = await identify(request);
  if (who === undefined || "why" in who) throw unidentifiedProblem(who?.why ?? "notIdentified");
  return who;
}

function sessionView({ brokerApi, version }: RouteWorld, who: Identity) {
  const { owner, consumer, role, site = null, scopes = SCOPES, token = null } = who;
  const record = token === null ? undefined : brokerApi.query("token", token);
  const expiresAt = record === undefined ? null : isoInstant(record.expiresAtMs);
  return { owner, consumer, role, site, scopes, token, expiresAt, may: actionsOf(who), version };
}
