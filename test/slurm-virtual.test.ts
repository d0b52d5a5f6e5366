/** Virtual reservations at a real cluster, as anybody who may submit there can have them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JobDescription, VirtualReservationSlot } from "../src/model/index.ts";
import type { VirtualReservationQuestion } from "../src/runtime/index.ts";
import { type SlurmBroker, slurmBroker } from "./slurm-broker.ts";
import { asUser, clusterUp, hasSlurm, howToInstallSlurm, runCommand } from "./slurm-clusters.ts";
import { type OwnCluster, ownCluster } from "./slurm-daemons.ts";

const SECOND = 1000;
const POLL = { timeout: 300 * SECOND, interval: 250 };
const about = { retry: 1, timeout: 400_000 };
const LINE = "date +%s";

/** A start at a whole second, so far ahead. */
const startIn = (aheadMs: number): number => SECOND * Math.ceil((Date.now() + aheadMs) / SECOND);

/** Four processors from then on, whose job is submitted after a second. */
function fourFrom(startMs: number, more: Partial<VirtualReservationSlot> = {}): Partial<JobDescription> {
  const slot = { startMs, durationMs: 60 * SECOND, submitMs: Date.now() + SECOND, probability: 0.9, ...more };
  const wallTimeMs = slot.durationMs + startMs - slot.submitMs;
  return { site: "cluster", procs: 4, wallTimeMs, virtual: slot };
}

describe.skipIf(!hasSlurm)(`a virtual reservation at a real cluster${howToInstallSlurm}`, about, () => {
  let cluster: OwnCluster;
  let broker: SlurmBroker;

  beforeAll(async () => {
    cluster = await ownCluster("U", 2, { KillWait: "2" });
    broker = await slurmBroker(cluster, { procs: 8 });
    await broker.troubled(false);
  });
  afterAll(() => broker?.stop());

  it("EN-61 gets its processors early, idles, and begins on time", async () => {
    const startMs = startIn(25 * SECOND);
    await broker.submit("early", LINE, fourFrom(startMs));
    const { id } = await broker.job("early");
    const causes = async () => (await broker.brokerApi.explain(id))?.causes.map(({ kind }) => kind);
    expect(await causes()).toEqual(["virtualPlanned"]);
    await broker.until("early", "RUNNING");
    expect(await causes()).toEqual(["virtualIdle"]);
    expect(await broker.output("early")).toBe("");
    const ended = await broker.until("early", "DONE", "ABORTED", "CANCELLED");
    expect(ended).toMatchObject({ state: "DONE", result: "ok" });
    expect(ended.startedAtMs).toBeLessThan(startMs);
    expect(Number(await broker.output("early"))).toBeGreaterThanOrEqual(startMs / SECOND);
    const { postings } = await broker.brokerApi.account("vo/user");
    const charged = postings.find(({ about: job }) => job === id);
    const idleMs = startMs - (ended.startedAtMs ?? startMs);
    expect(-(charged?.procMs ?? 0)).toBeGreaterThanOrEqual(4 * idleMs);
  });

  it("EN-61 not started in time, it is cancelled and has run nothing", async () => {
    await broker.submit("wall", "sleep 120", { procs: 8, wallTimeMs: 180 * SECOND });
    await broker.until("wall", "RUNNING");
    await broker.submit("missed", "touch begun", fourFrom(startIn(8 * SECOND)));
    const ended = await broker.until("missed", "DONE", "ABORTED", "CANCELLED");
    expect(ended).toMatchObject({ state: "CANCELLED", cancelCause: "startMissed", startedAtMs: null });
    await broker.ask("cancel", "wall");
    await broker.until("wall", "CANCELLED", "DONE");
  });

  it("EN-63 dearer than the reservation beside it, it is given up and its job runs there", async () => {
    const startMs = startIn(75 * SECOND);
    const slot = { procs: 4, memoryBytes: 0, startMs, durationMs: 60 * SECOND };
    const whose = { site: "cluster", consumer: "vo/user", owner: "u" };
    const reservation = `beside${startMs}`;
    expect(await broker.brokerApi.ask({ kind: "offerSlot", reservation, ...whose, ...slot })).toMatchObject({
      ok: true,
    });
    await broker.brokerApi.ask({ kind: "acceptOffer", reservation, by: "u" });
    await broker.submit("turned", "date +%s; echo $SLURM_JOB_RESERVATION", {
      ...fourFrom(startMs, { besides: reservation }),
    });
    await expect
      .poll(async () => (await broker.job("turned")).description.reservation, POLL)
      .toBe(reservation);
    const ended = await broker.until("turned", "DONE", "ABORTED", "CANCELLED");
    expect(ended).toMatchObject({ state: "DONE", result: "ok", attempt: 2 });
    const [began, name] = (await broker.output("turned")).trim().split("\n");
    expect(Number(began)).toBeGreaterThanOrEqual(startMs / SECOND);
    expect(name).toBe((await broker.brokerApi.reservation(reservation))?.siteReservation);
    await broker.brokerApi.ask({ kind: "relinquish", reservation, by: "u" });
  });
});

describe.skipIf(!hasSlurm)(`planned from a cluster's accounting${howToInstallSlurm}`, about, () => {
  it("BR-18 predicts from others' waits when to submit, and that is what happens", async () => {
    const cluster = await clusterUp("A");
    const words = ["-n", "1", "-t", "1", "-J", "past", "-o", "/dev/null", "--wrap", "true"];
    const left = async () =>
      (await runCommand(["squeue", "-h", "-r", "-n", "past"], cluster.environment)).out;
    // Of the second what would have been said can be told from the first, and scored.
    for (const array of ["--array=1-70", "--array=1-30"]) {
      expect((await asUser("stint-alice", ["sbatch", array, ...words], cluster)).err).toBe("");
      await expect.poll(left, POLL).toBe("");
    }
    const broker = await slurmBroker(cluster);
    try {
      await broker.troubled(false);
      const durationMs = 60 * SECOND;
      const question = (): VirtualReservationQuestion => ({
        ...{ procs: 1, memoryBytes: 0, owner: "u", enough: 0.5 },
        ...{ startMs: startIn(40 * SECOND), durationMs },
      });
      const planned = async () => {
        const asked = question();
        const [quote] = await broker.brokerApi.quoteVirtualReservation(asked);
        return quote?.plan == null ? null : { ...quote.plan, startMs: asked.startMs };
      };
      // Accounting is asked within the six commands a minute.
      await expect.poll(planned, POLL).not.toBe(null);
      const plan = await planned();
      if (plan === null) throw new Error("it said so a moment ago");
      const { startMs, submitMs, wallTimeMs, probability, score } = plan;
      expect(score.kept.length).toBeGreaterThan(0);
      await broker.submit("planned", LINE, {
        ...{ site: "cluster", wallTimeMs, virtual: { startMs, durationMs, submitMs, probability } },
      });
      const ended = await broker.until("planned", "DONE", "ABORTED", "CANCELLED");
      expect(ended).toMatchObject({ state: "DONE", result: "ok" });
      expect(Number(await broker.output("planned"))).toBeGreaterThanOrEqual(startMs / SECOND);
    } finally {
      await broker.stop();
    }
  });
});
