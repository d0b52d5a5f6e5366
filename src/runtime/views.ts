/**
 * The views that the broker keeps: what is written in the transaction of the events, and read back.
 *
 * Rows are taken at their word when they are read back: only `rowOf` writes them, a change of their shape
 * raises `VIEWS_VERSION`, upon which they are computed again from the log, and `stint doctor` compares the
 * two. Checking each of 100,000 records at every start would cost more than reading them.
 */
import type { RecordChange, SiteRecord } from "../engine/index.ts";
import type { JobRecord, TokenRecord } from "../model/index.ts";
import type { Json, JsonObject, ViewChange, ViewSchema } from "./logbook.ts";

/** To be raised whenever a record says something else than before; the views are then computed again. */
export const VIEWS_VERSION = 2;

/** All views, for opening a logbook. */
export const VIEWS: readonly ViewSchema[] = [
  {
    name: "jobs",
    columns: {
      state: "text",
      owner: "text",
      consumer: "text",
      site: "text",
      submittedAtMs: "integer",
      ord: "integer",
    },
  },
  { name: "sites", columns: { ord: "integer" } },
  { name: "tokens", columns: { consumer: "text", expiresAtMs: "integer" } },
];

/** A changed record as a row. */
export function rowOf(change: RecordChange): ViewChange {
  if (change.kind === "site") {
    const { name, order } = change.record;
    return { view: "sites", key: name, record: asJson(change.record), columns: { ord: order } };
  }
  if (change.kind === "siteGone") {
    return { view: "sites", key: change.name, record: undefined, columns: {} };
  }
  if (change.kind === "token") {
    const { id, consumer, expiresAtMs } = change.record;
    return { view: "tokens", key: id, record: asJson(change.record), columns: { consumer, expiresAtMs } };
  }
  const { record } = change;
  const { state, owner, consumer, site, submittedAtMs } = record;
  const columns = { state, owner, consumer, site, submittedAtMs, ord: record.order };
  return { view: "jobs", key: record.id, record: asJson(record), columns };
}

/** A row of the view of jobs, read back. */
export function jobOf(row: JsonObject): JobRecord {
  return row as unknown as JobRecord;
}

/** A row of the view of sites, read back. */
export function siteOf(row: JsonObject): SiteRecord {
  return row as unknown as SiteRecord;
}

/** A row of the view of tokens, read back. */
export function tokenOf(row: JsonObject): TokenRecord {
  return row as unknown as TokenRecord;
}

/** A record as JSON: what is undefined is left out. */
export function asJson(record: object): JsonObject {
  return JSON.parse(JSON.stringify(record)) as { [key: string]: Json };
}
