import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JobSurroundings } from "../job-reading/index.ts";
import { readDagman } from "./index.ts";

const SUB = "executable = /bin/echo\narguments = $(word) $(JOB)\nrequest_cpus = 2\nqueue\n";

function read(text: string, files: Readonly<Record<string, string>> = {}) {
  const all: Readonly<Record<string, string>> = { "/here/a.sub": SUB, ...files };
  const surroundings: JobSurroundings = {
    ...{ folder: "/here", file: "/here/x.dag" },
    fileState: (path) => (Object.hasOwn(all, path) ? "readable" : "missing"),
    readText: (path) => {
      const found = all[path];
      if (found !== undefined) return { ok: true, value: found };
      return { ok: false, refusal: { code: "fileNotFound", what: path, why: "it is not there", remedy: "" } };
    },
  };
  return readDagman(text, surroundings);
}

const nodesOf = (text: string, files: Readonly<Record<string, string>> = {}) => read(text, files).dag?.nodes;

describe("DAGMan files", () => {
  it("FO-190 nodes with their submit files, variables and order", () => {
    const { jobs, dag, problems, whole } = read(`# mine
JOB A a.sub
JOB B a.sub NOOP
JOB C a.sub DONE
PARENT A CHILD B C
VARS A word="one \\"two\\"" request_cpus="4"
RETRY A 3 UNLESS-EXIT 2
PRIORITY B 5
CATEGORY C io
MAXJOBS io 2
ABORT-DAG-ON A 7 RETURN 0
`);
    expect(problems).toEqual([]);
    expect(whole).toBe("a DAG of 3 nodes and 2 dependencies");
    expect(jobs[0]).toMatchObject({ node: "A", line: 2, description: { name: "A", procs: 4 } });
    expect(jobs[0]?.description.arguments).toContain("A");
    expect(dag).toEqual({
      nodes: [
        { name: "A", parents: [], retries: 3, unlessExit: 2, abortOn: { exitCode: 7, result: 0 } },
        { name: "B", parents: ["A"], skip: "noop", priority: 5 },
        { name: "C", parents: ["A"], skip: "done", category: "io" },
      ],
      maxRunningOf: { io: 2 },
    });
  });

  it("FO-190 a final node, all nodes at once, descriptions in the file", () => {
    const text = `SUBMIT-DESCRIPTION small {
  executable = /bin/true
  request_cpus = 3
}
JOB A small
JOB B {
  executable = /bin/date
}
FINAL Z small
RETRY ALL_NODES 2
DONE B
`;
    const { jobs, dag, problems } = read(text);
    expect(problems).toEqual([]);
    expect(jobs.map(({ description }) => [description.executable, description.procs])).toEqual([
      ["/bin/true", 3],
      ["/bin/date", 1],
      ["/bin/true", 3],
    ]);
    expect(dag?.nodes).toEqual([
      { name: "A", parents: [], retries: 2 },
      { name: "B", parents: [], retries: 2, skip: "done" },
      { name: "Z", parents: [], isFinal: true },
    ]);
  });

  it("FO-191 splices, sub-DAGs, included files and pins", () => {
    const inner = "JOB X a.sub\nJOB Y a.sub\nPARENT X CHILD Y\nPIN_IN X 1\nPIN_OUT Y 1\n";
    const text = `JOB A a.sub
SPLICE one inner.dag
SUBDAG EXTERNAL two inner.dag
PARENT A CHILD one
CONNECT one two
INCLUDE more.dag
`;
    const files = { "/here/inner.dag": inner, "/here/more.dag": "JOB B a.sub\nPARENT two CHILD B\n" };
    const parents = nodesOf(text, files)?.map((node) => [node.name, node.parents]);
    expect(parents).toEqual([
      ["A", []],
      ["one+X", ["A"]],
      ["one+Y", ["one+X"]],
      ["two+X", ["one+Y"]],
      ["two+Y", ["two+X"]],
      ["B", ["two+Y"]],
    ]);
  });

  it.each([
    ["JOB A a.sub\nPARENT A CHILD B\n", 2, '"B" is not a node'],
    ["JOB A a.sub\nJOB B a.sub\nPARENT A CHILD B\nPARENT B CHILD A\n", 4, "a cycle: A → B → A"],
    ["JOB A a.sub\nJOB A a.sub\n", 2, '"A" is there already'],
    ["JOB A none.sub\n", 1, "cannot be read"],
    ["JOB A two.sub\n", 1, "more than one job"],
    ["JOB A bad.sub\n", 1, "/here/bad.sub:1:1"],
    ["SPLICE s x.dag\nJOB A a.sub\n", 1, "names itself"],
    ["JOB A a.sub\nRETRY A x\n", 2, "RETRY A x"],
    ["JOB A a.sub\nFOO A\n", 2, "FOO"],
    ["FINAL Z a.sub\nJOB A a.sub\nPARENT A CHILD Z\n", 1, '"Z" is not allowed here'],
    ["JOB A {\nexecutable = x\n", 1, "not closed"],
    ["# nothing\n", 1, "no nodes"],
  ])("FO-190 what is wrong is told with its place: %j", (text, line, what) => {
    const files = {
      "/here/two.sub": "executable = /bin/true\nqueue 2\n",
      "/here/bad.sub": "nonsense\nqueue\n",
    };
    const { problems, jobs } = read(text, { ...files, "/here/x.dag": text });
    expect(jobs).toEqual([]);
    const found = problems.find((one) => `${one.what} ${one.why}`.includes(what));
    expect(found).toMatchObject({ line });
  });

  it("FO-190 each line without effect is listed with its reason", () => {
    const text = "JOB A a.sub\nDOT x.dot\nCONFIG c\nSERVICE S a.sub\nSCRIPT HOLD A h.sh\n";
    const told = read(text).translations.filter(({ verdict }) => verdict !== "translated");
    expect(told.map(({ line, verdict }) => [line, verdict])).toEqual([
      ...[
        [2, "noEffect"],
        [3, "noEffect"],
        [4, "noEffect"],
        [5, "notTranslated"],
      ],
    ]);
  });

  it("FO-190 the newest rescue file says what is done", () => {
    const files = {
      "/here/x.dag.rescue001": "DONE B\n",
      "/here/x.dag.rescue002": "# rescue\nDONE A\n",
    };
    const { dag, warnings } = read("JOB A a.sub\nJOB B a.sub\n", files);
    expect(dag?.nodes.map(({ skip }) => skip)).toEqual(["done", undefined]);
    expect(warnings).toMatchObject([{ code: "rescued", what: expect.stringContaining("rescue002") }]);
  });
});

/** Runs the program of a node in a folder with its files. */
function run(lines: string, scripts: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), "stint-dagman-"));
  for (const [name, text] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, name), 0o644);
  }
  const sub = "executable = /bin/sh\narguments = \"-c 'echo main; exit 4'\"\nqueue\n";
  const files = Object.fromEntries(Object.keys(scripts).map((name) => [`/here/${name}`, ""]));
  const { jobs, problems } = read(`JOB A a.sub\n${lines}`, { ...files, "/here/a.sub": sub });
  expect(problems).toEqual([]);
  const { executable = "", arguments: words = [] } = jobs[0]?.description ?? {};
  const ran = spawnSync(executable, [...words], { cwd: folder, encoding: "utf8" });
  return { code: ran.status, out: ran.stdout, files: jobs[0]?.description.inputSandbox };
}

describe("PRE and POST scripts", () => {
  it("FO-192 run around the program; the exit code of POST is the node's", () => {
    const scripts = { "pre.sh": "echo pre $1", "post.sh": 'echo post "$@"; exit 0' };
    const ran = run("SCRIPT PRE A pre.sh $JOB\nSCRIPT POST A post.sh $RETURN $RETRY 'x y\n", scripts);
    expect(ran).toEqual({
      ...{ code: 0, out: "pre A\nmain\npost 4 0 'x y\n" },
      files: ["/here/pre.sh", "/here/post.sh"],
    });
  });

  it.each([
    ["SCRIPT PRE A pre.sh\n", "exit 3", 3, ""],
    ["SCRIPT PRE A pre.sh\nPRE_SKIP A 3\n", "exit 3", 0, ""],
    ["SCRIPT PRE A pre.sh\n", "exit 0", 4, "main\n"],
    ["SCRIPT DEFER 9 0 PRE A pre.sh\n", "[ -e once ] && exit 0; touch once; exit 9", 4, "main\n"],
    ["SCRIPT PRE A /bin/sh -c 'exit\n", "", 2, ""],
  ])("FO-192 %j with %j ends with %i", (lines, script, code, out) => {
    const ran = run(lines, { "pre.sh": script });
    expect([ran.code, ran.out]).toEqual([code, out]);
  });
});
