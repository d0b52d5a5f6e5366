import { describe, expect, it } from "vitest";
import type { CommandResult } from "./command.ts";
import { throughOneConnection } from "./run-command.ts";

const fine: CommandResult = {
  code: 0,
  stdout: Buffer.alloc(0),
  stderr: "",
  isTimedOut: false,
  notStarted: null,
};

describe("one connection for all commands", () => {
  it("the first opens it alone, then eight at once; when it breaks, again alone", async () => {
    let underWay = 0;
    let most: number[] = [];
    let answer = fine;
    const run = throughOneConnection(async () => {
      most.push(++underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay--;
      return answer;
    }, 120_000);
    const many = (): Promise<unknown> =>
      Promise.all(Array.from({ length: 20 }, () => run({ words: ["true"], timeoutMs: 1000 })));
    await many();
    // The second came in when the first was through.
    expect(most.slice(0, 2)).toEqual([1, 1]);
    expect(Math.max(...most)).toBe(8);
    answer = { ...fine, code: 255 };
    await run({ words: ["true"], timeoutMs: 1000 });
    most = [];
    await many();
    expect(Math.max(...most)).toBe(1);
  });
});
