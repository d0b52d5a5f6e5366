import { describe, expect, it } from "vitest";
import { Fault } from "../../base/index.ts";
import { batch } from "./job-orders.ts";

function fault(code: string): Fault {
  return new Fault({ kind: "unreachable", code, what: "w", why: "y", remedy: "r" });
}

describe("one command for several", () => {
  it("the first is served at once, and those who come meanwhile together", async () => {
    const rounds: (readonly number[])[] = [];
    const twice = batch({ most: 3, pauseMs: 0 }, async (items: readonly number[]) => {
      rounds.push(items);
      await new Promise((resolve) => setImmediate(resolve));
      return items.map((it) => it * 2);
    });
    expect(await Promise.all([1, 2, 3, 4, 5].map(twice))).toEqual([2, 4, 6, 8, 10]);
    expect(await twice(6)).toBe(12);
    expect(rounds).toEqual([[1], [2, 3, 4], [5], [6]]);
  });

  it("what fails for several is done for each alone, unless the way there is broken", async () => {
    const rounds: (readonly number[])[] = [];
    const unless = (code: string) =>
      batch({ most: 8, pauseMs: 0 }, async (items: readonly number[]) => {
        rounds.push(items);
        await new Promise((resolve) => setImmediate(resolve));
        if (items.includes(3)) throw fault(code);
        return items;
      });
    const ends = async (code: string) => {
      rounds.length = 0;
      const all = await Promise.allSettled([1, 2, 3, 4].map(unless(code)));
      return all.map(({ status }) => status === "fulfilled");
    };
    expect(await ends("siteFailed")).toEqual([true, true, false, true]);
    expect(rounds).toEqual([[1], [2, 3, 4], [2], [3], [4]]);
    expect(await ends("siteHung")).toEqual([true, false, false, false]);
    expect(rounds).toEqual([[1], [2, 3, 4]]);
  });
});
