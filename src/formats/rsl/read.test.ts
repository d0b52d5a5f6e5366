import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import type { JobDescription } from "../../model/index.ts";
import { ATTRIBUTES } from "./attributes.ts";
import { readRsl } from "./read.ts";

function read(text: string) {
  return readRsl(text, {
    folder: "/data",
    fileState: (path) => (path === "/data/in.txt" ? "readable" : "missing"),
  });
}

/** What differs from a job of an executable alone, and the verdicts of the relation. */
function becomes(relation: string): readonly unknown[] {
  const { jobs, problems, translations } = read(`&(executable=/bin/echo)\n${relation}`);
  if (problems.length > 0) return problems.map(({ line, why }) => `${line} ${why}`);
  const plain = read("&(executable=/bin/echo)").jobs[0]?.description;
  const set = Object.entries(jobs[0]?.description ?? {}).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(plain?.[name as keyof JobDescription]),
  );
  const verdicts = translations.filter(({ line }) => line === 2).map(({ verdict }) => verdict);
  return [verdicts.join(" "), Object.fromEntries(set)];
}

const T = "translated";
const N = "notTranslated";
const E = "noEffect";
const MIB = 1024 ** 2;

/** A relation of each attribute, its verdicts, and what the job has of it. */
const CASES: readonly (readonly [string, string, Readonly<Record<string, unknown>>])[] = [
  ["(executable=in.txt)", T, { executable: "in.txt", inputSandbox: ["/data/in.txt"] }],
  [`(arguments=a "b c" 'it''s' ^%d%)`, T, { arguments: ["a", "b c", "it's", "d"] }],
  ["(directory=/data)", T, { workingDirectory: "/data" }],
  ["(directory=work)", N, {}],
  ["(environment=(A 1)(B two))", T, { environment: { A: "1", B: "two" } }],
  ["(stdin=in.txt)", T, { stdInput: "in.txt", inputSandbox: ["/data/in.txt"] }],
  ["(stdout=out.txt)", T, { stdOutput: "out.txt" }],
  ["(stderr=x-gass-cache://a stderr)", E, {}],
  ["(count=4)", T, { procs: 4 }],
  ["(hostCount=2)(count=4)", `${T} ${T}`, { procs: 4 }],
  ["(maxWallTime=90)", T, { wallTimeMs: 5_400_000 }],
  ["(max_time=90)", T, { wallTimeMs: 5_400_000 }],
  ["(maxCpuTime=90)", N, { attributes: { cpuTime: '"90"' } }],
  ["(minMemory=512)", T, { memoryBytes: 512 * MIB }],
  ["(maxMemory=512)", T, { memoryBytes: 512 * MIB }],
  ["(maxMemory>=512)", N, {}],
  ["(queue=qshort)", T, { preferredQueues: ["qshort"] }],
  ["(project=cms)", T, { virtualOrganisation: "cms" }],
  ["(jobName=night)", T, { name: "night" }],
  ["(label=one)", T, { userTags: { label: "one" } }],
  ["(jobType=single)", E, {}],
  ["(jobType=mpi)", N, {}],
  ["(file_stage_in=(file:///data/in.txt in.txt))", T, { inputSandbox: ["/data/in.txt"] }],
  ["(fileStageOut=(out.txt gsiftp://host/out.txt))", T, { outputSandbox: ["out.txt"] }],
  ["(libraryPath=/a /b)", T, { environment: { LD_LIBRARY_PATH: "/a:/b" } }],
  ["(nosuch=1)", N, {}],
];

describe("RSL", () => {
  it.each(CASES)("FO-123 %s: %s", (relation, verdicts, attributes) => {
    expect(becomes(relation)).toEqual([verdicts, attributes]);
  });

  const shown = CASES.map(([relation]) =>
    /^\(([\w]+)/.exec(relation)?.[1]?.toLowerCase().replaceAll("_", ""),
  );
  const others = [...ATTRIBUTES.keys()].filter((name) => !shown.includes(name));

  it.each(others)("FO-123 %s is told", (name) => {
    const [verdicts] = becomes(`(${name}=1)`);
    expect(verdicts).toMatch(
      name === "dryrun" ? /nothing is submitted/ : /^(translated|noEffect|notTranslated)$/,
    );
  });

  it("reads the request of the lecture (slide 29)", () => {
    const { jobs, problems, translations } = read(`&(executable="/bin/echo")
(arguments="12345")
(stdout=x-gass-cache://$(GLOBUS_GRAM_JOB_CONTACT)stdout anExtraTag)
(stderr=x-gass-cache://$(GLOBUS_GRAM_JOB_CONTACT)stderr anExtraTag)
(queue=qshort)
`);
    expect(problems).toEqual([]);
    expect(jobs.map(({ description }) => description)).toMatchObject([
      { executable: "/bin/echo", arguments: ["12345"], preferredQueues: ["qshort"] },
    ]);
    expect(translations.map(({ line, verdict }) => `${line} ${verdict}`)).toEqual([
      ...[`1 ${T}`, `2 ${T}`, `3 ${E}`, `4 ${E}`, `5 ${T}`],
    ]);
  });

  it("FO-123 + gives several jobs; variables, defaults, joined texts and comments are read", () => {
    const { jobs, problems } = read(`+ (* two *)
(&(rsl_substitution=(HOME "/data")(BIN $(HOME)/bin))
 (executable=$(BIN)/run)(arguments=$(X one) $(HOME) # "/in"))
(&(executable=/bin/true)(count=2))`);
    expect(problems).toEqual([]);
    expect(
      jobs.map(({ description: { executable, arguments: words, procs } }) => [executable, words, procs]),
    ).toEqual([
      ["/data/bin/run", ["one", "/data/in"], 1],
      ["/bin/true", [], 2],
    ]);
  });

  it.each([
    ["&(executable=/bin/echo", "1:23", /\) is missing/],
    ['&(executable="/bin/echo)', "1:14", /quote is not closed/],
    ["&(executable /bin/echo)", "1:14", /= is missing/],
    ["&(* open", "1:2", /comment/],
    ["&(arguments=a)", "1:1", /needs a program/],
    ["|(&(executable=a))(&(executable=b))", "1:1", /one description/],
    ["&(executable=/bin/echo)(count=many)", "1:24", /whole number/],
    [`${"&(".repeat(80)}`, "1:101", /nested more/],
    [`&(arguments=${"(".repeat(80)}`, "1:62", /nested more/],
  ])("%s is a problem at %s", (text, place, why) => {
    const { jobs, problems } = read(text);
    expect(jobs).toEqual([]);
    expect(`${problems[0].line}:${problems[0].column}`).toBe(place);
    expect(problems[0].why).toMatch(why);
  });

  it("FO-123 variables that grow without end are bounded", () => {
    const grown = Array.from({ length: 40 }, (_, n) => `(V${n + 1} $(V${n})$(V${n}))`).join("");
    const { problems } = read(
      `&(rsl_substitution=(V0 xxxx)${grown})(executable=/bin/echo)(arguments=$(V40))`,
    );
    expect(problems.map(({ what }) => what).join()).toMatch(/too long/);
  });

  const bits = [
    "&",
    "+",
    "(",
    ")",
    "executable",
    "=",
    "/bin/echo",
    '"',
    "'",
    "$(",
    "X",
    " ",
    "#",
    "(*",
    "*)",
    "^",
  ];

  it("FO-123 any text gives jobs, or problems with their places", () => {
    const text = fc
      .array(fc.oneof(fc.constantFrom(...bits, ...ATTRIBUTES.keys()), fc.string()))
      .map((all) => all.join(""));
    fc.assert(
      fc.property(text, (one) => {
        const { jobs, problems } = read(`&(executable=/bin/echo)${one}`);
        expect(jobs.length === 0).toBe(problems.length > 0);
        for (const { line, column } of problems) expect((line ?? 0) > 0 && (column ?? 0) > 0).toBe(true);
      }),
      draws(300),
    );
  });
});
