import { describe, expect, it } from "vitest";
import { HOUR, scene } from "../../test/engine-scene.ts";
import { accept, at, RULES, request, START, USER } from "../../test/reservation-scene.ts";
import { steppableClock } from "../../test/steppable-clock.ts";
import { reservedRate } from "../engine/index.ts";
import type { Policy, SiteSpec } from "../model/index.ts";
import { createTransfers } from "./transfers.ts";

const RATE = 1024 * 1024;
const SITE: SiteSpec = {
  ...{ type: "managed", procs: 10, memoryBytes: 2 ** 30, discipline: "fcfs", defaultWallTimeMs: HOUR },
  ...{ reservations: RULES, links: { uplink: { rateBytesPerSec: RATE } } },
};

function network(consumer: string, percent: number): Policy {
  return {
    ...{ resource: "network", provider: "here", consumer },
    epoch: { window: { kind: "sliding", lengthMs: HOUR }, sharePpm: percent * 10_000 },
    burst: { bucketMs: 60_000, sharePpm: 1_000_000 },
    ...{ rule: "entitlement", mode: "shared", carry: "forgive" },
  };
}

/** Two processors and so many percent of the link, from `startMs` for an hour. */
function stage(policies: readonly Policy[], percent: number, startMs = START) {
  const play = scene({});
  play.now = START;
  play.ask({ kind: "addSite", site: "here", spec: SITE });
  const more = { effectiveFromMs: null, onVersion: null, by: "admin", note: "" };
  if (policies.length > 0) play.ask({ kind: "applyPolicies", policies, ...more });
  const slot = { startMs, durationMs: HOUR };
  const resource = { kind: "link", name: "uplink", amount: Math.floor((RATE * percent) / 100) } as const;
  const parts = [
    request("cpu", { ...slot, procs: 2 }),
    request("net", { ...slot, procs: 0, memoryBytes: 0, resource }),
  ];
  expect(play.ask({ kind: "offerTogether", together: "t", parts })).toBe("ok");
  expect(play.ask(accept("cpu"))).toBe("ok");
  play.settle();
  const clock = steppableClock(START);
  return { play, clock, transfers: createTransfers({ projection: play.projection, clock }) };
}

type Stage = ReturnType<typeof stage>;

/** Reads as fast as it may. */
function reader({ transfers }: Stage, consumer: string, reservation?: string) {
  const gone = new AbortController();
  const counted = { bytes: 0, stop: () => gone.abort() };
  const read = async (): Promise<void> => {
    for (;;) {
      const mostBytes = 256 * 1024;
      counted.bytes += await transfers.pass({
        ...{ site: "here", consumer, reservation, mostBytes, signal: gone.signal },
      });
    }
  };
  void read().catch(() => undefined);
  return counted;
}

async function pass({ clock }: Stage, ms: number): Promise<void> {
  const untilMs = clock.nowMs() + ms;
  const quiet = async (): Promise<void> => {
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  do {
    await quiet();
    clock.moveTo(Math.min(untilMs, Math.max(clock.nowMs(), clock.nextAlarmMs())));
    await quiet();
  } while (clock.nowMs() < untilMs || clock.nextAlarmMs() <= untilMs);
}

/** How much passed in 20 s after the first two, in percent of what the link carries. */
async function percents(on: Stage, readers: readonly { readonly bytes: number }[]) {
  await pass(on, 2000);
  const before = readers.map(({ bytes }) => bytes);
  await pass(on, 20_000);
  return readers.map(({ bytes }, index) => Math.round(((bytes - before[index]) * 100) / (RATE * 20)));
}

describe("EN-116 a reservation's part of a link", () => {
  const two = [network("vo", 20), network("vo2", 80)];

  it("is what its transfers have at least, however many others of its organisation there are", async () => {
    const on = stage(two, 20);
    const others = [reader(on, "vo/group/a"), reader(on, "vo/group/b"), reader(on, "vo2/u")];
    const [its, one, two_, far] = await percents(on, [reader(on, USER, "cpu"), ...others]);
    expect(its).toBeGreaterThanOrEqual(20);
    // Of what is left, 80, a fifth is the organisation's, in turns: half of that goes to the reservation.
    expect([its, one + two_, far]).toEqual([28, 8, 64]);
  });

  it("is lent while it transfers nothing", async () => {
    const on = stage(two, 20);
    expect(await percents(on, [reader(on, "vo/group/a"), reader(on, "vo2/u")])).toEqual([20, 80]);
  });

  it("is its own where no policy speaks of links, too", async () => {
    const on = stage([], 40);
    const others = [1, 2, 3].map((user) => reader(on, `vo${user}/u`));
    const [its, ...rest] = await percents(on, [reader(on, USER, "cpu"), ...others]);
    expect(its).toBe(70);
    expect(rest.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(30);
    for (const each of others) each.stop();
  });

  it("EN-116 belongs to the reservation's own jobs from its start to its end", () => {
    const { play } = stage(two, 20, START + HOUR);
    const rate = (reservation?: string) => reservedRate(play.projection.reserved, reservation);
    expect(rate("cpu")).toBe(0);
    at(play, START + HOUR);
    expect(rate("cpu")).toBe(Math.floor(RATE / 5));
    expect([rate(undefined), rate("other")]).toEqual([0, 0]);
    at(play, START + 2 * HOUR);
    expect(rate("cpu")).toBe(0);
  });
});
