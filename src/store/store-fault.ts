/**
 * Refusals of a logbook: commits and questions that it cannot accept.
 *
 * Both implementations use this file, so that the conformance suite can check the codes. Failures of the
 * disk or the database are in sqlite/sqlite-fault.ts.
 */
import { Fault } from "../base/index.ts";

/** Refusal of a commit that the logbook cannot store; none of it was written. */
export function commitRefused(why: string): Fault {
  return new Fault({
    kind: "refused",
    code: "commitRefused",
    what: "the logbook refused a commit; nothing was written",
    why,
    remedy: "this is a bug in Stint: please report it with this message",
  });
}

/** Refusal of an operation whose events no log can store; it was not begun. */
export function notRecordable(why: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "notRecordable",
    what: "the request cannot be recorded, so it was not carried out",
    why,
    remedy: "remove characters that are not valid text, or split the request",
  });
}

/** Refusal of an invalid question: an unknown column, a cursor of another query. */
export function queryRefused(why: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "badQuery",
    what: "the logbook cannot answer this query",
    why,
    remedy: "use the columns of the view, and the cursor that came with the previous page",
  });
}

/** Refusal after `close`. */
export function logbookClosed(): Fault {
  return new Fault({
    kind: "refused",
    code: "logbookClosed",
    what: "the logbook accepts no more commits or queries",
    why: "it was closed",
    remedy: "open it again",
  });
}

/** Fault of a log whose content is not what was written. */
export function logDamaged(why: string, cause?: unknown): Fault {
  return new Fault({
    kind: "failed",
    code: "logbookDamaged",
    what: "the logbook is damaged",
    why,
    remedy: "stop the broker, copy the directory for later analysis, and restore the last backup",
    cause,
  });
}
