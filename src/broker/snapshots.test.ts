import { describe, expect, it } from "vitest";
import type { ClusterSnapshot } from "../model/index.ts";
import type { ForeignSite } from "../runtime/index.ts";
import { snapshotsOf } from "./snapshots.ts";

/** A site that counts its looks and can fail. */
function countingSite(surveyEveryMs = 10_000) {
  const looks = { count: 0, fails: false };
  const site: Pick<ForeignSite, "surveyEveryMs" | "snapshot"> = {
    surveyEveryMs,
    snapshot: async () => {
      looks.count++;
      if (looks.fails) throw new Error("the controller is away");
      return { atMs: looks.count } as ClusterSnapshot;
    },
  };
  return { looks, site: site as ForeignSite };
}

describe("snapshots of a cluster", () => {
  it("BR-14 many who ask within a while share one look, those who come later get another", async () => {
    const { looks, site } = countingSite();
    const clock = { now: 1000, nowMs: () => clock.now };
    const snapshot = snapshotsOf(site, clock);
    await Promise.all([snapshot?.(), snapshot?.(), snapshot?.()]);
    clock.now += 29_999;
    expect((await snapshot?.())?.atMs).toBe(1);
    clock.now += 1;
    expect((await snapshot?.())?.atMs).toBe(2);
    expect(looks.count).toBe(2);
  });

  it("BR-14 a look that fails is not kept; a site that is asked seldom is looked at as seldom", async () => {
    const { looks, site } = countingSite(60_000);
    const clock = { now: 0, nowMs: () => clock.now };
    const snapshot = snapshotsOf(site, clock);
    looks.fails = true;
    await expect(snapshot?.()).rejects.toThrow("the controller is away");
    looks.fails = false;
    expect((await snapshot?.())?.atMs).toBe(2);
    clock.now += 59_000;
    expect((await snapshot?.())?.atMs).toBe(2);
  });

  it("BR-14 a site that shows no more than its queue has none", () => {
    const { site } = countingSite();
    expect(snapshotsOf({ ...site, snapshot: undefined } as never, { nowMs: () => 0 })).toBeUndefined();
  });
});
