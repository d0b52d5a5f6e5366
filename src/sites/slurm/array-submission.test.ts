import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Fault } from "../../base/index.ts";
import type { SubmitOrder } from "../../runtime/index.ts";
import { arraySubmissions, arrayWord, type Element, elementOf } from "./array-submission.ts";
import type { AttemptBook } from "./attempt-book.ts";
import { commentOf, groupName, groupOf, tokensBy } from "./own-jobs.ts";
import { arrayScript } from "./wrapper-script.ts";

function order(index: number, more: Partial<SubmitOrder> = {}): SubmitOrder {
  return {
    ...{ token: `a-${index}/1`, element: { array: "a", index }, name: "n", reservation: null },
    ...{ command: ["/bin/echo", `it's ${index}`], environment: { I: `${index}` }, kept: {} },
    ...{ limitMs: 60_000, procs: 1, memoryBytes: 0, inputFiles: [], stdOutput: "out", stdError: "err" },
    ...more,
  };
}

const element = (index: number, asks = "same"): Element => {
  const found = elementOf(order(index), asks);
  if (found === undefined) throw new Error("no element");
  return found;
};

describe("SU-50 elements of an array", () => {
  it("go together by thousands of indexes and by what they ask for; one alone is a job", async () => {
    const submitted: string[] = [];
    const submit = arraySubmissions(
      async (elements) => {
        submitted.push(`${groupName(elements[0].group)} ${arrayWord(elements)}`);
        return `${submitted.length}`;
      },
      async ({ token }) => token,
    );
    const wide = [3, 5].map((index) => submit(element(index, "wide")));
    const all = [...[0, 1, 2, 7, 999, 1000, 2001, 2002].map((index) => submit(element(index))), ...wide];
    expect(await Promise.all(all)).toEqual([
      "2_0",
      "2_1",
      "2_2",
      "2_7",
      "2_999",
      "a-1000/1",
      "3_1",
      "3_2",
      "1_3",
      "1_5",
    ]);
    expect(submitted).toEqual(["a-0+/1 --array=3,5", "a-0+/1 --array=0-2,7,999", "a-2000+/1 --array=1-2"]);
  });

  it("that are refused together go one by one; a doubt is a doubt about each", async () => {
    const refusal = new Fault({ kind: "refused", code: "x", what: "w", why: "y", remedy: "r" });
    const failing = (error: Error) =>
      arraySubmissions(
        () => Promise.reject(error),
        async ({ token }) => token,
      );
    const one = failing(refusal);
    expect(await Promise.all([one(element(0)), one(element(1))])).toEqual(["a-0/1", "a-1/1"]);
    const other = failing(new Error("no answer"));
    const both = await Promise.allSettled([other(element(0)), other(element(1))]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });

  it("are known by comment and task, or by directory and record", () => {
    const records = new Map([["a-1007/1", { siteJobs: [] }]]);
    const book = {
      mark: "0123456789ab",
      find: (token: string) => records.get(token),
    } as unknown as AttemptBook;
    const tokenOf = tokensBy(book, "/jobs");
    const name = groupName({ array: "a", offset: 1000, attempt: "1" });
    const job = { name: "n", comment: commentOf(book.mark, name), workDirectory: null };
    expect(tokenOf({ ...job, siteJob: "12_7" })).toBe("a-1007/1");
    expect(tokenOf({ ...job, siteJob: "12" })).toBe(null);
    expect(tokenOf({ ...job, comment: commentOf("another", name), siteJob: "12_7" })).toBe(null);
    const bare = { name: "n", comment: null, workDirectory: "/jobs/a-1000+_1" };
    expect(tokenOf({ ...bare, siteJob: "12_7" })).toBe("a-1007/1");
    expect(tokenOf({ ...bare, siteJob: "12_8" })).toBe(null);
    expect([groupOf("a-1007/1", ["12_7"]), groupOf("a-1007/1", ["12"])]).toEqual([name, undefined]);
  });

  it("of another form, or of no array, are jobs of their own", () => {
    expect(elementOf(order(3, { token: "b/1" }), "")).toBe(undefined);
    const { element: _, ...alone } = order(3);
    expect(elementOf(alone, "")).toBe(undefined);
  });

  it("each runs with its own words in its own directory", () => {
    const folder = mkdtempSync(join(tmpdir(), "stint-array-"));
    const place = (index: number) => join(folder, `a-${index}_1`);
    const script = arrayScript(
      [4, 5].map((task) => ({ task, order: order(task), directory: place(task), graceMs: 100 })),
    );
    for (const task of [4, 5]) {
      const env = { PATH: process.env.PATH, SLURM_ARRAY_JOB_ID: "9", SLURM_ARRAY_TASK_ID: `${task}` };
      execFileSync("bash", ["-s"], { input: script, env: { ...env, SLURM_JOB_ID: `${90 + task}` } });
      expect(readFileSync(join(place(task), "work/out"), "utf8")).toBe(`it's ${task}\n`);
      const report = JSON.parse(readFileSync(join(place(task), `report.9_${task}`), "utf8"));
      expect(report).toMatchObject({ token: `a-${task}/1`, siteJob: `9_${task}`, exitCode: 0 });
    }
  });
});
