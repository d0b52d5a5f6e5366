import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/stint.ts";
import { readWorkflowBytes, readWorkflowFile } from "./index.ts";

const folder = temporaryFolder();
mkdirSync(join(folder, "data/tree"), { recursive: true });
for (const name of ["seed", "x", "data/seed"]) writeFileSync(join(folder, name), name);

interface Files {
  readonly a?: string;
  readonly b?: string;
  readonly whole?: string;
}

/** A workflow of two tasks with these files. */
const flow = ({ a = "", b = "", whole = "" }: Files): string =>
  `${whole}tasks:\n  - { id: a, runtime: 1m, ${a} }\n  - { id: b, runtime: 1m, ${b} }\n`;
const problemsOf = (files: Files): readonly string[] => {
  const reading = readWorkflowBytes(new TextEncoder().encode(flow(files)), join(folder, "flow.yaml"));
  return (reading?.problems ?? []).map(({ line = 0, code, what }) => `${line} ${code}: ${what}`);
};

describe("FO-135 files of a workflow", () => {
  it.each<[string, Files, readonly string[]]>([
    [
      "two writers",
      { a: "outputs: [x2]", b: "outputs: [x2]" },
      ['3 twoWriters: "x2" is written by both a and b'],
    ],
    [
      "an output that is named twice",
      { a: "outputs: [y, y]" },
      ['2 twoWriters: "y" is listed twice among the outputs of a'],
    ],
    [
      "an output outside of the directory",
      { a: "outputs: [../final]", b: "outputs: [/tmp/y]" },
      ['2 outputOutside: task a cannot write "../final"', '3 outputOutside: task b cannot write "/tmp/y"'],
    ],
    ["an own output", { b: "inputs: [y], outputs: [y]" }, ['3 ownOutput: task b reads its own output "y"']],
    [
      "a result that no task writes",
      { whole: "results: [z]\n", a: "outputs: [y]" },
      ['1 unknownResult: "z" is a result, and no task writes it'],
    ],
    [
      "a directory of all tasks",
      { whole: "directory: /shared\n", a: "outputs: [y]" },
      ["1 directoryWithFiles: directory cannot be used if tasks have inputs or outputs"],
    ],
    [
      "a file of the user with the name of an output",
      { a: "outputs: [seed]", b: "inputs: [data/seed]" },
      ['3 inputNamedAsOutput: your file "data/seed" has the name of an output of a'],
    ],
    [
      "two files of the user with one base name",
      { a: "inputs: [seed]", b: "inputs: [data/seed]" },
      ['3 inputsNamedAlike: "seed" and "data/seed" cannot both be inputs of a workflow'],
    ],
    [
      "a path of no file",
      { a: 'inputs: ["/"]' },
      ['2 inputUnnamed: task a cannot read "/"', '2 inputUnreadable: task a cannot read "/"'],
    ],
    [
      "a file of the user below an output, under its base name",
      { a: "inputs: [data/seed], outputs: [seed/y]" },
      ['2 fileIsDirectory: in task a another file has the same name as a directory in the path "seed/y"'],
    ],
    [
      "a file below another",
      { a: "inputs: [x], outputs: [x/y]" },
      ['2 fileIsDirectory: in task a another file has the same name as a directory in the path "x/y"'],
    ],
    [
      "files that cannot be sent",
      { a: "inputs: [none, data/tree]" },
      ['2 inputUnreadable: task a cannot read "none"', '2 inputUnreadable: task a cannot read "data/tree"'],
    ],
  ])("%s is a problem", (_, files, problems) => expect(problemsOf(files)).toEqual(problems));

  it.each<[string, Files]>([
    ["inputs outside of the folder", { a: `inputs: [data/../seed, ${join(folder, "x")}]` }],
    ["a directory of all tasks, which have no files", { whole: "directory: /shared\n" }],
    ["one file for both, by two paths", { a: "inputs: [seed]", b: "inputs: [./seed]" }],
    [
      "a file that is passed on and a result",
      { whole: "results: [o/y]\n", a: "outputs: [o/y]", b: "inputs: [o/y]" },
    ],
  ])("%s are in order", (_, files) => expect(problemsOf(files)).toEqual([]));

  it("a plan does not need the files of the user; an execution does", async () => {
    const file = join(folder, "plan.yaml");
    writeFileSync(file, flow({ a: "inputs: [none]" }));
    expect((await readWorkflowFile(file)).workflow.tasks).toHaveLength(2);
    await expect(readWorkflowFile(file, { demandsInputs: true })).rejects.toMatchObject({
      errors: [
        { code: "inputUnreadable", why: expect.stringContaining(`no such file: ${join(folder, "none")}`) },
      ],
    });
  });

  it("a plan does not need files whose sizes cannot be read", async () => {
    const file = join(folder, "loop.yaml");
    symlinkSync("loop", join(folder, "loop"));
    writeFileSync(file, flow({ a: "inputs: [loop]" }));
    expect((await readWorkflowFile(file)).workflow.tasks[0]?.inputs).toBeUndefined();
  });

  it("have the sizes of the user's files, once for each task, which are brought to its site", async () => {
    const file = join(folder, "sizes.yaml");
    writeFileSync(file, flow({ a: "inputs: [seed, ./seed, x], outputs: [y]", b: "inputs: [y]" }));
    const { tasks } = (await readWorkflowFile(file)).workflow;
    expect(tasks.map(({ inputs }) => inputs)).toEqual([[{ bytes: 4 }, { bytes: 1 }], undefined]);
  });
});
