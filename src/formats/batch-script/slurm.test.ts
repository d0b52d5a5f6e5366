import { describe, expect, it } from "vitest";
import { becomes, readScript } from "./reading.ts";
import { SLURM_OPTIONS } from "./slurm-options.ts";

const T = "translated";
const N = "notTranslated";
const E = "noEffect";
const GIB = 1024 ** 3;

/** A directive of each option, its verdicts, and what the job has of it. */
const CASES: readonly (readonly [string, string, Readonly<Record<string, unknown>>])[] = [
  ["--job-name=night", T, { name: "night" }],
  ["-J 'two words'", T, { name: "two words" }],
  ["--time=90", T, { wallTimeMs: 5_400_000 }],
  ["-t 1:30", T, { wallTimeMs: 120_000 }],
  ["-t 01:30:00", T, { wallTimeMs: 5_400_000 }],
  ["-t1-2", T, { wallTimeMs: 93_600_000 }],
  ["-t 1-02:03:04", T, { wallTimeMs: 93_840_000 }],
  ["-t UNLIMITED", N, {}],
  ["--ntasks 4", T, { procs: 4 }],
  ["-n4", T, { procs: 4 }],
  ["-n 4 -c 2", `${T} ${T}`, { procs: 8 }],
  ["--nodes=2 --ntasks-per-node=8", `${T} ${T}`, { procs: 16, hostNumber: 2 }],
  ["-N 2-4", `${T} ${N}`, { procs: 2, hostNumber: 2 }],
  ["-N2 --mem=4G", `${T} ${T}`, { procs: 2, hostNumber: 2, memoryBytes: 8 * GIB }],
  ["--mem=512", T, { memoryBytes: GIB / 2 }],
  ["--mem=0", N, {}],
  ["--mem-per-cpu=2G -n 3", `${T} ${T}`, { procs: 3, memoryBytes: 6 * GIB }],
  ["--mem-per-gpu=8G -G 2", `${T} ${T}`, { gpus: 2, memoryBytes: 16 * GIB }],
  ["--gpus=a100:2", `${T} ${N}`, { gpus: 2 }],
  ["--gpus-per-node=2 -N 3", `${T} ${T}`, { procs: 3, hostNumber: 3, gpus: 6 }],
  ["--gpus-per-task=1 -n 3", `${T} ${T}`, { procs: 3, gpus: 3 }],
  ["--gres=gpu:2", T, { gpus: 2 }],
  ["--gres=gpu:a100:2,shard:1", `${T} ${N} ${N}`, { gpus: 2 }],
  ["--account=cms/higgs", T, { virtualOrganisation: "cms/higgs" }],
  ["-A 'a b'", N, {}],
  ["--output=logs/out.txt", T, { stdOutput: "out.txt", stdError: "out.txt" }],
  ["-o slurm-%j.out", T, { stdOutput: "slurm.out", stdError: "slurm.out" }],
  ["-o %x_%A_%a.log -J night", `${T} ${T}`, { name: "night", stdOutput: "night.log", stdError: "night.log" }],
  ["-o %j.out -e %j.err", `${T} ${T}`, { stdOutput: "output.out", stdError: "error.err" }],
  ["--error=err.txt", T, { stdError: "err.txt" }],
  ["--input=in.txt", T, { stdInput: "in.txt", inputSandbox: ["/data/ada/run.sh", "/data/ada/in.txt"] }],
  ["--chdir=/data", T, { workingDirectory: "/data" }],
  ["--export=NONE", E, {}],
  ["--export=ALL,A=1", `${T} ${N}`, {}],
  ["--array=0-99%10", T, { array: "0-99%10" }],
  ["-a 1,3,5", T, { array: "1,3,5" }],
  ["--dependency=afterok:7f3a:91bc,afterany:c0de", T, { after: ["ok:7f3a", "ok:91bc", "any:c0de"] }],
  ["-d afternotok:7f3a", T, { after: ["failed:7f3a"] }],
  ["-d afterok:1234", N, {}],
  ["-d singleton", N, {}],
  ["-d 'afterok:7f3a?afterok:91bc'", N, {}],
  ["--comment=mine", T, { userTags: { comment: "mine" } }],
  ["--wckey=run7", T, { userTags: { wckey: "run7" } }],
  ["--requeue", T, { retryCount: 10 }],
  ["--no-requeue", T, { retryCount: 0 }],
  ["--partition=long", T, { preferredQueues: ["long"] }],
  ["-p long,main", T, { preferredQueues: ["long", "main"] }],
  ["--partition='a b'", N, { queue: "a b" }],
  ["--qos=high", N, { qos: "high" }],
  ["--constraint=haswell", N, { constraint: "haswell" }],
  ["--begin=now+1hour", N, { startAfter: "now+1hour" }],
  ["--deadline=16:00", N, { deadline: "16:00" }],
  ["--licenses=ansys:2", N, { licences: "ansys:2" }],
  ["--signal=B:USR1@60", T, { signalBefore: "USR1@60" }],
  ["--signal=10", T, { signalBefore: "USR1@60" }],
  ["--signal=WINCH@5", N, { signalBefore: "WINCH@5" }],
  ["--tmp=10G", N, { scratch: "10G" }],
  ["--exclusive", T, { wholeNodes: true }],
  ["--exclusive=user", N, {}],
  ["--oversubscribe", E, {}],
  ["--open-mode=append", E, {}],
  ["--quiet", E, {}],
  ["--parsable", E, {}],
  ["--mail-type=END,fail", T, { mail: ["end", "fail"] }],
  ["--mail-type=ALL", T, { mail: ["start", "end", "fail"] }],
  ["--mail-type=NONE", E, {}],
  ["--mail-user=ada@example.org", T, { mailTo: "ada@example.org" }],
  ["--mail-user=-oQ/tmp", N, {}],
  ["--wait", E, {}],
  ["--acctg-freq=30", E, {}],
  ["--propagate", E, {}],
  ["--wait-all-nodes=1", E, {}],
];

describe("#SBATCH", () => {
  it.each(CASES)("FO-120 %s: %s", (directive, verdicts, attributes) => {
    expect(becomes(`#SBATCH ${directive}`, "#SBATCH")).toEqual([verdicts, attributes]);
  });

  const shown = new Set(CASES.flatMap(([directive]) => directive.split(/[ =]/)));
  const others = SLURM_OPTIONS.filter(({ names }) => !names.some((name) => shown.has(name)));

  it.each(others.map((row) => [row.names[0], row] as const))("FO-120 %s has no equal", (name, row) => {
    const value = row.takes === 1 ? "=1" : "";
    const [verdicts] = becomes(`#SBATCH ${name}${value}`, "#SBATCH");
    if (name === "--wrap" || name === "--test-only") expect(verdicts).toMatch(/^2:9 #SBATCH --/);
    else expect(verdicts).toMatch(/^(noEffect|notTranslated)$/);
  });

  // As sbatch -v tells them.
  it("reads what sbatch reads of a line, and tells what it ignores", () => {
    const text = `#!/bin/bash

# comment
#SBATCH -n4 --time 1:30 # a comment
 #SBATCH --nodes=3
##SBATCH --nodes=7
#SBATCH --part=long -Ho out.txt
#SBATCH\t--mem=4G
echo a
#SBATCH -N 5
`;
    const { jobs, problems, translations } = readScript(text);
    expect(problems).toEqual([]);
    expect(jobs[0].description).toMatchObject({
      executable: "run.sh",
      inputSandbox: ["/data/ada/run.sh"],
      ...{ procs: 4, wallTimeMs: 120_000, memoryBytes: 4 * GIB, stdOutput: "out.txt" },
    });
    expect(translations.map(({ line, written, verdict }) => `${line} ${written} ${verdict}`)).toEqual([
      "4 #SBATCH -n4 translated",
      "4 #SBATCH --time 1:30 translated",
      "7 #SBATCH --part=long translated",
      "7 #SBATCH -Ho notTranslated",
      "7 #SBATCH -o out.txt translated",
      "8 #SBATCH --mem=4G translated",
      "10 #SBATCH -N 5 noEffect",
    ]);
    expect(translations[6].why).toBe("Slurm ignores directives after the first command");
  });

  it.each([
    ["-n four", "2:9", "is not a whole number"],
    ["-n 4 stray", "2:14", "options alone"],
    ["--gres-", "2:9", "of 1 word|no option|its value is missing"],
    ["--time", "2:9", "value is missing"],
    ["--gpu=1", "2:9", "several options begin so"],
    ["--hold=yes", "2:9", "takes no value"],
    ["-J 'open", "2:12", "grouped by quotes"],
    ["-a 5-1", "1:1", "ascending ranges"],
    ["-i missing.txt", "2:9", "no such file"],
    ["-n 999999999 -c 999999999", "1:1", "counted exactly"],
  ])("%s is a problem", (directive, place, why) => {
    const { jobs, problems } = readScript(`#!/bin/sh\n#SBATCH ${directive}\n`);
    expect(jobs).toEqual([]);
    expect(`${problems[0].line}:${problems[0].column}`).toBe(place);
    expect(problems[0].why).toMatch(new RegExp(why));
  });

  it("tells an option that nobody knows, with the nearest", () => {
    const { translations } = readScript("#!/bin/sh\n#SBATCH --ntask-per-node=4\n");
    expect(translations[0]).toMatchObject({ verdict: "notTranslated" });
    expect(translations[0].why).toMatch(/did you mean --ntasks-per-node\?/);
  });

  it("gives the script the variables that Slurm would", () => {
    const { jobs } = readScript("#!/bin/sh\n#SBATCH -n 2 -c 4 -N 2 -J a --export=B=2\n");
    expect(jobs[0].description.environment).toMatchObject({
      ...{ SLURM_NTASKS: "2", SLURM_CPUS_PER_TASK: "4", SLURM_JOB_NUM_NODES: "2", SLURM_JOB_NAME: "a" },
      ...{ SLURM_SUBMIT_DIR: process.cwd(), B: "2" },
    });
  });
});
