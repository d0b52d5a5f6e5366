/**
 * Any operation of the API over a connection, by the table of operations.
 */
import { OPERATIONS, type Operation, type OperationId, type Operations, PREFIX } from "../operations.ts";
import type { Connection } from "./connection.ts";

/** Calls an operation. */
export type Call = <Id extends OperationId>(
  id: Id,
  ...asked: Operations[Id]["asked"]
) => Promise<Operations[Id]["answer"]>;

/**
 * Calls operations over a connection. Responses are not validated: the server's tests compare them with their
 * schemas.
 */
export function callOver(connection: Pick<Connection, "json">): Call {
  return async (id, ...[given = {}, options = {}]) => {
    const { method, again }: Operation = OPERATIONS[id];
    const { body } = given as { readonly body?: unknown };
    const headers: Record<string, string> = {};
    if (again === "keyed") headers["idempotency-key"] = options.idempotencyKey ?? crypto.randomUUID();
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

/** URL of an operation, with its parameters and its query. */
export function pathOf(id: OperationId, given: object): string {
  const { params = {}, query = {} } = given as Record<"params" | "query", Readonly<Record<string, unknown>>>;
  const path = OPERATIONS[id].path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(params[name])));
  return PREFIX + path + queryText(query);
}

/** Query string; lists are repeated parameters, absent values are omitted. */
function queryText(of: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(of)) {
    if (value === undefined) continue;
    for (const one of [value].flat()) query.append(name, String(one));
  }
  return query.size === 0 ? "" : `?${query}`;
}
