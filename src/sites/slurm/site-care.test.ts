import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { failed, row, scripted } from "../../../test/scripted-slurm.ts";
import { SLURM_DEFAULTS, type SlurmSiteSpec } from "../../model/index.ts";
import { openAttemptBook } from "./attempt-book.ts";
import { pastJobs } from "./history.ts";
import { openSlurmSite, slurmCapacity } from "./open-site.ts";
import { commentOf } from "./own-jobs.ts";
import { siteChecks } from "./site-checks.ts";
import { cleanTraces, tracesOf } from "./traces.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "stint-slurm-care-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const spec: SlurmSiteSpec = { ...SLURM_DEFAULTS, type: "slurm", procs: 8, memoryBytes: 2 ** 33 };
const writable = { ...spec, readOnly: false, submitDirectory: "/data/stint" };
const clock = { nowMs: () => 1_800_000_000_000 };
const attempt = { token: "a/1", siteJob: "41" };
const changing =
  /^(sbatch|scancel|scontrol (?!.*\bshow\b|ping)|sacctmgr (?!.*\bshow\b)|mkdir|dd|rm|rmdir|srun|salloc)/;

/** A site whose job 41 is ours, with these fields of squeue. */
async function siteWith(fields: Readonly<Record<string, string>>, more: Parameters<typeof scripted>[0] = {}) {
  const { mark } = await openAttemptBook(directory);
  const job = row({ JobID: "41", JobArrayID: "41", Comment: commentOf(mark, "a/1"), ...fields });
  const { asked, run } = scripted({ squeue: job, ...more });
  const site = await openSlurmSite({ name: "c", spec: writable, directory, clock, run });
  return { asked, site };
}

describe("where a job stands", () => {
  it("a requeue is possible for its moment only, and has a permission", async () => {
    const { asked, site } = await siteWith({ State: "RUNNING", NodeList: "n" });
    await site.requeue(attempt);
    expect(asked.slice(1)).toEqual([
      "mkdir -p -- /data/stint/a_1/again.41",
      "scontrol update JobId=41 Requeue=1",
      "scontrol requeue 41",
      "scontrol update JobId=41 Requeue=0",
    ]);
  });

  it.each([
    ["Job has already finished", undefined],
    ["Access/permission denied", "siteNotAllowed"],
  ])("one that is not taken (%s) leaves no permission", async (words, code) => {
    const refusing = { "scontrol requeue": failed(words) };
    const { asked, site } = await siteWith({ State: "RUNNING", NodeList: "n" }, refusing);
    const requeued = site.requeue(attempt);
    if (code === undefined) await requeued;
    else await expect(requeued).rejects.toMatchObject({ code, kind: "notAllowed" });
    expect(asked).toContain("rmdir -- /data/stint/a_1/again.41");
  });

  it("what does not run is left alone", async () => {
    const { asked, site } = await siteWith({ State: "PENDING", PriorityLong: "5" });
    await site.requeue(attempt);
    expect(asked.filter((line) => changing.test(line))).toEqual([]);
  });

  it.each([
    [70, "scontrol update JobId=41 Nice=40"],
    [110, "scontrol update JobId=41 Nice=0"],
    [111, "scontrol update JobId=41 Priority=111"],
  ])("with 100 and a nice value of 10, priority %d is %s", async (priority, words) => {
    const { asked, site } = await siteWith({ State: "PENDING", PriorityLong: "100", Nice: "10" });
    await site.setPriority(attempt, priority, true);
    expect(asked.at(-1)).toBe(words);
  });

  it.each([
    [{ State: "PENDING" }, ["n2", "n7"], ["scontrol update ExcNodeList=n2,n7 JobId=41"]],
    [{ State: "PENDING", Reason: "JobHeldUser" }, [], ["scontrol update ExcNodeList= JobId=41"]],
    [{ State: "RUNNING", NodeList: "n1" }, ["n2"], []],
  ])("of a job %j, the avoided nodes become %j by %j", async (job, nodes, words) => {
    const { asked, site } = await siteWith(job);
    await site.avoidNodes?.(attempt, nodes);
    expect(asked.filter((line) => changing.test(line))).toEqual(words);
  });

  it("more than an owner may give is an error with the right; a held job is left alone", async () => {
    const words = "Changes to job priority are not persistent, change nice instead for job 41";
    const waiting = await siteWith(
      { State: "PENDING", PriorityLong: "100", Nice: "0" },
      { "scontrol update": failed(words) },
    );
    const raised = waiting.site.setPriority(attempt, 200, true);
    await expect(raised).rejects.toMatchObject({ kind: "notAllowed", code: "siteNotAllowed" });
    const unasked = await siteWith({ State: "PENDING", PriorityLong: "100", Nice: "10" });
    const above = unasked.site.setPriority(attempt, 111, false);
    await expect(above).rejects.toMatchObject({ kind: "notAllowed", code: "priorityRaised" });
    expect(unasked.asked.filter((line) => changing.test(line))).toEqual([]);
    await unasked.site.setPriority(attempt, 110, false);
    expect(unasked.asked.at(-1)).toBe("scontrol update JobId=41 Nice=0");
    const held = await siteWith({ State: "PENDING", Reason: "JobHeldUser", PriorityLong: "0" });
    await held.site.setPriority(attempt, 50, true);
    expect(held.asked).toHaveLength(1);
  });
});

describe("the past", () => {
  const HEAD = "JobID|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|State|AllocCPUS|NNodes|NodeList";
  const line = (id: string, atSec: number) =>
    `${id}|${atSec}|${atSec}|${atSec + 5}|${atSec + 5}|0|60|COMPLETED|2|1|n1`;
  const HOUR_MS = 3_600_000;
  const ask =
    (answers: readonly string[], asked: string[]) =>
    async (_: string, words: readonly string[]): Promise<string> => {
      asked.push(words.filter((word) => /time=/.test(word)).join(" "));
      return answers[asked.length - 1] ?? HEAD;
    };

  it("is asked for newest first, and further back the fewer there were", async () => {
    const asked: string[] = [];
    const nowMs = clock.nowMs();
    const [newer, older] = [line("9", nowMs / 1000 - 3600), line("8", nowMs / 1000 - 5 * 86_400)];
    const answers = [`${HEAD}\n${newer}\n`, `${HEAD}\n${older}\n${newer}\n`];
    const jobs = await pastJobs(ask(answers, asked), nowMs - 30 * 24 * HOUR_MS, nowMs);
    expect(asked).toEqual([
      "--starttime=now-86400 --endtime=now",
      "--starttime=now-2592000 --endtime=now-86400",
    ]);
    expect(jobs.map(({ siteJob, startedAtMs, endedAtMs }) => [siteJob, endedAtMs === startedAtMs])).toEqual([
      ["8", true],
      ["9", true],
    ]);
  });

  it("has an end: of a busy cluster the newest are kept", async () => {
    const asked: string[] = [];
    const nowSec = clock.nowMs() / 1000;
    const many = Array.from({ length: 600 }, (_, at) => line(String(at + 1), nowSec - 40_000));
    const answers = Array.from({ length: 9 }, () => `${HEAD}\n${many.join("\n")}\n`);
    const bounds = { rowsAQuestion: 500, mostRows: 1000 };
    const jobs = await pastJobs(ask(answers, asked), 0, clock.nowMs(), bounds);
    expect(asked).toHaveLength(2);
    expect(jobs).toHaveLength(600);
  });

  it("is empty where no accounting is kept, and an error where it cannot be asked", async () => {
    const off = scripted({ sacct: failed("Slurm accounting storage is disabled") });
    const site = await openSlurmSite({ name: "c", spec, directory, clock, run: off.run });
    expect(await site.history(0)).toEqual([]);
    const gone = scripted({ sacct: failed("sacct: error: Connection refused") });
    const other = await openSlurmSite({ name: "c", spec, directory, clock, run: gone.run });
    await expect(other.history(0)).rejects.toMatchObject({ kind: "unreachable" });
  });
});

describe("trying a cluster out", () => {
  const up = {
    "scontrol ping": "Slurmctld(primary) at c is UP\n",
    "scontrol show config": "ClusterName = c\nSLURM_VERSION = 22.05.8\nPrivateData = jobs\n",
    "id -un": "ada\n",
    "sacctmgr -P show user": "User|Admin\nada|None\n",
    "stat -f": "nfs\n",
  };
  const tried = async (site: SlurmSiteSpec, answers: Parameters<typeof scripted>[0]) => {
    const { asked, run } = scripted(answers);
    const checks = await siteChecks({ spec: site, run, nowMs: () => 0 });
    return { asked, check: (what: string) => checks.find((it) => it.what === what), checks };
  };

  it("SU-5 read only, it runs nothing that could change anything", async () => {
    const { asked, check, checks } = await tried({ ...spec, submitDirectory: "/data" }, up);
    expect(asked.filter((line) => changing.test(line))).toEqual([]);
    expect(check("own jobs")).toMatchObject({ works: false, isNeeded: false });
    expect(check("own jobs")?.remedy).toContain("--no-read-only");
    expect(check("jobs of others")).toMatchObject({
      works: false,
      remedy: expect.stringContaining("operator"),
    });
    expect(checks.filter(({ isNeeded, works }) => isNeeded && works !== true)).toEqual([]);
  });

  it("says which right is missing, and what it would give", async () => {
    const without = await tried(spec, up);
    expect(without.check("suspending")).toMatchObject({ works: false, isNeeded: false });
    expect(without.check("suspending")?.remedy).toContain("AdminLevel=Operator");
    const operator = await tried(spec, { ...up, "sacctmgr -P show user": "User|Admin\nada|Operator\n" });
    expect(operator.check("suspending")).toMatchObject({ works: true, remedy: null });
    // PrivateData hides nothing from an operator.
    expect(operator.check("jobs of others")).toMatchObject({ works: true, remedy: null });
    const unseen = await tried(spec, { ...up, "sacctmgr -P show user": failed("Connection refused") });
    expect(unseen.check("suspending")).toMatchObject({ works: null });
  });

  it("a controller that is down is told once, and nothing else is asked", async () => {
    const { asked, checks } = await tried(spec, {
      "scontrol ping": { code: 1, stdout: Buffer.from("Slurmctld(primary) at c is DOWN\n") },
    });
    expect(asked).toEqual(["scontrol ping"]);
    expect(checks.map(({ what, works }) => [what, works])).toEqual([
      ["controller", false],
      ["everything else", null],
    ]);
    const nowhere = await tried(spec, { "scontrol ping": { code: null, notStarted: "ENOENT" } });
    expect(nowhere.checks[0].remedy).toContain("sshHost");
  });

  it("where it may submit, a trial submission and the directory are tried", async () => {
    const sbatch = { stderr: "sbatch: Job 7 to start at 1800000000 using 1 processors" };
    const good = await tried(writable, { ...up, sbatch });
    expect(good.check("submission")?.why).toContain("2027-01-15T08:00:00Z");
    expect(good.check("shared with nodes")).toMatchObject({ works: null });
    const wrong = await tried(writable, { ...up, sbatch: failed("Invalid account"), "test -w": failed("") });
    expect(wrong.check("submission")).toMatchObject({ works: false, isNeeded: true });
    expect(wrong.check("submit directory")).toMatchObject({ works: false, isNeeded: true });
    const none = await tried(writable, { ...up, "test -d": failed("") });
    expect(none.check("submit directory")?.why).toContain("no directory");
  });

  it("tells whether a pilot, which is on one node, fits on one", async () => {
    const node = (name: string, mib: number) =>
      `NodeName=${name} CPUTot=4 RealMemory=${mib} State=IDLE Partitions=p`;
    const shown = `${node("n1", 1024)}\n${node("n2", 2048)}\n`;
    const nodes = { ...up, "scontrol --all --oneliner --details show node": shown };
    const pilots = { max: 1, procs: 4, wallTimeMs: 3_600_000, idleMs: 0, consumer: "pilots" };
    const checked = async (change: Partial<typeof pilots & { memoryBytes: number; gpus: number }>) =>
      (await tried({ ...spec, pilots: { ...pilots, ...change } }, nodes)).check("pilots");
    expect(await checked({ memoryBytes: 2 ** 31 })).toMatchObject({ works: true });
    for (const change of [{ procs: 5 }, { memoryBytes: 2 ** 32 }, { gpus: 1 }]) {
      const why = expect.stringMatching(/^a pilot is on one node, and no node has [45] processors/);
      expect(await checked(change)).toMatchObject({ works: false, why });
    }
    expect((await tried(spec, nodes)).check("pilots")).toBeUndefined();
  });

  it("a configuration that is not there is told at once, not after a minute", async () => {
    const missing = { ...spec, slurmConf: join(directory, "slurm.conf") };
    const fault = { kind: "notFound", code: "slurmConfMissing" };
    await expect(slurmCapacity("c", missing, directory)).rejects.toMatchObject(fault);
    const opening = openSlurmSite({ name: "c", spec: missing, directory, clock });
    await expect(opening).rejects.toMatchObject(fault);
    mkdirSync(join(directory, "there"));
    writeFileSync(missing.slurmConf, "");
    await expect(openSlurmSite({ name: "c", spec: missing, directory, clock })).resolves.toBeDefined();
  });
});

describe("leaving a cluster", () => {
  it("SU-17 removes what its book names, and jobs under its mark", async () => {
    const book = await openAttemptBook(directory);
    const record = { submittedAtMs: 0, siteJobs: [], ends: [], acknowledged: [] };
    for (const token of ["a/1", "b/1"]) await book.write({ ...record, token });
    const own = row({ JobID: "7", JobArrayID: "7", State: "PENDING", Comment: commentOf(book.mark, "c/1") });
    const other = row({ JobID: "8", JobArrayID: "8", State: "PENDING", Comment: commentOf("x", "c/1") });
    const { asked, run: answering } = scripted({ squeue: own + other });
    const afterwards = scripted({ squeue: other });
    const run: typeof answering = (request) =>
      asked.some((line) => line.startsWith("scancel")) && request.words[0] === "squeue"
        ? afterwards.run(request)
        : answering(request);
    expect(await tracesOf({ spec: writable, directory, run })).toEqual([
      "the directories of 2 attempts, with their output, below /data/stint",
    ]);
    const { removed, left } = await cleanTraces({ spec: writable, directory, run });
    expect(asked.filter((line) => changing.test(line))).toEqual([
      "scancel 7",
      "rm -rf -- /data/stint/a_1",
      "rm -rf -- /data/stint/b_1",
      "rmdir -- /data/stint",
    ]);
    expect([removed.length, left]).toEqual([3, []]);
    expect([...(await openAttemptBook(directory)).all()]).toEqual([]);
  });

  it("SU-5 SU-17 at a site that is read-only by now everything stays, and is told of", async () => {
    const book = await openAttemptBook(directory);
    await book.write({ token: "a/1", submittedAtMs: 0, siteJobs: [], ends: [], acknowledged: [] });
    const { asked, run } = scripted({});
    const site = { spec: { ...writable, readOnly: true }, directory, run };
    const { removed, left } = await cleanTraces(site);
    expect([removed, asked]).toEqual([[], []]);
    expect(left[0]).toContain("read-only");
  });

  it("SU-17 a cluster that cannot be reached is an error, and nothing is forgotten", async () => {
    const book = await openAttemptBook(directory);
    await book.write({ token: "a/1", submittedAtMs: 0, siteJobs: [], ends: [], acknowledged: [] });
    const { run } = scripted({ squeue: failed("Unable to contact slurm controller") });
    await expect(cleanTraces({ spec: writable, directory, run })).rejects.toMatchObject({
      kind: "unreachable",
    });
    expect([...(await openAttemptBook(directory)).all()]).toHaveLength(1);
  });
});
