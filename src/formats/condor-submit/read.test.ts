import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import type { JobDescription } from "../../model/index.ts";
import { COMMANDS } from "./commands.ts";
import { readSubmitFile } from "./read.ts";

const HERE = new Set(["/data/run.sh", "/data/in.txt", "/data/a.dat", "/data/b.dat", "/data/sub/in.txt"]);

function read(text: string) {
  const surroundings = {
    ...{ folder: "/data", file: "/data/job.sub" },
    fileState: (path: string) => (HERE.has(path) ? "readable" : "missing") as "readable" | "missing",
  };
  const linesOf = (name: string) => (name === "list" ? ["a, 1", "b, 2"] : "there is none");
  return readSubmitFile(text, surroundings, { linesOf, variables: new Map() });
}

/** What differs from a job of an executable alone, and the verdicts of the line. */
function becomes(line: string): readonly unknown[] {
  const { jobs, problems, translations } = read(`executable = run.sh\n${line}\nqueue\n`);
  if (problems.length > 0) return problems.map(({ line: at, why }) => `${at} ${why}`);
  const plain = read("executable = run.sh\nqueue\n").jobs[0]?.description;
  const set = Object.entries(jobs[0]?.description ?? {}).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(plain?.[name as keyof JobDescription]),
  );
  const verdicts = translations.filter((one) => one.line === 2).map(({ verdict }) => verdict);
  return [verdicts.join(" "), Object.fromEntries(set)];
}

const T = "translated";
const N = "notTranslated";
const E = "noEffect";
const GIB = 1024 ** 3;

/** A line of each command, its verdicts, and what the job has of it. */
const CASES: readonly (readonly [string, string, Readonly<Record<string, unknown>>])[] = [
  ["universe = vanilla", E, {}],
  ["universe = docker", N, {}],
  ["executable = in.txt", T, { executable: "in.txt", inputSandbox: ["/data/in.txt"] }],
  ["arguments = 1 alpha beta", T, { arguments: ["1", "alpha", "beta"] }],
  [`arguments = "'two words' it''s ""b"""`, T, { arguments: ["two words", "its", '"b"'] }],
  ["environment = A=1;B=two", T, { environment: { A: "1", B: "two" } }],
  [`environment = "A=1 B='two words'"`, T, { environment: { A: "1", B: "two words" } }],
  ["getenv = true", N, {}],
  ["getenv = false", E, {}],
  ["input = in.txt", T, { stdInput: "in.txt", inputSandbox: ["/data/run.sh", "/data/in.txt"] }],
  ["output = out/dowork.out", T, { stdOutput: "dowork.out" }],
  ["error = dowork.err", T, { stdError: "dowork.err" }],
  ["batch_name = night", T, { name: "night" }],
  ["description = mine", T, { userTags: { description: "mine" } }],
  ["initialdir = sub", T, {}],
  [
    "transfer_input_files = in.txt, a.dat",
    `${T} ${T}`,
    { inputSandbox: ["/data/run.sh", "/data/in.txt", "/data/a.dat"] },
  ],
  ["transfer_output_files = a, b/c", `${T} ${N}`, { outputSandbox: ["a"] }],
  ["request_cpus = 4", T, { procs: 4 }],
  ["request_memory = 1024", T, { memoryBytes: GIB }],
  ["request_memory = 2 GB", T, { memoryBytes: 2 * GIB }],
  ["request_memory = 2 * MemoryUsage", N, {}],
  ["request_gpus = 2", T, { gpus: 2 }],
  ["request_disk = 1024", N, { attributes: { scratch: '"1024"' } }],
  ["allowed_execute_duration = 3600", T, { wallTimeMs: 3_600_000 }],
  ["accounting_group = cms.higgs", T, { virtualOrganisation: "cms/higgs" }],
  ["requirements = other.GlueCEStateFreeCPUs > 4", T, { requirements: "other.GlueCEStateFreeCPUs > 4" }],
  ['requirements = OpSys == "LINUX"', N, {}],
  ["rank = -other.GlueCEStateWaitingJobs", T, { rank: "-other.GlueCEStateWaitingJobs" }],
  ["rank = Memory", N, {}],
  ["docker_image = debian", N, { attributes: { container: '"debian"' } }],
  ['+Project = "x"', T, { attributes: { Project: '"x"' } }],
  ["My.Size = 3 + 4", T, { attributes: { Size: "3 + 4" } }],
  ["concurrency_limits = ansys", N, { attributes: { licences: '"ansys"' } }],
  ["deferral_time = 1", N, { attributes: { startAfter: '"1"' } }],
  ["periodic_remove = false", E, {}],
  ["periodic_remove = JobStatus == 5", N, {}],
  ["on_exit_remove = true", E, {}],
  ["transfer_executable = false", T, { inputSandbox: [] }],
  ["max_materialize = 5", T, {}],
  ["nosuch = 1", N, {}],
];

describe("an HTCondor submit file", () => {
  it.each(CASES)("FO-121 %s: %s", (line, verdicts, attributes) => {
    expect(becomes(line)).toEqual([verdicts, attributes]);
  });

  const shown = new Set(CASES.map(([line]) => line.split(" ")[0]));
  const others = [...COMMANDS.keys()].filter((name) => !shown.has(name));

  it.each(others)("FO-121 %s is told", (name) => {
    const [verdicts] = becomes(`${name} = in.txt`);
    expect(verdicts).toMatch(/^(translated|noEffect|notTranslated|2 it is .*)$/);
  });

  it("reads the file of the lecture (slide 17)", () => {
    const text = `Executable = run.sh
Input = in.txt
Output = dowork.out
Arguments = 1 alpha beta
Universe = vanilla
Log = dowork.log
Queue
`;
    const { jobs, translations, problems } = read(text);
    expect(problems).toEqual([]);
    expect(jobs).toMatchObject([
      {
        line: 7,
        description: {
          ...{ executable: "run.sh", arguments: ["1", "alpha", "beta"], stdInput: "in.txt" },
          ...{ stdOutput: "dowork.out", inputSandbox: ["/data/run.sh", "/data/in.txt"] },
        },
      },
    ]);
    expect(translations.map(({ written, verdict }) => `${written}: ${verdict}`)).toEqual([
      "Executable = run.sh: translated",
      "Input = in.txt: translated",
      "Output = dowork.out: translated",
      "Arguments = 1 alpha beta: translated",
      "Universe = vanilla: noEffect",
      "Log = dowork.log: notTranslated",
      "Queue: translated",
    ]);
  });

  it.each([
    ["queue 3", ["0"], "0-2"],
    ["queue x in (a, b)", ["a", "b"], undefined],
    ["queue x in [1:] (a b c)", ["b", "c"], undefined],
    ["queue x in [::2] (a b c)", ["a", "c"], undefined],
    ["queue x in (\n a\n b\n)", ["a", "b"], undefined],
    ["queue x, y from (\n a, 1\n b, 2\n)", ["a", "b"], undefined],
    ["queue x, y from list", ["a", "b"], undefined],
    ["queue x matching files a.dat b.dat none.dat", ["a.dat", "b.dat"], undefined],
    ["queue 2 x in (a b)", ["a", "b"], "0-1"],
    ["queue 1 x in (a)\nqueue 1 x in (b)", ["a", "b"], undefined],
  ])("FO-121 %s", (queue, expected, array) => {
    const { jobs, problems } = read(`executable = run.sh\nx = 0\narguments = $(x)\n${queue}\n`);
    expect(problems).toEqual([]);
    expect(jobs.map(({ description }) => description.arguments.join(" "))).toEqual(expected);
    expect(jobs[0].description.array).toBe(array);
  });

  it.each([
    ["$(Process) $(Cluster) $(Step)", "0 1 0|1 1 1"],
    ["$(Missing:usual) $(A)$(A) $INT(N) $REAL(N) $(Process)", "usual aa 3 3.5 0|usual aa 3 3.5 1"],
    ["$CHOICE(Process,red,green)", "red|green"],
    ["$Fn(P) $Fx(P) $Fp(P) $Fnx(P) $(Process)", "in .txt /data/ in.txt 0|in .txt /data/ in.txt 1"],
    ["$(Process) $(DOLLAR)x $$(Memory)", "0 $x $$(Memory)|1 $x $$(Memory)"],
    ["$SUBSTR(A2,1) $(Process)", "bc 0|bc 1"],
  ])("FO-121 replaces %s", (text, expected) => {
    const { jobs, problems } = read(
      `executable = run.sh\nA = a\nA2 = abc\nN = 7 / 2.0\nP = /data/in.txt\narguments = ${text}\nqueue 2\n`,
    );
    expect(problems).toEqual([]);
    expect(jobs.map(({ description }) => description.arguments.join(" ")).join("|")).toBe(expected);
  });

  it("a macro may name what it was before; lines of other branches are told", () => {
    const { jobs, translations } = read(
      [
        ...["executable = run.sh", "A = x", "A = $(A) y", "if defined B", "arguments = no", "else"],
        ...["arguments = $(A)", "endif", "queue", ""],
      ].join("\n"),
    );
    expect(jobs[0].description.arguments).toEqual(["x", "y"]);
    expect(translations.filter(({ line }) => line === 5)).toMatchObject([{ verdict: "noEffect" }]);
  });

  it.each([
    ["A = $(B)\nB = $(A)\narguments = $(A)\nqueue", /never ends/],
    ["universe = grid\nqueue", /universe grid are not run/],
    ["include : other.sub\nqueue", /single file/],
    ["executable = run.sh", /queue statements/],
    ["if maybe\nendif\nqueue", /a condition is/],
    ["if true\nqueue", /before its endif/],
    ["endif\nqueue", /no if is open/],
    ["nonsense\nqueue", /NAME = value/],
    ["input = none.txt\nqueue", /no such file/],
    ["input = $(x)\nqueue x in (in.txt none.txt)", /no such file/],
    ["queue x from none", /there is none/],
    ["queue x in (a", /not closed/],
    ["arguments = $(Process)\nqueue 100000000", /10000 jobs/],
    ["queue 100000000", /100000/],
    ["error : stop\nqueue", /an error statement/],
  ])("%s is a problem with its place", (text, why) => {
    const { jobs, problems } = read(`executable = run.sh\n${text}\n`);
    expect(jobs).toEqual([]);
    expect(problems.map((one) => one.why).join()).toMatch(why);
    for (const { line, column } of problems) expect([line, column].every(Number.isInteger)).toBe(true);
  });

  it("FO-121 macros that grow without end are bounded", () => {
    const lines = Array.from({ length: 40 }, (_, n) => `M${n} = $(M${n + 1})$(M${n + 1})`);
    const { problems } = read(
      `executable = run.sh\n${lines.join("\n")}\nM40 = xxxx\narguments = $(M0)\nqueue\n`,
    );
    expect(problems.length).toBeGreaterThan(0);
  });

  const words = [
    "executable = run.sh",
    "A = $(B:1)",
    "B = $(A)",
    "if true",
    "else",
    "endif",
    "queue",
    "queue 2",
  ];
  const more = [
    "queue x in (a b",
    "queue in",
    "queue 0",
    ")",
    "queue x from (",
    "$(",
    "+A = ",
    "input = $(x)",
    "\\",
    "# c",
    "queue [",
    "",
  ];

  it.each(["queue in", "queue 0", "queue x in ()"])(
    "FO-121 %s alone submits nothing, and is a problem",
    (line) => {
      const { jobs, problems } = read(`executable = run.sh\n${line}\n`);
      expect({ jobs, problems }).toMatchObject({ jobs: [], problems: [{ code: "nothingQueued", line: 2 }] });
      expect(read(`executable = run.sh\n${line}\nqueue\n`)).toMatchObject({ jobs: [{}], problems: [] });
    },
  );

  it("FO-121 any text gives jobs, or problems with their places", () => {
    const line = fc.oneof(
      fc.constantFrom(...words, ...more, ...[...COMMANDS.keys()].map((one) => `${one} = $(A)`)),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const { jobs, problems, translations } = read(lines.join("\n"));
        expect(jobs.length === 0).toBe(problems.length > 0);
        for (const { line: at, column } of problems) expect((at ?? 0) > 0 && (column ?? 0) > 0).toBe(true);
        for (const { verdict, why, becomes: to } of translations) {
          expect(verdict === "translated" ? "" : why, JSON.stringify(to)).toBeDefined();
        }
      }),
      draws(200),
    );
  });
});
