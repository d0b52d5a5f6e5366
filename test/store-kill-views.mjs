/** The views of the process that is killed, and what its events make of them. */

/** @type {readonly import("../src/runtime/index.ts").ViewSchema[]} */
export const killViews = [{ name: "callers", columns: { count: "integer" } }];

/**
 * @param {{ kind: string, body: import("../src/runtime/index.ts").JsonObject }} event
 * @returns {import("../src/runtime/index.ts").ViewChange[]}
 */
export function projectKill({ kind, body }) {
  if (kind !== "counted") return [];
  const columns = { count: Number(body.count) };
  return [{ view: "callers", key: String(body.caller), record: body, columns }];
}
