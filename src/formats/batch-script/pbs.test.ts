import { describe, expect, it } from "vitest";
import { PBS_OPTIONS } from "./pbs-options.ts";
import { PBS_RESOURCES } from "./pbs-resources.ts";
import { becomes, readScript } from "./reading.ts";

const T = "translated";
const N = "notTranslated";
const E = "noEffect";
const GIB = 1024 ** 3;

/** A directive of each option, its verdicts, and what the job has of it. */
const CASES: readonly (readonly [string, string, Readonly<Record<string, unknown>>])[] = [
  ["-N night", T, { name: "night" }],
  ["-l walltime=01:30:00", T, { wallTimeMs: 5_400_000 }],
  ["-l walltime=90", T, { wallTimeMs: 90_000 }],
  ["-lnodes=2:ppn=4,walltime=60", `${T} ${T}`, { procs: 8, wallTimeMs: 60_000 }],
  ["-l nodes=1:ppn=2+3:ppn=4", T, { procs: 14 }],
  ["-l nodes=2:ppn=4:gpus=1:himem", `${T} ${N}`, { procs: 8, gpus: 2 }],
  ["-l select=2:ncpus=4:mpiprocs=4:mem=8gb:ngpus=1", T, { procs: 8, memoryBytes: 16 * GIB, gpus: 2 }],
  ["-l procs=16", T, { procs: 16 }],
  ["-l ncpus=8", T, { procs: 8 }],
  ["-l mem=4gb", T, { memoryBytes: 4 * GIB }],
  ["-l pmem=1gb -l procs=4", `${T} ${T}`, { procs: 4, memoryBytes: 4 * GIB }],
  ["-l mem=512mw", T, { memoryBytes: 4 * GIB }],
  ["-l ngpus=2", T, { gpus: 2 }],
  ["-l gpus=2", T, { gpus: 2 }],
  ["-l cput=30:00", N, { cpuTime: "cput=30:00" }],
  ["-l pcput=30:00", N, {}],
  ["-l vmem=1gb", N, { virtualMemory: "1gb" }],
  ["-l pvmem=1gb", N, {}],
  ["-l file=10gb", N, { scratch: "10gb" }],
  ["-l place=scatter:excl", N, {}],
  ["-l software=ansys", N, { licences: "ansys" }],
  ["-l feature=fast", N, { constraint: "fast" }],
  ["-l host=node7", N, {}],
  ["-l arch=x86_64", N, {}],
  ["-l opsys=linux", N, {}],
  ["-l qos=high", N, { qos: "high" }],
  ["-l advres=res.1", N, {}],
  ["-l signal=USR1@60", N, { signalBefore: "USR1@60" }],
  ["-l nice=5", N, {}],
  ["-l account=cms", T, { virtualOrganisation: "cms" }],
  ["-l matlab=1", N, {}],
  ["-q qlong", T, { preferredQueues: ["qlong"] }],
  ["-A cms", T, { virtualOrganisation: "cms" }],
  ["-P cms/higgs", T, { virtualOrganisation: "cms/higgs" }],
  ["-o host:/data/ada/out.txt", T, { stdOutput: "out.txt" }],
  ["-o out.$PBS_JOBID -e err/", `${T} ${E}`, { stdOutput: "out" }],
  ["-j oe", T, { stdError: "stdout" }],
  ["-j oe -o all.txt", `${T} ${T}`, { stdOutput: "all.txt", stdError: "all.txt" }],
  ["-j eo -o all.txt", `${T} ${E}`, { stdOutput: "stderr" }],
  ["-j n", E, {}],
  ["-m bea", T, { mail: ["start", "end", "fail"] }],
  ["-m n", E, {}],
  ["-M ada@example.org", T, { mailTo: "ada@example.org" }],
  ["-d /data", T, { workingDirectory: "/data" }],
  ["-v A=1,B", `${T} ${N}`, {}],
  ["-V", N, {}],
  ["-t 0-9%2", T, { array: "0-9%2" }],
  ["-J 1-100:2", T, { array: "1-100:2" }],
  ["-W depend=afterok:7f3a:91bc", T, { after: ["ok:7f3a", "ok:91bc"] }],
  ["-W depend=afterany:123.server", N, {}],
  ["-W depend=on:3", N, {}],
  ["-W stagein=in.txt@host:in.txt", T, { inputSandbox: ["/data/ada/run.sh", "/data/ada/in.txt"] }],
  ["-W stageout=out.txt@host:/data/ada/out.txt", T, { outputSandbox: ["out.txt"] }],
  ["-W block=true,umask=022,group_list=x,sandbox=PRIVATE,x=y", `${N} ${E} ${N} ${E} ${N}`, {}],
  ["-r y", T, { retryCount: 10 }],
  ["-r n", T, { retryCount: 0 }],
  ["-a 0830", N, { startAfter: "0830" }],
  ["-S /bin/sh", E, {}],
  ["-k oe", E, {}],
  ["-R", E, {}],
];

describe("#PBS and #MSUB", () => {
  it.each(CASES)("FO-120 %s: %s", (directive, verdicts, attributes) => {
    const written = directive === "-R" ? "-R x" : directive;
    expect(becomes(`#PBS ${written}`, "#PBS")).toEqual([verdicts, attributes]);
    expect(becomes(`#MSUB ${written}`, "#PBS")).toEqual([verdicts, attributes]);
  });

  const shown = new Set(CASES.flatMap(([directive]) => directive.split(" ")));
  const others = PBS_OPTIONS.filter(({ names }) => !names.some((name) => shown.has(name)));

  it.each(others.map((row) => [row.names[0], row.takes] as const))(
    "FO-120 %s has no equal",
    (name, takes) => {
      const [verdicts] = becomes(`#PBS ${name}${takes === 1 ? " 1" : ""}`, "#PBS");
      expect(verdicts).toMatch(/^(noEffect|notTranslated)$/);
    },
  );

  it.each(Object.keys(PBS_RESOURCES))("FO-120 the resource %s has a case", (name) => {
    expect(CASES.some(([directive]) => directive.includes(`${name}=`))).toBe(true);
  });

  it("reads the script of the lecture (slide 14)", () => {
    const { jobs, problems, translations } = readScript(SLIDE_14);
    expect(problems).toEqual([]);
    expect(jobs).toMatchObject([
      {
        description: {
          ...{ executable: "run.sh", inputSandbox: ["/data/ada/run.sh"], wallTimeMs: 36 * 3_600_000 },
          workingDirectory: process.cwd(),
          attributes: { cpuTime: '"cput=30:00:00"', virtualMemory: '"1gb"' },
          preferredQueues: ["qlong"],
        },
      },
    ]);
    expect(translations).toMatchObject([
      { line: 3, written: "#PBS -l walltime=36:00:00", verdict: T, becomes: "wallTime: 1d12h" },
      { line: 4, written: "#PBS -l cput=30:00:00", verdict: N },
      { line: 5, written: "#PBS -l vmem=1gb", verdict: N },
      { line: 6, written: "#PBS -q qlong", verdict: T },
    ]);
  });

  it("gives the script the variables that PBS would, and its index", () => {
    const { jobs } = readScript("#!/bin/sh\n#PBS -N a -l nodes=2:ppn=4 -t 0-9\n");
    expect(jobs[0].description.environment).toEqual({
      ...{ PBS_O_WORKDIR: process.cwd(), PBS_JOBNAME: "a", PBS_ENVIRONMENT: "PBS_BATCH", PBS_NP: "8" },
      ...{ PBS_NUM_NODES: "2", PBS_ARRAYID: "" },
    });
  });

  it.each([
    ["-l walltime=soon", "not a length of time"],
    ["-l nodes=2:ppn=x", "is not a number"],
    ["-l mem=many", "not an amount of memory"],
    ["-r maybe", "y or n"],
    ["-N", "value is missing"],
    ["stray", "options alone"],
  ])("%s is a problem", (directive, why) => {
    const { jobs, problems } = readScript(`#!/bin/sh\n#PBS ${directive}\n`);
    expect(jobs).toEqual([]);
    expect(problems[0]).toMatchObject({ line: 2, column: 6 });
    expect(problems[0].why).toContain(why);
  });
});

const SLIDE_14 = `#!/bin/sh
# PBS batch job script
#PBS -l walltime=36:00:00
#PBS -l cput=30:00:00
#PBS -l vmem=1gb
#PBS -q qlong
# Executing user job
UTCDATE=\`date -u '+%Y%m%d%H%M%SZ'\`
echo "Execution started on $UTCDATE"
echo "*****"
printenv
date
sleep 3
date
id
hostname
`;
