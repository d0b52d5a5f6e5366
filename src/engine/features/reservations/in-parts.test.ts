import { describe, expect, it } from "vitest";
import { HOUR } from "../../../../test/engine-scene.ts";
import { site, USER } from "../../../../test/reservation-scene.ts";
import { livePrices, livePricesInParts } from "../../index.ts";

describe("a price list made in parts", () => {
  it("EN-33 describes the queue as it was when it was begun", () => {
    const play = site();
    for (let at = 0; at < 400; at++) play.submit(`j${at}`, 1 + (at % 4), { wallTimeMs: HOUR + at * 1000 });
    play.settle();
    const here = play.projection.sites.get("here");
    if (here === undefined) throw new Error("no site");
    const when = { kind: "whenever" } as const;
    const asked = { consumer: USER, procs: 2, memoryBytes: 0, durationMs: HOUR, when };
    const whole = livePrices(play.projection, here, asked, play.now);
    expect(whole.length).toBeGreaterThan(256);
    const inParts = livePricesInParts(play.projection, here, asked, play.now);
    expect(inParts.next().done).toBe(false);
    play.submit("late", 4, { wallTimeMs: 9 * HOUR });
    play.now += HOUR;
    play.settle();
    let step = inParts.next();
    while (step.done !== true) step = inParts.next();
    expect(step.value).toEqual({ starts: whole, leftOut: 0 });
  });
});
