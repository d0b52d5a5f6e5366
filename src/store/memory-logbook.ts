/**
 * A logbook in memory, for simulations and tests: the whole port except durability.
 *
 * Stores text, as the other implementations do, so that callers cannot change recorded events.
 */
import type {
  Commit,
  Logbook,
  LoggedEvent,
  Person,
  Receipt,
  ViewChange,
  ViewCondition,
  ViewPage,
  ViewSchema,
} from "../runtime/index.ts";
import { chain, type EventText, emptyHead } from "./hash-chain.ts";
import {
  checkEvents,
  type PreparedCommit,
  prepareChanges,
  prepareCommit,
  preparePerson,
  type RowChange,
} from "./prepare-commit.ts";
import { type SearchedLog, searchEvents } from "./search-events.ts";
import { logbookClosed } from "./store-fault.ts";
import { compareText, compareValues } from "./value-order.ts";
import { type ColumnValue, type View, type ViewCatalog, viewCatalog } from "./view-catalog.ts";
import {
  columnValue,
  type PlannedCondition,
  type PlannedQuery,
  pageOf,
  parsedEvent,
  parseStored,
  planQuery,
  type StoredRow,
  viewNamed,
} from "./view-query.ts";
import { createWriteGate } from "./write-gate.ts";

/** An empty logbook with these views. */
export function createMemoryLogbook(schemas: readonly ViewSchema[]): Logbook {
  let isOpen = true;
  const assertOpen = (): void => {
    if (!isOpen) throw logbookClosed();
  };
  return {
    ...logAndViews(viewCatalog(schemas), assertOpen),
    ...peopleInMemory(assertOpen),
    async close() {
      isOpen = false;
    },
  };
}

type PeopleKeys = "putPerson" | "person" | "erasePerson";

function peopleInMemory(assertOpen: () => void): Pick<Logbook, PeopleKeys> {
  const people = new Map<string, Person>();
  return {
    async putPerson(person) {
      assertOpen();
      const prepared = preparePerson(person);
      people.set(prepared.id, prepared);
    },
    async person(id) {
      assertOpen();
      return people.get(id);
    },
    async erasePerson(id) {
      assertOpen();
      people.delete(id);
    },
  };
}

function logAndViews(catalog: ViewCatalog, assertOpen: () => void): Omit<Logbook, PeopleKeys | "close"> {
  const gate = createWriteGate();
  const log: (EventText & Receipt)[] = [];
  let views = emptyViews(catalog);
  let head = emptyHead;

  function append({ events, changes }: PreparedCommit): Receipt {
    for (const event of events) {
      head = chain(head, event);
      log.push({ ...event, ...head });
    }
    applyChanges(views, changes);
    return head;
  }
  async function* read(fromSeq: number, throughSeq: number): AsyncIterable<LoggedEvent> {
    for (let seq = Math.max(1, fromSeq); seq <= throughSeq; seq++) {
      assertOpen();
      const event = log[seq - 1];
      yield parsedEvent(event);
    }
  }
  async function replaceViews(changes: AsyncIterable<ViewChange>): Promise<void> {
    const replacement = emptyViews(catalog);
    for await (const change of changes) {
      assertOpen();
      applyChanges(replacement, prepareChanges(catalog, [change]));
    }
    views = replacement;
  }

  return {
    check: checkEvents,
    async commit(commit: Commit) {
      assertOpen();
      const prepared = prepareCommit(catalog, commit);
      return gate.pass(async () => append(prepared));
    },
    async head() {
      assertOpen();
      return head;
    },
    events: (fromSeq) => read(fromSeq, head.seq),
    async archives() {
      assertOpen();
      return [];
    },
    async search(search) {
      assertOpen();
      const found = searchEvents(searchedLog(log), search);
      return { ...found, events: found.events.map(parsedEvent) };
    },
    async record(view, key) {
      assertOpen();
      const row = views.get(viewNamed(catalog, view).name)?.get(key);
      return row && parseStored(row.record, `record ${key} of view ${view}`);
    },
    async rows(view, query) {
      assertOpen();
      return selectRows(views, planQuery(catalog, view, query));
    },
    async replaceViews(changes) {
      assertOpen();
      return gate.alone(() => replaceViews(changes));
    },
  };
}

/** The log for searches. */
function searchedLog(log: readonly (EventText & Receipt)[]): SearchedLog {
  return {
    firstSeq: 1,
    headSeq: log.length,
    atMsOf: (seq) => log[seq - 1].atMs,
    select({ from, to, text, isNewestFirst, limit }) {
      const fitting = log.slice(from - 1, to).filter(({ body }) => text === undefined || body.includes(text));
      return (isNewestFirst ? fitting.reverse() : fitting).slice(0, limit);
    },
  };
}

// Views of a logbook in memory: one map per view; queries scan every row. The reference for ViewQuery,
// against which the SQL is tested. Cost of a query: O(n log n) in the rows of the view; of one record:
// O(1).

/** Rows by view and key. */
type MemoryViews = ReadonlyMap<string, Map<string, StoredRow>>;

/** All views without rows. */
function emptyViews(catalog: ViewCatalog): MemoryViews {
  return new Map([...catalog.keys()].map((name) => [name, new Map<string, StoredRow>()]));
}

/** Applies changes in order. */
function applyChanges(views: MemoryViews, changes: readonly RowChange[]): void {
  for (const { view, key, record, values } of changes) {
    if (record === undefined) views.get(view)?.delete(key);
    else views.get(view)?.set(key, { key, record, values });
  }
}

/** Page of rows for a query. */
function selectRows(views: MemoryViews, plan: PlannedQuery): ViewPage {
  const { view, where, eitherOf, after, limit, descending, orderBy } = plan;
  const sign = descending ? -1 : 1;
  const compare = (a: ColumnValue, keyA: string, b: ColumnValue, keyB: string) =>
    sign * (compareValues(a, b) || compareText(keyA, keyB));
  const rows = [...(views.get(view.name)?.values() ?? [])]
    .filter((row) => holdAll(where, view, row))
    .filter((row) => eitherOf === undefined || eitherOf.some((each) => holdAll(each, view, row)))
    .map((row) => ({ row, value: columnValue(view, row, orderBy) }))
    .filter(({ row, value }) => !after || compare(value, row.key, after.value, after.key) > 0)
    .sort((a, b) => compare(a.value, a.row.key, b.value, b.row.key))
    .map(({ row }) => row);
  return pageOf(plan, rows.slice(0, limit), rows.length > limit);
}

function holdAll(conditions: readonly PlannedCondition[], view: View, row: StoredRow): boolean {
  return conditions.every(({ column, test }) => holds(test, columnValue(view, row, column)));
}

function holds(test: ViewCondition, value: ColumnValue): boolean {
  if ("is" in test) return value === test.is;
  if (value === null) return false;
  if ("oneOf" in test) return test.oneOf.includes(value);
  if ("within" in test) return value === test.within || String(value).startsWith(`${test.within}/`);
  if ("beginsWith" in test) return String(value).startsWith(test.beginsWith);
  if ("contains" in test) return test.contains.every((part) => String(value).includes(part));
  const { atLeast, before } = { atLeast: undefined, before: undefined, ...test };
  const number = Number(value);
  return (atLeast === undefined || number >= atLeast) && (before === undefined || number < before);
}
