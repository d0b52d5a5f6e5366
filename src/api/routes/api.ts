/**
 * What every route file gets, and what they all say of themselves.
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from "fastify";
import type { Action } from "../../engine/index.ts";
import type { BrokerApi } from "../../runtime/index.ts";
import type { Guard } from "../identity.ts";
import type { Metrics } from "../metrics.ts";
import { ref, type sharedSchemas } from "../schemas/views.ts";

/** The server, with the types of TypeBox schemas. */
export type Api = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** What routes translate to. */
export interface RouteWorld {
  readonly brokerApi: BrokerApi;
  readonly guard: Guard;
  /** Unix time. */
  readonly nowMs: () => number;
  /** How often a followed file is looked at. */
  readonly pollMs: number;
  readonly isReady: () => boolean;
  readonly metrics: Metrics;
}

/** Where everything of version 1 is. */
export const PREFIX = "/api/v1";

/** For whoever may do this to anything at all; the route asks again when it knows to what. */
export function forThoseWhoMay(action: Action): { readonly action: Action } {
  return { action };
}

/** Open to whoever reaches the server. */
export const forAnyone = { action: "anyone" } as const;

/** The answers of a route: on success one of the shared schemas, else a problem. */
export function answers(name: keyof typeof sharedSchemas, ...codes: readonly number[]): object {
  const good = codes.map((code) => [code, ref(name)]);
  const bad = ["4xx", "5xx"].map((range) => [
    range,
    { content: { "application/problem+json": { schema: ref("Problem") } } },
  ]);
  return Object.fromEntries([...good, ...bad]);
}

/** The answers of a route that sends a stream of another media type. */
export function streams(mediaType: string, description: string): object {
  const good = { description, content: { [mediaType]: { schema: { type: "string" } } } };
  return { ...answers("Problem"), 200: good };
}
