/**
 * Any operation of the API over a connection, by the table of operations.
 */
import { randomUUID } from "node:crypto";
import {
  type Answered,
  type Given,
  OPERATIONS,
  type Operation,
  type OperationId,
  PREFIX,
} from "../operations.ts";
import type { Connection } from "./connection.ts";

/** What goes beside what an operation is asked with. */
interface CallOptions {
  /** For what is made once, however often it is sent; one of its own where absent. */
  readonly idempotencyKey?: string | undefined;
  /** The version that a change was made on. */
  readonly onVersion?: number | undefined;
}

/** A function that asks. */
export type Call = <Id extends OperationId>(
  id: Id,
  ...asked: unknown extends Given<Id> ? [] : [given: Given<Id>, options?: CallOptions]
) => Promise<Answered<Id>>;

/** Asks over a connection. Answers are taken at their word: the server's tests hold them to their schemas. */
export function callOver(connection: Connection): Call {
  return async (id, ...[given = {}, options = {}]) => {
    const { method, again }: Operation = OPERATIONS[id];
    const { body } = given as { readonly body?: unknown };
    const headers: Record<string, string> = {};
    if (again === "keyed") headers["idempotency-key"] = options.idempotencyKey ?? randomUUID();
    if (options.onVersion !== undefined) headers["if-match"] = `"${options.onVersion}"`;
    const isRepeatable = again !== undefined;
    return (await connection.json({
      method,
      path: pathOf(id, given as object),
      body,
      headers,
      isRepeatable,
    })) as never;
  };
}

/** Where an operation is, with its parameters and its query. */
export function pathOf(id: OperationId, given: object): string {
  const { params = {}, query = {} } = given as Record<"params" | "query", Readonly<Record<string, unknown>>>;
  const path = OPERATIONS[id].path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(params[name])));
  return PREFIX + path + queryText(query);
}

/** Lists by repetition; empty where nothing is said. */
function queryText(of: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(of)) {
    if (value === undefined) continue;
    for (const one of [value].flat()) query.append(name, String(one));
  }
  return query.size === 0 ? "" : `?${query}`;
}
