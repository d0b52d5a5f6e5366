import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { aJob, capturedProgram } from "../../test/captured-program.ts";
import { temporaryFolder } from "../../test/stint.ts";
import type { StintClient } from "../api/client/index.ts";

const directory = temporaryFolder();
const file = join(directory, "ids.txt");
const job: StintClient["job"] = async (id) => aJob({ id });
const submit = vi.fn<StintClient["submit"]>(async (jobs) => jobs.map((_, at) => `job${at + 1}`));
const program = capturedProgram({ job, submit }, { directory });

async function idsOf(...words: readonly string[]): Promise<readonly string[]> {
  const { out, err } = await program.call("status", ...words, "-o", "name");
  expect(err).toBe("");
  return out.trim().split("\n");
}

describe("--ids", () => {
  beforeEach(() => writeFileSync(file, "# of Monday\n7f3a\n91bc  DONE\n\nc0de\nbeef\n"));

  it("stands for the ids in the file, beside others", async () => {
    expect(await idsOf("--ids", "ids.txt")).toEqual(["7f3a", "91bc", "c0de", "beef"]);
    expect(await idsOf("aaaa", `--ids=${file}`)).toEqual(["aaaa", "7f3a", "91bc", "c0de", "beef"]);
  });

  it.each([
    ["3", ["c0de"]],
    ["2-3", ["91bc", "c0de"]],
    ["3-", ["c0de", "beef"]],
    ["4,1-2", ["beef", "7f3a", "91bc"]],
  ])("FILE:%s stands for those of the range", async (range, ids) => {
    expect(await idsOf("--ids", `ids.txt:${range}`)).toEqual(ids);
  });

  it("takes what stint submit -o json printed", async () => {
    writeFileSync(file, JSON.stringify({ ids: ["7f3a", "91bc"] }));
    expect(await idsOf("--ids", "ids.txt")).toEqual(["7f3a", "91bc"]);
  });

  it.each([
    ["ids.txt:3-9", "3-9 is not a range of the ids in ids.txt"],
    ["ids.txt:0", "0 is not a range"],
    ["ids.txt:3-2", "3-2 is not a range"],
    ["no-such.txt", "no-such.txt cannot be read"],
  ])("%s is refused: %s", async (given, what) => {
    const { code, err } = await program.call("status", "--ids", given);
    expect(err).toContain(what);
    expect(code).toBe(2);
  });

  it("more ids than a command can be given are refused, and a range of them is taken", async () => {
    writeFileSync(file, Array.from({ length: 150_000 }, (_, at) => `j${at}\n`).join(""));
    const { code, err } = await program.call("status", "--ids", "ids.txt");
    expect(err).toContain("--ids names 150000 ids");
    expect(err).toContain("at most 100000");
    expect(code).toBe(2);
    expect(await idsOf("--ids", "ids.txt:149999-")).toEqual(["j149998", "j149999"]);
  });

  it("a word of the file cannot become an option", async () => {
    writeFileSync(file, "7f3a\n--yes\n");
    const { code, err } = await program.call("cancel", "--ids", "ids.txt");
    expect(err).toContain("--yes in ids.txt is not an id");
    expect(code).toBe(2);
  });

  it("is no option of a command that takes no ids, and not of a command that is to be run", async () => {
    expect((await program.call("list", "--ids", "ids.txt")).err).toContain("unknown option '--ids'");
    await program.call("submit", "--", "sort", "--ids", "ids.txt");
    expect(submit.mock.lastCall?.[0][0]?.arguments).toEqual(["--ids", "ids.txt"]);
  });
});

describe("--ids-to", () => {
  it("appends the ids as they are printed", async () => {
    writeFileSync(file, "7f3a\n");
    const { out } = await program.call("submit", "--ids-to", "ids.txt", "--", "true");
    expect(out).toBe("job1\n");
    expect(readFileSync(file, "utf8")).toBe("7f3a\njob1\n");
  });

  it("submits nothing where the file cannot be written", async () => {
    submit.mockClear();
    const { code, err } = await program.call("submit", "--ids-to", "no/such/file", "--", "true");
    expect(err).toContain("--ids-to: no/such/file cannot be written");
    expect(submit).not.toHaveBeenCalled();
    expect(code).toBe(2);
  });

  it("names the submitted jobs where the file can no longer be written", async () => {
    submit.mockImplementationOnce(async () => {
      rmSync(file);
      mkdirSync(file);
      return ["job1"];
    });
    const { code, err } = await program.call("submit", "--ids-to", "ids.txt", "--", "true");
    rmSync(file, { recursive: true });
    expect(err).toContain("the jobs are submitted: job1");
    expect(code).toBe(1);
  });
});
