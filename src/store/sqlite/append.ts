/**
 * Group commit: all waiting commits are one transaction with one fsync.
 *
 * If the database refuses a commit of a group, the group is rolled back and its members are written one by
 * one, so that only the refused one fails; commits are validated before, so this is rare. If the file or
 * the disk fails, all later commits are refused too, since their callers have built on earlier ones. The
 * store stays readable and repeats the fault until it is reopened.
 */

import type { Fault } from "../../base/index.ts";
import { messageOf } from "../../base/index.ts";
import type { Receipt } from "../../runtime/index.ts";
import { chain, emptyHead } from "../hash-chain.ts";
import type { PreparedCommit } from "../prepare-commit.ts";
import { commitRefused, logDamaged } from "../store-fault.ts";
import type { View } from "../view-catalog.ts";
import { archivedThrough } from "./archives.ts";
import { type Database, type SqlRow, transaction } from "./database.ts";
import { isStatementRefused, storeFault } from "./sqlite-fault.ts";
import { rowWriter, tableOf } from "./view-tables.ts";

/** Outcome of one commit. */
export type Outcome =
  | { readonly ok: true; readonly receipt: Receipt }
  | { readonly ok: false; readonly fault: Fault };

/** Writes to the log. */
export interface Appender {
  readonly head: Receipt;
  /** Stores commits in order. On return the successful ones are durable. */
  append(commits: readonly PreparedCommit[]): Outcome[];
}

const insertEvent = "INSERT INTO events (seq, at_ms, kind, version, body, hash) VALUES (?, ?, ?, ?, ?, ?)";

/** An appender after the last event of the database. @throws Fault logbookDamaged */
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
        failure = storeFault(error, "the logbook could not be written to, and accepts no more commits");
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
  return { ok: false, fault: commitRefused(messageOf(error)) };
}

/** Last event, with its hash verified. @throws Fault logbookDamaged */
export function readHead(database: Database): Receipt {
  const rows = [...database.prepare("SELECT * FROM events ORDER BY seq DESC LIMIT 2").iterate()];
  const [last, before] = rows;
  if (last === undefined) return emptyHead;
  const previous = before === undefined ? archivedThrough(database) : receiptOf(before);
  const { at_ms: atMs, kind, version, body } = last;
  const event = { atMs: Number(atMs), kind: String(kind), version: Number(version), body: String(body) };
  const head = chain(previous, event);
  if (head.seq !== last.seq || head.hash !== last.hash) {
    throw logDamaged(`event ${last.seq}, the last one, differs from what was written`);
  }
  return head;
}

function receiptOf({ seq, hash }: SqlRow): Receipt {
  return { seq: Number(seq), hash: String(hash) };
}
