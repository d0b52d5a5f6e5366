import { describe, expect, it } from "vitest";
import { LSF_OPTIONS } from "./lsf-options.ts";
import { becomes, readScript } from "./reading.ts";

const T = "translated";
const N = "notTranslated";
const E = "noEffect";
const GIB = 1024 ** 3;

/** A directive of each option, its verdicts, and what the job has of it. */
const CASES: readonly (readonly [string, string, Readonly<Record<string, unknown>>])[] = [
  ["-J night", T, { name: "night" }],
  ['-J "night[1-100:2]%10"', `${T} ${T}`, { name: "night", array: "1-100:2%10" }],
  ["-W 1:30", T, { wallTimeMs: 5_400_000 }],
  ["-W 90/host", T, { wallTimeMs: 5_400_000 }],
  ["-n4", T, { procs: 4 }],
  ["-n 4,16", `${T} ${N}`, { procs: 4 }],
  ['-n 4 -R "span[ptile=2] rusage[mem=1GB]"', `${T} ${T} ${T}`, { procs: 4, memoryBytes: 2 * GIB }],
  ['-R "rusage[mem=1024] span[hosts=1]"', `${T} ${T}`, { memoryBytes: GIB }],
  [
    '-R "rusage[mem=4GB/job,tmp=100,matlab=1]"',
    `${T} ${N} ${N}`,
    { memoryBytes: 4 * GIB, scratch: "100", licences: "matlab=1" },
  ],
  ['-R "rusage[ngpus_excl_p=2]"', T, { gpus: 2 }],
  ['-R "select[mem>1000]"', N, { constraint: "mem>1000" }],
  ['-R "order[ut]"', N, {}],
  ["-R himem", N, { constraint: "himem" }],
  ["-M 1048576", T, { memoryBytes: GIB }],
  ["-M 4GB", T, { memoryBytes: 4 * GIB }],
  ['-gpu "num=2:mode=shared"', `${T} ${N}`, { gpus: 2 }],
  ["-gpu -", T, { gpus: 1 }],
  ["-P cms", T, { virtualOrganisation: "cms" }],
  ["-G cms", T, { virtualOrganisation: "cms" }],
  ["-o out.%J", T, { stdOutput: "out", stdError: "out" }],
  ["-oo out.txt -e err.%J.%I.txt", `${T} ${T}`, { stdOutput: "out.txt", stdError: "err.txt" }],
  ["-i in.txt", T, { stdInput: "in.txt", inputSandbox: ["/data/ada/run.sh", "/data/ada/in.txt"] }],
  ["-cwd /data", T, { workingDirectory: "/data" }],
  ['-env "A=1,B"', `${T} ${N}`, {}],
  ["-env none", E, {}],
  ["-env all", N, {}],
  ["-w 'done(7f3a) && exit(91bc) && ended(c0de)'", T, { after: ["ok:7f3a", "failed:91bc", "any:c0de"] }],
  ["-w 'done(17)'", N, {}],
  ["-w 'done(a1) || done(b2)'", N, {}],
  ["-f 'in.txt > in.txt'", T, { inputSandbox: ["/data/ada/run.sh", "/data/ada/in.txt"] }],
  ["-f 'out.txt <'", T, { outputSandbox: ["out.txt"] }],
  ["-Jd mine", T, { userTags: { description: "mine" } }],
  ["-g /a/b", T, { userTags: { group: "/a/b" } }],
  ["-r", T, { retryCount: 10 }],
  ["-rn", T, { retryCount: 0 }],
  ['-q "long short"', T, { preferredQueues: ["long", "short"] }],
  ["-sla gold", N, { qos: "gold" }],
  ["-c 60", N, { cpuTime: "60" }],
  ["-v 1000", N, { virtualMemory: "1000" }],
  ["-b 20:00", N, { startAfter: "20:00" }],
  ["-t 20:00", N, { deadline: "20:00" }],
  ["-wa URG", N, { signalBefore: "URG" }],
  ["-wt 5", N, { signalBefore: "5" }],
];

describe("#BSUB", () => {
  it.each(CASES)("FO-120 %s: %s", (directive, verdicts, attributes) => {
    expect(becomes(`#BSUB ${directive}`, "#BSUB")).toEqual([verdicts, attributes]);
  });

  const shown = new Set(CASES.flatMap(([directive]) => directive.split(" ")));
  const others = LSF_OPTIONS.filter(({ names }) => !names.some((name) => shown.has(name) || name === "-n"));

  it.each(others.map((row) => [row.names[0], row.takes] as const))(
    "FO-120 %s has no equal",
    (name, takes) => {
      const [verdicts] = becomes(`#BSUB ${name}${takes === 1 ? " 1" : ""}`, "#BSUB");
      expect(verdicts).toMatch(/^(noEffect|notTranslated)$/);
    },
  );

  it("gives the script its variables", () => {
    const { jobs } = readScript('#!/bin/sh\n#BSUB -J "a[1-3]" -n 4\n');
    expect(jobs[0].description.environment).toEqual({
      ...{ LS_SUBCWD: process.cwd(), LSB_JOBNAME: "a", LSB_DJOB_NUMPROC: "4", LSB_JOBINDEX: "" },
    });
  });

  it.each([
    ["-W soon", "not a length of time"],
    ["-n many", "is not a whole number"],
    ["-i missing.txt", "no such file"],
    ["-f 'a ? b'", "a file, > or <"],
  ])("%s is a problem", (directive, why) => {
    const { jobs, problems } = readScript(`#!/bin/sh\n#BSUB ${directive}\n`);
    expect(jobs).toEqual([]);
    expect(problems[0]).toMatchObject({ line: 2, column: 7 });
    expect(problems[0].why).toContain(why);
  });
});
