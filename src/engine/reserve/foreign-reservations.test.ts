import { describe, expect, it } from "vitest";
import { HOUR, PATIENCE, type Scene, scene } from "../../../test/engine-scene.ts";
import { at, kinds, record, reserved, START, wish } from "../../../test/reservation-scene.ts";
import { apply } from "../index.ts";

describe("a reservation at a foreign site", () => {
  function atForeign(): Scene {
    const play = scene({});
    play.now = START;
    play.foreign("far", 4);
    play.settle();
    play.look("far");
    reserved(play, "r1", { site: "far", procs: 2 });
    return play;
  }
  const shownThere = {
    token: "r1",
    siteReservation: "s1",
    procs: 2,
    startMs: START + HOUR,
    endMs: START + 2 * HOUR,
  };

  it("EN-38 is active when the site has made it, and in the picture", () => {
    const play = atForeign();
    at(play, START + HOUR);
    expect(record(play)?.state).toBe("ACCEPTED");
    play.ask(wish("r2", { site: "far", procs: 3 }));
    expect(record(play, "r2")).toBeUndefined();
    made(play);
    expect(record(play)?.state).toBe("ACTIVE");
    play.look("far", { reservations: [shownThere] });
    expect(play.projection.sites.get("far")?.queue.machine.reservations.size).toBe(1);
    at(play, START + 2 * HOUR);
    expect(kinds(play)).toContain("reservationFulfilled");
  });

  it("EN-38 is violated when the site does not show it any more, after its patience", () => {
    const play = atForeign();
    made(play);
    play.look("far", { reservations: [shownThere] });
    play.now += 1000;
    play.look("far");
    expect(record(play)?.state).toBe("ACCEPTED");
    play.now += PATIENCE;
    play.look("far");
    expect(kinds(play)).toContain("reservationViolated");
  });

  it("EN-38 never made, it is violated at its end", () => {
    const play = atForeign();
    at(play, START + 2 * HOUR);
    expect(kinds(play)).toContain("reservationViolated");
  });

  function made(play: Scene): void {
    apply(play.projection, {
      kind: "reservationMade",
      reservation: "r1",
      site: "far",
      siteReservation: "s1",
      atMs: play.now,
    });
    play.settle();
  }
});
