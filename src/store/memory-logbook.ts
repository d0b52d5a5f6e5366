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
  ViewSchema,
} from "../runtime/index.ts";
import { chain, type EventText, emptyHead } from "./hash-chain.ts";
import { applyChanges, emptyViews, selectRows } from "./memory-views.ts";
import {
  checkEvents,
  type PreparedCommit,
  prepareChanges,
  prepareCommit,
  preparePerson,
} from "./prepare-commit.ts";
import { logbookClosed } from "./store-fault.ts";
import { type ViewCatalog, viewCatalog } from "./view-catalog.ts";
import { parseStored, planQuery, viewNamed } from "./view-query.ts";
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
      yield { ...event, body: parseStored(event.body, `event ${seq}`) };
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
