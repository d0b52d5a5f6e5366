/**
 * A read-only snapshot of a logbook, also while a broker writes to it: nothing is changed or locked, and
 * later commits are invisible.
 *
 * Synchronous: for programs that do nothing else meanwhile.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Logbook, Receipt } from "../../runtime/index.ts";
import { archivedEvents, lastArchived } from "../archive/archived-log.ts";
import { logDamaged } from "../store-fault.ts";
import { viewCatalog } from "../view-catalog.ts";
import { pageOf, parseStored, planQuery, viewNamed } from "../view-query.ts";
import { readHead } from "./append.ts";
import { archivesIn, readArchives } from "./archives.ts";
import { type Database, openDatabase } from "./database.ts";
import { logbookFiles } from "./directory.ts";
import type { SqliteLogbookOptions } from "./open.ts";
import { assertOurs, busyMs, readMeta } from "./schema.ts";
import { selectRecord, selectRows } from "./select-rows.ts";
import { storeFault } from "./sqlite-fault.ts";
import { selectEvents, sortedViews } from "./store.ts";
import { wantedViews } from "./view-tables.ts";

/** A log and its views at one moment. */
export interface LogbookSnapshot extends Pick<Logbook, "head" | "events" | "archives" | "record" | "rows"> {
  /** True if the stored views are of another version. */
  readonly viewsNeedRebuild: boolean;
  close(): void;
}

/** Opens a snapshot of the logbook in a directory. @throws Fault */
export async function snapshotSqliteLogbook(options: SqliteLogbookOptions): Promise<LogbookSnapshot> {
  const files = logbookFiles(resolve(options.directory));
  const what = `cannot read the logbook in ${files.directory}`;
  if (!existsSync(files.database)) throw logDamaged(`${files.database} is gone`);
  let database: Database | undefined;
  try {
    database = await openDatabase(files.database, { create: false, busyMs });
    assertOurs(database, files);
    database.exec("PRAGMA query_only = ON; BEGIN");
    return snapshotOf(database, readHead(database), options);
  } catch (error) {
    database?.close();
    throw storeFault(error, what);
  }
}

function snapshotOf(
  database: Database,
  head: Receipt,
  { directory, views, projection = 1 }: SqliteLogbookOptions,
): LogbookSnapshot {
  const catalog = viewCatalog(views);
  const archives = archivesIn(directory, readArchives(database));
  const isWanted = readMeta(database, "views") === wantedViews(sortedViews(catalog.values()), projection);
  return {
    viewsNeedRebuild: !isWanted || readMeta(database, "viewsAreStale") === "yes",
    head: async () => head,
    archives: async () => archives,
    async *events(fromSeq) {
      yield* archivedEvents(archives, fromSeq);
      for (let next = Math.max(lastArchived(archives).seq + 1, fromSeq); next <= head.seq; ) {
        const page = selectEvents(database, next, head.seq);
        if (page.length === 0) return;
        for (const event of page) {
          yield { ...event, body: parseStored(event.body, `event ${event.seq}`) };
          next = event.seq + 1;
        }
      }
    },
    async record(view, key) {
      const text = selectRecord(database, viewNamed(catalog, view).name, key);
      return text === undefined ? undefined : parseStored(text, `record ${key} of view ${view}`);
    },
    async rows(view, query) {
      const plan = planQuery(catalog, view, query);
      const { rows, hasMore } = selectRows(database, plan);
      return pageOf(plan, rows, hasMore);
    },
    close: () => database.close(),
  };
}
