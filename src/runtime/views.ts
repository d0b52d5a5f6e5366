/**
 * The views that the broker keeps: what is written in the transaction of the events, and read back.
 *
 * Rows are taken at their word when they are read back: only `rowOf` writes them, a change of their shape
 * raises `VIEWS_VERSION`, upon which they are computed again from the log, and `stint doctor` compares the
 * two. Checking each of 100,000 records at every start would cost more than reading them.
 */
import type { BalanceRecord, PolicyVersion, RecordChange, SiteRecord } from "../engine/index.ts";
import type {
  EnforcementRecord,
  JobRecord,
  PeerRecord,
  PolicyFollower,
  PostingRecord,
  ReservationRecord,
  StoredFiles,
  TicketKeyRecord,
  TicketRecord,
  TokenRecord,
  VoRecord,
} from "../model/index.ts";
import type { Json, JsonObject, ViewChange, ViewSchema } from "./logbook.ts";

/** To be raised whenever a record says something else than before; the views are then computed again. */
export const VIEWS_VERSION = 8;

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
      endedAtMs: "integer",
    },
  },
  { name: "sites", columns: { ord: "integer" } },
  { name: "tokens", columns: { consumer: "text", expiresAtMs: "integer" } },
  {
    name: "reservations",
    columns: {
      state: "text",
      owner: "text",
      consumer: "text",
      site: "text",
      changedAtMs: "integer",
      ord: "integer",
    },
  },
  { name: "postings", columns: { site: "text", consumer: "text", atMs: "integer" } },
  { name: "balances", columns: { site: "text" } },
  { name: "policies", columns: { ord: "integer" } },
  { name: "followers", columns: {} },
  { name: "peers", columns: {} },
  { name: "vos", columns: {} },
  { name: "tickets", columns: {} },
  { name: "ticketKeys", columns: {} },
  { name: "files", columns: { site: "text", consumer: "text", state: "text", changedAtMs: "integer" } },
  {
    name: "actions",
    columns: { site: "text", job: "text", owner: "text", consumer: "text", atMs: "integer" },
  },
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
  if (change.kind === "policies") {
    const { version } = change.record;
    const key = String(version).padStart(8, "0");
    return { view: "policies", key, record: asJson(change.record), columns: { ord: version } };
  }
  if (change.kind === "follower") {
    return { view: "followers", key: change.record.name, record: asJson(change.record), columns: {} };
  }
  if (change.kind === "followerGone") {
    return { view: "followers", key: change.name, record: undefined, columns: {} };
  }
  if (change.kind === "peer") {
    return { view: "peers", key: change.record.name, record: asJson(change.record), columns: {} };
  }
  if (change.kind === "peerGone") {
    return { view: "peers", key: change.name, record: undefined, columns: {} };
  }
  if (change.kind === "vo") {
    return { view: "vos", key: change.record.vo, record: asJson(change.record), columns: {} };
  }
  if (change.kind === "ticket") {
    return { view: "tickets", key: change.record.name, record: asJson(change.record), columns: {} };
  }
  if (change.kind === "ticketKey") {
    return { view: "ticketKeys", key: change.record.id, record: asJson(change.record), columns: {} };
  }
  if (change.kind === "action") {
    const { id, site, owner, consumer, atMs, action } = change.record;
    const columns = { site, job: action.job, owner, consumer, atMs };
    return { view: "actions", key: id, record: asJson(change.record), columns };
  }
  if (change.kind === "files") {
    const { id, site, consumer, state, steps } = change.record;
    const columns = { site, consumer, state, changedAtMs: steps.at(-1)?.atMs ?? 0 };
    return { view: "files", key: id, record: asJson(change.record), columns };
  }
  if (change.kind !== "job") return moneyRowOf(change);
  const { record } = change;
  const { state, owner, consumer, site, submittedAtMs, endedAtMs } = record;
  const columns = { state, owner, consumer, site, submittedAtMs, ord: record.order, endedAtMs };
  return { view: "jobs", key: record.id, record: asJson(record), columns };
}

function moneyRowOf(
  change: Exclude<
    RecordChange,
    {
      kind:
        | "job"
        | "site"
        | "siteGone"
        | "token"
        | "vo"
        | "action"
        | ("policies" | "follower" | "followerGone" | "peer" | "peerGone" | "files" | "ticket" | "ticketKey");
    }
  >,
): ViewChange {
  switch (change.kind) {
    case "reservation": {
      const { id, state, owner, consumer, site, order, history } = change.record;
      const changedAtMs = history.at(-1)?.atMs ?? 0;
      const columns = { state, owner, consumer, site, changedAtMs, ord: order };
      return { view: "reservations", key: id, record: asJson(change.record), columns };
    }
    case "posting": {
      const { id, site, consumer, atMs } = change.record;
      return {
        view: "postings",
        key: id,
        record: asJson(change.record),
        columns: { site, consumer, atMs },
      };
    }
    case "balance": {
      const { key, site } = change.record;
      return { view: "balances", key, record: asJson(change.record), columns: { site } };
    }
    case "balanceGone":
      return { view: "balances", key: change.key, record: undefined, columns: {} };
  }
}

/** A row of the view of reservations, read back. */
export function reservationOf(row: JsonObject): ReservationRecord {
  return row as unknown as ReservationRecord;
}

/** A row of the view of postings, read back. */
export function postingOf(row: JsonObject): PostingRecord {
  return row as unknown as PostingRecord;
}

/** A row of the view of balances, read back. */
export function balanceOf(row: JsonObject): BalanceRecord {
  return row as unknown as BalanceRecord;
}

/** A row of the view of policies, read back. */
export function policiesOf(row: JsonObject): PolicyVersion {
  return row as unknown as PolicyVersion;
}

/** A row of the view of what enforcers did, read back. */
export function actionOf(row: JsonObject): EnforcementRecord {
  return row as unknown as EnforcementRecord;
}

/** A row of the view of followers, read back. */
export function followerOf(row: JsonObject): PolicyFollower {
  return row as unknown as PolicyFollower;
}

/** A row of the view of other brokers, read back. */
export function peerOf(row: JsonObject): PeerRecord {
  return row as unknown as PeerRecord;
}

/** A row of the view of tickets, read back. */
export function ticketRecordOf(row: JsonObject): TicketRecord {
  return row as unknown as TicketRecord;
}

/** A row of the view of keys that sign tickets, read back. */
export function ticketKeyOf(row: JsonObject): TicketKeyRecord {
  return row as unknown as TicketKeyRecord;
}

/** A row of the view of organisations, read back. */
export function voRecordOf(row: JsonObject): VoRecord {
  return row as unknown as VoRecord;
}

/** A row of the view of files that are kept at sites, read back. */
export function filesOf(row: JsonObject): StoredFiles {
  return row as unknown as StoredFiles;
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
