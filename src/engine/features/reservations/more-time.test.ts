import { describe, expect, it } from "vitest";
import { HOUR, type Scene } from "../../../../test/engine-scene.ts";
import { cancel, RULES, record, reserved, START, site, USER } from "../../../../test/reservation-scene.ts";
import { livePrices } from "../../index.ts";

function starts(play: Scene, size: { readonly procs: number; readonly durationMs: number }) {
  const here = play.projection.sites.get("here");
  if (here === undefined) throw new Error("no site");
  const asked = { consumer: USER, memoryBytes: 0, ...size, when: { kind: "whenever" } } as const;
  return livePrices(play.projection, here, asked, play.now).map(({ startMs }) => startMs);
}

describe("more time for a reservation", () => {
  it("is extended to no more than the site's longest in all", () => {
    const play = site({ ...RULES, longestMs: 1.5 * HOUR });
    reserved(play);
    const extend = (moreMs: number): string =>
      play.ask({ kind: "extendReservation", reservation: "r1", moreMs, mostFixedProcMs: 0, by: "u1" });
    expect(extend(HOUR / 2 + 1)).toBe("mayNotReserveSlot");
    expect(extend(HOUR / 2)).toBe("ok");
    expect(extend(1)).toBe("mayNotReserveSlot");
  });

  it("MK-3 where it was extended nothing ends, before a restart and after it", () => {
    const play = site();
    reserved(play);
    const more = { moreMs: HOUR / 2, mostFixedProcMs: 0, by: "u1" };
    expect(play.ask({ kind: "extendReservation", reservation: "r1", ...more })).toBe("ok");
    const { startMs, durationMs } = record(play) ?? { startMs: 0, durationMs: 0 };
    expect(durationMs).toBe(1.5 * HOUR);
    const candidates = starts(play, { procs: 1, durationMs: 1000 });
    expect(candidates).toEqual([START, startMs + durationMs]);
    expect(play.ask(cancel("r1"))).toBe("ok");
    play.settle();
    expect(starts(play, { procs: 4, durationMs: HOUR })).toEqual([START]);
  });
});
