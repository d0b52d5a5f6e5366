import { describe, expect, it } from "vitest";
import { HOUR, type Scene, scene } from "../../test/engine-scene.ts";
import { type SteppableClock, steppableClock } from "../../test/steppable-clock.ts";
import type { Policy, SiteSpec } from "../model/index.ts";
import { createTransfers, type Transfers } from "./transfers.ts";

const RATE = 1024 * 1024;
const SITE: SiteSpec = {
  ...{ type: "managed", procs: 10, memoryBytes: 2 ** 30, discipline: "fcfs", defaultWallTimeMs: HOUR },
  links: { uplink: { rateBytesPerSec: RATE } },
};

function network(consumer: string, percent: number, more: Partial<Policy> = {}): Policy {
  return {
    ...{ resource: "network", provider: "here", consumer },
    epoch: { window: { kind: "sliding", lengthMs: HOUR }, sharePpm: percent * 10_000 },
    burst: { bucketMs: 60_000, sharePpm: 1_000_000 },
    ...{ rule: "entitlement", mode: "shared", carry: "forgive" },
    ...more,
  };
}

interface Stage {
  readonly play: Scene;
  readonly clock: SteppableClock;
  readonly transfers: Transfers;
}

function stage(policies: readonly Policy[], spec: SiteSpec = SITE): Stage {
  const play = scene({});
  play.now = 1_000_000;
  play.ask({ kind: "addSite", site: "here", spec });
  apply(play, policies);
  const clock = steppableClock(1_000_000);
  return { play, clock, transfers: createTransfers({ projection: play.projection, clock }) };
}

function apply(play: Scene, policies: readonly Policy[]): void {
  const more = { effectiveFromMs: null, onVersion: null, by: "admin", note: "" };
  play.ask({ kind: "applyPolicies", policies, ...more });
}

/** Reads as fast as it may, until it is told to stop. */
function reader({ transfers }: Stage, consumer: string) {
  const gone = new AbortController();
  const counted = { bytes: 0, stop: () => gone.abort(), isOver: false };
  const read = async (): Promise<void> => {
    for (;;) {
      const request = { site: "here", consumer, mostBytes: 256 * 1024, signal: gone.signal };
      counted.bytes += await transfers.pass(request);
    }
  };
  void read().catch(() => {
    counted.isOver = true;
  });
  return counted;
}

async function pass({ clock }: Stage, ms: number): Promise<void> {
  const untilMs = clock.nowMs() + ms;
  do {
    await quiet();
    clock.moveTo(Math.min(untilMs, Math.max(clock.nowMs(), clock.nextAlarmMs())));
    await quiet();
  } while (clock.nowMs() < untilMs || clock.nextAlarmMs() <= untilMs);
}

async function quiet(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** How much passed within a time, in percent of what the link carries. */
async function percents(on: Stage, ms: number, readers: readonly { readonly bytes: number }[]) {
  const before = readers.map(({ bytes }) => bytes);
  await pass(on, ms);
  const whole = (RATE * ms) / 1000;
  return readers.map(({ bytes }, index) => Math.round(((bytes - before[index]) * 100) / whole));
}

describe("BR-54 transfers keep to the rates of network policies", () => {
  it("two who transfer have their shares, however many transfers each has", async () => {
    const on = stage([network("a", 20), network("b", 80)]);
    const readers = ["a/u", "b/u", "b/v", "b/u"].map((consumer) => reader(on, consumer));
    await pass(on, 2000);
    const [a, ...b] = await percents(on, 40_000, readers);
    expect(a).toBe(20);
    expect(b.reduce((sum, each) => sum + each, 0)).toBeGreaterThanOrEqual(79);
    expect(Math.max(...b) - Math.min(...b)).toBeLessThanOrEqual(1);
  });

  it("what one leaves is lent, up to the burst, and taken back at once", async () => {
    const on = stage([network("a", 20), network("b", 80)]);
    const a = reader(on, "a");
    await pass(on, 2000);
    expect(await percents(on, 10_000, [a])).toEqual([100]);
    const b = reader(on, "b");
    await pass(on, 1000);
    expect(await percents(on, 20_000, [a, b])).toEqual([20, 80]);
    b.stop();
    await pass(on, 2000);
    expect(await percents(on, 10_000, [a])).toEqual([100]);
  });

  it("changed policies count within a second, and without policies nothing is bounded", async () => {
    const on = stage([network("a", 20), network("b", 80)]);
    const readers = [reader(on, "a"), reader(on, "b")];
    await pass(on, 2000);
    apply(on.play, [network("a", 50), network("b", 50)]);
    await pass(on, 2000);
    expect(await percents(on, 20_000, readers)).toEqual([50, 50]);
    for (const each of readers) each.stop();
    apply(on.play, []);
    expect(await on.transfers.pass({ site: "here", consumer: "a", mostBytes: 2 ** 30 })).toBe(2 ** 30);
  });

  it("where no link is declared nothing is bounded", async () => {
    const { links: _, ...bare } = SITE;
    const { transfers } = stage([network("a", 20)], bare);
    expect(await transfers.pass({ site: "here", consumer: "a", mostBytes: 2 ** 30 })).toBe(2 ** 30);
  });

  it("who goes away is waited for no longer, and takes nothing from the others", async () => {
    const on = stage([network("a", 20), network("b", 80)]);
    const [a, b] = [reader(on, "a"), reader(on, "b")];
    await pass(on, 2000);
    b.stop();
    await quiet();
    expect(b.isOver).toBe(true);
    await pass(on, 1000);
    expect(await percents(on, 10_000, [a])).toEqual([100]);
  });

  it("what was not used is given back", async () => {
    const on = stage([network("a", 100)]);
    let used = 0;
    const read = async (): Promise<void> => {
      while (on.clock.nowMs() < 1_020_000) {
        const bytes = await on.transfers.pass({ site: "here", consumer: "a", mostBytes: 200_000 });
        on.transfers.giveBack({ site: "here", consumer: "a" }, bytes - 50_000);
        used += 50_000;
      }
    };
    void read();
    await pass(on, 20_000);
    expect(Math.round((used * 100) / (20 * RATE))).toBe(100);
  });
});

describe("BR-59 transfers are measured", () => {
  it("by level: all since the broker began, and how much of late", async () => {
    const on = stage([network("a", 25), network("b", 75)]);
    const readers = [reader(on, "a/u"), reader(on, "b/u")];
    await pass(on, 20_000);
    const passed = new Map(on.transfers.passed("here").map((each) => [each.consumer, each]));
    const minutes = [...(passed.get("a")?.minutes.values() ?? [])];
    expect(minutes.reduce((sum, bytes) => sum + bytes, 0)).toBe(readers[0].bytes);
    expect(passed.get("a")?.bytesPerSec).toBeGreaterThan(0.2 * RATE);
    expect(passed.get("b")?.bytesPerSec).toBeGreaterThan(0.7 * RATE);
    for (const each of readers) each.stop();
    await pass(on, 10_000);
    expect(on.transfers.passed("here").every(({ bytesPerSec }) => bytesPerSec === 0)).toBe(true);
  });
});
