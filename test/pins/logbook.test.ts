/**
 * A log of an earlier version: every later one opens it, and reads from its events what that one had in its
 * views. It is of a broker that was killed in the middle of things: jobs that ran, run, wait, were held, were
 * cancelled and failed; policies, tokens, an organisation's choice, a grant, an offer, a reservation, one
 * that was given back; a drained site.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { projectLog, VIEWS, VIEWS_VERSION } from "../../src/runtime/index.ts";
import { openSqliteLogbook, rebuildViews } from "../../src/store/index.ts";
import { temporaryFolder } from "../stint.ts";

const fixture = (name: string): string => resolve(import.meta.dirname, "fixtures", name);
const folder = temporaryFolder();

/** All records of all views, as they are after it was opened with views of this version. */
async function viewsOf(directory: string, projection: number): Promise<Record<string, unknown[]>> {
  mkdirSync(directory);
  writeFileSync(join(directory, "logbook.sqlite"), gunzipSync(readFileSync(fixture("logbook.sqlite.gz"))));
  const logbook = await openSqliteLogbook({ directory, views: VIEWS, projection });
  try {
    if (logbook.viewsNeedRebuild) await rebuildViews(logbook, projectLog());
    const views: Record<string, unknown[]> = {};
    for (const { name } of VIEWS) {
      const { rows } = await logbook.rows(name, { limit: 1000 });
      views[name] = rows.map(({ key, record }) => ({ key, record }));
    }
    return views;
  } finally {
    await logbook.close();
  }
}

describe("a log of an earlier version", () => {
  it.each([
    ["opened by this version", VIEWS_VERSION],
    ["with its views made anew from its events", VIEWS_VERSION + 1000],
  ])("%s has what it had", async (name, projection) => {
    const views = await viewsOf(join(folder, name.replaceAll(" ", "-")), projection);
    if (process.env.STINT_PINS === "write") {
      writeFileSync(fixture("views.json"), `${JSON.stringify(views, null, 1)}\n`);
    }
    expect(views).toEqual(JSON.parse(readFileSync(fixture("views.json"), "utf8")));
  });
});
