/**
 * What the calls of the client share: looking, and where things are.
 */
import type { Connection } from "./connection.ts";

/** A list as the server writes it. */
export interface Items<Item> {
  readonly items: readonly Item[];
}

/** The server is of this version and its tests hold its answers against their schemas: taken at its word. */
export async function look<Answer>(connection: Connection, path: string): Promise<Answer> {
  return (await connection.json({ method: "GET", path, isRepeatable: true })) as Answer;
}

/** Where a site is. */
export function sitePath(name: string): string {
  return `/api/v1/sites/${encodeURIComponent(name)}`;
}

/** A query with what is said of it, lists by repetition; empty where nothing is. */
export function queryText(of: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(of)) {
    if (value === undefined) continue;
    for (const one of [value].flat()) query.append(name, String(one));
  }
  return query.size === 0 ? "" : `?${query}`;
}
