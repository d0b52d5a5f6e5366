/** SQL queries give the same rows as the plain loop over all rows in memory. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import type { Commit, Logbook, ViewCondition, ViewPage, ViewQuery, ViewSchema } from "../../runtime/index.ts";
import { createMemoryLogbook } from "../memory-logbook.ts";
import { openSqliteLogbook } from "./open.ts";

const views: readonly ViewSchema[] = [{ name: "v", columns: { path: "text", n: "integer" } }];
const directory = mkdtempSync(join(tmpdir(), "stint-questions-"));
let stored: Logbook;

beforeAll(async () => {
  stored = await openSqliteLogbook({ directory, views });
});
afterAll(async () => {
  await stored.close();
  rmSync(directory, { recursive: true });
});

// Node 22 reads a text of its SQLite up to the first NUL only, so such texts are refused there.
const nul = process.versions.node.startsWith("22.") ? [] : ["\0"];
const letters = fc.constantFrom("a", "b", "A", "/", "0", "%", "_", "'", "é", "ﬁ", "💧", "\u{10ffff}", ...nul);
const text = fc.string({ unit: letters, maxLength: 4 });
const integer = fc.oneof(fc.integer({ min: -2, max: 2 }), fc.maxSafeInteger());
const row = fc.record({
  key: text,
  path: fc.option(text, { nil: null }),
  n: fc.option(integer, { nil: null }),
});
const textCondition: fc.Arbitrary<ViewCondition> = fc.oneof(
  fc.record({ is: fc.option(text, { nil: null }) }),
  fc.record({ oneOf: fc.array(text, { maxLength: 3 }) }),
  fc.record({ within: text }),
  fc.record({ beginsWith: text }),
  fc.record({ contains: fc.array(text, { maxLength: 3 }) }),
);
const integerCondition: fc.Arbitrary<ViewCondition> = fc.oneof(
  fc.record({ is: fc.option(integer, { nil: null }) }),
  fc.record({ oneOf: fc.array(integer, { maxLength: 3 }) }),
  fc.record({ atLeast: integer }),
  fc.record({ before: integer }),
  fc.record({ atLeast: integer, before: integer }),
);
const conditions = fc.record(
  { path: textCondition, n: integerCondition, key: textCondition },
  { requiredKeys: [] },
);
const query = fc.record({
  where: conditions,
  orderBy: fc.constantFrom("key", "path", "n"),
  descending: fc.boolean(),
  limit: fc.integer({ min: 1, max: 12 }),
});
const eitherOf = fc.option(fc.record({ eitherOf: fc.array(conditions, { maxLength: 3 }) }), { nil: {} });
const question = fc.tuple(query, eitherOf).map(([asked, either]): ViewQuery => ({ ...asked, ...either }));

it("ST-11 SQLite and memory answer every question alike, page by page", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 25 }),
      fc.array(question, { maxLength: 6 }),
      async (rows, asked) => {
        const plain = createMemoryLogbook(views);
        const commit = commitOf(rows);
        await plain.commit(commit);
        await stored.replaceViews(
          (async function* () {
            yield* commit.changes;
          })(),
        );
        for (const one of asked) expect(await pages(stored, one)).toEqual(await pages(plain, one));
      },
    ),
    draws(150),
  );
});

function commitOf(rows: readonly { key: string; path: string | null; n: number | null }[]): Commit {
  return {
    events: [{ kind: "put", version: 1, atMs: 0, body: {} }],
    changes: rows.map(({ key, path, n }) => ({ view: "v", key, record: { key }, columns: { path, n } })),
  };
}

async function pages(logbook: Logbook, asked: ViewQuery): Promise<ViewPage[]> {
  const list: ViewPage[] = [];
  let after: string | undefined;
  do {
    const page = await logbook.rows("v", { ...asked, ...(after !== undefined && { after }) });
    list.push(page);
    after = page.next;
  } while (after !== undefined);
  return list;
}
