import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { capturedProgram } from "../../test/captured-program.ts";
import { temporaryFolder } from "../../test/stint.ts";

const folder = temporaryFolder();
const program = capturedProgram({});
const file = join(folder, "sacct.txt");
writeFileSync(
  file,
  "JobID|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|AllocCPUS|User\n" +
    "1|1000|1100|1200|100|60|COMPLETED|4|ada\n2|1000|x|1200|100|60|COMPLETED|4|ada\n",
);

describe("stint import accounting", () => {
  it("CL-1 the workload goes to stdout, what is said of it to stderr", async () => {
    const { code, out, err } = await program.call(
      "import",
      "accounting",
      file,
      "--lenient",
      "--names",
      "keep",
    );
    expect(code).toBe(0);
    expect(out.split("\n").slice(0, 2)).toEqual([
      '{"pool": "site", "procs": 4}',
      '{"job": "1", "submit": "1970-01-01T00:16:40Z", "recordedStart": "1970-01-01T00:18:20Z", ' +
        '"runtime": 100, "limit": 3600, "procs": 4, "nodes": 1, "pools": ["site"], "user": "ada"}',
    ]);
    expect(err).toContain("stdout: 1 jobs of 2 rows; 1 with their start\n");
    expect(err).toContain("left out: 1 malformed\n");
    expect(err).toContain(`skipped ${file}:3:8: Start`);
  });

  it("CL-1 into a file, what is said of it is the result", async () => {
    const [output, key] = [join(folder, "out.workload.jsonl"), join(folder, "key")];
    const words = ["--lenient", "-o", output, "--key-file", key];
    const { out, err } = await program.call("import", "accounting", file, ...words);
    expect([out.startsWith(`${output}: 1 jobs`), err]).toEqual([true, ""]);
    const first = readFileSync(output, "utf8");
    await program.call("import", "accounting", file, ...words);
    expect(readFileSync(output, "utf8")).toBe(first);
  });

  it("the command asks for the last 30 days, or for the given time", async () => {
    expect((await program.call("import", "accounting", "--print-command")).out).toContain(
      " -S 2026-05-01 -E 2026-05-31 -o JobID,",
    );
    const odd = await program.call("import", "accounting", "--print-command", "--since", "1; rm");
    expect([odd.code, odd.out]).toEqual([2, ""]);
  });

  it.each([
    { words: [], says: "no file was given" },
    { words: [file], says: `${file}:3:8: Start` },
    { words: [file, "--names", "keep", "--key-file", "k"], says: "--key-file does not go with --names keep" },
    { words: [file, "--since", "1970-02-30T"], says: '--since: "1970-02-30T" is not valid as' },
    { words: [file, "--zone", "Atlantis"], says: 'no time zone "Atlantis"' },
    { words: [file, "--lenient", "--site", file], says: "the file shows no nodes or no partitions" },
    {
      words: [file, "--lenient", "--until", "1970-01-01T00:00:01Z"],
      says: "none of the 2 rows is a usable job",
    },
  ])("CL-2 what cannot be imported is told: $says", async ({ words, says }) => {
    const { code, err } = await program.call("import", "accounting", ...words);
    expect(code).toBe(2);
    expect(err).toContain(says);
  });
});

describe("stint sim --what-if", () => {
  it("CL-2 a report without a comparison is refused", async () => {
    const { code, err } = await program.call("sim", "a.workload.jsonl", "--report", "x.html");
    expect(code).toBe(2);
    expect(err).toContain("add --baseline or --what-if");
  });
});
