import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { stint, temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();
symlinkSync(resolve(import.meta.dirname, "../examples"), join(folder, "examples"));
mkdirSync(join(folder, "jobs"));

function fileWith(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return name;
}

const check = (...words: string[]) => stint(["check", ...words], folder);

const fine = fileWith("jobs/fine.yaml", "executable: run.sh\narguments: a 'b c'\ninputSandbox: run.sh\n");
fileWith("jobs/run.sh", "#!/bin/sh\n");
const odd = fileWith("odd.yaml", "executable: hostname\nProcs: 4\n");
const wrong = fileWith("wrong.yaml", "executable: bin/run.sh\nprocs: 0\n---\nexecutable: hostname\n");

describe("stint check", () => {
  it("says in one line what it understood of each job, and ends with 0", () => {
    const { code, out, err } = check(fine, "examples/two-jobs.yaml");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toBe(
      "ok  jobs/fine.yaml:1          run.sh a 'b c': procs 1, wallTime of the site, sends 1 file\n" +
        "ok  examples/two-jobs.yaml:3  sleep 30: procs 1, wallTime 1m\n" +
        "ok  examples/two-jobs.yaml:7  mpirun hostname: procs 16, memory 8G, wallTime 1h30m\n",
    );
  });

  it("CL-4 warns of what is odd, which is no failure", () => {
    const { code, out, err } = check(odd);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("warning odd.yaml:2:1: Procs is not an attribute that Stint knows; did you");
  });

  it("CL-2 CL-3 tells every problem in three lines with its place, and ends with 2", () => {
    const { code, out, err } = check(wrong, fine);
    expect(code).toBe(2);
    expect(out).toContain("ok  wrong.yaml:4");
    expect(out).toContain("bad wrong.yaml");
    expect(out).toContain("ok  jobs/fine.yaml:1");
    expect(err).toMatch(/^(stint: wrong\.yaml:\d:\d+: .+\n {2}why: .+\n {2}do: {2}.+\n){2}$/);
  });

  it("CL-1 -o json is one array on stdout, and nothing on stderr even where something is wrong", () => {
    const { code, out, err } = check(odd, wrong, fine, "-o", "json");
    expect({ code, err }).toEqual({ code: 2, err: "" });
    expect(JSON.parse(out)).toMatchObject([
      {
        file: odd,
        ok: true,
        jobs: [{ executable: "hostname", procs: 1, attributes: { Procs: "4" } }],
        warnings: [{ code: "attributeUnknown", line: 2, column: 1 }],
        problems: [],
      },
      {
        file: wrong,
        ok: false,
        jobs: [{ executable: "hostname" }],
        problems: [
          { code: "executableRelative", line: 1, column: 13 },
          { code: "notCount", line: 2, column: 8 },
        ],
      },
      { file: fine, ok: true, jobs: [{ arguments: ["a", "b c"], inputSandbox: ["jobs/run.sh"] }] },
    ]);
  });

  it("-o json prints a job with its defaults", () => {
    const [{ jobs }] = JSON.parse(check("examples/hello.yaml", "-o", "json").out);
    expect(jobs).toEqual([
      {
        executable: "echo",
        arguments: ["hello", "from a job"],
        environment: {},
        stdOutput: "stdout",
        stdError: "stderr",
        inputSandbox: [],
        outputSandbox: [],
        procs: 1,
        wallTimeSec: 60,
        userTags: {},
      },
    ]);
  });

  it("FO-26 input files are relative to the description, not to the current directory", () => {
    const ran = stint(["check", "fine.yaml"], join(folder, "jobs"));
    expect({ code: ran.code, err: ran.err }).toEqual({ code: 0, err: "" });
  });

  it.each([
    ["a file that is not there", "none.yaml", "why: there is no such file"],
    ["a folder", "jobs", "why: it is a directory"],
    ["an empty file", fileWith("empty.yaml", ""), "empty.yaml:1:1: there is no job in it"],
    ["what is no text", fileWith("bin.yaml", Uint8Array.of(0xff, 0xfe, 0)), "this is not a text file"],
    ["a NUL", fileWith("nul.yaml", "executable: a\0\n"), "this is not a text file"],
    ["more than a MiB", fileWith("large.yaml", `# ${"x".repeat(1 << 20)}\n`), "more than 1048576 bytes"],
    [
      "JDL that ends early",
      fileWith("a.jdl", '[ Executable = "a"; '),
      "a.jdl:1:21: unexpected end of the text",
    ],
    ["a script", fileWith("a.sh", "#!/bin/sh\nhostname\n"), "a script, which is not supported yet"],
    ["a workflow without tasks", fileWith("a.xml", "<adag/>"), "a.xml: the workflow has no tasks"],
  ])("FO-21 %s is one problem", (_, file, says) => {
    const { code, err } = check(file);
    expect(code).toBe(2);
    expect(err).toContain(says);
    expect(err).toMatch(/^stint: .+\n {2}why: .+\n {2}do: {2}.+\n$/);
  });

  it("FO-21 a byte order mark and CRLF change nothing", () => {
    const { code, out } = check(fileWith("dos.yaml", "\ufeffexecutable: hostname\r\nwallTime: 1h\r\n"));
    expect(code).toBe(0);
    expect(out).toContain("dos.yaml:1  hostname: procs 1, wallTime 1h");
  });

  it("FO-21 an endless file is read up to the limit", () => {
    const { code, err } = check("/dev/zero");
    expect(code).toBe(2);
    expect(err).toContain("more than 1048576 bytes");
  });

  it("CL-5 what a description says cannot move a terminal", () => {
    const { out } = check(fileWith("moves.yaml", 'executable: echo\narguments: ["\\e[2J\\u202e"]\n'));
    expect(out).toContain("echo '?[2J?'");
  });

  it("CL-2 no file at all is a usage error", () => {
    expect(check()).toMatchObject({ code: 2, out: "" });
    expect(check().err).toContain("missing required argument 'files'");
  });
});
