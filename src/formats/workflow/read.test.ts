import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { j30Projects } from "../../../test/psplib.ts";
import { hasSharedData, tracePath, withoutSharedData } from "../../../test/shared-data.ts";
import { temporaryFolder } from "../../../test/stint.ts";
import { measuresOf } from "../../plan/index.ts";
import { readWorkflowFile, workflowForm } from "./index.ts";

const folder = temporaryFolder();
let count = 0;
function fileOf(content: string | Buffer): string {
  const file = join(folder, `workflow-${count++}`);
  writeFileSync(file, content);
  return file;
}
const understood = async (content: string | Buffer) => {
  const { form, workflow } = await readWorkflowFile(fileOf(content));
  const { tasks, edges, bytes, criticalPathMs } = measuresOf(workflow);
  return { form, tasks, edges, bytes, criticalPathMs };
};

const DAX = `<?xml version="1.0"?>
<!-- made by hand -->
<adag xmlns="http://pegasus.isi.edu/schema/DAX" version="2.1" name="two">
  <job id="A" name="a" runtime="1.5"><uses file="f" link="output" size="100"/></job>
  <job id="B" name="b &amp; c">
    <uses file="f" link="input" size="7"/>
    <profile namespace="pegasus" key="runtime">2</profile>
    <profile namespace="pegasus" key="cores">4</profile>
  </job>
  <child ref="B"><parent ref="A"/></child>
</adag>`;
const PEGASUS = `x-pegasus: { apiLang: python }
pegasus: "5.0.4"
name: two
replicaCatalog: { replicas: [{ lfn: f, size: 100 }] }
jobs:
  - { type: job, id: A, uses: [{ lfn: f, type: output }], profiles: { pegasus: { runtime: "1.5" } } }
  - { type: job, id: B, uses: [{ lfn: f, type: input }], profiles: { pegasus: { runtime: 2, cores: "4" } } }
jobDependencies: [{ id: A, children: [B] }]
`;
const WF_14 = JSON.stringify({
  name: "two",
  schemaVersion: "1.4",
  workflow: {
    tasks: [
      {
        name: "a",
        id: "A",
        parents: [],
        runtimeInSeconds: 1.5,
        files: [{ link: "output", name: "f", sizeInBytes: 100 }],
      },
      {
        name: "b",
        id: "B",
        parents: ["a"],
        runtime: 2,
        files: [{ link: "input", name: "f", sizeInBytes: 100 }],
      },
    ],
  },
});
const WF_15 = JSON.stringify({
  name: "two",
  schemaVersion: "1.5",
  workflow: {
    specification: {
      tasks: [
        { name: "a", id: "A", parents: [], children: ["B"], inputFiles: [], outputFiles: ["f"] },
        { name: "b", id: "B", parents: ["A"], children: [], inputFiles: ["f"], outputFiles: [] },
      ],
      files: [{ id: "f", sizeInBytes: 100 }],
    },
    execution: {
      tasks: [
        { id: "A", runtimeInSeconds: 1.5 },
        { id: "B", runtimeInSeconds: 2, coreCount: 4 },
      ],
    },
  },
});
const OWN =
  "workflow: two\ntasks:\n  - { id: A, runtime: 1500ms }\n" +
  "  - { id: B, runtime: 2s, procs: 4, parents: { A: 100 } }\n";

/** Task A reads a, m and in two formats x, which has no size, and writes n, which B reads. */
const STAGED: Readonly<Record<string, string>> = {
  DAX: `<adag name="w"><job id="A" runtime="1"><uses file="a" link="input" size="70"/>
        <uses file="m" link="input" size="9"/><uses file="x" link="input"/>
        <uses file="n" link="output" size="5"/></job>
        <job id="B" runtime="1"><uses file="n" link="input" size="5"/></job></adag>`,
  Pegasus: `pegasus: "5"
name: w
replicaCatalog: { replicas: [{ lfn: a, size: 70, pfns: [{ site: far, pfn: /a }] }] }
jobs:
  - type: job
    id: A
    uses: [{ lfn: a, type: input }, { lfn: m, type: input, size: 9 }, { lfn: n, type: output, size: 5 }]
    profiles: { pegasus: { runtime: 1 } }
  - { type: job, id: B, uses: [{ lfn: n, type: input }], profiles: { pegasus: { runtime: 1 } } }
`,
  WfFormat: JSON.stringify({
    ...{ name: "w", schemaVersion: "1.5" },
    workflow: {
      specification: {
        tasks: [
          { id: "A", name: "A", parents: [], inputFiles: ["a", "m", "x"], outputFiles: ["n"] },
          { id: "B", name: "B", parents: ["A"], inputFiles: ["n"], outputFiles: [] },
        ],
        files: [
          { id: "a", sizeInBytes: 70 },
          { id: "m", sizeInBytes: 9 },
          { id: "n", sizeInBytes: 5 },
        ],
      },
      execution: { tasks: ["A", "B"].map((id) => ({ id, runtimeInSeconds: 1 })) },
    },
  }),
};

describe("workflows from files", () => {
  it.each([
    ["Pegasus DAX", DAX],
    ["Pegasus YAML", PEGASUS],
    ["WfFormat", WF_14],
    ["WfFormat", WF_15],
    ["Stint workflow", OWN],
  ])("FO-131 %s is recognised and read, also packed", async (form, text) => {
    const same = { form, tasks: 2, edges: 1, bytes: 100, criticalPathMs: 3500 };
    expect(await understood(text)).toEqual(same);
    expect(await understood(gzipSync(text))).toEqual(same);
  });

  it.each([
    "executable: wc",
    "executable: wc\nenvironment:\n  tasks: 2",
    "; UnixStartTime: 0\n1 0 0",
    "{}",
    "",
    "<html></html>",
  ])("FO-131 %j is not a workflow", async (text) => {
    expect(workflowForm(text)).toBeUndefined();
    await expect(readWorkflowFile(fileOf(text))).rejects.toMatchObject({ code: "noWorkflow" });
  });

  it.each([
    ["an element that is not closed", DAX.replace("</adag>", ""), "xmlSyntax"],
    ["a wrong closing tag", DAX.replace("</adag>", "</job>"), "xmlSyntax"],
    ["JSON that is cut short", WF_15.slice(0, -3), "jsonSyntax"],
    ["a child that is no job", DAX.replace('<child ref="B">', '<child ref="C">'), "unknownChild"],
    ["a word that is unknown", OWN.replace("procs", "prcos"), "wordUnknown"],
    ["a missing runtime", OWN.replace("runtime: 2s, ", ""), "runtimeMissing"],
    ["a negative runtime", DAX.replace("1.5", "-1"), "negativeAmount"],
  ])("FO-132 %s is a problem with its place", async (_, text, code) => {
    await expect(readWorkflowFile(fileOf(text))).rejects.toMatchObject({ errors: [{ code }] });
  });

  it.each(["DAX", "Pegasus", "WfFormat"])(
    "FO-131 files of %s that no task writes are staged in, by their sizes",
    async (form) => {
      const { workflow } = await readWorkflowFile(fileOf(STAGED[form]));
      const first = form === "Pegasus" ? { bytes: 70, at: ["far"] } : { bytes: 70 };
      expect(workflow.tasks.map(({ inputs }) => inputs)).toEqual([[first, { bytes: 9 }], undefined]);
    },
  );

  it("FO-132 leniently a negative runtime or size counts as 0", async () => {
    const file = fileOf(DAX.replace("1.5", "-1").replace('"100"', '"-100"'));
    const { workflow } = await readWorkflowFile(file, { isLenient: true });
    expect(measuresOf(workflow)).toMatchObject({ criticalPathMs: 2000, bytes: 0 });
  });
});

describe.skipIf(!hasSharedData)(`the collected workflows${withoutSharedData}`, () => {
  it.each(["dax", "wfformat"])("FO-131 all of %s are read", async (kind) => {
    const place = join(tracePath("workflows"), kind);
    for (const name of readdirSync(place)) {
      const { workflow } = await readWorkflowFile(join(place, name), { isLenient: true });
      expect(workflow.tasks.length).toBeGreaterThan(9);
    }
  });

  it("FO-131 all 480 projects of PSPLIB's j30 are read", async () => {
    const projects = j30Projects();
    expect(projects.length).toBe(480);
    for (const { text } of projects.filter((_, at) => at % 40 === 0)) {
      expect(await understood(text)).toMatchObject({ form: "PSPLIB", tasks: 32 });
    }
  });
});
