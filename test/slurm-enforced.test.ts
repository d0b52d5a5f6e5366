/** Usage policies on a real cluster that knows nothing of them, through the whole broker. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { clusterExplanationText } from "../src/engine/index.ts";
import {
  ENFORCEMENT_DEFAULTS,
  type EnforcementStep,
  POLICY_DEFAULTS,
  type Policy,
} from "../src/model/index.ts";
import { type SlurmBroker, slurmBroker } from "./slurm-broker.ts";
import { asUser, hasSlurm, howToInstallSlurm } from "./slurm-clusters.ts";
import { type OwnCluster, ownCluster } from "./slurm-daemons.ts";

const SECOND = 1000;
const LEASE_MS = 20 * SECOND;
const POLL = { timeout: 300 * SECOND, interval: 500 };
const about = { retry: 1, timeout: 400_000 };

describe.skipIf(!hasSlurm)(`policies on a real cluster${howToInstallSlurm}`, about, () => {
  let cluster: OwnCluster;
  let broker: SlurmBroker;

  beforeAll(async () => {
    cluster = await ownCluster("E", 2, { KillWait: "2" });
    const enforcement = {
      ...ENFORCEMENT_DEFAULTS,
      ...{ granted: ["hold", "suspend"] as const, minRunMs: SECOND, leaseMs: LEASE_MS },
    };
    // Both nodes have four processors.
    broker = await slurmBroker(cluster, { procs: 8, enforcement });
    await broker.troubled(false);
  });
  afterEach(async () => {
    for (const user of ["stint-alice", "stint-bob"]) await cluster.slurm("scancel", "--user", user);
    await expect.poll(queue, POLL).toEqual({});
  }, 120 * SECOND);
  afterAll(() => broker?.stop());

  const policy = (consumer: string, percent: number, more: Partial<Policy> = {}): Policy => ({
    ...POLICY_DEFAULTS,
    ...{ provider: "cluster", consumer },
    epoch: { window: { kind: "sliding", lengthMs: 600 * SECOND }, sharePpm: percent * 10_000 },
    ...more,
  });
  const HALF_AT_ONCE = policy("physics", 20, { burst: { bucketMs: 5000, sharePpm: 500_000 } });
  const apply = (...policies: readonly Policy[]) =>
    broker.brokerApi.ask({
      kind: "applyPolicies",
      ...{ policies, effectiveFromMs: null, onVersion: null, by: "admin", note: "" },
    });
  /** A job of somebody, submitted past Stint. */
  const sbatch = async (
    user: "stint-alice" | "stint-bob",
    account: string,
    procs: number,
    ...more: string[]
  ) => {
    const words = ["sbatch", "--parsable", "-A", account, "-n", String(procs), "-t", "5", "-o", "/dev/null"];
    const { out, err } = await asUser(user, [...words, ...more, "--wrap", "sleep 240"], cluster);
    expect(err).toBe("");
    return out.trim();
  };
  const queue = () => cluster.queue();
  /** What the enforcer did to a job. */
  const doneTo = async (job: string) =>
    (await broker.brokerApi.actions({ job })).items.map(({ action }) => action.verb);

  it("a burst limit is kept, past Stint's own submissions; who waits for it is let in later", async () => {
    await apply(HALF_AT_ONCE, policy("biology", 80));
    const first = await sbatch("stint-alice", "physics", 4);
    const other = await sbatch("stint-bob", "biology", 4);
    await expect.poll(queue, POLL).toEqual({ [first]: "RUNNING", [other]: "RUNNING" });
    const second = await sbatch("stint-alice", "physics", 2);
    await expect.poll(() => doneTo(second), POLL).toContain("hold");
    // The lease's end is known from the first look at the queue after the hold.
    const held = /hold it until \d{4}-\d\d-\d\dT.*physics would exceed its burst limit/;
    await expect.poll(() => why(second), POLL).toMatch(held);
    // Not one line says how to get round the policy, nor that it would start when the lease ends.
    expect(await why(second)).not.toMatch(/begin time|not to start before|batch system expects|would start/);
    // There is room for it now, but not within the limit.
    await cluster.slurm("scancel", other);
    await expect.poll(async () => (await queue())[other], POLL).toBeUndefined();
    expect((await queue())[second]).toBe("PENDING");
    await cluster.slurm("scancel", first);
    await expect.poll(async () => (await queue())[second], POLL).toBe("RUNNING");
  });

  it("what is lent is taken back at once, and given back", async () => {
    await apply(policy("physics", 50), policy("biology", 50, { mode: "preempting" }));
    const lent = [await sbatch("stint-alice", "physics", 4), await sbatch("stint-alice", "physics", 4)];
    await expect.poll(async () => Object.values(await queue()), POLL).toEqual(["RUNNING", "RUNNING"]);
    const back = await sbatch("stint-bob", "biology", 4);
    await expect.poll(async () => (await queue())[back], POLL).toBe("RUNNING");
    expect(Object.values(await queue()).sort()).toEqual(["RUNNING", "RUNNING", "SUSPENDED"]);
    await cluster.slurm("scancel", back);
    const stands = async () => {
      const now = await queue();
      return lent.map((id) => now[id]);
    };
    await expect.poll(stands, POLL).toEqual(["RUNNING", "RUNNING"]);
  });

  /** What the broker says of a job of the cluster that waits, line by line. */
  const why = async (job: string): Promise<string> => {
    const answer = await broker.brokerApi.explainThere("cluster", job);
    if (answer === "notACluster" || answer.explanation === undefined) return "nothing";
    return clusterExplanationText(answer.explanation, (atMs) => new Date(atMs).toISOString()).join("\n");
  };

  const grant = async (...granted: readonly EnforcementStep[]) => {
    const spec = (await broker.brokerApi.sites()).find(({ name }) => name === "cluster")?.spec;
    if (spec === undefined) throw new Error("what must hold: the broker has its site");
    const enforcement = { ...ENFORCEMENT_DEFAULTS, granted, minRunMs: SECOND, leaseMs: LEASE_MS };
    await broker.brokerApi.ask({ kind: "changeSite", site: "cluster", spec: { ...spec, enforcement } });
  };

  it("EN-106 a refusal for one job exempts that job, and the next is taken", async () => {
    await grant("hold", "requeue");
    await apply(policy("physics", 50), policy("biology", 50, { mode: "preempting" }));
    const movable = await sbatch("stint-alice", "physics", 4, "--requeue");
    await expect.poll(async () => (await queue())[movable], POLL).toBe("RUNNING");
    // Slurm tells starts in whole seconds; in one, neither would have begun last.
    await sleep(1.5 * SECOND);
    // Begun last, it is the first candidate; Slurm runs no job anew that does not allow it.
    const fixed = await sbatch("stint-alice", "physics", 4, "--no-requeue");
    await expect.poll(async () => (await queue())[fixed], POLL).toBe("RUNNING");
    // What has not run for `minRunMs` is spared, and the other would be taken at once.
    await sleep(2.5 * SECOND);
    const back = await sbatch("stint-bob", "biology", 4);
    await expect.poll(async () => (await queue())[back], POLL).toBe("RUNNING");
    expect((await queue())[fixed]).toBe("RUNNING");
    const { items } = await broker.brokerApi.actions({ job: fixed });
    const refused = items.filter(({ action }) => action.cause.kind === "siteRefused");
    expect(refused.map(({ action }) => action)).toMatchObject([
      { verb: "requeue", cause: { about: "job", why: expect.stringContaining("disabled") } },
    ]);
    await grant("hold", "suspend");
  });

  it("EN-301 a broker with pilots in another broker's share keeps to it, and its jobs all run", async () => {
    // The second broker runs as root, whose jobs are of the account root.
    await apply({ ...HALF_AT_ONCE, consumer: "root" }, policy("biology", 80));
    const pilots = { max: 4, procs: 2, wallTimeMs: 300 * SECOND, idleMs: 0, consumer: "pilots" };
    const inner = await slurmBroker(cluster, { procs: 8, pilots });
    const beganAtMs = Date.now();
    const running = async (): Promise<number> => {
      const { out } = await cluster.slurm("squeue", "-h", "-u", "root", "-t", "RUNNING", "-o", "%C");
      return out.split("\n").reduce((sum, procs) => sum + Number(procs), 0);
    };
    // What starts at once on an idle cluster cannot be held before.
    const other = await sbatch("stint-bob", "biology", 4);
    try {
      await inner.troubled(false);
      await expect.poll(async () => (await queue())[other], POLL).toBe("RUNNING");
      const names = Array.from({ length: 8 }, (_, at) => `payload-${at}`);
      for (const name of names) await inner.submit(name, "sleep 20; echo ran", { wallTimeMs: 90 * SECOND });
      const heldPilots = async (): Promise<number> => {
        const { items } = await broker.brokerApi.actions({ site: "cluster" });
        return items.filter(({ action, atMs }) => action.verb === "hold" && atMs >= beganAtMs).length;
      };
      await expect.poll(heldPilots, POLL).toBeGreaterThan(0);
      await cluster.slurm("scancel", other);
      let mostProcs = 0;
      const ended = async (): Promise<number> => {
        mostProcs = Math.max(mostProcs, await running());
        const jobs = await Promise.all(names.map((name) => inner.job(name)));
        return jobs.filter(({ state }) => state === "DONE").length;
      };
      await expect.poll(ended, POLL).toBe(names.length);
      // Its burst limit is half of eight processors; four pilots would take all of them.
      expect(mostProcs).toBe(4);
      expect(await Promise.all(names.map((name) => inner.output(name)))).toEqual(names.map(() => "ran\n"));
      expect(inner.brokerApi.query("pilots").length).toBeGreaterThan(2);
    } finally {
      await cluster.slurm("scancel", "--user", "root");
      await inner.stop();
    }
  });

  it("when the broker is gone, what it held goes on by itself, and what a user held does not", async () => {
    await apply(HALF_AT_ONCE, policy("biology", 80));
    const running = [await sbatch("stint-alice", "physics", 4), await sbatch("stint-bob", "biology", 4)];
    await expect.poll(async () => Object.values(await queue()), POLL).toEqual(["RUNNING", "RUNNING"]);
    const waiting = await sbatch("stint-alice", "physics", 1);
    const own = await sbatch("stint-alice", "physics", 1, "--hold");
    await expect.poll(() => doneTo(waiting), POLL).toContain("hold");
    await broker.stop();
    await cluster.slurm("scancel", running[1]);
    await expect.poll(async () => (await queue())[waiting], POLL).toBe("RUNNING");
    expect((await queue())[own]).toBe("PENDING");
  });
});
