import { describe, expect, it } from "vitest";
import { HOUR, NOTHING_STORED, type Scene, scene, shown } from "../../../../test/engine-scene.ts";
import { accept, at, RULES, record, request, START } from "../../../../test/reservation-scene.ts";
import { balanceOf } from "../../../market/index.ts";
import type { JobDescription, VirtualReservationSlot } from "../../../model/index.ts";
import { decide, explain, restore, type SurveyedJob } from "../../index.ts";
import { virtualReservationHindrance, whyNotVirtualReservation } from "./answer-virtual.ts";

const MINUTE = 60_000;
const S = START + HOUR;
const slot: VirtualReservationSlot = {
  startMs: S,
  durationMs: HOUR,
  submitMs: START + 10 * MINUTE,
  probability: 0.9,
};
const later = { procs: 4, wallTimeMs: HOUR + 50 * MINUTE, site: "far" };

/** A foreign site, and a managed one that sells reservations: one that costs 4 SU beside its base is at S. */
function setting(): Scene {
  const play = scene({ here: 4 });
  play.now = START;
  const spec = play.projection.sites.get("here")?.spec;
  if (spec === undefined) throw new Error("no site");
  play.ask({ kind: "changeSite", site: "here", spec: { ...spec, reservations: RULES } });
  play.foreign("far", 8);
  play.look("far");
  return play;
}

function planned(
  more: Partial<VirtualReservationSlot> = {},
  description: Partial<JobDescription> = {},
): Scene {
  const play = setting();
  expect(submit(play, more, description)).toBe("ok");
  play.settle();
  return play;
}

function submit(
  play: Scene,
  more: Partial<VirtualReservationSlot>,
  description: Partial<JobDescription> = {},
): string {
  return play.submit("v", 4, { ...later, virtual: { ...slot, ...more }, ...description });
}

/** Reports the job as queued at its site. */
function waiting(play: Scene): Scene {
  at(play, slot.submitMs);
  play.report({ kind: "queued", job: "v", attempt: 1, siteJob: "7", atMs: play.now });
  return play;
}

/** Polls the site, which shows the job, at an instant. */
function seen(play: Scene, nowMs: number, job: Partial<SurveyedJob> = {}): void {
  play.now = nowMs;
  play.look("far", { jobs: [shown("7", "v/1", job)] });
  play.settle();
}

const runningSince = (startedAtMs: number) => ({ state: "running", startedAtMs }) as const;
const cancelledThere = { cause: "cancelled", exitCode: null } as const;

function causes(play: Scene): readonly { readonly kind: string }[] {
  const job = play.projection.jobs.get("v");
  return job === undefined ? [] : explain(play.projection, job, play.now).causes;
}

describe("virtual reservations", () => {
  it("EN-61 is planned until its instant, goes to its site then, and idles until its start", () => {
    const play = planned();
    expect(play.state("v")).toBe("WAITING");
    expect(decide(play.projection, play.now)).toMatchObject({ events: [], wakeAtMs: slot.submitMs });
    expect(causes(play)).toEqual([
      { kind: "virtualPlanned", site: "far", submitMs: slot.submitMs, startMs: S },
    ]);
    at(play, slot.submitMs - 1);
    expect(play.records.get("v")).toMatchObject({ state: "WAITING", site: null });
    waiting(play);
    expect(play.records.get("v")).toMatchObject({ state: "SCHEDULED", site: "far" });
    seen(play, S - 20 * MINUTE, runningSince(S - 20 * MINUTE));
    expect(causes(play)).toEqual([{ kind: "virtualIdle", site: "far", startMs: S }]);
    at(play, S);
    expect(causes(play)).toEqual([{ kind: "running", site: "far" }]);
  });

  it.each([
    ["a start that has gone by", {}, { startMs: START }],
    ["a site that allows none", { virtual: false }, {}],
    ["an end beyond what the site plans", { aheadMs: HOUR }, {}],
  ])("EN-61 is refused for %s", (_, rules, more) => {
    const play = setting();
    const spec = play.projection.sites.get("far")?.spec;
    if (spec === undefined) throw new Error("no site");
    play.ask({ kind: "changeSite", site: "far", spec: { ...spec, reservations: { ...RULES, ...rules } } });
    expect(submit(play, more)).toBe("mayNotReserveSlot");
  });

  it("EN-61 its account must cover the most that it may use", () => {
    const play = setting();
    const granted = { kind: "grant", grant: "g", site: "far", consumer: "vo", by: "u" } as const;
    play.ask({ ...granted, procMs: 7 * HOUR });
    expect(submit(play, {})).toBe("accountShort");
    play.ask({ ...granted, grant: "g2", procMs: HOUR });
    expect(submit(play, {})).toBe("ok");
  });

  it("one whose idle time cannot be counted exactly is refused with its size", () => {
    const play = setting();
    const spec = play.projection.sites.get("far")?.spec;
    if (spec === undefined) throw new Error("no site");
    const farMs = 366 * 24 * HOUR;
    const rules = { ...spec, reservations: { ...RULES, aheadMs: 2 * farMs } };
    const wanted = { startMs: play.now + farMs, durationMs: HOUR };
    const most = Math.floor(Number.MAX_SAFE_INTEGER / (farMs + HOUR));
    const asked = (procs: number) => virtualReservationHindrance(rules, { ...wanted, procs }, play.now);
    expect(asked(most)).toBeUndefined();
    expect(asked(most + 1)).toEqual({ kind: "uncounted", procs: most + 1, durationMs: farMs + HOUR });
    play.ask({ kind: "changeSite", site: "far", spec: rules });
    const request = { slot: { ...slot, ...wanted }, site: "far", procs: most + 1, consumer: "vo" };
    expect(whyNotVirtualReservation(play.projection, request, play.now)).toEqual({
      ...{ kind: "priceUncounted", site: "far", procs: most + 1, durationMs: farMs + HOUR },
    });
  });

  it("EN-61 is restored as planned", () => {
    const play = planned();
    const job = play.records.get("v");
    const stored = { ...NOTHING_STORED, jobs: job === undefined ? [] : [job], accepted: 1 };
    const restored = restore(stored, play.now);
    expect(decide(restored, play.now)).toEqual({ events: [], wakeAtMs: slot.submitMs });
  });

  it("EN-61 not shown running by a snapshot of its start or later, it is cancelled with the reason", () => {
    const play = waiting(planned());
    at(play, S + 1);
    expect(play.records.get("v")?.isCancelRequested).toBe(false);
    seen(play, S + 2);
    expect(play.records.get("v")).toMatchObject({ isCancelRequested: true, cancelCause: "startMissed" });
    play.ended("v", cancelledThere);
    expect(play.records.get("v")).toMatchObject({ state: "CANCELLED", cancelCause: "startMissed" });
    expect(play.projection.virtual.size).toBe(0);
  });

  it("EN-61 started in time and seen late, it goes on", () => {
    const play = waiting(planned());
    seen(play, S + MINUTE, runningSince(S));
    expect(play.records.get("v")).toMatchObject({ state: "RUNNING", isCancelRequested: false });
  });

  it("EN-61 started too late, it has run nothing, whatever its exit code", () => {
    const play = waiting(planned());
    play.now = S + MINUTE;
    const end = { cause: "exited", exitCode: 75, signal: null, cpuMs: null, detail: null } as const;
    const there = { token: "v/1", siteJob: "7", startedAtMs: S + 1000, endedAtMs: S + 2000, end };
    play.look("far", { ended: [there] });
    expect(play.records.get("v")).toMatchObject({
      ...{ state: "CANCELLED", cancelCause: "startMissed", exitCode: null },
    });
  });

  it("EN-61 without an open site it is cancelled at its start", () => {
    const play = planned();
    play.ask({ kind: "drainSite", site: "far", by: "u" });
    at(play, S);
    expect(play.records.get("v")).toMatchObject({ state: "CANCELLED", cancelCause: "startMissed" });
  });

  it("EN-61 still waiting at a managed site, it leaves the queue at its start", () => {
    const play = setting();
    play.submit("other", 4, { wallTimeMs: 3 * HOUR, site: "here" });
    submit(play, {}, { site: "here" });
    play.settle();
    at(play, S);
    expect(play.records.get("v")).toMatchObject({ state: "CANCELLED", site: "here" });
    expect(play.projection.sites.get("here")?.queue.machine.waiting.count).toBe(0);
  });

  it("EN-61 idle time is charged as use", () => {
    const play = waiting(planned());
    seen(play, S - 30 * MINUTE, runningSince(S - 30 * MINUTE));
    play.now = S + 15 * MINUTE;
    play.ended("v");
    const { ledger } = play.projection.sites.get("far") ?? setting().projection.sites.get("far") ?? {};
    expect(ledger && balanceOf(ledger, "vo")).toBe(-4 * 45 * MINUTE);
  });
});

/** A virtual reservation beside a priced one whose f is 4 SU: whoever waits is delayed by an hour. */
function combined(): Scene {
  const play = setting();
  play.submit("runs", 4, { wallTimeMs: HOUR - 15_000, site: "here" });
  play.submit("waits", 4, { wallTimeMs: HOUR - 15_000, site: "here" });
  play.settle();
  expect(play.ask(request("r1"))).toBe("ok");
  expect(play.ask(accept("r1"))).toBe("ok");
  play.settle();
  expect(record(play)).toMatchObject({ state: "ACCEPTED", fixedProcMs: 4 * HOUR });
  expect(submit(play, { besides: "r1" })).toBe("ok");
  play.settle();
  return waiting(play);
}

describe("combined with a priced reservation", () => {
  it("EN-63 a start that costs no more than f cancels the priced reservation for its penalty", () => {
    const play = combined();
    seen(play, S - 40 * MINUTE, runningSince(S - 40 * MINUTE));
    expect(record(play)).toBe(undefined);
    const cancelled = play.log.find(({ kind }) => kind === "reservationCancelled");
    expect(cancelled).toMatchObject({ penaltyProcMs: 0.4 * HOUR, refundProcMs: 7.6 * HOUR, by: "u1" });
    expect(play.records.get("v")).toMatchObject({ state: "RUNNING", isCancelRequested: false });
  });

  it.each([
    ["one that would idle too long", S - 56 * MINUTE, S - 55 * MINUTE],
    ["one that was not there in time", null, S + 1],
  ])("EN-63 %s is given up, and its job runs in the priced reservation", (_, startedMs, seenMs) => {
    const play = combined();
    play.ended("runs");
    seen(play, seenMs, startedMs === null ? {} : runningSince(startedMs));
    expect(play.records.get("v")).toMatchObject({ isRecalled: true, isCancelRequested: false });
    play.ended("v", cancelledThere);
    play.settle();
    expect(play.records.get("v")).toMatchObject({
      ...{ site: "here", attempt: 2, isRecalled: false },
      description: { reservation: "r1", wallTimeMs: HOUR },
    });
    expect(play.records.get("v")?.description.virtual).toBe(undefined);
    at(play, Math.max(S, play.now));
    expect(play.records.get("v")?.startDecidedAtMs).toBe(Math.max(S, seenMs));
    expect(record(play)?.state).toBe("ACTIVE");
  });

  it("EN-63 started too late, it returns for the priced reservation", () => {
    const play = combined();
    play.ended("runs");
    at(play, S);
    play.now = S + MINUTE;
    const end = { cause: "exited", exitCode: 75, signal: null, cpuMs: null, detail: null } as const;
    const there = { token: "v/1", siteJob: "7", startedAtMs: S + 1000, endedAtMs: S + 2000, end };
    play.look("far", { ended: [there] });
    play.settle();
    expect(play.records.get("v")).toMatchObject({ site: "here", description: { reservation: "r1" } });
  });

  it("EN-63 close to its start its place is kept, since its program may have begun", () => {
    const play = combined();
    seen(play, S - 20_000, runningSince(S - 56 * MINUTE));
    expect(record(play)).toBe(undefined);
    expect(play.records.get("v")).toMatchObject({ state: "RUNNING" });
  });

  it("EN-63 reported when both have begun, the priced reservation is released unless it is used", () => {
    const play = combined();
    play.ended("runs");
    at(play, S);
    expect(record(play)?.state).toBe("ACTIVE");
    seen(play, S + MINUTE, runningSince(S - MINUTE));
    expect(record(play)).toBe(undefined);
    expect(play.log.at(-1)).toMatchObject({ kind: expect.stringMatching(/posted|queueSettled/) });
    expect(play.log.some(({ kind }) => kind === "reservationRelinquished")).toBe(true);
  });

  it("EN-63 without the priced reservation it stands alone", () => {
    const play = combined();
    play.ask({ kind: "cancelReservation", reservation: "r1", by: "u1" });
    seen(play, S + 1);
    expect(play.records.get("v")).toMatchObject({ isCancelRequested: true, cancelCause: "startMissed" });
  });

  it("EN-63 cancelled by its owner, it does not return", () => {
    const play = combined();
    seen(play, S - 55 * MINUTE, runningSince(S - 56 * MINUTE));
    expect(play.act("cancel", "v")).toBe("ok");
    play.ended("v", cancelledThere);
    expect(play.state("v")).toBe("CANCELLED");
  });

  it.each([
    ["of somebody else", { consumer: "vo/other" }],
    ["of another time", { startMs: S + MINUTE }],
    ["that is too narrow", { procs: 2 }],
    ["that is not there", { reservation: "r2" }],
  ])("EN-61 a priced reservation %s cannot be combined with it", (_, more) => {
    const play = setting();
    expect(play.ask(request("r1", more))).toBe("ok");
    expect(play.ask(accept(request("r1", more).reservation))).toBe("ok");
    expect(submit(play, { besides: "r1" })).toBe("notInReservation");
  });
});
