import { describe, expect, it } from "vitest";
import { HOUR, NOTHING_STORED, type Scene } from "../../../../test/engine-scene.ts";
import {
  accept,
  at,
  cancel,
  record,
  request,
  reserved,
  START,
  site,
} from "../../../../test/reservation-scene.ts";
import type { ReservationUsage } from "../../../model/index.ts";
import { apply, createProjection, restore } from "../../index.ts";

const NONE: ReservationUsage = {
  ...{ reservedProcMs: 0, usedProcMs: 0, delayedJobs: 0, pricedDelayProcMs: 0, causedDelayProcMs: 0 },
};
const LIMIT = { wallTimeMs: HOUR - 15_000 };

function sold(play: Scene): ReservationUsage | undefined {
  return play.projection.sites.get("here")?.sold;
}

/** What the log alone says. */
function replayed(play: Scene): ReservationUsage | undefined {
  const again = createProjection();
  for (const event of play.log) apply(again, event);
  return again.sites.get("here")?.sold;
}

/** a runs on all four for an hour; b waits for four, for another. */
function busy(play: Scene): void {
  play.submit("a", 4, LIMIT);
  play.submit("b", 4, LIMIT);
  play.settle();
  play.running("a");
}

describe("idle time of reservations", () => {
  it("is what its jobs did not use from its start to its end", () => {
    const play = site();
    reserved(play);
    play.submit("c", 2, { ...LIMIT, reservation: "r1" });
    play.submit("d", 1, { ...LIMIT, wallTimeMs: HOUR / 2, reservation: "r1" });
    expect(at(play, START + HOUR)).toEqual(["c", "d"]);
    play.running("c");
    play.running("d");
    play.now = START + 1.25 * HOUR;
    play.ended("d");
    expect(record(play)?.usedProcMs).toBe(HOUR / 4);
    expect(sold(play)).toEqual(NONE);
    at(play, START + 2 * HOUR);
    expect(sold(play)).toEqual({ ...NONE, reservedProcMs: 4 * HOUR, usedProcMs: 2.25 * HOUR });
    play.now = START + 2.01 * HOUR;
    play.ended("c");
    expect(sold(play)).toEqual({ ...NONE, reservedProcMs: 4 * HOUR, usedProcMs: 2.25 * HOUR });
    expect(replayed(play)).toEqual(sold(play));
  });

  it("is all of one that nobody used, and only what had passed of one that was given up", () => {
    const play = site();
    reserved(play);
    at(play, START + 1.5 * HOUR);
    expect(play.ask({ kind: "relinquish", reservation: "r1", by: "u1" })).toBe("ok");
    expect(sold(play)).toEqual({ ...NONE, reservedProcMs: 2 * HOUR });
    reserved(play, "r2", { startMs: START + 3 * HOUR });
    expect(play.ask(cancel("r2"))).toBe("ok");
    expect(sold(play)).toEqual({ ...NONE, reservedProcMs: 2 * HOUR });
  });

  it("survives a restart, also of a reservation that is not over", () => {
    const play = site();
    reserved(play);
    play.submit("c", 4, { ...LIMIT, wallTimeMs: HOUR / 2, reservation: "r1" });
    at(play, START + HOUR);
    play.running("c");
    play.now = START + 1.25 * HOUR;
    play.ended("c");
    const here = play.projection.sites.get("here");
    if (here === undefined) throw new Error("no site");
    const { name, spec, order, isDraining } = here;
    const again = restore(
      {
        ...NOTHING_STORED,
        sites: [{ name, spec, order, isDraining, sold: { ...NONE, reservedProcMs: HOUR } }],
        reservations: [...play.projection.reserved.records.values()],
      },
      play.now,
    );
    apply(again, {
      ...{ kind: "reservationFulfilled", reservation: "r1", site: "here", atMs: START + 2 * HOUR },
    });
    expect(again.sites.get("here")?.sold).toEqual({ ...NONE, reservedProcMs: 5 * HOUR, usedProcMs: HOUR });
  });
});

describe("real delays beside priced ones", () => {
  it("is how late the job started, beside what was priced for it", () => {
    const play = site();
    busy(play);
    reserved(play);
    expect(play.projection.jobs.get("b")?.delayed).toEqual({
      ...{ plannedMs: START + HOUR, by: [{ reservation: "r1", procMs: 4 * HOUR }] },
    });
    play.now = START + HOUR;
    play.ended("a");
    expect(play.settle()).toEqual([]);
    expect(sold(play)?.delayedJobs).toBe(0);
    expect(at(play, START + 2 * HOUR)).toEqual(["b"]);
    expect(sold(play)).toMatchObject({
      ...{ delayedJobs: 1, pricedDelayProcMs: 4 * HOUR, causedDelayProcMs: 4 * HOUR },
    });
    expect(play.projection.jobs.get("b")).not.toHaveProperty("delayed");
    expect(replayed(play)).toEqual(sold(play));
  });

  it("counts once for several reservations, since the first of them", () => {
    const play = site();
    busy(play);
    reserved(play);
    reserved(play, "r2", { startMs: START + 2 * HOUR });
    expect(play.projection.jobs.get("b")?.delayed).toMatchObject({
      ...{ plannedMs: START + HOUR, by: [{ reservation: "r1" }, { reservation: "r2", procMs: 4 * HOUR }] },
    });
    play.now = START + HOUR;
    play.ended("a");
    at(play, START + 3 * HOUR);
    expect(sold(play)).toMatchObject({
      delayedJobs: 1,
      pricedDelayProcMs: 8 * HOUR,
      causedDelayProcMs: 8 * HOUR,
    });
  });

  it("is nothing of a job that started no later than it was to", () => {
    const play = site();
    busy(play);
    reserved(play, "r1", { startMs: START + 1.5 * HOUR, durationMs: HOUR / 2 });
    play.now = START + 1000;
    play.ended("a");
    expect(play.settle()).toEqual(["b"]);
    expect(sold(play)).toMatchObject({
      ...{ delayedJobs: 1, pricedDelayProcMs: 4 * HOUR, causedDelayProcMs: 0 },
    });
  });

  it("leaves out what was given back, and who does not wait any more", () => {
    const play = site();
    busy(play);
    reserved(play);
    expect(play.ask(cancel("r1"))).toBe("ok");
    expect(play.projection.jobs.get("b")).not.toHaveProperty("delayed");
    expect(play.ask(request("r2"))).toBe("ok");
    expect(record(play, "r2")?.delayed).toEqual([{ job: "b", plannedMs: START + HOUR, procMs: 4 * HOUR }]);
    play.act("cancel", "b");
    play.settle();
    expect(play.ask(accept("r2"))).toBe("ok");
    expect(record(play, "r2")).not.toHaveProperty("delayed");
    at(play, START + 3 * HOUR);
    expect(sold(play)).toMatchObject({ delayedJobs: 0, pricedDelayProcMs: 0 });
  });
});
