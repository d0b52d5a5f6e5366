import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/stint.ts";
import { readWorkflowFile } from "./index.ts";

const MINUTE_MS = 60_000;

const folder = temporaryFolder();
let count = 0;

/** The path of `text` as a file, with files beside it. */
function fileOf(text: string | Buffer, beside: Readonly<Record<string, string>> = {}): string {
  const own = join(folder, String(count++));
  mkdirSync(own);
  for (const [name, content] of Object.entries(beside)) writeFileSync(join(own, name), content);
  writeFileSync(join(own, "flow.dag"), text);
  return join(own, "flow.dag");
}

const submit = (limit: string, more = ""): string =>
  `executable = /bin/true\ntransfer_executable = false\nrequest_cpus = 2\n${limit}\n${more}\nqueue\n`;
const FILES = {
  "short.sub": submit("allowed_execute_duration = 300"),
  "long.sub": submit("allowed_execute_duration = 3600", "transfer_input_files = flow.dag"),
  "open.sub": submit(""),
};
const DAG = `JOB A short.sub
JOB B long.sub
JOB C long.sub NOOP
FINAL Z short.sub
PARENT A CHILD B C
`;

async function tasksOf(file: string, runtimeMs?: number) {
  const read = await readWorkflowFile(file, runtimeMs === undefined ? {} : { runtimeMs });
  const { tasks, parentStart, parentOf } = read.workflow;
  return {
    ...read,
    tasks: tasks.map(({ id, procs, runtimeMs: ms, runtimesMs, program }, at) => ({
      ...{ id, procs, ms: ms ?? runtimesMs, hasProgram: program !== undefined },
      parents: [...parentOf.subarray(parentStart[at], parentStart[at + 1])]
        .map((one) => tasks[one].id)
        .sort(),
    })),
  };
}

describe("DAGs as workflows", () => {
  it("FO-134 nodes of DAGMan are tasks with their time limits; the final one waits for all", async () => {
    const { form, workflow, tasks, remarks } = await tasksOf(fileOf(DAG, FILES));
    expect([form, workflow.name]).toEqual(["DAGMan", "flow"]);
    expect(tasks).toEqual([
      { id: "A", procs: 2, ms: 5 * MINUTE_MS, hasProgram: true, parents: [] },
      { id: "B", procs: 2, ms: 60 * MINUTE_MS, hasProgram: true, parents: ["A"] },
      { id: "C", procs: 1, ms: 0, hasProgram: true, parents: ["A"] },
      { id: "Z", procs: 2, ms: 5 * MINUTE_MS, hasProgram: true, parents: ["A", "B", "C"] },
    ]);
    expect(remarks.at(-1)).toMatch(/^the time limit is taken as the runtime of 3 of 3 tasks/);
  });

  it("FO-134 output and errors of a node that have one name are in one file, whole", async () => {
    const words = "executable = /bin/sh\ntransfer_executable = false\n";
    const said = "arguments = \"-c 'echo one; echo two >&2; echo three'\"\n";
    const file = fileOf("JOB A a.sub\n", { "a.sub": `${words}${said}output = log\nerror = log\nqueue\n` });
    const { workflow } = await readWorkflowFile(file, { runtimeMs: MINUTE_MS });
    const { executable = "", arguments: given = [] } = workflow.tasks[0].program ?? {};
    const cwd = join(file, "..");
    execFileSync(executable, given, { cwd });
    expect(readFileSync(join(cwd, "log"), "utf8")).toBe("one\ntwo\nthree\n");
  });

  it("FO-134 a node keeps its files, scripts and retries; and its priority", async () => {
    const beside = {
      "a.sub": "executable = main.sh\ntransfer_input_files = data.txt\noutput = out\nqueue\n",
      ...{ "main.sh": "#!/bin/sh\n", "pre.sh": "#!/bin/sh\n", "data.txt": "" },
    };
    const lines = "SCRIPT PRE A pre.sh\nRETRY A 2 UNLESS-EXIT 9\nPRIORITY B 3\n";
    const file = fileOf(`JOB A a.sub\nJOB B a.sub\n${lines}`, beside);
    const { workflow } = await readWorkflowFile(file, { runtimeMs: MINUTE_MS });
    const [a, b] = workflow.tasks;
    const names = a.files?.reads.map((path) => path.slice(path.lastIndexOf("/") + 1));
    expect(names?.toSorted()).toEqual(["data.txt", "main.sh", "pre.sh"]);
    expect([a.rules, a.files?.folder]).toEqual([{ retries: 2, unlessExit: 9 }, "A"]);
    expect([a.program !== undefined, b.program !== undefined, b.rules]).toEqual([
      true,
      true,
      { priority: 3 },
    ]);
  });

  it("FO-134 a node keeps its category, its place at the end, and the exit code that ends all", async () => {
    const lines = "ABORT-DAG-ON A 3 RETURN 0\nCATEGORY A io\nMAXJOBS io 2\n";
    const { workflow } = await readWorkflowFile(fileOf(`${DAG}${lines}`, FILES));
    expect(workflow.tasks.map(({ rules }) => rules)).toEqual([
      { abortOn: { exitCode: 3, result: 0 }, category: "io" },
      {},
      {},
      { isFinal: true },
    ]);
    expect(workflow.execution).toEqual({ limits: { maxRunningOf: { io: 2 } } });
    expect(workflow.tasks[2].program).toMatchObject({ executable: "true" });
  });

  it("FO-134 attributes that tasks cannot have are listed with their node", async () => {
    const job = 'WallTime = 60; Requirements = other.cores > 2; OutputSandbox = { "*.dat" };';
    const jdl = `[ Type = "dag"; VirtualOrganisation = "vo"; Executable = "/bin/date";
      Nodes = [ A = [ Description = [ ${job} ]; ]; ]; Dependencies = {}; ]`;
    const { workflow } = await readWorkflowFile(fileOf(jdl));
    const [{ program, unsupported }] = workflow.tasks;
    expect(program).toBeUndefined();
    expect(unsupported?.toSorted()).toEqual(["outputSandbox with *.dat", "requirements"]);
  });

  it("FO-134 the organisation, the name and common tags of a JDL DAG are those of the workflow", async () => {
    const outer = (nodes: string): string => `[ Type = "dag"; VirtualOrganisation = "vo/lab"; Name = "night";
      Executable = "/bin/date"; WallTime = 60; RetryCount = 3; Rank = other.cores; MyProxyServer = "px";
      UserTags = [ run = "7" ]; Max_Nodes_Running = 2; Nodes = [ ${nodes} ]; Dependencies = { { A, B } }; ]`;
    const tagged = 'A = [ Description = [ Memory = "2G" ] ]; ';
    const own = 'B = [ Description = [ UserTags = [ run = "7"; of = "b" ] ] ];';
    const { workflow, remarks } = await readWorkflowFile(fileOf(outer(tagged + own)));
    expect(workflow.name).toBe("night");
    expect(workflow.execution).toEqual({
      ...{ limits: { maxRunning: 2 }, virtualOrganisation: "vo/lab", userTags: { run: "7" } },
    });
    expect(workflow.tasks.map(({ program }) => program?.executable)).toEqual(["/bin/date", "/bin/date"]);
    expect(remarks.slice(-2)).toEqual([
      "without effect in a plan, which chooses the sites itself: attributes, rank and retryCount",
      "only user tags that all nodes share are kept: 1 node of 2 had more",
    ]);

    const other = 'B = [ Description = [ VirtualOrganisation = "vo" ] ];';
    const { workflow: two } = await readWorkflowFile(fileOf(outer(tagged + other)));
    expect(two.execution).not.toHaveProperty("virtualOrganisation");
    expect(two.tasks[0].unsupported).toEqual(["virtualOrganisation, of which the nodes have several"]);
  });

  it("FO-134 a stated runtime is taken, but no longer than the limit", async () => {
    const { tasks, remarks } = await tasksOf(fileOf(DAG, FILES), 10 * MINUTE_MS);
    expect(tasks.map(({ ms }) => ms)).toEqual([5 * MINUTE_MS, 10 * MINUTE_MS, 0, 5 * MINUTE_MS]);
    expect(remarks.at(-1)).toMatch(/^the time limit is taken as the runtime of 2 of 3 tasks/);
  });

  it("FO-134 nodes that are done are left out, also by a rescue file", async () => {
    const done = { ...FILES, "flow.dag.rescue001": "DONE A\n" };
    const { tasks, remarks } = await tasksOf(fileOf(DAG, done));
    expect(tasks.map(({ id, parents }) => [id, parents])).toEqual([
      ["B", []],
      ["C", []],
      ["Z", ["B", "C"]],
    ]);
    expect(remarks).toContainEqual(expect.stringContaining("1 node is done already"));
  });

  it("FO-134 a node without limit needs a runtime, and its line is named", async () => {
    const file = fileOf("JOB A short.sub\nJOB B open.sub\n", FILES);
    const problem = { code: "runtimeMissing", what: expect.stringMatching(/flow\.dag:2:1: task B/) };
    await expect(readWorkflowFile(file)).rejects.toMatchObject({ errors: [problem] });
    expect((await tasksOf(file, MINUTE_MS)).tasks.map(({ ms }) => ms)).toEqual([MINUTE_MS, MINUTE_MS]);
  });

  it("FO-134 a DAG in JDL, packed; a node may name its site", async () => {
    const jdl = `[ Type = "dag"; VirtualOrganisation = "vo"; 
      Max_Nodes_Running = 1; Executable = "/bin/date"; Nodes = [
      a = [ Description = [ WallTime = 600; SubmitTo = "near"; ] ];
      b = [ Description = [ WallTime = 60; CpuNumber = 4; ] ];
    ]; Dependencies = { { a, b } }; ]`;
    const { form, tasks, workflow } = await tasksOf(fileOf(gzipSync(jdl)));
    expect(form).toBe("JDL");
    expect(tasks.map(({ id, procs, ms, parents }) => ({ id, procs, ms, parents }))).toEqual([
      { id: "a", procs: 1, ms: { near: 10 * MINUTE_MS }, parents: [] },
      { id: "b", procs: 4, ms: MINUTE_MS, parents: ["a"] },
    ]);
    expect(workflow.execution).toEqual({ limits: { maxRunning: 1 }, virtualOrganisation: "vo" });
  });

  it.each([
    ["a missing submit file", "JOB A none.sub\n", "nodeFile"],
    ["a cycle", "JOB A short.sub\nJOB B short.sub\nPARENT A CHILD B\nPARENT B CHILD A\n", "cycle"],
    ["a job", '[ Executable = "/bin/date"; ]', "noDag"],
  ])("FO-134 %s is a problem", async (_, text, code) => {
    await expect(readWorkflowFile(fileOf(text, FILES))).rejects.toMatchObject({ errors: [{ code }] });
  });
});
