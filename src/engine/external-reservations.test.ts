import { describe, expect, it } from "vitest";
import { HOUR, type Scene, scene } from "../../test/engine-scene.ts";
import { request, reserved, START, USER } from "../../test/reservation-scene.ts";
import { type ExternalReservation, livePrices, type SurveyedJob } from "./index.ts";

const maintenance: ExternalReservation = {
  name: "maint",
  procs: 4,
  startMs: START + HOUR,
  endMs: START + 3 * HOUR,
};
const theirs: SurveyedJob = {
  ...{ siteJob: "7", token: null, state: "running", procs: 3, memoryBytes: 0, limitMs: 2 * HOUR },
  ...{ submittedAtMs: START, startedAtMs: START, reason: null },
};

function far(): Scene {
  const play = scene({});
  play.now = START;
  play.foreign("far", 4);
  play.settle();
  play.look("far");
  return play;
}

/** When this many processors can be had for an hour, in hours from now. */
function starts(play: Scene, procs: number): readonly number[] {
  const site = play.projection.sites.get("far");
  if (site === undefined) throw new Error("no site");
  const asked = {
    consumer: USER,
    procs,
    memoryBytes: 0,
    durationMs: HOUR,
    when: { kind: "whenever" },
  } as const;
  return livePrices(play.projection, site, asked, play.now).map(({ startMs }) => (startMs - START) / HOUR);
}

describe("external reservations of a foreign site", () => {
  it("EN-145 are neither quoted nor offered", () => {
    const play = far();
    play.look("far", { setAside: [maintenance] });
    expect(starts(play, 1)).toEqual([0, 3]);
    const asked = { site: "far", procs: 1, startMs: START + HOUR, durationMs: HOUR };
    expect(play.ask(request("r1", asked))).toBe("slotTaken");
    play.look("far", { setAside: [{ ...maintenance, procs: 3 }] });
    expect(starts(play, 1)).toEqual([0, 1, 3]);
    play.look("far");
    expect(starts(play, 4)).toEqual([0]);
  });

  it("EN-145 may exceed what running jobs and reservations leave", () => {
    const play = far();
    reserved(play, "r1", { site: "far", procs: 2 });
    play.look("far", {
      jobs: [{ ...theirs, procs: 1 }],
      setAside: [maintenance, { ...maintenance, procs: 9 }],
    });
    const kept = [...(play.projection.sites.get("far")?.queue.machine.reservations.values() ?? [])];
    expect(kept.map(({ need }) => need[0])).toEqual([2, 1, 4]);
    expect(starts(play, 1)).toEqual([0, 3]);
  });

  it("EN-145 are not counted twice, by themselves and by the jobs in them", () => {
    const play = far();
    const now = { ...maintenance, startMs: START };
    play.look("far", { jobs: [{ ...theirs, setAside: "maint" }], setAside: [{ ...now, procs: 3 }] });
    expect(starts(play, 1)).toEqual([0, 3]);
    expect(starts(play, 2)).toEqual([3]);
    play.look("far", { jobs: [{ ...theirs, setAside: "gone" }] });
    expect(starts(play, 2)).toEqual([2]);
  });
});
