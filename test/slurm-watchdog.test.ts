/** What is suspended on a real cluster goes on when the broker is killed, and is watched when it stops. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createClient } from "../src/api/client/index.ts";
import { inSeconds, POLICY_DEFAULTS, type Policy, SLURM_DEFAULTS } from "../src/model/index.ts";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { asUser, hasSlurm, howToInstallSlurm } from "./slurm-clusters.ts";
import { type OwnCluster, ownCluster } from "./slurm-daemons.ts";

const SECOND = 1000;
const LEASE_MS = 15 * SECOND;
const POLL = { timeout: 300 * SECOND, interval: 500 };
const about = { retry: 1, timeout: 400 * SECOND };

describe.skipIf(!hasSlurm)(`suspensions on a real cluster${howToInstallSlurm}`, about, () => {
  let cluster: OwnCluster;
  let state: string;
  let broker: LiveBroker;

  const client = () => createClient({ socketPath: join(state, "stint.sock") });
  const up = async (): Promise<void> => {
    broker = await startLiveBroker(state, ["--no-tcp"], cluster.environment);
  };
  const half = (consumer: string, more: Partial<Policy> = {}): Policy => ({
    ...POLICY_DEFAULTS,
    ...{ provider: "cluster", consumer },
    epoch: { window: { kind: "sliding", lengthMs: 600 * SECOND }, sharePpm: 500_000 },
    ...more,
  });

  beforeAll(async () => {
    cluster = await ownCluster("D", 2, { KillWait: "2" });
  });
  beforeEach(async () => {
    state = mkdtempSync("/tmp/stint-watched-");
    await up();
    const enforcement = { granted: ["hold", "suspend"], minRunMs: SECOND, leaseMs: LEASE_MS } as const;
    const spec = { ...SLURM_DEFAULTS, type: "slurm", slurmConf: cluster.environment.SLURM_CONF } as const;
    await client().addSite({
      name: "cluster",
      spec: inSeconds({ ...spec, pollsPerMinute: 60, enforcement }),
    });
    await client().applyPolicies({
      policies: inSeconds([half("physics"), half("biology", { mode: "preempting" })]),
    });
  }, 120 * SECOND);
  afterEach(async () => {
    if (broker.isUp()) await broker.end("SIGKILL");
    for (const user of ["stint-alice", "stint-bob"]) await cluster.slurm("scancel", "--user", user);
    await expect.poll(queue, POLL).toEqual({});
    await expect.poll(watchdogs, POLL).toEqual([]);
    rmSync(state, { recursive: true, force: true });
  }, 300 * SECOND);
  afterAll(async () => {
    if (broker?.isUp()) await broker.end("SIGKILL");
  });

  const sbatch = async (user: "stint-alice" | "stint-bob", account: string): Promise<string> => {
    const words = ["sbatch", "--parsable", "-A", account, "-n4", "-t", "30", "-o", "/dev/null"];
    const { out, err } = await asUser(user, [...words, "--wrap", "sleep 1200"], cluster);
    expect(err).toBe("");
    return out.trim();
  };
  const queue = () => cluster.queue();
  /** The watchdogs of this broker's site, by their ids as processes. */
  const watchdogs = (): readonly string[] =>
    readdirSync("/proc").filter((pid) => {
      if (!/^\d+$/.test(pid)) return false;
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        return words.includes("watchdog-main") && words.includes(state);
      } catch {
        return false;
      }
    });
  const book = (): string => readFileSync(join(state, "sites/cluster/enforced.json"), "utf8");

  /** Two jobs that fill the cluster, of which one is suspended for a third. */
  const suspendedOne = async () => {
    const lent = [await sbatch("stint-alice", "physics"), await sbatch("stint-alice", "physics")];
    await expect.poll(async () => Object.values(await queue()), POLL).toEqual(["RUNNING", "RUNNING"]);
    const back = await sbatch("stint-bob", "biology");
    await expect.poll(async () => (await queue())[back], POLL).toBe("RUNNING");
    const stopped = Object.entries(await queue()).find(([, word]) => word === "SUSPENDED")?.[0];
    expect(lent).toContain(stopped);
    expect(watchdogs()).toHaveLength(1);
    return { back, stopped: stopped ?? "" };
  };

  it("SU-34 the broker is killed: after the lease they run, and its next life knows it", async () => {
    const { back, stopped } = await suspendedOne();
    await broker.end("SIGKILL");
    expect((await queue())[stopped]).toBe("SUSPENDED");
    await cluster.slurm("scancel", back);
    await expect.poll(async () => (await queue())[stopped], POLL).toBe("RUNNING");
    await expect.poll(watchdogs, POLL).toEqual([]);
    await up();
    await expect.poll(book, POLL).toBe("[]");
    expect(watchdogs()).toEqual([]);
  });

  it("a broker that comes back in time goes on; it has one watchdog, which ends", async () => {
    const { back, stopped } = await suspendedOne();
    const [first] = watchdogs();
    await broker.end("SIGTERM");
    expect(watchdogs()).toEqual([first]);
    await up();
    const isAnother = () => watchdogs().length === 1 && watchdogs()[0] !== first;
    await expect.poll(isAnother, POLL).toBe(true);
    await cluster.slurm("scancel", back);
    await expect.poll(async () => (await queue())[stopped], POLL).toBe("RUNNING");
    await expect.poll(watchdogs, POLL).toEqual([]);
    expect(broker.isUp()).toBe(true);
  });
});
