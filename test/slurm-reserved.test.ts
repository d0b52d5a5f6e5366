/** A slot of a real cluster: priced, offered, accepted, used, cancelled, through the whole broker. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type SlurmBroker, slurmBroker } from "./slurm-broker.ts";
import { hasSlurm, howToInstallSlurm } from "./slurm-clusters.ts";
import { type OwnCluster, ownCluster } from "./slurm-daemons.ts";

const SECOND = 1000;
const POLL = { timeout: 300 * SECOND, interval: 250 };
const about = { retry: 1, timeout: 400_000 };

describe.skipIf(!hasSlurm)(`a slot of a real cluster${howToInstallSlurm}`, about, () => {
  let cluster: OwnCluster;
  let broker: SlurmBroker;
  let made = 0;

  beforeAll(async () => {
    cluster = await ownCluster("V", 2, { KillWait: "2" });
    // Both nodes have four processors; half of a site may be reserved.
    broker = await slurmBroker(cluster, { procs: 8 });
    await broker.troubled(false);
  });
  afterEach(async () => {
    const { items } = await broker.brokerApi.reservations({ states: ["OFFERED", "ACCEPTED", "ACTIVE"] });
    for (const { id, state } of items) {
      const kind = state === "ACTIVE" ? "relinquish" : "cancelReservation";
      await broker.brokerApi.ask({ kind, reservation: id, by: "u" });
    }
    await expect.poll(shown, POLL).toBe(0);
  }, 90 * SECOND);
  afterAll(() => broker?.stop());

  const shown = async (): Promise<number> => {
    const { out } = await cluster.slurm("scontrol", "-o", "show", "reservation");
    return [...out.matchAll(/^ReservationName=stint-/gm)].length;
  };
  const stateOf = async (id: string) => (await broker.brokerApi.reservation(id))?.state;

  /** Offers and accepts four processors; gives the id. */
  async function reserved(afterMs: number, durationMs: number): Promise<string> {
    const reservation = `slot${++made}`;
    const slot = { procs: 4, memoryBytes: 0, startMs: Date.now() + afterMs, durationMs };
    const whose = { site: "cluster", consumer: "vo/user", owner: "u" };
    const offered = await broker.brokerApi.ask({ kind: "offerSlot", reservation, ...whose, ...slot });
    expect(offered).toMatchObject({ ok: true, value: [{ kind: "slotOffered" }] });
    expect(await shown()).toBe(0);
    expect(await broker.brokerApi.ask({ kind: "acceptOffer", reservation, by: "u" })).toMatchObject({
      ok: true,
    });
    await expect
      .poll(async () => (await broker.brokerApi.reservation(reservation))?.siteReservation, POLL)
      .toMatch(/^stint-/);
    expect(await shown()).toBe(1);
    return reservation;
  }

  it("quotes leave it as it is", async () => {
    const question = {
      procs: 4,
      memoryBytes: 0,
      durationMs: 60 * SECOND,
      when: { kind: "whenever" },
    } as const;
    for (let time = 0; time < 100; time++) {
      const [{ starts }] = await broker.brokerApi.quote({ ...question, consumer: "vo/user" });
      expect(starts.length).toBeGreaterThan(0);
    }
    expect(await shown()).toBe(0);
  });

  it("is made on acceptance; its job starts in it, at its time, and not before", async () => {
    const id = await reserved(15 * SECOND, 60 * SECOND);
    const startMs = (await broker.brokerApi.reservation(id))?.startMs ?? 0;
    await broker.submit("inside", "date +%s; echo $SLURM_JOB_RESERVATION", { reservation: id, procs: 4 });
    const { id: job } = await broker.job("inside");
    const causes = async () => (await broker.brokerApi.explain(job))?.causes.map(({ kind }) => kind);
    await expect.poll(causes, POLL).toContain("reservationTurn");
    expect(await broker.until("inside", "DONE", "ABORTED")).toMatchObject({ result: "ok" });
    const [began, name] = (await broker.output("inside")).trim().split("\n");
    expect(Number(began)).toBeGreaterThanOrEqual(Math.floor(startMs / 1000));
    expect(name).toBe((await broker.brokerApi.reservation(id))?.siteReservation);
    // Slurm begins it with the second in which it begins, which may be over before its instant.
    await expect.poll(() => stateOf(id), POLL).toBe("ACTIVE");
    expect(await broker.brokerApi.ask({ kind: "relinquish", reservation: id, by: "u" })).toMatchObject({
      ok: true,
    });
    await expect.poll(shown, POLL).toBe(0);
  });

  it("is deleted when it is cancelled; who waits in it runs outside", async () => {
    const id = await reserved(3600 * SECOND, 60 * SECOND);
    await broker.submit("stranded", "true", { reservation: id });
    await expect.poll(async () => (await broker.job("stranded")).siteJob, POLL).not.toBe(null);
    expect(await broker.brokerApi.ask({ kind: "cancelReservation", reservation: id, by: "u" })).toMatchObject(
      {
        ok: true,
      },
    );
    await expect.poll(shown, POLL).toBe(0);
    expect(await broker.until("stranded", "DONE", "ABORTED", "CANCELLED")).toMatchObject({ result: "ok" });
  });

  it("EN-145 is not quoted where an administrator has reserved", async () => {
    // While something of ours is reserved others' are looked for each time.
    await reserved(7200 * SECOND, 60 * SECOND);
    const when = { kind: "at", startMs: Date.now() + 3700 * SECOND } as const;
    const size = { procs: 1, memoryBytes: 0, durationMs: 60 * SECOND };
    const starts = async (): Promise<number> =>
      (await broker.brokerApi.quote({ ...size, when, consumer: "vo/user" }))[0].starts.length;
    expect(await starts()).toBe(1);
    const words = ["ReservationName=maint", "StartTime=now+3600", "Duration=30", "Users=root", "Nodes=ALL"];
    await cluster.slurm("scontrol", "create", "reservation", ...words);
    await expect.poll(starts, POLL).toBe(0);
    await cluster.slurm("scontrol", "delete", "ReservationName=maint");
    await expect.poll(starts, POLL).toBe(1);
  });

  it("that an administrator deletes is violated, and paid back", async () => {
    const id = await reserved(3600 * SECOND, 60 * SECOND);
    const name = (await broker.brokerApi.reservation(id))?.siteReservation ?? "";
    await cluster.slurm("scontrol", "delete", `ReservationName=${name}`);
    await expect.poll(() => stateOf(id), { ...POLL, timeout: 300 * SECOND }).toBe("VIOLATED");
    const { postings } = await broker.brokerApi.account("vo/user");
    expect(postings[0]).toMatchObject({ kind: "violated", about: id });
  });
});
