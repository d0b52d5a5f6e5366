/**
 * Who is asking, and whether they may: everything is denied that no rule allows.
 *
 * The server is handed a function `identify`. A route names its action in its `config`; one that names
 * none is closed to everybody, so that a forgotten line locks out instead of letting in. The guard asks
 * the engine's table of rights twice: before the body is read, whether the caller may ever do this; and
 * by the route, once it knows what it is about.
 */
import type { ServerResponse } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { mayDo, mayEver, type Subject } from "../engine/index.ts";
import type { Action, Identity } from "../model/index.ts";
import { type Unidentified, unidentifiedProblem } from "./bearer-token.ts";
import { ProblemError } from "./problem.ts";

/** Finds out who is asking; undefined where nothing says so. */
export type Identify = (
  request: FastifyRequest,
) => Identity | Unidentified | undefined | Promise<Identity | Unidentified | undefined>;

/** A request that was not allowed, for the log. */
export interface Denial {
  readonly method: string;
  /** As the route is written, `/jobs/:id`: nothing that the caller chose. */
  readonly route: string;
  readonly owner: string | undefined;
  readonly why: Unidentified["why"] | "notAllowed" | "foreignHost";
}

declare module "fastify" {
  interface FastifyRequest {
    /** Who is asking; null only on routes for anyone. */
    who: Identity | null;
  }
  interface FastifyContextConfig {
    /** What using this route is; nobody may where absent. */
    action?: Action | "anyone";
    /** Whether an answer lasts as long as what it is about: its duration says nothing of the broker. */
    isStream?: boolean;
  }
}

/** Asks the table of rights for a route, and tells of each "no". */
export interface Guard {
  /** Whether the caller may do this to that; a "no" is told. */
  permits(request: FastifyRequest, action: Action, subject: Subject): boolean;
  /** The caller, who may do this to that. @throws ProblemError `notAllowed` */
  demand(request: FastifyRequest, action: Action, subject: Subject): Identity;
}

/** How often the token of an open stream is looked at; a look is one hash. */
const IDENTIFY_AGAIN_MS = 1000;

/** The identity of a socket that only its owner can open. */
export function ownerOfSocket(owner: string, consumer: string): Identify {
  const who: Identity = { owner, consumer, role: "admin" };
  return () => who;
}

/** Lets through only those who may ever do what the route names, before anything of the body is read. */
export function guard(
  server: FastifyInstance,
  identify: Identify,
  onDenial: (denial: Denial) => void,
): Guard {
  server.decorateRequest("who", null);
  server.addHook("onRequest", async (request, reply) => {
    const { action, isStream = false } = request.routeOptions.config;
    if (request.is404 || action === "anyone") return;
    const who = await identify(request);
    if (who === undefined || "why" in who) {
      const why = who?.why ?? "notIdentified";
      onDenial({ ...whereOf(request), owner: who?.owner, why });
      throw unidentifiedProblem(why);
    }
    request.who = who;
    if (action !== undefined && mayEver(who, action)) {
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
    demand(request, action, subject) {
      if (permits(request, action, subject)) return whoOf(request);
      throw notAllowed;
    },
  };
}

/**
 * Breaks a stream off when its token expires or is revoked: the client asks again, and is told why it may
 * not.
 */
function endWithIdentity(identifyAgain: () => ReturnType<Identify>, response: ServerResponse): void {
  const timer = setInterval(async () => {
    const who = await identifyAgain();
    if (who === undefined || "why" in who) response.destroy();
  }, IDENTIFY_AGAIN_MS);
  timer.unref();
  response.once("close", () => clearInterval(timer));
}

/** Where a request wanted to go. */
export function whereOf(request: FastifyRequest): { readonly method: string; readonly route: string } {
  return { method: request.method, route: request.routeOptions.url ?? "" };
}

const notAllowed = new ProblemError({
  status: 403,
  code: "notAllowed",
  what: "this is not allowed",
  why: "your role or your token's scopes do not reach so far",
  remedy: "ask an administrator of this broker",
});

/** Who is asking, on a route that is not for anyone. */
export function whoOf(request: FastifyRequest): Identity {
  if (request.who === null) throw unidentifiedProblem("notIdentified");
  return request.who;
}
