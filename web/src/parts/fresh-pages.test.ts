import { describe, expect, it } from "vitest";
import { freshRows, isApart } from "./fresh-pages.ts";

/** A job that was submitted so many minutes after noon. */
const job = (minute: number, state = "RUNNING") => ({
  ...{ id: `j${minute}`, state },
  submittedAt: new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString(),
});
const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id).join(" ");
const pages = [
  [job(9), job(8), job(7)],
  [job(6), job(5), job(4)],
];

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

  it("may have lost some where the first page has nothing of what it had", () => {
    expect(isApart([job(12), job(11), job(10)], [job(9)])).toBe(true);
    expect(isApart([job(11), job(10), job(9)], [job(9), job(8)])).toBe(false);
    expect(isApart([job(11)], [])).toBe(false);
  });
});
