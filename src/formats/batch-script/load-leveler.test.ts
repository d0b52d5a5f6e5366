import { describe, expect, it } from "vitest";
import { LOAD_LEVELER_KEYWORDS } from "./load-leveler-keywords.ts";
import { becomes, readScript } from "./reading.ts";

const T = "translated";
const N = "notTranslated";
const E = "noEffect";
const GIB = 1024 ** 3;

/** A line of each keyword, its verdicts, and what the job has of it. */
const CASES: readonly (readonly [string, string, Readonly<Record<string, unknown>>])[] = [
  ["job_name = night", T, { name: "night" }],
  ["step_name = first", T, { userTags: { step: "first" } }],
  ["comment = mine", T, { userTags: { comment: "mine" } }],
  ["executable = /bin/hostname", T, { executable: "/bin/hostname", inputSandbox: [] }],
  ["executable = in.txt", T, { executable: "in.txt", inputSandbox: ["/data/ada/in.txt"] }],
  ["arguments = -v 'two words'", T, { arguments: ["-v", "two words"] }],
  ["input = in.txt", T, { stdInput: "in.txt", inputSandbox: ["/data/ada/run.sh", "/data/ada/in.txt"] }],
  ["input = /dev/null", E, {}],
  ["output = out.$(jobid).txt", T, { stdOutput: "out.txt" }],
  ["error = err.txt", T, { stdError: "err.txt" }],
  ["notification = error", T, { mail: ["fail"] }],
  ["notify_user = ada@example.org", T, { mailTo: "ada@example.org" }],
  ["initialdir = /data", T, { workingDirectory: "/data" }],
  ["environment = COPY_ALL; A=1; $B; !C", `${T} ${N} ${N}`, {}],
  ["wall_clock_limit = 01:30:00,01:20:00", T, { wallTimeMs: 5_400_000 }],
  ["total_tasks = 8", T, { procs: 8 }],
  ["node = 2,4", `${T} ${N}`, { procs: 2 }],
  ["resources = ConsumableCpus(2) ConsumableMemory(1gb)", `${T} ${T}`, { procs: 2, memoryBytes: GIB }],
  ["resources = fast(1)", N, {}],
  ["account_no = cms", T, { virtualOrganisation: "cms" }],
  ["restart = yes", T, { retryCount: 10 }],
  ["class = long", T, { preferredQueues: ["long"] }],
  ["job_cpu_limit = 30:00", N, { cpuTime: "30:00" }],
  ["startdate = 12/24/2026 20:00", N, { startAfter: "12/24/2026 20:00" }],
  ["node_usage = shared", E, {}],
  ["node_usage = not_shared", N, {}],
  ["shell = /bin/sh", E, {}],
  ["job_type = parallel", E, {}],
  ["parallel_threads = 2", E, {}],
];

describe("# @", () => {
  it.each(CASES)("FO-120 %s: %s", (line, verdicts, attributes) => {
    const read = becomes(`# @ ${line}\n#@ queue`, "# @ queue");
    expect(read).toEqual([`${verdicts} ${T}`, attributes]);
  });

  it("counts tasks of each node", () => {
    const { jobs } = readScript("#!/bin/sh\n# @ node = 2\n# @ tasks_per_node = 8\n# @ queue\n");
    expect(jobs[0].description.procs).toBe(16);
  });

  const shown = new Set(["tasks_per_node", ...CASES.map(([line]) => line.split(" ")[0])]);
  const others = LOAD_LEVELER_KEYWORDS.filter(({ names }) => !shown.has(names[0]));

  it.each(others.map(({ names }) => names[0]))("FO-120 %s has no equal", (name) => {
    const [verdicts] = becomes(`# @ ${name} = 1\n# @ queue`, "# @ queue");
    expect(verdicts).toBe(`${N} ${T}`);
  });

  it("each queue is a job, with the keywords before it", () => {
    const { jobs } = readScript(
      "#!/bin/sh\n# @ job_name = a\n# @ total_tasks = 2\n# @ queue\n# @ total_tasks = 4\n# @ queue\n",
    );
    expect(jobs.map(({ description: { name, procs } }) => `${name} ${procs}`)).toEqual(["a 2", "a 4"]);
  });

  it("a keyword that nobody knows is told", () => {
    const { translations } = readScript("#!/bin/sh\n# @ clas = long\n# @ queue\n");
    expect(translations[0]).toMatchObject({ line: 2, verdict: N });
    expect(translations[0].why).toMatch(/did you mean class\?/);
  });
});
