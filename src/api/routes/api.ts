/** Common parts of all route files. */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from "fastify";
import { assert } from "../../base/index.ts";
import { ref, type sharedSchemas } from "../../contract/index.ts";
import type { Action } from "../../model/index.ts";
import type { BrokerApi, LogArchiving, Simulations, Webhooks } from "../../runtime/index.ts";
import type { Guard } from "../identity.ts";
import type { Metrics } from "../metrics.ts";
import { OPERATIONS, type OperationId, PREFIX } from "../operations.ts";
import type { PolicyStudies } from "../policy-studies.ts";
import type { WorkflowPlanning } from "../workflow-planning.ts";

/** The server, with the types of TypeBox schemas. */
export type Api = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Dependencies of the routes. */
export interface RouteWorld {
  readonly brokerApi: BrokerApi;
  readonly guard: Guard;
  /** Unix time. */
  readonly nowMs: () => number;
  /** Interval between polls of a followed file. */
  readonly pollMs: number;
  readonly isReady: () => boolean;
  /** Begins the stop of the broker. */
  readonly stop: () => void;
  readonly metrics: Metrics;
  /** The program's version. */
  readonly version: string;
  /** Simulations that the broker runs for people. */
  readonly simulations: Simulations;
  readonly studies: PolicyStudies;
  readonly planning: WorkflowPlanning;
  readonly archiving: LogArchiving;
  readonly webhooks: Webhooks;
  /** Domains to which mail about jobs may be sent; empty: none is sent; undefined: not checked. */
  readonly mailDomains: readonly string[] | undefined;
}

/** Path of an operation. */
export function urlOf(id: OperationId): string {
  return PREFIX + OPERATIONS[id].path;
}

/** Names each route after its operation. Routes outside the prefix name themselves. */
export function nameOperations(server: FastifyInstance): void {
  const ids = new Map(
    Object.entries(OPERATIONS).map(([id, { method, path }]) => [`${method} ${PREFIX}${path}`, id]),
  );
  server.addHook("onRoute", (route) => {
    const id = ids.get(`${route.method} ${route.url}`);
    assert(id !== undefined || !route.url.startsWith(PREFIX), `${route.url} is an operation of the table`);
    if (id !== undefined) route.schema = { ...route.schema, operationId: id };
  });
}

/** Admits callers who may do this to anything at all; the route checks again when it knows the object. */
export function forThoseWhoMay(action: Action): { readonly action: Action } {
  return { action };
}

/** Admits any caller that is identified, whatever their rights. */
export const forTheSignedIn = { action: "signedIn" } as const;

/** Admits any caller. */
export const forAnyone = { action: "anyone" } as const;

const PROBLEMS = {
  "4xx": "The request is refused: what happened, why, and what to do about it",
  "5xx": "The broker failed, or cannot answer now: what happened, why, and what to do about it",
};

/** Responses of a route: on success one of the shared schemas, else a problem. */
export function answers(name: keyof typeof sharedSchemas, ...codes: readonly number[]): object {
  const good = codes.map((code) => [code, ref(name)]);
  const problem = { "application/problem+json": { schema: ref("Problem") } };
  const bad = Object.entries(PROBLEMS).map(([range, description]) => [
    range,
    { description, content: problem },
  ]);
  return Object.fromEntries([...good, ...bad]);
}

/** Responses of a route that sends a stream of another media type. */
export function streams(mediaType: string, description: string): object {
  const good = { description, content: { [mediaType]: { schema: { type: "string" } } } };
  return { ...answers("Problem"), 200: good };
}
