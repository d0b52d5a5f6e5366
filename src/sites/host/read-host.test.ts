import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { markOfEnvironment, siteJobOfControlGroup, siteJobOfStepDaemon } from "./job-marks.ts";
import { type ProcessState, processWatch } from "./processes.ts";
import { type HostMeasurement, jobsOfProcesses, readHost } from "./read-host.ts";
import { ownerNames } from "./run-sensor.ts";

/** A process of uid 1000 without a job, with a second of processor time and a MiB of memory. */
function process(
  pid: number,
  parent: number,
  more: Partial<ProcessState> & { job?: string; siteJob?: string } = {},
) {
  const { job = null, siteJob = null, ...same } = more;
  return {
    ...{ pid, parent, uid: 1000, cpuMs: 1000, residentBytes: 2 ** 20, mark: { job, siteJob } },
    ...{ daemonOf: null, isReadable: true },
    ...same,
  };
}

const read = (
  processes: readonly ProcessState[],
  before?: HostMeasurement,
  proportional = new Map<number, number>(),
) => readHost({ atMs: 50_000, processes, proportional, nameOf: (uid) => `user${uid}` }, before);

describe("a mark", () => {
  it.each([
    ["of Stint's own site", "PATH=/bin\0STINT_JOB=7f3a/2\0", "7f3a", null],
    ["of Slurm", "SLURM_JOB_ID=42\0SLURM_JOB_IDX=1\0", null, "42"],
    ["of Stint at Slurm", "SLURM_JOB_ID=42\0STINT_JOB=7f3a", "7f3a", "42"],
    ["of nobody", "A=STINT_JOB=1\0B=2", null, null],
    ["that can be no id", "STINT_JOB=a b\0SLURM_JOB_ID=\u001b[2J", null, null],
    ["that is empty", "STINT_JOB=\0SLURM_JOB_ID=", null, null],
  ])("SE-1 %s in the environment", (_, text, job, siteJob) => {
    expect(markOfEnvironment(text)).toEqual({ job, siteJob });
  });

  it.each([
    ["/system.slice/slurmstepd.scope/job_42/step_0/user/task_0", "42"],
    ["11:memory:/slurm/uid_1000/job_7/step_batch", "7"],
    ["0::/slurm_node1/uid_0/job_8", "8"],
    ["0::/user.slice/job_9", null],
    ["0::/", null],
  ])("SE-1 of the control group %s", (group, job) => {
    expect(siteJobOfControlGroup(`${group}\n`)).toBe(job);
  });

  it.each([
    ["slurmstepd: [42.batch]", "42"],
    ["/usr/sbin/slurmstepd: [42.0] ", "42"],
    ["slurmstepd: [42_3.0]", "42"],
    ["sh -c echo slurmstepd: [42.batch]", null],
  ])("SE-1 of the title %s", (title, job) => {
    expect(siteJobOfStepDaemon(title)).toBe(job);
  });
});

describe("the job of a process", () => {
  it("SE-1 is its own, else that of the nearest above; the batch system's daemon is of none", () => {
    const all = [
      process(1, 0),
      process(10, 1, { daemonOf: "42", uid: 0 }),
      process(11, 10, { isReadable: false }),
      process(12, 11, { isReadable: false }),
      process(13, 12, { job: "a" }),
      process(20, 1, { job: "b" }),
      process(21, 20),
      process(22, 21, { job: "c" }),
      process(30, 1),
    ];
    const jobs = jobsOfProcesses(all);
    const of = (pid: number) => [jobs.get(pid)?.job ?? null, jobs.get(pid)?.siteJob ?? null];
    expect(jobs.has(10)).toBe(false);
    expect([11, 12, 13].map(of)).toEqual([
      [null, "42"],
      [null, "42"],
      ["a", "42"],
    ]);
    expect([20, 21, 22].map(of)).toEqual([
      ["b", null],
      ["b", null],
      ["c", null],
    ]);
    expect(jobs.has(1) || jobs.has(30)).toBe(false);
  });

  it("SE-1 processes that are each other's parents, after a pid was used again, end the search", () => {
    expect(jobsOfProcesses([process(5, 6), process(6, 5)]).size).toBe(0);
  });
});

describe("a reading", () => {
  it("SE-1 SE-2 has a row a job: processes, processor time, memory, owner", () => {
    const processes = [
      process(20, 1, { job: "b", siteJob: "42" }),
      process(21, 20, { cpuMs: 500 }),
      // The script that Slurm runs, which says no job of Stint.
      process(19, 1, { siteJob: "42", uid: 1001 }),
    ];
    expect(read(processes, undefined, new Map([[20, 4096]]))).toEqual({
      ...{ atMs: 50_000, overMs: null, unreadable: 0 },
      jobs: [
        {
          ...{ job: "b", siteJob: "42", owner: "user1001", processes: 3 },
          ...{ cpuMs: 2500, usedMs: null, memoryBytes: 4096 + 2 * 2 ** 20 },
        },
      ],
    });
  });

  it("SE-2 says what was used since the one before; time that went with a process is none", () => {
    const first = read([process(20, 1, { job: "b", cpuMs: 9000 }), process(30, 1, { job: "c", cpuMs: 100 })]);
    const second = read(
      [
        process(20, 1, { job: "b", cpuMs: 9800 }),
        process(31, 1, { job: "c", cpuMs: 50 }),
        process(40, 1, { job: "d" }),
      ],
      { ...first, atMs: 40_000 },
    );
    expect(second.overMs).toBe(10_000);
    expect(second.jobs.map(({ job, usedMs }) => [job, usedMs])).toEqual([
      ["b", 800],
      ["c", 0],
      ["d", null],
    ]);
  });

  it("counts whose environment it could not read, but not the machine's own", () => {
    const hidden = { isReadable: false };
    const processes = [
      process(2, 0, { ...hidden, uid: 0 }),
      process(3, 1, { ...hidden, uid: 33 }),
      process(4, 1, hidden),
      process(5, 1, hidden),
      process(6, 1, { job: "a" }),
      process(7, 6, hidden),
    ];
    expect(read(processes).unreadable).toBe(2);
  });
});

describe("processes of a host", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "stint-proc-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function put(pid: number, files: Readonly<Record<string, string>>): void {
    mkdirSync(join(folder, String(pid)), { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, String(pid), name), text);
  }
  // Fields 4 (parent), 14 to 17 (ticks), 22 (start), 24 (resident pages); the name looks like more.
  const stat = (parent: number, startTick = 77) =>
    `9 (a) b (c) S ${parent} 1 1 0 -1 0 0 0 0 0 1 2 3 4 20 0 1 0 ${startTick} 4096 256 0`;

  it("SE-2 are read as /proc has them", async () => {
    put(9, {
      ...{ stat: stat(1), status: "Name:\tx\nUid:\t1000\t1001\t1000\t1000\n", cmdline: "x\0-y\0" },
      ...{
        environ: "STINT_JOB=7f3a/1\0",
        cgroup: "0::/\n",
        smaps_rollup: "Rss: 9 kB\nPss:            12 kB\n",
      },
    });
    put(10, { stat: stat(9), status: "Uid:\t5\t5\t5\t5\n", cmdline: "" });
    mkdirSync(join(folder, "self"));
    const watch = processWatch(folder);
    const [first, kernel] = await watch.measure();
    expect(first).toEqual({
      ...{ pid: 9, parent: 1, uid: 1001, cpuMs: 100, residentBytes: 2 ** 20 },
      ...{ mark: { job: "7f3a", siteJob: null }, daemonOf: null, isReadable: true },
    });
    expect(kernel).toMatchObject({ pid: 10, isReadable: true });
    expect(await watch.proportionalBytes(9)).toBe(12 * 1024);
    expect(await watch.proportionalBytes(10)).toBeUndefined();
  });

  it("SE-1 one that becomes a job's by calling its program is seen so; a pid used again anew", async () => {
    const status = "Uid:\t1\t1\t1\t1\n";
    put(9, { stat: stat(1), status, cmdline: "wrapper", environ: "A=1\0" });
    const watch = processWatch(folder);
    expect((await watch.measure())[0]?.mark.job).toBeNull();
    put(9, { environ: "STINT_JOB=a/1\0", cmdline: "job" });
    expect((await watch.measure())[0]?.mark.job).toBe("a");
    put(9, { stat: stat(1, 99), environ: "", cmdline: "other" });
    expect((await watch.measure())[0]?.mark.job).toBeNull();
  });

  it("SE-2 an account that nobody knows is its number", async () => {
    const names = ownerNames();
    await names.find([0, 987_654]);
    expect([names.nameOf(0), names.nameOf(987_654)]).toEqual(["root", "uid:987654"]);
  });
});
