import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import { freshRows, isApart, pageOfRow } from "./fresh-pages.ts";

/** A job that was submitted so many minutes after noon. */
const job = (minute: number, state = "RUNNING") => ({
  ...{ id: `j${minute}`, state },
  submittedAt: new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString(),
});
const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id).join(" ");
const noon = [job(0)];
const pages = [
  [job(9), job(8), job(7)],
  [job(6), job(5), job(4)],
];

/** Rows as they are defined: page by page what is not there yet. */
function plainRows(pages: (typeof noon)[], again: ReadonlyMap<number, typeof noon>) {
  const rows: typeof noon = [];
  const add = (one: (typeof noon)[number]): void => {
    if (!rows.some(({ id }) => id === one.id)) rows.push(one);
  };
  for (const [at, page] of pages.entries()) {
    const fresh = again.get(at);
    fresh?.forEach(add);
    const last = fresh?.at(-1)?.submittedAt ?? (fresh === undefined ? "~" : "");
    for (const one of page) if (one.submittedAt < last) add(one);
  }
  return rows;
}

describe("rows of pages that are read again", () => {
  it("are as they are now, and stay in their places", () => {
    const rows = freshRows(pages, new Map([[1, [job(6, "DONE"), job(5), job(4)]]]));
    expect(idsOf(rows)).toBe("j9 j8 j7 j6 j5 j4");
    expect(rows[3]?.state).toBe("DONE");
  });

  it("begin with new ones, and lose none that these have moved behind the first page", () => {
    expect(idsOf(freshRows(pages, new Map([[0, [job(11), job(10), job(9)]]])))).toBe(
      "j11 j10 j9 j8 j7 j6 j5 j4",
    );
  });

  it("have no more what fits the filter no more, and nothing twice", () => {
    expect(idsOf(freshRows(pages, new Map([[0, [job(9), job(7), job(6)]]])))).toBe("j9 j7 j6 j5 j4");
    expect(freshRows([[job(9)]], new Map([[0, []]]))).toEqual([]);
  });

  it("are those of the plain definition, whatever has come, gone and been read again", () => {
    const minutes = fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 30 });
    const change = fc.record({ gone: minutes, come: minutes, at: fc.array(fc.nat(7), { maxLength: 2 }) });
    fc.assert(
      fc.property(minutes, change, fc.integer({ min: 1, max: 5 }), (first, { gone, come, at }, size) => {
        const newest = (all: number[]) => [...all].sort((a, b) => b - a);
        const old = newest(first);
        const read = Array.from({ length: Math.ceil(old.length / size) }, (_, page) =>
          old.slice(page * size, (page + 1) * size).map((minute) => job(minute)),
        );
        const now = newest([
          ...old.filter((minute) => !gone.includes(minute)),
          ...come.map((minute) => 41 + minute),
        ]);
        const readAgain = (page: number) => {
          const from = old[page * size - 1] ?? Number.POSITIVE_INFINITY;
          const rows = now.filter((minute) => minute < from).slice(0, size);
          return rows.map((minute) => job(minute, "DONE"));
        };
        const again = new Map(at.filter((page) => page < read.length).map((page) => [page, readAgain(page)]));
        expect(freshRows(read, again)).toEqual(plainRows(read, again));
      }),
      draws(500),
    );
  });

  it("are found by the pages that had them", () => {
    expect([0, 2, 3, 5, 6].map((row) => pageOfRow(pages, row))).toEqual([0, 0, 1, 1, 1]);
    expect(pageOfRow([], 3)).toBe(0);
  });

  it("may have lost some where the first page has nothing of what it had", () => {
    expect(isApart([job(12), job(11), job(10)], [job(9)])).toBe(true);
    expect(isApart([job(11), job(10), job(9)], [job(9), job(8)])).toBe(false);
    expect(isApart([job(11)], [])).toBe(false);
  });
});
