import { describe, expect, it } from "vitest";
import { HOUR, PATIENCE, type Scene, scene } from "../../../../test/engine-scene.ts";
import { at, kinds, record, request, reserved, START, USER } from "../../../../test/reservation-scene.ts";
import { balanceOf } from "../../../market/index.ts";
import { apply, observeReservation } from "../../index.ts";

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

  it("EN-38 is active and in the queue snapshot when the site has made it", () => {
    const play = atForeign();
    at(play, START + HOUR);
    expect(record(play)?.state).toBe("ACCEPTED");
    play.ask(request("r2", { site: "far", procs: 3 }));
    expect(record(play, "r2")).toBeUndefined();
    made(play);
    expect(record(play)?.state).toBe("ACTIVE");
    play.look("far", { reservations: [shownThere] });
    expect(play.projection.sites.get("far")?.queue.machine.reservations.size).toBe(1);
    at(play, START + 2 * HOUR);
    expect(kinds(play)).toContain("reservationFulfilled");
  });

  it("EN-38 is violated when the site has not shown it for its patience", () => {
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

  it("EN-38 a refused extension restores the reservation and refunds only the extension", () => {
    const play = atForeign();
    made(play);
    const before = record(play);
    const paid = balance(play);
    at(play, START + HOUR);
    expect(more(play)).toBe("ok");
    expect(more(play)).toBe("ok");
    expect(record(play)).toMatchObject({ durationMs: 3 * HOUR, baseProcMs: 6 * HOUR });
    report(play, { kind: "failed", why: "somebody follows" });
    expect(record(play)).toEqual({
      ...before,
      state: "ACTIVE",
      history: expect.arrayContaining([
        expect.objectContaining({ state: "ACTIVE", why: "not extended by 2h: somebody follows" }),
      ]),
    });
    expect(balance(play)).toBe(paid);
    // Told again, as after a restart, nothing else happens; what is not there at all is another matter.
    report(play, { kind: "made", siteReservation: "s1", endMs: START + 2 * HOUR });
    expect(kinds(play).filter((kind) => kind === "extensionRefused")).toHaveLength(1);
    report(play, { kind: "failed", why: "it is gone" });
    expect(kinds(play)).toContain("reservationViolated");
    expect(balance(play)).toBe(0);
  });

  it("EN-38 once an extension was made, it can no longer be undone", () => {
    const play = atForeign();
    made(play);
    more(play);
    // The answer to what was asked before comes late: more is still in doubt.
    report(play, { kind: "made", siteReservation: "s1", endMs: START + 2 * HOUR });
    expect(record(play)?.unextended?.durationMs).toBe(HOUR);
    report(play, { kind: "made", siteReservation: "s1", endMs: START + 3 * HOUR });
    expect(record(play)?.unextended).toBeUndefined();
    more(play);
    report(play, { kind: "failed", why: "somebody follows" });
    expect(record(play)).toMatchObject({ state: "ACCEPTED", durationMs: 2 * HOUR, baseProcMs: 4 * HOUR });
  });

  function more(play: Scene): string {
    const wanted = { moreMs: HOUR, mostFixedProcMs: 0, by: "u1" };
    return play.ask({ kind: "extendReservation", reservation: "r1", ...wanted });
  }

  function balance(play: Scene): number {
    const ledger = play.projection.sites.get("far")?.ledger;
    return (ledger && balanceOf(ledger, USER)) ?? 0;
  }

  function report(
    play: Scene,
    what:
      | { readonly kind: "made"; readonly siteReservation: string; readonly endMs: number }
      | { readonly kind: "failed"; readonly why: string },
  ): void {
    const events = observeReservation(play.projection.reserved, { reservation: "r1", ...what }, play.now);
    for (const event of events) {
      play.log.push(event);
      apply(play.projection, event);
    }
    play.settle();
  }

  function made(play: Scene): void {
    report(play, { kind: "made", siteReservation: "s1", endMs: START + 2 * HOUR });
  }
});
