/**
 * What foreign sites promise that can keep something free: it is free for jobs of ours from its start to its
 * end, and for nobody else.
 *
 * Reservations here are of two processors, and the widest job leaves one free, so that others may use the
 * same site meanwhile.
 */
import { beforeEach, expect, it } from "vitest";
import type { Survey, SurveyedReservation } from "../../src/engine/index.ts";
import type { PlacedAttempt, ReservationOrder, SubmitOrder } from "../../src/runtime/index.ts";
import {
  aWhile,
  jobOf,
  nextLife,
  on,
  submit,
  submitAndRelease,
  surveyWith,
  untilEnded,
  untilState,
} from "./foreign-scene.ts";
import { gated } from "./site-stage.ts";

const PROCS = 2;
/** Clocks of batch systems have whole seconds. */
const GRAIN_MS = 1000;

/** An order that begins and ends so many steps from now. */
function rectangle(fromSteps: number, toSteps: number, token = "r-1"): ReservationOrder {
  const { harness } = on;
  const after = (steps: number): number => harness.nowMs() + steps * harness.stepMs;
  return { token, procs: PROCS, memoryBytes: 0, startMs: after(fromSteps), endMs: after(toSteps) };
}

const shown = ({ reservations }: Survey, token = "r-1"): SurveyedReservation | undefined =>
  reservations.find((it) => it.token === token);

const untilShown = (token = "r-1"): Promise<Survey> =>
  surveyWith(`${token} there`, (survey) => shown(survey, token) !== undefined);
const untilGone = (token = "r-1"): Promise<Survey> =>
  surveyWith(`${token} gone`, (survey) => shown(survey, token) === undefined);

const inside = (more: Partial<SubmitOrder> = {}): Partial<SubmitOrder> => ({ reservation: "r-1", ...more });

/** As wide as what others leave of the site, for an hour: it does not fit beside a reservation. */
async function wideJob(token: string): Promise<PlacedAttempt> {
  const { procs } = await on.site.capacity();
  return submitAndRelease(token, gated, { procs: procs - 1 });
}

async function startOf(attempt: PlacedAttempt): Promise<number> {
  return (await untilState(attempt, "running")).startedAtMs ?? Number.NaN;
}

/** The cases; each has a site of its own. */
export function describeReservations(): void {
  beforeEach(({ skip }) => {
    if (!on.site.abilities.has("reserve")) skip();
  });
  making();
  running();
  changing();
  ending();
}

function making(): void {
  it("FS-15 ordered twice a reservation is one, and surveys show it as it was ordered", async () => {
    const order = rectangle(10, 20);
    const name = await on.site.reserve(order);
    expect(await on.site.reserve(order)).toBe(name);
    await untilShown();
    const { reservations } = await aWhile();
    expect(reservations).toHaveLength(1);
    expect(reservations[0]).toMatchObject({ token: "r-1", siteReservation: name, procs: PROCS });
    expect(Math.abs(reservations[0].startMs - order.startMs)).toBeLessThanOrEqual(GRAIN_MS);
    expect(Math.abs(reservations[0].endMs - order.endMs)).toBeLessThanOrEqual(GRAIN_MS);
  });

  it("what cannot be kept free is refused for certain, and nothing is reserved", async () => {
    const { procs } = await on.site.capacity();
    const conflict = { kind: "refused", code: "reservationConflict" };
    await on.site.reserve(rectangle(10, 20));
    const all = { ...rectangle(15, 25, "r-2"), procs: procs - 1 };
    await expect(on.site.reserve(all)).rejects.toMatchObject(conflict);
    const tooWide = { ...rectangle(30, 40, "r-2"), procs: procs + 1 };
    await expect(on.site.reserve(tooWide)).rejects.toMatchObject({ kind: "refused" });
    await expect(on.site.reserve({ ...rectangle(1, 2), token: "A b" })).rejects.toMatchObject({
      kind: "badInput",
      code: "badReservationOrder",
    });
    await untilShown();
    expect((await aWhile()).reservations).toHaveLength(1);
  });

  it("what runs is not in the way only if it has ended before", async () => {
    const wide = await wideJob("1/1");
    await untilState(wide, "running");
    await expect(on.site.reserve(rectangle(2, 4))).rejects.toMatchObject({ code: "reservationConflict" });
    await on.site.act("cancel", wide);
    await untilEnded(wide);
    await surveyWith("free", ({ jobs }) => !jobs.some(({ token }) => token === "1/1"));
    await on.site.reserve(rectangle(2, 4));
  });
}

function running(): void {
  it("FS-17 a job in it starts when it starts, and whom it keeps out waits until it has ended", async () => {
    // Long enough that a busy machine sees it run before it has ended.
    const steps = Math.max(5, Math.ceil(5000 / on.harness.stepMs));
    const order = rectangle(3, 5 + steps);
    await on.site.reserve(order);
    const wide = await wideJob("1/1");
    const limitMs = steps * on.harness.stepMs;
    const job = await submitAndRelease("2/1", gated, inside({ limitMs, procs: PROCS }));
    await untilState(wide, "waiting");
    expect((await untilState(job, "waiting")).reason).not.toBeNull();
    const startedAtMs = await startOf(job);
    expect(startedAtMs).toBeGreaterThanOrEqual(order.startMs - GRAIN_MS);
    expect(startedAtMs).toBeLessThan(order.endMs);
    expect(await untilState(wide, "waiting")).toMatchObject({ startedAtMs: null });
    await on.site.act("cancel", job);
    await untilEnded(job);
    expect(await startOf(wide)).toBeGreaterThanOrEqual(order.endMs - GRAIN_MS);
  });

  it("FS-17 jobs in it go in order, as many at a time as it has processors", async () => {
    await on.site.reserve(rectangle(0, 100));
    const first = await submitAndRelease("1/1", gated, inside());
    const second = await submitAndRelease("2/1", gated, inside());
    await untilState(first, "running");
    await untilState(second, "running");
    const third = await submitAndRelease("3/1", gated, inside());
    expect(jobOf(await aWhile(), third.siteJob)?.state).toBe("waiting");
    await on.site.act("cancel", first);
    await untilState(third, "running");
  });

  it("a job for a reservation that is not there is refused for certain", async () => {
    await expect(submit("1/1", gated, inside())).rejects.toMatchObject({ kind: "refused" });
    expect((await aWhile()).jobs.filter(({ token }) => token !== null)).toEqual([]);
  });
}

function changing(): void {
  it("its end is moved by another order: later where nobody has it, sooner always", async () => {
    const order = rectangle(10, 20);
    await on.site.reserve(order);
    const longer = { ...order, endMs: rectangle(0, 30).endMs };
    await on.site.reserve(longer);
    const ends = (endMs: number) => (survey: Survey) =>
      Math.abs((shown(survey)?.endMs ?? 0) - endMs) <= GRAIN_MS;
    await surveyWith("longer", ends(longer.endMs));
    const { procs } = await on.site.capacity();
    await on.site.reserve({ ...rectangle(32, 50, "r-2"), procs: procs - 1 });
    const tooLong = { ...order, endMs: rectangle(0, 40).endMs };
    await expect(on.site.reserve(tooLong)).rejects.toMatchObject({ code: "reservationConflict" });
    await on.site.reserve(order);
    await surveyWith("as before", ends(order.endMs));
    expect((await untilShown("r-2")).reservations).toHaveLength(2);
  });

  it("given up it is gone with its jobs, and what it kept free is free", async () => {
    await on.site.reserve(rectangle(0, 1000));
    const runs = await submitAndRelease("1/1", gated, inside());
    const waits = await submit("2/1", gated, inside());
    await untilState(runs, "running");
    await untilState(waits, "held");
    const wide = await wideJob("3/1");
    await untilState(wide, "waiting");
    await on.site.unreserve("r-1");
    expect(await untilEnded(runs)).toMatchObject({ end: { cause: "cancelled" } });
    expect(await untilEnded(waits)).toMatchObject({ startedAtMs: null, end: { cause: "cancelled" } });
    await untilGone();
    await untilState(wide, "running");
    await on.site.unreserve("r-1");
    await on.site.unreserve("never-there");
  });
}

function ending(): void {
  it("FS-21 when it ends, what runs in it is ended, and what waits for it never starts", async () => {
    const order = rectangle(0, 50);
    await on.site.reserve(order);
    const runs = await submitAndRelease("1/1", gated, inside({ procs: PROCS }));
    const waits = await submitAndRelease("2/1", gated, inside());
    await untilState(runs, "running");
    await untilState(waits, "waiting");
    await on.site.reserve({ ...order, endMs: rectangle(0, 1).endMs });
    expect(await untilEnded(runs)).toMatchObject({ end: { cause: "timeLimit" } });
    await untilGone();
    await untilState(waits, "held");
    await on.site.act("release", waits);
    expect(jobOf(await aWhile(), waits.siteJob)).toMatchObject({ state: "held", startedAtMs: null });
    await on.site.act("cancel", waits);
    expect(await untilEnded(waits)).toMatchObject({ startedAtMs: null, end: { cause: "cancelled" } });
  });

  it("in another life of the broker reservations and their jobs are as they were", async () => {
    const order = rectangle(3, 1000);
    const name = await on.site.reserve(order);
    const job = await submitAndRelease("1/1", gated, inside());
    await untilState(job, "waiting");
    const before = (await untilShown()).reservations;
    await nextLife();
    expect((await on.site.survey()).reservations).toEqual(before);
    expect(await on.site.reserve(order)).toBe(name);
    expect(await startOf(job)).toBeGreaterThanOrEqual(order.startMs - GRAIN_MS);
    await nextLife();
    await untilState(job, "running");
    await on.site.unreserve("r-1");
    expect(await untilEnded(job)).toMatchObject({ end: { cause: "cancelled" } });
  });
}
