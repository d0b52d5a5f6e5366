import { expect, it } from "vitest";
import { MOST_SEARCHED, type SearchedLog, searchEvents, type WantedEvents } from "./search-events.ts";

/** A log of so many events, one a millisecond, of which one says something. */
function logOf(length: number, fitting: number): SearchedLog & { readonly read: WantedEvents[] } {
  const read: WantedEvents[] = [];
  const select = (wanted: WantedEvents) => {
    read.push(wanted);
    const isThere = fitting >= wanted.from && fitting <= wanted.to;
    return isThere ? [{ seq: fitting, atMs: fitting, kind: "k", version: 1, body: "{}", hash: "" }] : [];
  };
  return { firstSeq: 1, headSeq: length, atMsOf: (seq) => seq, select, read };
}

it.each([true, false])("one search reads a part of a long log, newest first: %s", (isNewestFirst) => {
  const log = logOf(3 * MOST_SEARCHED, isNewestFirst ? 1 : 3 * MOST_SEARCHED);
  const found: number[] = [];
  let searches = 0;
  for (let after: number | undefined, next: number | undefined; searches === 0 || next !== undefined; ) {
    const page = searchEvents(log, {
      ...{ isNewestFirst, limit: 10, names: "x" },
      ...(after === undefined ? {} : { after }),
    });
    found.push(...page.events.map(({ seq }) => seq));
    after = next = page.next;
    searches++;
  }
  expect([searches, found]).toEqual([3, [isNewestFirst ? 1 : 3 * MOST_SEARCHED]]);
  expect(log.read.reduce((sum, { from, to }) => sum + to - from + 1, 0)).toBe(3 * MOST_SEARCHED);
});

it("instants are found without reading what is before them", () => {
  const log = logOf(1_000_000, 999_999);
  expect(searchEvents(log, { isNewestFirst: false, limit: 10, sinceMs: 999_990 }).events).toHaveLength(1);
  expect(log.read).toMatchObject([{ from: 999_990, to: 1_000_000 }]);
});
