import { describe, expect, it } from "vitest";
import { GRID_ENGINE_OPTIONS } from "./grid-engine-options.ts";
import { becomes, readScript } from "./reading.ts";

const T = "translated";
const N = "notTranslated";
const E = "noEffect";
const GIB = 1024 ** 3;

/** A directive of each option, its verdicts, and what the job has of it. */
const CASES: readonly (readonly [string, string, Readonly<Record<string, unknown>>])[] = [
  ["-N night", T, { name: "night" }],
  ["-l h_rt=1:30:00", T, { wallTimeMs: 5_400_000 }],
  [
    "-l h_rt=90,mem_free=2G -pe mpi 4",
    `${T} ${T} ${T}`,
    { procs: 4, memoryBytes: 8 * GIB, wallTimeMs: 90_000 },
  ],
  ["-l mem_free=2g", T, { memoryBytes: 2_000_000_000 }],
  ["-l h_vmem=2G", N, { virtualMemory: "2G" }],
  ["-l gpu=2", T, { gpus: 2 }],
  ["-l gpu", T, { gpus: 1 }],
  ["-l h_cpu=60", N, { cpuTime: "60" }],
  ["-l exclusive", N, {}],
  ["-l tmpfs=10G", N, { scratch: "10G" }],
  ["-l matlab=1", N, {}],
  ["-l hostname=node7", N, {}],
  ["-pe mpi 4-16", `${T} ${N}`, { procs: 4 }],
  ["-P cms", T, { virtualOrganisation: "cms" }],
  ["-A cms", T, { virtualOrganisation: "cms" }],
  ["-o logs/$JOB_NAME.$JOB_ID.log -N night", `${T} ${T}`, { name: "night", stdOutput: "night.log" }],
  ["-e err.txt", T, { stdError: "err.txt" }],
  ["-o logs/", E, {}],
  ["-j y", T, { stdError: "stdout" }],
  ["-j y -o all.txt -e err.txt", `${T} ${T} ${E}`, { stdOutput: "all.txt", stdError: "all.txt" }],
  ["-j n", E, {}],
  ["-m bea", T, { mail: ["start", "end", "fail"] }],
  ["-m n", E, {}],
  ["-M ada@example.org", T, { mailTo: "ada@example.org" }],
  ["-i in.txt", T, { stdInput: "in.txt", inputSandbox: ["/data/ada/run.sh", "/data/ada/in.txt"] }],
  ["-cwd", T, {}],
  ["-wd /data", T, { workingDirectory: "/data" }],
  ["-v A=1,B", `${T} ${N}`, {}],
  ["-V", N, {}],
  ["-t 1-100:2 -tc 5", `${T} ${T}`, { array: "1-100:2%5" }],
  ["-tc 5", E, {}],
  ["-hold_jid 7f3a,91bc", T, { after: ["any:7f3a", "any:91bc"] }],
  ["-hold_jid 17", N, {}],
  ["-q all.q", T, { preferredQueues: ["all.q"] }],
  ["-q all.q@n1", N, { queue: "all.q@n1" }],
  ["-a 12312359", N, { startAfter: "12312359" }],
  ["-dl 12312359", N, { deadline: "12312359" }],
  ["-notify", N, { signalBefore: true }],
  ["-r y", T, { retryCount: 10 }],
  ["-S /bin/sh", E, {}],
  ["-b n", E, {}],
  ["-R y", E, {}],
  ["-sync y", E, {}],
  ["-now n", E, {}],
];

describe("#$", () => {
  it.each(CASES)("FO-120 %s: %s", (directive, verdicts, attributes) => {
    expect(becomes(`#$ ${directive}`, "#$ -terse")).toEqual([verdicts, attributes]);
  });

  const shown = new Set(CASES.flatMap(([directive]) => directive.split(" ")));
  const others = GRID_ENGINE_OPTIONS.filter(({ names }) => !names.some((name) => shown.has(name)));

  it.each(others.map((row) => [row.names[0], row.takes] as const))(
    "FO-120 %s has no equal",
    (name, takes) => {
      const [verdicts] = becomes(`#$ ${name}${takes === 1 ? " 1" : ""}`, "#$ -terse");
      expect(verdicts).toMatch(/^(noEffect|notTranslated)$/);
    },
  );

  it("reads directives anywhere in the script, and gives it its variables", () => {
    const { jobs } = readScript("#!/bin/sh\n#$ -N a\ntrue\n#$ -pe mpi 4\n#$ -t 1-3\n");
    expect(jobs[0].description).toMatchObject({
      ...{ procs: 4, array: "1-3" },
      environment: { NSLOTS: "4", JOB_NAME: "a", SGE_O_WORKDIR: process.cwd(), SGE_TASK_ID: "" },
    });
  });

  it.each([
    ["-pe mpi", "value is missing"],
    ["-pe mpi many", "a name and a number of slots"],
    ["-l h_rt=soon", "not a length of time"],
    ["-j maybe", "y or n"],
  ])("%s is a problem", (directive, why) => {
    const { jobs, problems } = readScript(`#!/bin/sh\n#$ ${directive}\n`);
    expect(jobs).toEqual([]);
    expect(problems[0]).toMatchObject({ line: 2, column: 4 });
    expect(problems[0].why).toContain(why);
  });
});
