import { describe, expect, it } from "vitest";
import { HOUR, scene } from "../../test/engine-scene.ts";
import { steppableClock } from "../../test/steppable-clock.ts";
import { accepted } from "../base/index.ts";
import type { Command, Policy, SiteSpec } from "../model/index.ts";
import { recordTransfers } from "./transfer-record.ts";
import { createTransfers } from "./transfers.ts";

const MINUTE = 60_000;
const RATE = 1024 * 1024;
const SITE: SiteSpec = {
  ...{ type: "managed", procs: 10, memoryBytes: 2 ** 30, discipline: "fcfs", defaultWallTimeMs: HOUR },
  links: { uplink: { rateBytesPerSec: RATE } },
};
const HALF: Policy = {
  ...{ resource: "network", provider: "here", consumer: "a" },
  epoch: { window: { kind: "sliding", lengthMs: HOUR }, sharePpm: 500_000 },
  burst: { bucketMs: MINUTE, sharePpm: 500_000 },
  ...{ rule: "entitlement", mode: "shared", carry: "forgive" },
};

type Noted = Extract<Command, { kind: "noteTransfers" }>;

/** A broker of one site since midnight of 1970, with or without a policy of its link. */
function stage(policies: readonly Policy[] = [HALF]) {
  const play = scene({});
  play.now = 0;
  play.ask({ kind: "addSite", site: "here", spec: SITE });
  const more = { effectiveFromMs: null, onVersion: null, by: "admin", note: "" };
  play.ask({ kind: "applyPolicies", policies, ...more });
  const clock = steppableClock(0);
  const transfers = createTransfers({ projection: play.projection, clock });
  const noted: Noted[] = [];
  const warnings: string[] = [];
  const trouble = { isBroken: false };
  const record = recordTransfers({
    round: {
      projection: play.projection,
      nowMs: () => clock.nowMs(),
      ask: async (command) => {
        if (trouble.isBroken) throw new Error("the disk is full");
        if (command.kind === "noteTransfers") noted.push(command);
        return accepted([]);
      },
    },
    ...{ clock, transfers, warn: (message: string) => void warnings.push(message) },
  });
  return { clock, transfers, noted, warnings, record, trouble };
}

const told = ({ fromMs, toMs, passed }: Noted) => [fromMs / MINUTE, toMs / MINUTE, passed];

async function quiet(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Lets time pass from alarm to alarm, to a minute since the beginning. */
async function until({ clock }: ReturnType<typeof stage>, minute: number): Promise<void> {
  await quiet();
  while (clock.nowMs() < minute * MINUTE) {
    clock.moveTo(Math.min(minute * MINUTE, Math.max(clock.nowMs(), clock.nextAlarmMs())));
    await quiet();
  }
}

describe("BR-59 transfers over links are recorded", () => {
  it("by the minute while something passes, with the idle time before it", async () => {
    const on = stage();
    await until(on, 2.5);
    await on.transfers.pass({ site: "here", consumer: "a/u", mostBytes: 1000 });
    await until(on, 5);
    expect(on.noted.map(told)).toEqual([
      [0, 2, []],
      [2, 3, [{ consumer: "a/u", bytes: 1000 }]],
    ]);
    await on.record.stop();
    expect(on.noted.slice(2).map(told)).toEqual([[3, 5, []]]);
  });

  it("once an hour while nothing does, and without a gap between", async () => {
    const on = stage();
    await until(on, 121);
    expect(on.noted.map(told)).toEqual([
      [0, 60, []],
      [60, 120, []],
    ]);
  });

  it("what passed ahead of its time counts then: a burst that is kept is kept on record", async () => {
    const on = stage();
    let sum = 0;
    const gone = new AbortController();
    const read = async (): Promise<void> => {
      for (;;) {
        const request = { site: "here", consumer: "a/u", mostBytes: RATE, signal: gone.signal };
        sum += await on.transfers.pass(request);
      }
    };
    void read().catch(() => undefined);
    await until(on, 3);
    gone.abort();
    await until(on, 5);
    await on.record.stop();
    const minutes = on.noted.map(({ passed }) => passed.reduce((all, { bytes }) => all + bytes, 0));
    expect(minutes).toHaveLength(5);
    for (const bytes of minutes) expect(bytes).toBeLessThanOrEqual((RATE / 2) * 60);
    expect(minutes[0]).toBeGreaterThan((RATE / 2) * 60 * 0.99);
    expect(minutes.reduce((all, bytes) => all + bytes, 0)).toBe(sum);
  });

  it("nothing where no network policy counts it", async () => {
    const on = stage([]);
    await on.transfers.pass({ site: "here", consumer: "a/u", mostBytes: 1000 });
    await until(on, 90);
    await on.record.stop();
    expect(on.noted).toEqual([]);
  });

  it("where it cannot be recorded that is said, and it goes on", async () => {
    const on = stage();
    on.trouble.isBroken = true;
    await until(on, 60);
    expect(on.warnings).toEqual(["what passed over links was not recorded: the disk is full"]);
    on.trouble.isBroken = false;
    await until(on, 121);
    expect(on.noted.map(told)).toEqual([[60, 120, []]]);
  });
});
