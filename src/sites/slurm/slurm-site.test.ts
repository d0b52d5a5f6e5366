import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { failed, row, scripted } from "../../../test/scripted-slurm.ts";
import { SLURM_DEFAULTS, type SlurmSiteSpec } from "../../model/index.ts";
import type { SubmitOrder } from "../../runtime/index.ts";
import { openAttemptBook } from "./attempt-book.ts";
import { readReports } from "./ends.ts";
import { openSlurmSite } from "./open-site.ts";
import { attemptDirectory, commentOf, jobNameOf, tokensBy } from "./own-jobs.ts";
import { commandRunner, quoted, wordsFor } from "./run-command.ts";
import { slurmFault, troubleOf } from "./slurm-fault.ts";
import { privateParts } from "./snapshot.ts";
import { wrapperScript } from "./wrapper-script.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "stint-slurm-unit-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const spec: SlurmSiteSpec = { ...SLURM_DEFAULTS, type: "slurm", procs: 8, memoryBytes: 2 ** 33 };
const clock = { nowMs: () => 1_800_000_000_000 };

const order: SubmitOrder = {
  reservation: null,
  name: "my job, 1",
  token: "a/1",
  command: ["true"],
  environment: {},
  limitMs: 90_000,
  inputFiles: [],
  stdOutput: "out",
  stdError: "err",
  procs: 2,
  memoryBytes: 3 * 2 ** 20,
};

describe("reaching a cluster", () => {
  it.each(["plain", "", "it's", "$(x) `y`", "a\nb", "-n", 'ä "q" \\'])(
    "the word %j arrives through a login shell as it was",
    (word) => {
      const line = ["printf", "%s", word].map(quoted).join(" ");
      expect(execFileSync("sh", ["-c", line], { encoding: "utf8" })).toBe(word);
    },
  );

  it("ssh asks nobody, keeps its connection, and gets one line after the host", () => {
    const reach = { sshHost: "login", slurmConf: null, socketDirectory: "/s" };
    const words = wordsFor(reach, ["squeue", "--name=a b"]);
    expect(words[0]).toBe("ssh");
    expect(words).toEqual(
      expect.arrayContaining(["BatchMode=yes", "ControlMaster=auto", "ControlPath=/s/%C"]),
    );
    expect(words.slice(-2)[0]).toBe("login");
    expect(words.at(-1)).toBe("env LC_ALL=C SLURM_TIME_FORMAT=%s SLURM_BITSTR_LEN=0 squeue '--name=a b'");
  });

  it("a command that hangs is killed; one that is not there is told", async () => {
    const run = commandRunner({ sshHost: null, slurmConf: null, socketDirectory: directory });
    const hung = await run({ words: ["sleep", "60"], timeoutMs: 50 });
    expect(troubleOf(hung)).toBe("hung");
    const none = await run({ words: ["no-such-command"], timeoutMs: 5000 });
    expect(troubleOf(none)).toBe("commandMissing");
    expect(slurmFault("cannot see its queue", none)).toMatchObject({ kind: "unreachable" });
    const echo = await run({ words: ["cat"], input: "x", timeoutMs: 5000 });
    expect(echo.stdout.toString()).toBe("x");
  });

  it.each([
    ["squeue: error: Unable to contact slurm controller (connect failure)", 1, "unreachable"],
    ["scancel: error: Kill job error on job id 7: Unable to contact slurm controller", 8, "unreachable"],
    ["Unexpected message received", 1, "unreachable"],
    ["sbatch: error: Batch job submission failed: Socket timed out on send/recv operation", 1, "hung"],
    ["squeue: error: Munge encode failed: Failed to connect", 1, "credentials"],
    ["me@login: Permission denied (publickey).", 255, "credentials"],
    ["slurm_suspend error: Invalid job id specified", 1, "unknownJob"],
    ["Job has already finished", 1, "jobOver"],
    ["scancel: error: Kill job error on job id 7: Access/permission denied", 210, "notOwner"],
    [
      "sbatch: error: Batch job submission failed: Invalid account or account/partition combination",
      1,
      "unknownAccount",
    ],
    [
      "sbatch: error: Batch job submission failed: Requested node configuration is not available",
      1,
      "invalidRequest",
    ],
    ["sbatch: error: Invalid --time specification", 255, "invalidRequest"],
    ["sh: 1: exec: sbatch: not found", 127, "commandMissing"],
    ["", 255, "unreachable"],
    ["something new", 3, "other"],
  ])("SU-3 %j is told by its words", (stderr, code, trouble) => {
    expect(troubleOf(failed(stderr, code))).toBe(trouble);
    const { kind } = slurmFault("cannot do it", failed(stderr, code));
    if (trouble === "other") expect(kind).toBe("unreachable");
  });
});

describe("looking", () => {
  it("SU-4 a survey is one squeue while nothing of ours is missing, but once a minute", async () => {
    const squeue = row({
      JobID: "7",
      JobArrayID: "7",
      State: "PENDING",
      NumCPUs: "3",
      Name: "x",
      MinMemory: "0",
    });
    const { asked, run } = scripted({ squeue });
    const site = await openSlurmSite({ name: "c", spec, directory, clock, run });
    const { atMs, ended, jobs } = await site.survey();
    expect({ atMs, ended }).toEqual({ atMs: clock.nowMs(), ended: [] });
    expect(jobs).toMatchObject([{ siteJob: "7", token: null, state: "waiting", procs: 3, memoryBytes: 0 }]);
    await site.survey();
    expect(asked.map((line) => line.split(" ")[0])).toEqual(["squeue", "scontrol", "squeue"]);
  });

  it("SU-4 a controller that is gone is no empty queue", async () => {
    const { run } = scripted({ squeue: failed("Unable to contact slurm controller") });
    const site = await openSlurmSite({ name: "c", spec, directory, clock, run });
    await expect(site.survey()).rejects.toMatchObject({ kind: "unreachable", code: "siteUnreachable" });
    const silent = scripted({
      squeue: { stderr: "slurm_load_jobs error: Unable to contact slurm controller" },
    });
    const other = await openSlurmSite({ name: "c", spec, directory, clock, run: silent.run });
    await expect(other.survey()).rejects.toMatchObject({ code: "siteUnreachable" });
  });

  it("SU-5 read only, nothing is run that could change anything", async () => {
    const { asked, run } = scripted({
      squeue: row({ JobID: "7", JobArrayID: "7", State: "RUNNING", Name: "x" }),
    });
    const readOnly = { ...spec, submitDirectory: "/data/stint" };
    const site = await openSlurmSite({ name: "c", spec: readOnly, directory, clock, run });
    const attempt = { token: "a/1", siteJob: "7" };
    await site.survey();
    await site.snapshot();
    await site.capacity();
    await expect(site.submit(order)).rejects.toMatchObject({ kind: "refused", code: "siteReadOnly" });
    for (const verb of ["cancel", "hold", "release", "suspend", "resume"] as const) {
      await expect(site.act(verb, attempt)).rejects.toMatchObject({ code: "siteReadOnly" });
    }
    await expect(site.signal(attempt, "SIGUSR1")).rejects.toMatchObject({ code: "siteReadOnly" });
    await site.acknowledge("a/1");
    await site.purge("a/1");
    const changing =
      /^(sbatch|scancel|scontrol (?!.*\bshow\b)|sacctmgr (?!.*\bshow\b)|mkdir|dd|rm|srun|salloc)/;
    expect(asked.filter((line) => changing.test(line))).toEqual([]);
  });

  it("what is hidden is listed with its reason", async () => {
    expect(privateParts({ PrivateData: "jobs,usage" }).map(({ what }) => what)).toEqual([
      "jobs of others",
      "usage of others",
    ]);
    const { run } = scripted({ sacctmgr: failed("Access/permission denied") });
    const site = await openSlurmSite({ name: "c", spec, directory, clock, run });
    const { hidden } = await site.snapshot();
    expect(hidden).toContainEqual({ what: "qos", why: "Access/permission denied" });
  });
});

describe("our jobs", () => {
  const writable = { ...spec, readOnly: false, submitDirectory: "/data/stint" };

  const recognised = async () => {
    const book = await openAttemptBook(directory);
    const job = { siteJob: "41", name: "my_job", comment: null, workDirectory: null };
    return { book, mark: book.mark, job, tokenOf: tokensBy(book, "/data/stint") };
  };

  it("SU-7 another broker's job is not ours, whatever its token", async () => {
    const { mark, job, tokenOf } = await recognised();
    expect(tokenOf({ ...job, comment: commentOf(mark, "a/1") })).toBe("a/1");
    expect(tokenOf({ ...job, comment: commentOf("other", "a/1") })).toBeNull();
    expect(tokenOf({ ...job, comment: commentOf(mark, "a/b/c") })).toBeNull();
  });

  it("SU-7 a job from before comments were used is ours by its name", async () => {
    const { mark, job, tokenOf } = await recognised();
    expect(tokenOf({ ...job, name: commentOf(mark, "a/1") })).toBe("a/1");
    expect(tokenOf({ ...job, name: commentOf("other", "a/1") })).toBeNull();
  });

  it("SU-7 without a mark a job is ours by its directory, if its id is on record or none is", async () => {
    const { book, job, tokenOf } = await recognised();
    const placed = { ...job, workDirectory: attemptDirectory("/data/stint", "a/1") };
    expect(tokenOf(placed)).toBeNull();
    const record = { token: "a/1", submittedAtMs: 0, ends: [], acknowledged: [] };
    await book.write({ ...record, siteJobs: [] });
    expect(tokenOf(placed)).toBe("a/1");
    expect(tokenOf({ ...placed, comment: commentOf("other", "a/1") })).toBeNull();
    expect(tokenOf({ ...placed, workDirectory: "/data/stint/a_1/work" })).toBeNull();
    expect(tokenOf({ ...placed, workDirectory: "/data/other/a_1" })).toBeNull();
    await book.write({ ...record, siteJobs: ["41"] });
    expect([tokenOf(placed), tokenOf({ ...placed, siteJob: "42" })]).toEqual(["a/1", null]);
  });

  it("a name is such that every command of Slurm takes it, and never a mark", () => {
    expect(jobNameOf("night, run|1\n")).toBe("night__run_1_");
    expect(jobNameOf("stint:mark:a/1")).toBe("stint:mark:a_1");
    expect(jobNameOf("Übung.3 😀")).toBe("Übung.3__");
    expect([jobNameOf("x".repeat(99)).length, jobNameOf("")]).toEqual([64, "job"]);
  });

  it("SU-9 submitted held, under its name, and acted upon only where it is that job", async () => {
    const answers: Record<string, string> = { sbatch: "41;west\n" };
    const { asked, run } = scripted(answers);
    const site = await openSlurmSite({
      name: "c",
      spec: { ...writable, account: "physics" },
      directory,
      clock,
      run,
    });
    answers["scontrol --all --oneliner --details show node"] =
      "NodeName=n CPUTot=8 RealMemory=9000 Partitions=p\n";
    expect(await site.submit(order)).toBe("41");
    const sbatch = asked.find((line) => line.startsWith("sbatch")) ?? "";
    for (const word of ["--hold", "--no-requeue", "--ntasks=2", "--time=2", "--mem-per-cpu=2M"]) {
      expect(sbatch).toContain(` ${word}`);
    }
    expect(sbatch).toContain("--account=physics");
    expect(sbatch).not.toContain("--gpus");
    expect(sbatch).toContain(" --job-name=my_job__1 ");
    const comment = /--comment=(\S+)/.exec(sbatch)?.[1] ?? "";
    answers.squeue = row({
      JobID: "41",
      JobArrayID: "41",
      State: "RUNNING",
      NodeList: "n",
      Name: "stranger",
    });
    await site.act("cancel", { token: "a/1", siteJob: "41" });
    expect(asked.some((line) => line.startsWith("scancel"))).toBe(false);
    answers.squeue = row({
      JobID: "41",
      JobArrayID: "41",
      State: "RUNNING",
      NodeList: "n",
      Comment: comment,
    });
    await site.act("release", { token: "a/1", siteJob: "41" });
    expect(asked.some((line) => line.startsWith("scontrol release"))).toBe(false);
    await site.act("cancel", { token: "a/1", siteJob: "41" });
    expect(asked.at(-1)).toBe("scancel 41");
    await expect(site.act("cancel", { token: "a/1", siteJob: "" })).resolves.toBeUndefined();
  });

  it("GPUs are asked for where the cluster has so many", async () => {
    const { asked, run } = scripted({
      sbatch: "41",
      "scontrol --all --oneliner --details show node":
        "NodeName=n CPUTot=8 RealMemory=9000 Gres=gpu:a100:2\n",
    });
    const site = await openSlurmSite({ name: "c", spec: writable, directory, clock, run });
    expect((await site.capacity()).gpus).toBe(2);
    await site.submit({ ...order, gpus: 2 });
    expect(asked.find((line) => line.startsWith("sbatch"))).toContain(" --gpus=2");
    const wide = site.submit({ ...order, token: "b/1", gpus: 3 });
    await expect(wide).rejects.toMatchObject({ code: "widerThanSite" });
  });

  it("SU-55 a node that has left the cluster does not stop the exclusion of others", async () => {
    const answers = {
      sbatch: "41",
      "scontrol --all --oneliner --details show node": "NodeName=n CPUTot=8 RealMemory=9000\n",
    };
    const { asked, run } = scripted(answers);
    const refused = failed("allocation failure: Invalid node name specified");
    const site = await openSlurmSite({
      ...{ name: "c", spec: writable, directory, clock },
      run: async (request) =>
        request.words.some((word) => /^--exclude=.*gone/.test(word)) ? refused : await run(request),
    });
    await site.submit({ ...order, avoidedNodes: ["gone", "n2", "n7"] });
    expect(asked.filter((line) => / --exclude=/.test(line)).at(-1)).toMatch(/ --exclude=n2,n7$/);
    await site.submit({ ...order, token: "b/1", avoidedNodes: ["gone"] });
    expect(asked.at(-1)).not.toContain("--exclude");
  });

  it("SU-3 a request that Slurm refused leaves nothing; a silence leaves it open", async () => {
    const nodes = {
      "scontrol --all --oneliner --details show node": "NodeName=n CPUTot=8 RealMemory=9000\n",
    };
    const wrong = scripted({
      ...nodes,
      sbatch: failed("Batch job submission failed: Invalid qos specification"),
    });
    const site = await openSlurmSite({ name: "c", spec: writable, directory, clock, run: wrong.run });
    await expect(site.submit(order)).rejects.toMatchObject({ kind: "refused", code: "siteAccountUnknown" });
    expect(wrong.asked.at(-1)).toBe("rm -rf -- /data/stint/a_1");
    const silent = scripted({ ...nodes, sbatch: { code: null, isTimedOut: true } });
    const other = await openSlurmSite({ name: "c", spec: writable, directory, clock, run: silent.run });
    await expect(other.submit(order)).rejects.toMatchObject({ kind: "unreachable" });
    expect(silent.asked.some((line) => line.startsWith("rm"))).toBe(false);
  });

  it("SU-11 where the wrapper left nothing Slurm's word counts", async () => {
    const answers: Record<string, string> = { sbatch: "41" };
    answers["scontrol --all --oneliner --details show node"] = "NodeName=n CPUTot=8 RealMemory=9000\n";
    const { asked, run } = scripted(answers);
    let nowMs = 1_800_000_000_000;
    const site = await openSlurmSite({
      name: "c",
      spec: writable,
      directory,
      clock: { nowMs: () => nowMs },
      run,
    });
    await site.submit(order);
    const comment = /--comment=(\S+)/.exec(asked.join("\n"))?.[1] ?? "";
    const times = { StartTime: "1799999000", EndTime: "1799999900", NodeList: "n" };
    answers.squeue = row({ JobID: "41", JobArrayID: "41", State: "NODE_FAIL", Comment: comment, ...times });
    expect((await site.survey()).ended).toEqual([]);
    nowMs += 6000;
    const [end] = (await site.survey()).ended;
    expect(end).toMatchObject({ token: "a/1", siteJob: "41", end: { cause: "lost" } });
    await site.acknowledge("a/1");
    expect((await site.survey()).ended).toEqual([]);
  });

  it("SU-4 SU-11 what the controller forgot is asked of the accounting", async () => {
    const answers: Record<string, string> = { sbatch: "41" };
    answers["scontrol --all --oneliner --details show node"] = "NodeName=n CPUTot=8 RealMemory=9000\n";
    const { asked, run } = scripted(answers);
    const site = await openSlurmSite({ name: "c", spec: writable, directory, clock, run });
    await site.submit(order);
    const head = "JobID|State|ExitCode|Submit|Start|End|NodeList|Reason|WorkDir|Comment|JobName\n";
    const times = "1799999000|Unknown|1799999900";
    answers.sacct = `${head}41|CANCELLED by 0|0:0|${times}|None assigned|None|/data/stint/a_1||mine\n`;
    const { ended } = await site.survey();
    expect(ended).toMatchObject([{ startedAtMs: null, end: { cause: "cancelled" } }]);
    expect(asked.filter((line) => line.startsWith("sacct "))).toHaveLength(1);
    await site.survey();
    expect(asked.filter((line) => line.startsWith("sacct "))).toHaveLength(1);
  });
});

describe("the wrapper", () => {
  const runWrapper = (wanted: SubmitOrder, siteJob = "1") => {
    const place = join(directory, wanted.token.replace("/", "_"));
    execFileSync("mkdir", ["-p", join(place, "work")]);
    const script = wrapperScript(wanted, { directory: place, graceMs: 300 });
    const env = { PATH: process.env.PATH ?? "", SLURM_JOB_ID: siteJob };
    try {
      execFileSync("bash", [], { input: script, env, stdio: ["pipe", "ignore", "ignore"] });
    } catch {
      // It ends with the program's code.
    }
    const report = execFileSync("cat", [join(place, `report.${siteJob}`)], { encoding: "utf8" });
    const out = join(place, "work", wanted.stdOutput);
    return { report: readReports(report)[0], out: () => execFileSync("cat", [out], { encoding: "utf8" }) };
  };

  it("passes words and variables on as they are", () => {
    const words = ["it's", "$HOME `x`", "a\nb", "", '"q" \\'];
    const command = ["sh", "-c", 'printf "%s|" "$@" "$V"', "sh", ...words];
    const { report, out } = runWrapper({ ...order, command, environment: { V: "l'été\n$x" } });
    expect(report).toMatchObject({ cause: "ended", exitCode: 0, signal: null });
    expect(out()).toBe([...words, "l'été\n$x"].map((word) => `${word}|`).join(""));
  });

  it("SU-9 runs an attempt once", () => {
    runWrapper(order, "1");
    expect(runWrapper(order, "2").report).toMatchObject({ cause: "begunBefore", siteJob: "2" });
  });

  it("keeps the limit, and tells codes and signals", () => {
    const shell = (script: string): SubmitOrder => ({
      ...order,
      command: ["sh", "-c", script],
      limitMs: 500,
    });
    const slow = runWrapper({ ...shell("sleep 30"), token: "a/2" }).report;
    expect(slow).toMatchObject({ cause: "timeLimit", signal: "SIGTERM", exitCode: null });
    expect(runWrapper({ ...shell("exit 3"), token: "a/3" }).report).toMatchObject({ exitCode: 3 });
    expect(runWrapper({ ...shell("kill -9 $$"), token: "a/4" }).report).toMatchObject({ signal: "SIGKILL" });
    const none = { ...order, token: "a/5", command: ["no-such-program-anywhere"] };
    expect(runWrapper(none).report).toMatchObject({ cause: "notOnPath", startedAtMs: null });
  });
});
