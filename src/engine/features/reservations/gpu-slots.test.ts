/** Slots with GPUs: 4 processors and 2 GPUs at `here`, of which everybody may reserve all. */
import { describe, expect, it } from "vitest";
import { HOUR, type Scene } from "../../../../test/engine-scene.ts";
import {
  at,
  type Offer,
  RULES,
  record,
  request,
  reserved,
  START,
  site,
} from "../../../../test/reservation-scene.ts";
import type { ReservationRules, SiteSpec } from "../../../model/index.ts";
import { hindranceText } from "../../../model/index.ts";
import { livePrices } from "../../index.ts";

function withGpus(gpus = 2, rules: ReservationRules = RULES): Scene {
  const play = site(rules);
  const spec = here(play).spec as Extract<SiteSpec, { type: "managed" }>;
  expect(play.ask({ kind: "changeSite", site: "here", spec: { ...spec, gpus } })).toBe("ok");
  return play;
}

function here({ projection }: Scene) {
  const found = projection.sites.get("here");
  if (found === undefined) throw new Error("no site");
  return found;
}

/** Prices of one processor with so many GPUs for an hour. */
function prices(play: Scene, gpus: number) {
  const { consumer, durationMs } = request("?");
  const asked = { consumer, procs: 1, memoryBytes: 0, gpus, durationMs, when: { kind: "whenever" } } as const;
  return livePrices(play.projection, here(play), asked, play.now);
}

const slot = (gpus: number, more: Partial<Offer> = {}): Partial<Offer> => ({ procs: 1, gpus, ...more });

describe("a slot with GPUs", () => {
  it("EN-34 keeps its GPUs from other jobs until it ends, and its own job has them", () => {
    const play = withGpus();
    reserved(play, "r1", slot(2));
    expect(record(play)).toMatchObject({ procs: 1, gpus: 2 });
    play.submit("long", 1, { gpus: 1, wallTimeMs: 2 * HOUR });
    play.submit("plain", 3, { wallTimeMs: 2 * HOUR });
    play.submit("inside", 1, { gpus: 2, reservation: "r1", wallTimeMs: HOUR / 2 });
    expect(play.settle()).toEqual(["plain"]);
    expect(at(play, START + HOUR)).toEqual(["inside"]);
    expect(play.records.get("inside")?.gpuDevices).toEqual([0, 1]);
    play.running("inside");
    play.now += HOUR / 4;
    play.ended("inside");
    play.ended("plain");
    expect(play.settle()).toEqual([]);
    expect(at(play, START + 2 * HOUR)).toEqual(["long"]);
  });

  it("EN-33 is priced where enough GPUs are free, with the jobs that it delays", () => {
    const play = withGpus();
    play.submit("a", 1, { gpus: 2, wallTimeMs: HOUR - 15_000 });
    play.submit("b", 1, { gpus: 1, wallTimeMs: HOUR - 15_000 });
    play.settle();
    play.running("a");
    expect(prices(play, 0)[0]).toMatchObject({ startMs: START, fixedProcMs: 0 });
    expect(prices(play, 2)).toMatchObject([
      { startMs: START + HOUR, delaysJobs: 1 },
      { startMs: START + 2 * HOUR, delaysJobs: 0 },
    ]);
    expect(play.ask(request("r1", slot(2, { startMs: START })))).toBe("slotTaken");
    expect(play.ask(request("r1", slot(2)))).toBe("ok");
    expect(record(play)?.delayed).toMatchObject([{ job: "b" }]);
  });

  it("EN-34 two of them do not take the same GPU", () => {
    const play = withGpus();
    reserved(play, "r1", slot(1));
    expect(play.ask(request("r2", slot(2)))).toBe("slotTaken");
    expect(play.ask(request("r3", slot(1)))).toBe("ok");
  });

  it("EN-34 is refused where the site never has so many", () => {
    const play = withGpus(1);
    expect(prices(play, 2)).toEqual([]);
    expect(play.ask(request("r1", slot(2)))).toBe("slotGpusTooMany");
    expect(play.ask(request("r1", slot(-1)))).toBe("slotInvalid");
    const without = site();
    expect(prices(without, 1)).toEqual([]);
    expect(without.ask(request("r1", slot(1)))).toBe("slotGpusTooMany");
  });

  it("MK-11 the site's shares hold for its GPUs too", () => {
    const play = withGpus(4, { ...RULES, sharePpm: 500_000 });
    reserved(play, "r1", slot(2, { startMs: START }));
    const [{ hindrance }] = prices(play, 1);
    expect(hindrance).toMatchObject({ kind: "tooMuchReserved", of: "gpus", procs: 3, mostProcs: 2 });
    expect(hindrance && hindranceText(hindrance)).toContain("3 GPUs would be reserved, and the limit is 2");
    expect(prices(play, 0)[0].hindrance).toBeNull();
  });

  it("EN-36 an extension keeps the GPUs as well", () => {
    const play = withGpus();
    reserved(play, "r1", slot(2));
    play.submit("next", 1, { gpus: 1, wallTimeMs: HOUR });
    const more = { kind: "extendReservation", reservation: "r1", moreMs: HOUR, by: "u1" } as const;
    expect(play.ask({ ...more, mostFixedProcMs: 10 * HOUR })).toBe("ok");
    expect(play.ask(request("r2", slot(1, { startMs: START + 2 * HOUR })))).toBe("slotTaken");
    expect(at(play, START + HOUR)).toEqual([]);
    expect(at(play, START + 3 * HOUR)).toEqual(["next"]);
  });

  it("a job in it asks for no more GPUs than it has", () => {
    const play = withGpus();
    reserved(play, "r1", slot(1));
    reserved(play, "r2", slot(0, { procs: 1 }));
    const inside = (reservation: string, gpus: number) =>
      play.submit(`${reservation}-${gpus}`, 1, { gpus, reservation });
    expect([inside("r1", 1), inside("r1", 2), inside("r2", 1)]).toEqual([
      "ok",
      "notInReservation",
      "notInReservation",
    ]);
  });
});
