/**
 * Rebuilds the views from the log, and compares stored views with the log.
 *
 * Views are derived from the log: after a change of the projection they are computed again. For a
 * comparison both sides are read in the order of keys and merged, so it holds one page of each; the rebuilt
 * side is in a scratch logbook, in memory by default.
 */
import { Fault } from "../base/index.ts";
import type { Logbook, LoggedEvent, ViewChange, ViewRow, ViewSchema } from "../runtime/index.ts";
import { canonicalJson } from "./canonical-json.ts";
import { createMemoryLogbook } from "./memory-logbook.ts";
import { logDamaged } from "./store-fault.ts";
import { compareText } from "./value-order.ts";

/** Changes of the views by one event. Called once per event, in order; may have state. */
export type Project = (event: LoggedEvent) => readonly ViewChange[];

/** A row that differs from the log. Undefined: absent on that side. */
export interface ViewDifference {
  readonly view: string;
  readonly key: string;
  readonly stored: ViewRow | undefined;
  readonly rebuilt: ViewRow | undefined;
}

/** Input of a comparison. */
export interface Comparison {
  readonly logbook: Pick<Logbook, "head" | "events" | "rows">;
  readonly schemas: readonly ViewSchema[];
  readonly project: Project;
  /** Logbook for the rebuilt views, with the same views; default: in memory. */
  readonly scratch?: Logbook;
  /** Number of differences after which the comparison stops; default 100. */
  readonly most?: number;
}

/** Computes all views again from the whole log, in one transaction. */
export function rebuildViews(logbook: Logbook, project: Project): Promise<void> {
  return logbook.replaceViews(rebuilt(logbook, project));
}

/**
 * Rows that differ from the log, by view and key; empty if the views are right.
 *
 * @throws Fault logbookMoved, if a commit happened meanwhile
 */
export async function compareViews(comparison: Comparison): Promise<ViewDifference[]> {
  const { logbook, schemas, project, most = 100 } = comparison;
  const scratch = comparison.scratch ?? createMemoryLogbook(schemas);
  const before = await logbook.head();
  await scratch.replaceViews(rebuilt(logbook, project));
  const differences: ViewDifference[] = [];
  for await (const difference of differencesOf(logbook, scratch, schemas)) {
    if (differences.push(difference) >= most) break;
  }
  const after = await logbook.head();
  if (after.seq !== before.seq) throw moved(before.seq, after.seq);
  return differences;
}

async function* differencesOf(
  logbook: Pick<Logbook, "rows">,
  scratch: Logbook,
  schemas: readonly ViewSchema[],
): AsyncIterable<ViewDifference> {
  for (const { name: view } of schemas) {
    for await (const pair of sideBySide(allRows(logbook, view), allRows(scratch, view))) {
      if (!isSame(pair.stored, pair.rebuilt)) yield { view, ...pair };
    }
  }
}

async function* rebuilt(logbook: Pick<Logbook, "events">, project: Project): AsyncIterable<ViewChange> {
  for await (const event of logbook.events(1)) yield* project(event);
}

async function* allRows(logbook: Pick<Logbook, "rows">, view: string): AsyncGenerator<ViewRow, undefined> {
  let after: string | undefined;
  do {
    const page = await logbook.rows(view, { limit: 1000, ...(after !== undefined && { after }) });
    yield* page.rows;
    after = page.next;
  } while (after !== undefined);
}

async function* sideBySide(
  storedRows: AsyncGenerator<ViewRow, undefined>,
  rebuiltRows: AsyncGenerator<ViewRow, undefined>,
): AsyncIterable<Omit<ViewDifference, "view">> {
  let stored = (await storedRows.next()).value;
  let rebuilt = (await rebuiltRows.next()).value;
  while (stored !== undefined || rebuilt !== undefined) {
    const order = orderOf(stored, rebuilt);
    const key = (order <= 0 ? stored : rebuilt)?.key ?? "";
    yield { key, stored: order <= 0 ? stored : undefined, rebuilt: order >= 0 ? rebuilt : undefined };
    if (order <= 0) stored = (await storedRows.next()).value;
    if (order >= 0) rebuilt = (await rebuiltRows.next()).value;
  }
}

/** Order of two keys; the end of a side comes after every key. */
function orderOf(stored: ViewRow | undefined, rebuilt: ViewRow | undefined): number {
  if (stored === undefined) return 1;
  return rebuilt === undefined ? -1 : compareText(stored.key, rebuilt.key);
}

function isSame(stored: ViewRow | undefined, rebuilt: ViewRow | undefined): boolean {
  return stored !== undefined && rebuilt !== undefined && textOf(stored) === textOf(rebuilt);
}

function textOf({ record, columns }: ViewRow): string {
  return canonicalJson([record, columns], logDamaged);
}

function moved(before: number, after: number): Fault {
  return new Fault({
    kind: "refused",
    code: "logbookMoved",
    what: "the views cannot be compared with the log",
    why: `the log grew from event ${before} to event ${after} during the comparison`,
    remedy: "stop the broker first, or compare a copy of its directory",
  });
}
