/**
 * Instants as the API writes them.
 */

/** Unix ms as ISO 8601 in UTC. */
export function isoInstant(atMs: number): string {
  return new Date(atMs).toISOString();
}
