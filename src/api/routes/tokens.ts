/** `/tokens`: makes, lists and revokes tokens. */

import type { FastifyRequest } from "fastify";
import { type TokenRequest, tokenParameters, tokenRequestSchema } from "../../contract/index.ts";
import { mayDo } from "../../engine/index.ts";
import { SCOPES, type TokenRecord } from "../../model/index.ts";
import { mintToken } from "../bearer-token.ts";
import { whoOf } from "../identity.ts";
import { instantGiven } from "../instant-given.ts";
import { ProblemError, refusalProblem } from "../problem.ts";
import { tokenView } from "../token-view.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";

/** Default validity of a token. */
const USUAL_LIFE_MS = 30 * 24 * 3_600_000;

/** Registers the routes of tokens. */
export function addTokens(api: Api, world: RouteWorld): void {
  addCreate(api, world);
  addList(api, world);
  addRevoke(api, world);
}

function addCreate(api: Api, { brokerApi, guard, nowMs }: RouteWorld): void {
  api.post(
    urlOf("createToken"),
    {
      config: forThoseWhoMay("createToken"),
      schema: {
        summary: "Make a token; only this response has its secret",
        tags: ["tokens"],
        body: tokenRequestSchema,
        response: answers("NewToken", 201),
      },
    },
    async (request, reply) => {
      const { body } = request;
      const { role, consumer = whoOf(request).consumer, site = null, label = "" } = body;
      const { owner } = guard.demand(request, "createToken", { consumer, site, role });
      const { id, hash, token } = mintToken();
      const answer = await brokerApi.ask({
        kind: "createToken",
        token: id,
        hash,
        role,
        consumer,
        site,
        scopes: SCOPES.filter((scope) => body.scopes?.includes(scope) ?? true),
        label,
        createdBy: owner,
        expiresAtMs: expiryOf(body, nowMs()),
      });
      if (!answer.ok) throw refusalProblem(answer.refusal);
      // What is said once is not to be kept on the way.
      reply.code(201).header("cache-control", "no-store");
      return { ...tokenView(tokenNamed(brokerApi.query("token", id), id), nowMs()), token };
    },
  );
}

function addList(api: Api, { brokerApi, nowMs }: RouteWorld): void {
  api.get(
    urlOf("listTokens"),
    {
      config: forThoseWhoMay("seeToken"),
      schema: {
        summary: "List tokens, also expired and revoked ones, without secrets",
        tags: ["tokens"],
        response: answers("TokenList", 200),
      },
    },
    async (request) => ({
      items: seenTokens(brokerApi.query("tokens"), request).map((token) => tokenView(token, nowMs())),
    }),
  );
}

function addRevoke(api: Api, { brokerApi, guard, nowMs }: RouteWorld): void {
  api.delete(
    urlOf("revokeToken"),
    {
      config: forThoseWhoMay("revokeToken"),
      schema: {
        summary: "Revoke a token",
        tags: ["tokens"],
        params: tokenParameters,
        response: answers("Token", 200),
      },
    },
    async (request) => {
      const given = request.params.id;
      const exact = brokerApi.query("token", given);
      const isTheirs = exact !== undefined && guard.permits(request, "revokeToken", exact);
      const { id } = isTheirs ? exact : oneBeginning(given, seenTokens(brokerApi.query("tokens"), request));
      const answer = await brokerApi.ask({ kind: "revokeToken", token: id, by: whoOf(request).owner });
      if (!answer.ok) throw refusalProblem(answer.refusal);
      return tokenView(tokenNamed(brokerApi.query("token", id), id), nowMs());
    },
  );
}

/** Filters without reporting denials: an omitted token was not requested. */
function seenTokens(tokens: readonly TokenRecord[], request: FastifyRequest): TokenRecord[] {
  return tokens.filter((token) => mayDo(whoOf(request), "seeToken", token));
}

function oneBeginning(given: string, tokens: readonly TokenRecord[]): TokenRecord {
  const [first, ...others] = tokens.filter(({ id }) => id.startsWith(given));
  if (first === undefined || others.length === 0) return tokenNamed(first, given);
  throw new ProblemError({
    status: 409,
    code: "ambiguousId",
    what: `several token ids begin with ${given}`,
    why: `${others.length + 1} of the tokens visible to you match`,
    remedy: "give a longer prefix",
  });
}

function tokenNamed(token: TokenRecord | undefined, given: string): TokenRecord {
  if (token === undefined) throw refusalProblem({ kind: "unknownToken", token: given });
  return token;
}

function expiryOf({ expiresAt }: TokenRequest, nowMs: number): number {
  return expiresAt === undefined ? nowMs + USUAL_LIFE_MS : instantGiven(expiresAt, { pointer: "/expiresAt" });
}
