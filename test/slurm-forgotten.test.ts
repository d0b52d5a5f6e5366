/**
 * Jobs that a real controller has forgotten before they were seen ended, with their accounting and without.
 *
 * The cluster has an accounting of its own, since that is killed here; it keeps no comments.
 */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sharedProcesses } from "../scripts/clusters/processes.ts";
import { createClient, type JobView } from "../src/api/client/index.ts";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { endsIn } from "./logged-ends.ts";
import { clusterStatus, hasSlurm, howToInstallSlurm, runCommand, slurmScript } from "./slurm-clusters.ts";

const SECOND = 1000;
/** A controller purges once a minute. */
const POLL = { timeout: 300 * SECOND, interval: SECOND };
/** Longer than a job may be missing. */
const LOOKED_FOR_MS = 40 * SECOND;
const about = { timeout: 600 * SECOND };

describe.skipIf(!hasSlurm)(`what a real cluster has forgotten${howToInstallSlurm}`, about, () => {
  let folder: string;
  let broker: LiveBroker | undefined;
  let SLURM_CONF = "";
  const brings = () => ["up", "--name", "G", "--nodes", "2", "--kind", "plain", "--dir", join(folder, "c")];
  const state = () => join(folder, "state");
  const client = () => createClient({ socketPath: join(state(), "stint.sock") });
  const slurm = async (...words: readonly string[]): Promise<string> =>
    (await runCommand(words, { SLURM_CONF })).out.trim();

  beforeAll(async () => {
    folder = mkdtempSync("/tmp/stint-f-");
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, "jobs"));
    mkdirSync(state(), { mode: 0o700 });
    await slurmScript(brings());
    SLURM_CONF = (await clusterStatus(join(folder, "c"), "G"))[0]?.slurmConf ?? "";
    const text = readFileSync(SLURM_CONF, "utf8");
    writeFileSync(
      SLURM_CONF,
      text.replace(/^MinJobAge=.*$/m, "MinJobAge=2").replace(/^AccountingStoreFlags=.*$/m, ""),
    );
    await slurm("scontrol", "reconfigure");
    const site = ["name: cluster", "type: slurm", "readOnly: false", `slurmConf: ${SLURM_CONF}`];
    const more = [`submitDirectory: ${join(folder, "jobs")}`, "pollsPerMinute: 60"];
    const lines = [...site, ...more].map((line, at) => `${at === 0 ? "  - " : "    "}${line}`);
    writeFileSync(join(folder, "stint.yaml"), `sites:\n${lines.join("\n")}\n`);
  }, 180 * SECOND);
  afterAll(async () => {
    if (broker?.isUp()) await broker.end("SIGKILL");
    if (folder === undefined) return;
    await slurmScript(["down", "--all", "--purge", "--dir", join(folder, "c")]);
    rmSync(folder, { recursive: true, force: true });
  }, 120 * SECOND);

  const begin = async (): Promise<void> => {
    if (broker?.isUp()) await broker.end("SIGKILL");
    broker = await startLiveBroker(state(), ["--no-tcp", "--config", join(folder, "stint.yaml")]);
  };
  const submit = async (line: string, procs = 1): Promise<string> => {
    const asked = { executable: "sh", arguments: ["-c", line], procs, wallTimeSec: 600 };
    const [id = ""] = await client().submit([asked]);
    return id;
  };
  const jobs = (ids: readonly string[]): Promise<readonly JobView[]> =>
    Promise.all(ids.map((id) => client().job(id)));

  const states = async (ids: readonly string[]): Promise<string> =>
    (await jobs(ids)).map(({ state }) => state).join(" ");

  /** Jobs that end by themselves, one that is cancelled as it runs, one before; while no broker looks. */
  const forgotten = async (whileAway: () => Promise<unknown>) => {
    const gate = join(folder, `go-${Math.random()}`);
    const wait = `until [ -e ${gate} ]; do sleep 0.2; done`;
    const ends = [await submit(`${wait}; true`), await submit(`${wait}; exit 3`)];
    const up = [...ends, await submit("sleep 900", 6)];
    await expect.poll(() => states(up), POLL).toBe("RUNNING RUNNING RUNNING");
    const ids = [...up, await submit("true", 8)];
    await expect.poll(async () => (await client().job(ids[3] ?? "")).siteJob, POLL).not.toBeNull();
    const siteJobs = (await jobs(ids)).map(({ siteJob }) => siteJob ?? "");
    await broker?.end("SIGKILL");
    await whileAway();
    await slurm("scancel", ...siteJobs.slice(2));
    writeFileSync(gate, "");
    await expect.poll(() => slurm("squeue", "-h", "-t", "all", "-o", "%i"), POLL).toBe("");
    await begin();
    return ids;
  };
  const told = async (ids: readonly string[]) =>
    (await jobs(ids)).map((job) => `${job.state} ${job.exitCode ?? job.signal ?? "-"}`);
  const WHAT_THEY_WERE = ["DONE 0", "DONE 3", "CANCELLED SIGTERM", "CANCELLED -"];
  const onceEach = async (ids: readonly string[]): Promise<void> => {
    await broker?.end("SIGTERM");
    const ends = await endsIn(state());
    expect(ids.map((id) => ends.get(id))).toEqual(ids.map(() => 1));
  };

  it("SU-7 with an accounting without comments: every job has one end, the right one", async () => {
    await begin();
    const ids = await forgotten(async () => undefined);
    await expect.poll(() => told(ids), POLL).toEqual(WHAT_THEY_WERE);
    await onceEach(ids);
  });

  it("SU-37 FS-30 its accounting is killed, and comes back: nothing is lost meanwhile", async () => {
    await begin();
    const ids = await forgotten(async () => {
      const dir = join(folder, "c");
      for (const { pid, daemon } of sharedProcesses(dir)) {
        if (daemon === "slurmdbd") process.kill(pid, "SIGKILL");
      }
    });
    const reported = async () => (await told(ids)).slice(0, 3);
    await expect.poll(reported, POLL).toEqual(WHAT_THEY_WERE.slice(0, 3));
    const seenMs = async () => Date.parse((await client().site("cluster")).seenAt ?? "");
    const beganMs = await seenMs();
    await expect.poll(async () => (await seenMs()) - beganMs, POLL).toBeGreaterThan(LOOKED_FOR_MS);
    expect((await told(ids))[3]).toMatch(/^SCHEDULED/);
    expect(await slurmScript(brings())).toContain("slurmdbd");
    await expect.poll(() => told(ids), POLL).toEqual(WHAT_THEY_WERE);
    await onceEach(ids);
  });
});
