import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { capturedProgram } from "../../test/captured-program.ts";
import { temporaryFolder } from "../../test/stint.ts";
import { checkInput } from "./check-input.ts";
import { readJobInput } from "./read-job-input.ts";

const folder = temporaryFolder();
function fileWith(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}
const program = capturedProgram(
  {},
  { checkFile: async () => checkInput, readJobFile: async () => readJobInput, directory: folder },
);
const check = (...words: string[]) => program.call("check", ...words);

const FLOW =
  "workflow: two\ntasks:\n  - { id: A, runtime: 30m, procs: 2 }\n" +
  "  - { id: B, runtime: 1h, parents: { A: 100 } }\n";
const PROJECT = `****
file with basedata            : MINE_.BAS
****
PRECEDENCE RELATIONS:
jobnr.    #modes  #successors   successors
   1        1          1           2
   2        1          0
****
REQUESTS/DURATIONS:
jobnr. mode duration  R 1  R 2
------
  1      1     3       4    0
  2      1     2       0    1
****
RESOURCEAVAILABILITIES:
  R 1  R 2
   12   13
****
`;
const flow = fileWith("two.yaml", FLOW);
const figures = "2 tasks, 1 edge, 2 levels, width 1, critical path 1h30m";

describe("stint check of a workflow", () => {
  it("says what was understood, also packed, beside jobs", async () => {
    const packed = fileWith("two.gz", gzipSync(FLOW));
    const job = fileWith("job.yaml", "executable: hostname\nenvironment:\n  tasks: 4\n");
    const { code, out, err } = await check(flow, packed, job);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const [first, second, third] = out.split("\n");
    expect(first).toContain(`two (Stint workflow): ${figures}, 100 bytes transferred, 2 SU of work`);
    expect(second.slice(second.indexOf("two ("))).toBe(first.slice(first.indexOf("two (")));
    expect(third).toContain("job.yaml:1");
    expect(third).toContain("hostname: procs 1");
  });

  it("names the resources of a PSPLIB project", async () => {
    const { out } = await check(fileWith("project.sm", PROJECT));
    expect(out).toContain(
      "MINE_ (PSPLIB): 2 tasks, 1 edge, 2 levels, width 1, critical path 5s, resources R1 12, R2 13",
    );
  });

  it("-o json has the figures", async () => {
    const { out } = await check(flow, "-o", "json");
    expect(JSON.parse(out)).toEqual([
      {
        ...{ file: flow, ok: true, jobs: [], warnings: [], problems: [], translations: [] },
        workflow: {
          ...{ name: "two", form: "Stint workflow", tasks: 2, edges: 1, levels: 2, width: 1 },
          ...{ bytes: 100, criticalPathSec: 5400, workSu: 2 },
        },
      },
    ]);
  });

  it("names a cycle, and ends with 2", async () => {
    const cyclic = fileWith("cycle.yaml", FLOW.replace("procs: 2", "parents: B"));
    const { code, out, err } = await check(cyclic);
    expect(code).toBe(2);
    expect(out).toMatch(/^bad \S+cycle.yaml {2}Stint workflow, 2 tasks: 1 problem\n$/);
    expect(err).toMatch(/cycle.yaml: the dependencies of tasks form a cycle: (A → B → A|B → A → B)\n/);
  });

  it("problems have the line of their task, and no more than 100 are told", async () => {
    const { err } = await check(fileWith("unknown.yaml", FLOW.replace("{ A: 100 }", "[A, C]")));
    expect(err).toContain("unknown.yaml:4: task B depends on C, and there is no such task");
    const many = Array.from({ length: 150 }, (_, at) => `  - { id: t${at} }\n`).join("");
    const { out } = await check(fileWith("many.yaml", `tasks:\n${many}`), "-o", "json");
    const [{ problems, workflow }] = JSON.parse(out);
    expect(workflow).toEqual({ form: "Stint workflow", tasks: 150 });
    expect(problems).toHaveLength(101);
    expect(problems[100]).toMatchObject({ code: "moreRemarks", what: "50 more problems" });
  });

  it("is not written in a form of jobs", async () => {
    const { code, err } = await check(flow, "-o", "sbatch");
    expect(code).toBe(2);
    expect(err).toContain("two.yaml is a workflow, which is not written as sbatch");
  });

  it.each([
    ["DAX", "<adag/>"],
    ["YAML with tasks", FLOW],
    ["a PSPLIB project", PROJECT],
  ])("stint submit of %s says how workflows run", async (form, text) => {
    const { code, err } = await program.call("submit", fileWith("submitted", text));
    expect(code).toBe(2);
    expect(err).toContain(`${form}), and not a job`);
    expect(err).toContain("do:  plan it: stint plan FILE, and with --execute it runs");
    expect(err).toContain("nothing was submitted");
  });

  it.each(["stream:\n  name: h1\n", "<stream name='h1'/>"])(
    "stint submit of the stream %j names the command for it",
    async (text) => {
      const { code, err } = await program.call("submit", fileWith("stream", text));
      expect(code).toBe(2);
      expect(err).toContain("do:  submit it: stint stream submit FILE");
    },
  );

  it("of a sweep says how many points it has", async () => {
    const sweep = "sweep: { parameters: { t: [1, 2, 3], p: { from: 0, to: 1, step: 0.5 } } }";
    const { out } = await check(fileWith("sweep.yaml", `executable: "true"\n${sweep}\n`));
    expect(out).toContain("true: sweep of 9 points, procs 1");
  });

  it("a damaged gzip file is no text", async () => {
    const { code, err } = await check(fileWith("damaged.gz", gzipSync(FLOW).subarray(0, 40)));
    expect(code).toBe(2);
    expect(err).toContain("this is not a text file");
  });
});

describe("stint check of a stream", () => {
  const stream = (weight: string) =>
    `<stream name="h1" weight="${weight}">\n<executable path="a"/><bandwidth min="2" max="8" unit="MB/s"/>` +
    '<storage min="1GB"/><sources><source href="a" endless="true"/></sources></stream>';

  it("says what was understood, and as JSON", async () => {
    const file = fileWith("h1.xml", stream("3"));
    const { code, out } = await check(file);
    expect({ code, out: out.slice(out.indexOf("h1 (")) }).toEqual({
      code: 0,
      out:
        "h1 (stream XML): weight 3, growing by 1 each 10m, 1 processor, 2MB/s to 8MB/s, storage 1GB, " +
        "utility 3·ln(1 + x/1MB/s), 1 source, endless, blocks of 64MB\n",
    });
    const [document] = JSON.parse((await check(file, "-o", "json")).out);
    expect(document.stream).toMatchObject({
      form: "stream XML",
      understood: { name: "h1", weightPeriodSec: 600, storage: { minBytes: 1e9 } },
    });
  });

  it("tells each problem with its place, and writes no stream as a job", async () => {
    const { code, out, err } = await check(fileWith("zero.xml", stream("0")));
    expect([code, out.includes("stream XML: 1 problem")]).toEqual([2, true]);
    expect(err).toContain("zero.xml:1:19");
    const written = await check(fileWith("h1.xml", stream("1")), "-o", "jdl");
    expect(written.err).toContain("is a stream, which is not written as jdl");
  });
});
