import { describe, expect, it } from "vitest";
import { createPlayTime, createTimePot } from "./oracle.ts";

describe("time for plays that nobody asked for", () => {
  it("is a hundredth of what passes, however long the queue and however many plays are requested", () => {
    for (const jobs of [10, 300, 1000, 20_000]) {
      const plays = createPlayTime(0.000002);
      const eachMs = jobs * 0.4;
      let nowMs = 0;
      let playedMs = 0;
      for (; nowMs < 3_600_000; nowMs += 100) {
        if (!plays.hasTimeFor(jobs, nowMs)) continue;
        plays.took(jobs, eachMs);
        playedMs += eachMs;
      }
      expect(playedMs).toBeLessThanOrEqual(0.01 * nowMs + 2000 + eachMs);
      expect(playedMs).toBeGreaterThan(0);
    }
  });

  it("is enough for a site with a short queue", () => {
    const plays = createPlayTime(0.000002);
    for (let nowMs = 0; nowMs < 600_000; nowMs += 1000) {
      expect(plays.hasTimeFor(50, nowMs)).toBe(true);
      plays.took(50, 3);
    }
  });

  it("is not for plays that take longer than all that can be saved up, until queues are shorter", () => {
    const plays = createPlayTime(0.000002);
    plays.took(10_000, 30_000);
    expect(plays.hasTimeFor(10_000, 1e9)).toBe(false);
    expect(plays.hasTimeFor(10_000, 2e9)).toBe(false);
    expect(plays.hasTimeFor(2000, 2e9)).toBe(true);
  });

  it("is shared by plays of several kinds", () => {
    const pot = createTimePot();
    const [one, other] = [createPlayTime(0.0001, pot), createPlayTime(0.0001, pot)];
    expect(other.hasTimeFor(4000, 1)).toBe(true);
    one.took(4000, 1900);
    expect(other.hasTimeFor(4000, 1)).toBe(false);
    expect(other.hasTimeFor(4000, 200_000)).toBe(true);
  });
});
