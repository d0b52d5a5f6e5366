import { afterEach, describe, expect, it } from "vitest";
import { aCluster } from "../../test/cluster-scene.ts";
import { shown } from "../../test/engine-scene.ts";
import { add, clock, openScripted, pass, queue, start, worldForEach } from "../../test/foreign-broker.ts";
import { scriptedForeignSite } from "../../test/scripted-foreign-site.ts";
import { type SiteSpec, SLURM_DEFAULTS } from "../model/index.ts";
import type { Broker, OpenSite } from "./index.ts";
import { isBetween } from "./schedules.ts";

describe("the period of a schedule", () => {
  const never = { startMs: Number.POSITIVE_INFINITY, endMs: Number.POSITIVE_INFINITY };
  const isIn = (bar: typeof never, untilMs: number | null) => isBetween(bar, { sinceMs: 10, untilMs }, 50);

  it("has jobs without a planned start unless it has ended", () => {
    expect([null, 60, 50, 20].map((untilMs) => isIn(never, untilMs))).toEqual([true, true, false, false]);
  });

  it("has what overlaps it", () => {
    expect(isIn({ startMs: 0, endMs: 10 }, 20)).toBe(false);
    expect(isIn({ startMs: 0, endMs: 11 }, 20)).toBe(true);
    expect(isIn({ startMs: 20, endMs: 30 }, 20)).toBe(false);
    expect(isIn({ startMs: 20, endMs: 30 }, null)).toBe(true);
  });
});

describe("what is free", () => {
  worldForEach();
  let broker: Broker | undefined;
  afterEach(() => broker?.stop());

  it("is known at a cluster that is only observed, where nothing can be reserved", async () => {
    const snapshot = async () => aCluster({});
    const openSite = async (name: string, spec: SiteSpec): Promise<OpenSite> =>
      name === "cluster"
        ? { kind: "foreign", site: { ...scriptedForeignSite(queue, clock), name, snapshot } }
        : openScripted(name, spec);
    broker = await start({ openSite });
    const slurm = { ...SLURM_DEFAULTS, type: "slurm", procs: 8, memoryBytes: 2 ** 33 } as const;
    await add(broker, "cluster", slurm);
    const more = { state: "running", startedAtMs: clock.nowMs(), procs: 5 } as const;
    queue.jobs.set("9", shown("9", null, more));
    await pass(3000);
    const { brokerApi } = broker;
    const asked = { site: "cluster", sinceMs: 0, untilMs: null, asOfMs: null, reader: "u" };
    const schedule = await brokerApi.schedule({ ...asked, sees: () => true });
    expect(schedule?.free.map(({ procs, endMs }) => [procs, endMs - more.startedAtMs])).toEqual([
      [3, 3_600_000],
      [8, Number.POSITIVE_INFINITY],
    ]);
    expect((await brokerApi.slots("cluster"))?.slots).toEqual([]);
  });
});
