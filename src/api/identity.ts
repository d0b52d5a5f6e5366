/**
 * Identification and authorisation: everything is denied that no rule allows. The server is given a function
 * `identify`. A route names its action in its `config`; a route without one is closed to everybody, so that a
 * forgotten line denies access instead of granting it. The guard reads the engine's table of rights twice:
 * before the body is read, whether the caller may ever do this; and in the route, once its object is known.
 */
import type { ServerResponse } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { mayDo, mayEver, type Subject } from "../engine/index.ts";
import type { Action, Identity } from "../model/index.ts";
import { type Unidentified, unidentifiedProblem } from "./bearer-token.ts";
import { ProblemError } from "./problem.ts";

/** Identifies a caller; undefined where a request has no credentials. */
export type Identify = (
  request: FastifyRequest,
) => Identity | Unidentified | undefined | Promise<Identity | Unidentified | undefined>;

/** A denied request, for the log. */
export interface Denial {
  readonly method: string;
  /** Pattern of the route, `/jobs/:id`, without text of the caller. */
  readonly route: string;
  readonly owner: string | undefined;
  readonly why: Unidentified["why"] | "notAllowed" | "foreignHost" | "crossSite";
}

declare module "fastify" {
  interface FastifyRequest {
    /** Caller; null only on routes for anyone. */
    who: Identity | null;
  }
  interface FastifyContextConfig {
    /** Action of the route; `signedIn` needs a caller and no right. Denied to all where absent. */
    action?: Action | "anyone" | "signedIn";
    /** True where a response lasts as long as its object: its duration says nothing about the broker. */
    isStream?: boolean;
  }
}

/** Authorisation by the table of rights; reports each denial. */
export interface Guard {
  /** Identifies the caller by a token that is not in the headers. @throws ProblemError a reported denial */
  signIn(request: FastifyRequest, token: string): Promise<Identity>;
  /** True where the caller may do this to that; a denial is reported. */
  permits(request: FastifyRequest, action: Action, subject: Subject): boolean;
  /** Returns the caller, who may do this to that. @throws ProblemError `notAllowed` */
  demand(request: FastifyRequest, action: Action, subject: Subject): Identity;
}

/** Interval of checks on the token of an open stream; a check is one hash. */
const IDENTIFY_AGAIN_MS = 1000;

/** Identity of callers on a socket that only its owner can open. */
export function ownerOfSocket(owner: string, consumer: string): Identify {
  const who: Identity = { owner, consumer, role: "admin" };
  return () => who;
}

/** Admits only callers who may ever take the route's action, before the body is read. */
export function guard(
  server: FastifyInstance,
  identify: Identify,
  onDenial: (denial: Denial) => void,
): Guard {
  const deny = (request: FastifyRequest, { why, owner }: Unidentified): ProblemError => {
    onDenial({ ...whereOf(request), owner, why });
    return unidentifiedProblem(why);
  };
  const identified = async (request: FastifyRequest): Promise<Identity> => {
    const who = await identify(request);
    if (who !== undefined && !("why" in who)) return who;
    throw deny(request, who ?? { why: "notIdentified" });
  };
  server.decorateRequest("who", null);
  server.addHook("onRequest", async (request, reply) => {
    const { action, isStream = false } = request.routeOptions.config;
    if (request.is404 || action === "anyone") return;
    const who = await identified(request);
    request.who = who;
    if (action === "signedIn" || (action !== undefined && mayEver(who, action))) {
      if (isStream && who.token !== undefined) endWithIdentity(() => identify(request), reply.raw);
      return;
    }
    onDenial({ ...whereOf(request), owner: who.owner, why: "notAllowed" });
    throw notAllowed;
  });
  const permits: Guard["permits"] = (request, action, subject) => {
    const who = whoOf(request);
    if (mayDo(who, action, subject)) return true;
    onDenial({ ...whereOf(request), owner: who.owner, why: "notAllowed" });
    return false;
  };
  return {
    permits,
    async signIn(request, token) {
      // Only what can be in a header and in a cookie; the rest is no token of any broker.
      if (!/^[A-Za-z0-9_-]+$/.test(token)) throw deny(request, { why: "tokenWrong" });
      request.headers.authorization = `Bearer ${token}`;
      request.who = await identified(request);
      return request.who;
    },
    demand(request, action, subject) {
      if (permits(request, action, subject)) return whoOf(request);
      throw notAllowed;
    },
  };
}

/** Closes a stream when its token expires or is revoked: the client reconnects, and gets the reason. */
function endWithIdentity(identifyAgain: () => ReturnType<Identify>, response: ServerResponse): void {
  const timer = setInterval(async () => {
    const who = await identifyAgain();
    if (who === undefined || "why" in who) response.destroy();
  }, IDENTIFY_AGAIN_MS);
  timer.unref();
  response.once("close", () => clearInterval(timer));
}

/** Target of a request. */
export function whereOf(request: FastifyRequest): { readonly method: string; readonly route: string } {
  return { method: request.method, route: request.routeOptions.url ?? "" };
}

const notAllowed = new ProblemError({
  status: 403,
  code: "notAllowed",
  what: "this is not allowed",
  why: "your role or the scopes of your token do not permit it",
  remedy: "ask an administrator of this broker",
});

/** Caller, on a route that is not for anyone. */
export function whoOf(request: FastifyRequest): Identity {
  if (request.who === null) throw unidentifiedProblem("notIdentified");
  return request.who;
}
