/**
 * Instants as the API writes them.
 */

/** The last one that a date-time of RFC 3339 can say: its years have four digits. */
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Unix ms as ISO 8601 in UTC; a later one than dates can say is the last of them (rule AP-109). */
export function isoInstant(atMs: number): string {
  return new Date(Math.min(atMs, LAST_MS)).toISOString();
}
