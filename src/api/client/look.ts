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
