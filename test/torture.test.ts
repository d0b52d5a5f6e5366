/** What the torture compares, against books and ledgers that are right and wrong. */
import { describe, expect, it } from "vitest";
import { type BookedJob, compareBooks, type LedgerLine, readLedger } from "../torture/compare-books.ts";

const job = (number: number, state: string | null, result: string | null = null): BookedJob => ({
  ...{ number, id: `id${number}`, state, result, timesMs: [1, 1, 2], mayFail: true },
});
const start = (number: number): LedgerLine => ({ what: "start", number });
const end = (number: number): LedgerLine => ({ what: "end", number });

describe("the broker's books against what the jobs wrote", () => {
  const [first, child] = [job(1, "DONE", "ok"), { ...job(4, "DONE", "failed"), after: [1] }];
  const books = [first, job(2, "ABORTED"), job(3, "CANCELLED"), child];
  const ledger = [start(1), end(1), start(2), start(4)];

  it("are right where each job ran as they say", () => {
    expect(compareBooks(books, ledger)).toEqual([]);
  });

  it.each([
    { what: "a job that was accepted and is not there", books: [job(1, null)], ledger: [] },
    { what: "a job that never ends", books: [job(1, "RUNNING")], ledger: [start(1)] },
    { what: "a job that ran twice", books: [job(1, "ABORTED")], ledger: [start(1), start(1)] },
    { what: "a success that never ran", books: [job(1, "DONE", "ok")], ledger: [] },
    { what: "a success that did not come to its end", books: [job(1, "DONE", "ok")], ledger: [start(1)] },
    { what: "a cancelled job that ended", books: [job(1, "CANCELLED")], ledger: [start(1), end(1)] },
    {
      what: "a job that was told as lost, though nothing was done to it",
      books: [{ ...job(1, "ABORTED"), mayFail: false }],
      ledger: [start(1), end(1)],
    },
    {
      what: "a job that ended before it began",
      books: [{ ...job(1, "ABORTED"), timesMs: [5, 7, 6] }],
      ledger: [start(1)],
    },
    {
      what: "a node of a DAG that started before its parent had ended",
      books: [job(1, "DONE", "ok"), { ...job(2, "DONE", "ok"), after: [1] }],
      ledger: [start(1), start(2), end(1), end(2)],
    },
    { what: "a job that nobody accepted", books: [], ledger: [start(9)] },
  ])("are wrong with $what", ({ books: wrong, ledger: written }) => {
    expect(compareBooks(wrong, written)).toHaveLength(1);
  });

  it("are not read from a ledger that two writers spoilt", () => {
    expect(readLedger("start 1\nend 1\n")).toEqual([start(1), end(1)]);
    expect(() => readLedger("start 1start 2\n")).toThrow("not a line of a ledger");
  });
});
