/**
 * The logbook in SQLite: validation on the broker's thread, writes and reads in a worker thread.
 *
 * A commit is validated and written as text by its caller's thread, so that a refusal is immediate and
 * never reaches a group; the worker hashes, writes and syncs. Cost for the broker's thread: serialising
 * each body and one message per commit.
 */
import { resolve } from "node:path";
import { Fault } from "../../base/index.ts";
import type {
  ArchivedStretch,
  Logbook,
  LoggedEvent,
  Receipt,
  ViewChange,
  ViewSchema,
} from "../../runtime/index.ts";
import { archivedEvents, lastArchived } from "../archive/archived-log.ts";
import {
  checkEvents,
  prepareChanges,
  prepareCommit,
  preparePerson,
  type RowChange,
} from "../prepare-commit.ts";
import { logbookClosed } from "../store-fault.ts";
import { compiledFile, openThread } from "../thread-link.ts";
import { type ViewCatalog, viewCatalog } from "../view-catalog.ts";
import { pageOf, parsedEvent, parseStored, planQuery, viewNamed } from "../view-query.ts";
import { createWriteGate } from "../write-gate.ts";
import { archivesIn, rowOfArchive } from "./archives.ts";
import type { Opened, OpenOrder, Question, Questions } from "./protocol.ts";
import { sortedViews } from "./store.ts";

/** Directory and views of a logbook. */
export interface SqliteLogbookOptions {
  /** Directory, made if absent; one broker at a time. */
  readonly directory: string;
  readonly views: readonly ViewSchema[];
  /**
   * Version of the projection: to be raised when it writes other records under the same schemas. Default 1.
   */
  readonly projection?: number;
}

/** A logbook on disk. */
export interface SqliteLogbook extends Logbook {
  /** True if the stored views were of another version: they are empty until `rebuildViews` has run. */
  readonly viewsNeedRebuild: boolean;
  /**
   * Records an archive, whose file is complete and verified, and removes its events from the database.
   *
   * @param signal ends it after a part; opening the logbook removes the rest
   *
   * @throws Fault, if it does not continue the archives, or ends with another event than the log has
   */
  removeArchived(stretch: ArchivedStretch, signal?: AbortSignal): Promise<void>;
}

/** Number of changes per message of a replacement. */
const stagedAtOnce = 500;

/** Opens the logbook in a directory; makes it if absent. @throws Fault */
export async function openSqliteLogbook(options: SqliteLogbookOptions): Promise<SqliteLogbook> {
  const { directory, views, projection = 1 } = options;
  const catalog = viewCatalog(views);
  const order = { directory: resolve(directory), views: sortedViews(catalog.values()), projection };
  return logbookOver(await openLink(order), catalog, order.directory);
}

function logbookOver(link: StoreLink, catalog: ViewCatalog, directory: string): SqliteLogbook {
  const gate = createWriteGate();
  let { head, viewsAreStale } = link.opened;
  let closed: Promise<undefined> | undefined;

  const ask: StoreLink["ask"] = (kind, asks) =>
    closed === undefined ? link.ask(kind, asks) : Promise.reject(logbookClosed());
  async function replaceViews(changes: AsyncIterable<ViewChange>): Promise<void> {
    await stageAll(ask, catalog, changes);
    viewsAreStale = false;
  }
  function acknowledge(receipt: Receipt): Receipt {
    head = receipt;
    return receipt;
  }
  function assertOpen(): void {
    if (closed !== undefined) throw logbookClosed();
  }

  return {
    get viewsNeedRebuild() {
      return viewsAreStale;
    },
    check: checkEvents,
    async commit(commit) {
      assertOpen();
      const prepared = prepareCommit(catalog, commit);
      return gate.pass(() => link.ask("commit", prepared).then(acknowledge));
    },
    async head() {
      assertOpen();
      return head;
    },
    events: (fromSeq) => wholeLog(ask, directory, [fromSeq, head.seq]),
    archives: () => archivesOf(ask, directory),
    async removeArchived(stretch, signal) {
      assertOpen();
      const row = rowOfArchive(directory, stretch);
      while ((await ask("removeArchived", row)) && signal?.aborted !== true);
    },
    async search(search) {
      const found = await ask("search", search);
      return { ...found, events: found.events.map(parsedEvent) };
    },
    async record(view, key) {
      const text = await ask("record", { view: viewNamed(catalog, view).name, key });
      return text === undefined ? undefined : parseStored(text, `record ${key} of view ${view}`);
    },
    async rows(view, query) {
      const plan = planQuery(catalog, view, query);
      const { rows, hasMore } = await ask("rows", plan);
      return pageOf(plan, rows, hasMore);
    },
    async replaceViews(changes) {
      assertOpen();
      return gate.alone(() => replaceViews(changes));
    },
    putPerson: async (person) => ask("putPerson", preparePerson(person)),
    person: (id) => ask("person", id),
    erasePerson: (id) => ask("erasePerson", id),
    async close() {
      closed ??= gate.alone(() => link.ask("close", undefined));
      return closed;
    },
  };
}

async function archivesOf(ask: StoreLink["ask"], directory: string): Promise<readonly ArchivedStretch[]> {
  return archivesIn(directory, await ask("archives", undefined));
}

async function* wholeLog(
  ask: StoreLink["ask"],
  directory: string,
  [fromSeq, throughSeq]: readonly [number, number],
): AsyncIterable<LoggedEvent> {
  const archives = await archivesOf(ask, directory);
  yield* archivedEvents(archives, fromSeq);
  let next = Math.max(lastArchived(archives).seq + 1, fromSeq);
  for await (const event of readEvents(ask, next, throughSeq)) {
    // What was archived while this was read is in its file by now.
    if (event.seq > next && lastArchived(await archivesOf(ask, directory)).seq >= next) {
      yield* wholeLog(ask, directory, [next, throughSeq]);
      return;
    }
    yield event;
    next = event.seq + 1;
  }
}

async function* readEvents(
  ask: StoreLink["ask"],
  fromSeq: number,
  throughSeq: number,
): AsyncIterable<LoggedEvent> {
  let next = Math.max(1, fromSeq);
  while (next <= throughSeq) {
    const page = await ask("events", { fromSeq: next, throughSeq });
    if (page.length === 0) return;
    for (const event of page) {
      yield parsedEvent(event);
      next = event.seq + 1;
    }
  }
}

async function stageAll(
  ask: StoreLink["ask"],
  catalog: ViewCatalog,
  changes: AsyncIterable<ViewChange>,
): Promise<void> {
  await ask("beginStaging", undefined);
  try {
    let batch: RowChange[] = [];
    for await (const change of changes) {
      batch.push(...prepareChanges(catalog, [change]));
      if (batch.length < stagedAtOnce) continue;
      await ask("stage", batch);
      batch = [];
    }
    await ask("stage", batch);
    await ask("replaceViews", undefined);
  } catch (error) {
    // Whatever comes of the tidying up, the first error is the one to tell.
    await ask("dropStaging", undefined).catch(() => undefined);
    throw error;
  }
}

/** An open link. */
interface StoreLink {
  readonly opened: Opened;
  ask<Kind extends keyof Questions>(
    kind: Kind,
    asks: Questions[Kind]["asks"],
  ): Promise<Questions[Kind]["answer"]>;
}

/** Starts the worker and opens the logbook. @throws Fault */
export async function openLink(order: OpenOrder, file = workerFile()): Promise<StoreLink> {
  const ended = (why: string, cause: unknown) => threadEnded(order.directory, why, cause);
  const { opened, ask } = await openThread<Opened>({ file, order, name: "stint logbook", ended });
  return {
    opened,
    ask: <Kind extends keyof Questions>(kind: Kind, asks: Questions[Kind]["asks"]) =>
      ask<Questions[Kind]["answer"]>({ kind, asks } as Question),
  };
}

function workerFile(): URL {
  const inDist = new URL("../../../dist/store/sqlite/worker.js", import.meta.url);
  return compiledFile(new URL("./worker.js", import.meta.url), inDist);
}

function threadEnded(directory: string, why: string, cause: unknown): Fault {
  return new Fault({
    kind: "failed",
    code: "logbookFailed",
    what: `the logbook in ${directory} stopped working`,
    why,
    remedy: "restart the broker; no acknowledged request is lost",
    cause,
  });
}
