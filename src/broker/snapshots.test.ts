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

/** A broker whose clock is set by hand, and whose next look at the queue is, too. */
function world() {
  const waiting: (() => void)[] = [];
  const alarms: { readonly atMs: number; readonly call: () => void }[] = [];
  const at = { now: 1000 };
  const clock = {
    nowMs: () => at.now,
    wakeAt: (atMs: number, call: () => void) => {
      alarms.push({ atMs, call });
      return () => undefined;
    },
  };
  const seenAt = () => new Promise<void>((resolve) => waiting.push(resolve));
  const seen = (): void => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  const ring = (): void => {
    for (const { atMs, call } of alarms) if (atMs <= at.now) call();
  };
  return { at, clock, seenAt, seen, ring };
}

const never = () => false;

describe("snapshots of a cluster", () => {
  it("BR-14 callers within the interval share one snapshot; later ones get another", async () => {
    const { looks, site } = countingSite();
    const { at, ...broker } = world();
    const snapshot = snapshotsOf(site, broker);
    await Promise.all([snapshot?.(), snapshot?.(), snapshot?.()]);
    at.now += 59_999;
    expect((await snapshot?.())?.atMs).toBe(1);
    at.now += 1;
    expect((await snapshot?.())?.atMs).toBe(2);
    expect(looks.count).toBe(2);
  });

  it("BR-14 a failed survey is not kept", async () => {
    const { looks, site } = countingSite(60_000);
    const snapshot = snapshotsOf(site, world());
    looks.fails = true;
    await expect(snapshot?.()).rejects.toThrow("the controller is away");
    looks.fails = false;
    expect((await snapshot?.())?.atMs).toBe(2);
  });

  it("BR-14 a job missing in it is looked for once more, after the next survey of the queue", async () => {
    const { looks, site } = countingSite();
    const { at, seen, ring, ...broker } = world();
    const snapshot = snapshotsOf(site, broker);
    expect((await snapshot?.(never))?.atMs).toBe(1);
    at.now += 5000;
    const asked = Promise.all([snapshot?.(never), snapshot?.(never), snapshot?.(never)]);
    await new Promise(setImmediate);
    expect(looks.count).toBe(1);
    at.now += 4000;
    seen();
    expect((await asked).map((it) => it?.atMs)).toEqual([2, 2, 2]);
    expect((await snapshot?.())?.atMs).toBe(2);
    // A queue that cannot be seen keeps nobody waiting for ever.
    at.now += 35_000;
    const late = snapshot?.(never);
    await new Promise(setImmediate);
    at.now += 20_000;
    ring();
    expect((await late)?.atMs).toBe(3);
  });

  it("BR-14 a site that shows only its queue has no snapshot", () => {
    const { site } = countingSite();
    expect(snapshotsOf({ ...site, snapshot: undefined } as never, world())).toBeUndefined();
  });
});
