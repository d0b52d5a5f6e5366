import { describe, expect, it } from "vitest";
import { JOB_DEFAULTS } from "../../model/index.ts";
import type { FileState } from "../yaml/index.ts";
import { readJobYaml } from "./read.ts";

const files = new Map<string, FileState>([
  ["jobs/run.sh", "readable"],
  ["jobs/data/in.txt", "readable"],
  ["jobs/data", "directory"],
  ["jobs/secret", "notReadable"],
  ["/data/in.txt", "readable"],
]);

function read(text: string) {
  return readJobYaml(text, { folder: "jobs", fileState: (path) => files.get(path) ?? "missing" });
}

/** The description of one job that is fine, beside its executable. */
function described(attributes: string) {
  const { jobs, problems } = read(`executable: a\n${attributes}`);
  expect(problems).toEqual([]);
  return jobs[0].description;
}

/** `line:column code` of each problem. */
function wrongIn(text: string): string[] {
  return read(text).problems.map(({ line, column, code }) => `${line}:${column} ${code}`);
}

describe("what a description says", () => {
  it("omitted attributes have their defaults; those without a default stay absent", () => {
    expect(described("")).toEqual({ ...JOB_DEFAULTS, executable: "a" });
  });

  it("reads every attribute", () => {
    const text = `
executable: run.sh
arguments: -v 'two words'
environment: {OMP_NUM_THREADS: 4, EMPTY: ""}
stdOutput: out.txt
stdError: out.txt
inputSandbox: [run.sh, data/../data/in.txt]
outputSandbox: [result.*, out/, "a/**/*.csv"]
procs: 8
memory: 1.5GB
gpus: 2
wallTime: 1h30m
site: cluster-a
reservation: ab12cd34
userTags: {run: 7}
`;
    const { jobs, problems, warnings } = read(text);
    expect({ problems, warnings }).toEqual({ problems: [], warnings: [] });
    expect(jobs).toEqual([
      {
        line: 2,
        description: {
          executable: "run.sh",
          arguments: ["-v", "two words"],
          environment: { OMP_NUM_THREADS: "4", EMPTY: "" },
          stdOutput: "out.txt",
          stdError: "out.txt",
          inputSandbox: ["jobs/run.sh", "jobs/data/in.txt"],
          outputSandbox: ["result.*", "out/", "a/**/*.csv"],
          procs: 8,
          memoryBytes: 1_500_000_000,
          gpus: 2,
          wallTimeMs: 5_400_000,
          site: "cluster-a",
          reservation: "ab12cd34",
          userTags: { run: "7" },
        },
      },
    ]);
  });

  it("FO-29 a text is taken as written, whatever its YAML type", () => {
    const text =
      "executable: true\narguments: [1.0, 0x10, 1e3, yes, off, 'null', 2026-11-21]\nuserTags: {v: 1.10}";
    const [{ description }] = read(text).jobs;
    expect(description.executable).toBe("true");
    expect(description.arguments).toEqual(["1.0", "0x10", "1e3", "yes", "off", "null", "2026-11-21"]);
    expect(description.userTags).toEqual({ v: "1.10" });
  });

  it.each([
    ["memory: 2048M", { memoryBytes: 2 ** 31 }],
    ["memory: 1073741824", { memoryBytes: 2 ** 30 }],
    ["wallTime: 90", { wallTimeMs: 90_000 }],
    ["wallTime: 01:30:00", { wallTimeMs: 5_400_000 }],
    ["wallTime: 2-12:00:00", { wallTimeMs: 216_000_000 }],
    ["wallTime: PT1H30M", { wallTimeMs: 5_400_000 }],
    ["procs: 4.0", { procs: 4 }],
    ["environment: [A=1, 'B=x=y', C=]", { environment: { A: "1", B: "x=y", C: "" } }],
    ["arguments: []", { arguments: [] }],
    ["arguments: 30", { arguments: ["30"] }],
    ["arguments: |\n  -a\n  'b c'", { arguments: ["-a", "b c"] }],
    ["inputSandbox: /data/in.txt", { inputSandbox: ["/data/in.txt"] }],
    ["inputSandbox: []", { inputSandbox: [] }],
  ])("FO-29 %j is read", (attribute, understood) => {
    expect(described(attribute)).toMatchObject(understood);
  });

  it("FO-29 a name that JavaScript objects inherit is a plain name", () => {
    const { environment } = described("environment: {__proto__: x, constructor: y}");
    expect(Object.entries(environment)).toEqual([
      ["__proto__", "x"],
      ["constructor", "y"],
    ]);
  });

  it("FO-29 a %YAML 1.1 directive changes nothing", () => {
    const { jobs } = read("%YAML 1.1\n---\nexecutable: yes\nwallTime: 01:30:00\nsite: 012\n");
    expect(jobs[0].description).toMatchObject({ executable: "yes", wallTimeMs: 5_400_000, site: "012" });
  });

  it("each document is a job; empty documents are skipped", () => {
    const { jobs, problems } = read("---\nexecutable: a\n---\n# nothing\n---\nexecutable: b\n...\n");
    expect(problems).toEqual([]);
    expect(jobs.map(({ description, line }) => [description.executable, line])).toEqual([
      ["a", 2],
      ["b", 6],
    ]);
  });

  it("problems of other documents are reported beside a damaged one", () => {
    const text = "executable: a\n---\nb: c: d\n---\nexecutable: e\nprocs: 0\n---\nexecutable: f\n";
    expect(wrongIn(text)).toEqual(["3:4 yamlSyntax", "6:8 notCount"]);
    expect(read(text).jobs.map(({ description }) => description.executable)).toEqual(["a", "f"]);
  });

  it.each([[""], ["# only a comment\n"], ["---\n---\n"], ["null"]])("%j holds no job", (text) => {
    expect(read(text).problems).toMatchObject([{ code: "descriptionEmpty", line: 1, column: 1 }]);
  });
});

describe("what is wrong", () => {
  it.each([
    ["no executable", "procs: 1", ["1:1 wordMissing"]],
    ["an executable that is a list", "executable: [a]", ["1:13 wrongType"]],
    ["an executable without a value", "executable:", ["1:12 valueMissing"]],
    ["a relative path with a slash", "executable: bin/a", ["1:13 executableRelative"]],
    ["a path in the current folder", "executable: ./a", ["1:13 executableRelative"]],
    ["a home folder", "executable: ~/a", ["1:13 executableRelative"]],
    ["a folder", "executable: /bin/", ["1:13 badExecutable"]],
    ["an empty name", 'executable: ""', ["1:13 badExecutable"]],
    ["a job that is a list", "- executable: a", ["1:1 wrongType"]],
    ["a job that is a text", "hostname", ["1:1 wrongType"]],
    ["a NUL", 'executable: a\narguments: ["\\0"]', ["2:13 textWithNul"]],
  ])("FO-26 %s", (_, text, wrong) => {
    expect(wrongIn(text)).toEqual(wrong);
  });

  it.each([
    ["procs: 0", "2:8 notCount"],
    ["cpuNumber: 4", "2:1 attributeRenamed"],
    ["CpuNumber: 4", "2:1 attributeRenamed"],
    ["procs: -1", "2:8 notCount"],
    ["procs: 1.5", "2:8 notCount"],
    ["procs: 9007199254740993", "2:8 notCount"],
    ["procs: .inf", "2:8 notCount"],
    ["procs: four", "2:8 notCount"],
    ["procs: '4'", "2:8 wrongType"],
    ["procs: true", "2:8 wrongType"],
    ["procs: [4]", "2:8 wrongType"],
    ["procs: ~", "2:8 valueMissing"],
    ["gpus: 0", "2:7 notCount"],
    ["memory: 0", "2:9 notPositive"],
    ["memory: -1G", "2:9 badSize"],
    ["memory: 10g", "2:9 badSize"],
    ["memory: true", "2:9 wrongType"],
    ["wallTime: 0s", "2:11 notPositive"],
    ["wallTime: -5", "2:11 badDuration"],
    ["wallTime: 01:30", "2:11 badDuration"],
    ["wallTime: [1h]", "2:11 wrongType"],
    ["arguments: a 'b", "2:12 openQuote"],
    ["arguments: a\\", "2:12 openQuote"],
    ["arguments: {a: b}", "2:12 wrongType"],
    ["arguments: [a, [b]]", "2:16 wrongType"],
    ["arguments:\n  -\n  - b", "3:4 valueMissing"],
    ["environment: {2A: x}", "2:15 badVariable"],
    ["environment: {A: }", "2:18 valueMissing"],
    ["environment: {A: [x]}", "2:18 wrongType"],
    ["environment: [A]", "2:15 badVariable"],
    ["environment: [A=1, A=2]", "2:20 duplicateKey"],
    ["environment: ['a b=1']", "2:15 badVariable"],
    ["site: a b", "2:7 badSite"],
    ["site: ''", "2:7 badSite"],
    ["reservation: A b", "2:14 badReservation"],
    ["virtualOrganisation: cms higgs", "2:22 badOrganisation"],
    ["userTags: [a]", "2:11 wrongType"],
    ["userTags: {'': a}", "2:12 badTag"],
    ["<<: {a: b}", "2:1 mergeKey"],
    ["? [a]\n: b", "2:3 keyNotWord"],
  ])("FO-29 %j: %s", (attribute, wrong) => {
    expect(wrongIn(`executable: a\n${attribute}`)).toEqual([wrong]);
  });

  it("virtualOrganisation is a consumer path", () => {
    const virtualOrganisation = "cms/higgs";
    expect(described(`virtualOrganisation: ${virtualOrganisation}`)).toMatchObject({ virtualOrganisation });
  });

  it("a delay cost is whole SU per hour, 0 included", () => {
    expect(described("delayCost: 16")).toMatchObject({ delayCostSuPerHour: 16 });
    expect(described("delayCost: 0")).toMatchObject({ delayCostSuPerHour: 0 });
    expect(wrongIn("executable: a\ndelayCost: 1.5")).toHaveLength(1);
    expect(wrongIn("executable: a\ndelayCost: -1")).toHaveLength(1);
    expect(wrongIn("executable: a\ndelayCost: 2 SU")).toHaveLength(1);
  });

  it.each([
    ["stdOutput: a/b", "2:12 notFileName"],
    ["stdOutput: /tmp/b", "2:12 notFileName"],
    ["stdError: ..", "2:11 notFileName"],
    ['stdError: "a\\nb"', "2:11 notFileName"],
    ["outputSandbox: [a, ../b]", "2:20 notInnerPath"],
    ["outputSandbox: /b", "2:16 notInnerPath"],
    ["outputSandbox: a//b", "2:16 notInnerPath"],
    ["outputSandbox: a/./b", "2:16 notInnerPath"],
    ["outputSandbox: a/..", "2:16 notInnerPath"],
    ["outputSandbox: .", "2:16 notInnerPath"],
    ["outputSandbox: [a, a]", "2:20 doubleBaseName"],
    ["inputSandbox: none.txt", "2:15 sandboxFile"],
    ["inputSandbox: data", "2:15 sandboxFile"],
    ["inputSandbox: secret", "2:15 sandboxFile"],
    ["inputSandbox: ''", "2:15 sandboxFile"],
    ["inputSandbox: https://example.org/a", "2:15 sandboxFile"],
    ["inputSandbox: [data/in.txt, /data/in.txt]", "2:29 doubleBaseName"],
  ])("FO-26 %j: %s", (attribute, wrong) => {
    expect(wrongIn(`executable: a\n${attribute}`)).toEqual([wrong]);
  });

  it("FO-26 the problem of a missing file names the path that was tried", () => {
    const [problem] = read("executable: a\ninputSandbox: none.txt").problems;
    expect(problem.why).toBe('there is no such file, looked for at "jobs/none.txt"');
  });

  it.each([
    ["executable: a\nexecutable: b", "2:1 duplicateKey"],
    ["executable: a\nuserTags: {x: 1, x: 2}", "2:18 duplicateKey"],
  ])("%j: names are unique", (text, wrong) => {
    expect(wrongIn(text)).toEqual([wrong]);
    expect(read(text).problems[0].why).toMatch(/^line \d already has it/);
  });

  it.each([
    ["an open quote", "executable: 'a", "close every quote"],
    ["a tab in front", "executable: a\nenvironment:\n\tA: 1", "indent with blanks"],
    ["a colon in a value", "executable: a\nuserTags: x: y", "in quotes"],
    ["uneven indentation", "executable: a\n  procs: 1", "in quotes"],
    ["a bad escape", 'executable: "\\q"', "backslash"],
    ["an open bracket", "arguments: [a, b", "same number of blanks"],
  ])("FO-22 the remedy for %s", (_, text, remedy) => {
    const [problem] = read(text).problems;
    expect(problem).toMatchObject({ code: "yamlSyntax", what: "this is not YAML" });
    expect(problem.remedy).toContain(remedy);
    expect(problem.line).toBeGreaterThan(0);
  });

  it("FO-22 all problems are reported together, in the order of the text", () => {
    const text = "wallTime: 1x\nprocs: 0\nexecutable: a/b\nstdOutput: /x\nprocs: 2\nmemory: 1g\n";
    expect(wrongIn(text).map((wrong) => wrong.split(":")[0])).toEqual(["1", "2", "3", "4", "5", "6"]);
    for (const { why, remedy } of read(text).problems) {
      expect(why).not.toBe("");
      expect(remedy).not.toBe("");
    }
  });

  it("FO-22 the first 100 problems are reported, the rest counted", () => {
    const { problems } = read("executable: a/b\n---\n".repeat(130));
    expect(problems.length).toBe(101);
    expect(problems[100]).toMatchObject({ code: "moreRemarks", what: "30 more problems" });
  });

  it("FO-22 one stray character on a line is one problem", () => {
    expect(wrongIn("executable: a\nuserTags: ] ] ] ]\n")).toEqual(["2:11 yamlSyntax"]);
  });

  it.each([
    'executable: "\\e[31m/x"',
    'executable: "\\e[31m"',
    'executable: "\\e[31m x"',
    'executable: a\n"\\e[2J": 1',
    'executable: a\nsite: "\\e[0m \\u202e"',
    'executable: a\nstdOutput: "x/\\u202e"',
    'executable: a\narguments: "\\e \'"',
    'executable: a\nuserTags: {"\\e": [1]}',
    "executable: a\nsite: !\u001b[31m b: c",
  ])("FO-22 the message for %j has no control characters", (text) => {
    const { problems, warnings } = read(text);
    expect(problems.length + warnings.length).toBeGreaterThan(0);
    expect([...problems, ...warnings].map((told) => told.what + told.why + told.remedy).join("")).not.toMatch(
      /[\p{Cc}\u202e]/u,
    );
  });
});

describe("what is odd", () => {
  it.each([
    ["Procs: 4", "attributeUnknown", "did you mean procs?"],
    ["Walltime: 4", "attributeUnknown", "did you mean wallTime?"],
    ["colour: red", "attributeUnknown", "keep it if that is intended"],
    ["storageIndex: a", "attributeWithoutEffect", "keep it for a later version"],
    ["memory: 512", "memoryTiny", "memory: 512M"],
    ["arguments: $HOME", "notExpanded", "single quotes"],
    ["arguments: a > b", "notExpanded", "executable: sh"],
    ["site: !foo a", "yamlOddity", "take it out"],
  ])("FO-24 the warning for %j is %s", (attribute, code, remedy) => {
    const { jobs, problems, warnings } = read(`executable: a\n${attribute}`);
    expect(problems).toEqual([]);
    expect(jobs.length).toBe(1);
    expect(warnings).toMatchObject([{ code, line: 2 }]);
    expect(warnings[0].remedy).toContain(remedy);
  });

  it("FO-24 unknown attributes are kept as ClassAd expressions", () => {
    const { jobs } = read("executable: a\ncolour: [red, 1, true, ~, {a: 1.5}]\nrank: other.x\n");
    expect(jobs[0].description.attributes).toEqual({
      colour: '{ "red", 1, true, undefined, [ a = 1.5 ] }',
    });
  });

  it.each([
    ["executable: run.sh", "executableNotSent"],
    ["executable: sleep 10", "executableWithBlanks"],
  ])("FO-26 the warning for %j is %s", (text, code) => {
    expect(read(text).warnings).toMatchObject([{ code, line: 1, column: 13 }]);
  });

  it.each([
    ["executable: run.sh\ninputSandbox: run.sh"],
    ["executable: /usr/bin/env"],
    ["executable: sleep"],
  ])("FO-26 %j is accepted", (text) => {
    expect(read(text)).toMatchObject({ problems: [], warnings: [] });
  });
});
