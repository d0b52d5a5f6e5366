/**
 * Group commit: every commit that is waiting goes into one transaction, and one fsync pays for all.
 *
 * When a commit in a group is refused by the database itself, the group is taken back and its members are
 * written one by one, so that only the refused one fails; commits are checked before they come here, so
 * this is rare. When the file or the disk fails, nothing that follows may be taken either: callers have
 * built on what they gave before. The store stays readable and says the same fault until it is reopened.
 */
import type { Fault } from "../../base/index.ts";
import type { Receipt } from "../../runtime/index.ts";
import { chain, emptyHead } from "../hash-chain.ts";
import type { PreparedCommit } from "../prepare-commit.ts";
import { commitRefused, logDamaged } from "../store-fault.ts";
import type { View } from "../view-catalog.ts";
import { type Database, type SqlRow, transaction } from "./database.ts";
import { isStatementRefused, storeFault } from "./sqlite-fault.ts";
import { rowWriter, tableOf } from "./view-tables.ts";

/** What became of one commit. */
export type Outcome =
  | { readonly ok: true; readonly receipt: Receipt }
  | { readonly ok: false; readonly fault: Fault };

/** Writes to the log. */
export interface Appender {
  readonly head: Receipt;
  /** Carries out the commits in their order; when it returns, those that are ok are durable. */
  append(commits: readonly PreparedCommit[]): Outcome[];
}

const insertEvent = "INSERT INTO events (seq, at_ms, kind, version, body, hash) VALUES (?, ?, ?, ?, ?, ?)";

/** An appender behind the last event in the database. @throws Fault logbookDamaged */
export function createAppender(database: Database, views: readonly View[]): Appender {
  const writeRow = rowWriter(database, views, tableOf);
  let head = readHead(database);
  let failure: Fault | undefined;

  function write({ events, changes }: PreparedCommit, from: Receipt): Receipt {
    let to = from;
    for (const event of events) {
      to = chain(to, event);
      const { atMs, kind, version, body } = event;
      database.prepare(insertEvent).run(to.seq, atMs, kind, version, body, to.hash);
    }
    for (const change of changes) writeRow(change);
    return to;
  }
  function writeGroup(commits: readonly PreparedCommit[]): Outcome[] {
    const receipts = transaction(database, () => {
      let to = head;
      return commits.map((commit) => {
        to = write(commit, to);
        return to;
      });
    });
    head = receipts.at(-1) ?? head;
    return receipts.map((receipt) => ({ ok: true, receipt }));
  }
  function append(commits: readonly PreparedCommit[]): Outcome[] {
    if (failure === undefined) {
      try {
        return writeGroup(commits);
      } catch (error) {
        if (isStatementRefused(error)) {
          return commits.length > 1 ? commits.flatMap((commit) => append([commit])) : [refusedBy(error)];
        }
        failure = storeFault(error, "the logbook could not write, and takes no more commits");
      }
    }
    const fault = failure;
    return commits.map(() => ({ ok: false, fault }));
  }
  return {
    get head() {
      return head;
    },
    append,
  };
}

function refusedBy(error: unknown): Outcome {
  return { ok: false, fault: commitRefused(error instanceof Error ? error.message : String(error)) };
}

/** The last event's place, when its hash follows from the one before. */
/** The last event, checked against its hash. @throws Fault logbookDamaged */
export function readHead(database: Database): Receipt {
  const rows = [...database.prepare("SELECT * FROM events ORDER BY seq DESC LIMIT 2").iterate()];
  const [last, before] = rows;
  if (last === undefined) return emptyHead;
  const previous = before === undefined ? emptyHead : receiptOf(before);
  const { at_ms: atMs, kind, version, body } = last;
  const event = { atMs: Number(atMs), kind: String(kind), version: Number(version), body: String(body) };
  const head = chain(previous, event);
  if (head.seq !== last.seq || head.hash !== last.hash) {
    throw logDamaged(`event ${last.seq}, the last one, is not what was written`);
  }
  return head;
}

function receiptOf({ seq, hash }: SqlRow): Receipt {
  return { seq: Number(seq), hash: String(hash) };
}
