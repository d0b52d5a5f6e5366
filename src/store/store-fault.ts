/**
 * The words of a logbook's "no": a commit or a question that cannot be taken as it is.
 *
 * Both implementations speak through this file, so that the conformance suite can hold them to the same
 * codes. What the disk or the database did wrong is in sqlite/sqlite-fault.ts.
 */
import { Fault } from "../base/index.ts";

/** A commit that says something the logbook cannot hold; nothing of it was written. */
export function commitRefused(why: string): Fault {
  return new Fault({
    kind: "refused",
    code: "commitRefused",
    what: "the logbook refused a commit, and nothing of it was written",
    why,
    remedy: "this is a defect of Stint: report it with this message",
  });
}

/** Something asked for that no log can hold; it was not begun. */
export function notRecordable(why: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "notRecordable",
    what: "this cannot be recorded, and was not done",
    why,
    remedy: "leave out what is not text, or ask for less at a time",
  });
}

/** A question about a view that has no such answer: an unknown column, a cursor of another question. */
export function queryRefused(why: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "badQuery",
    what: "the logbook cannot answer this question",
    why,
    remedy: "ask by the columns of the view, and continue only with the cursor of the page before",
  });
}

/** Asked after `close`. */
export function logbookClosed(): Fault {
  return new Fault({
    kind: "refused",
    code: "logbookClosed",
    what: "the logbook takes no more commits and questions",
    why: "it was closed",
    remedy: "open it again",
  });
}

/** What the log holds is not what was written. */
export function logDamaged(why: string, cause?: unknown): Fault {
  return new Fault({
    kind: "failed",
    code: "logbookDamaged",
    what: "the logbook is damaged",
    why,
    remedy: "stop the broker, keep a copy of the directory as it is, and restore the last backup",
    cause,
  });
}
