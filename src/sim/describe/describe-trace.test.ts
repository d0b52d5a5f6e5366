import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hasSharedData, tracePath, withoutSharedData } from "../../../test/shared-data.ts";
import { temporaryFolder } from "../../../test/stint.ts";
import { describeTrace } from "./describe-trace.ts";

const folder = temporaryFolder();

// Submit, wait, runtime, processors, requested time, status, user, queue.
type Job = readonly [number, number, number, number, number, number, number, number];

const JOBS: readonly Job[] = [
  [0, 0, 100, 1, 200, 1, 1, 1],
  [3600, 0, 100, 2, 200, 1, 1, 1],
  [7200, 100, 300, 3, 300, 0, 2, 1],
  [86_400, 0, 400, 4, 200, 5, 2, 2],
  [86_400, 0, 0, 4, 200, 5, 2, 2],
  [86_400, 0, 100, 9, 200, 1, 2, 2],
  [86_400, 0, 100, -1, 200, 1, 2, 2],
];

function trace(name: string, header: readonly string[], jobs = JOBS): string {
  const rows = jobs.map(([submit, wait, runtime, procs, requested, status, user, queue], i) =>
    [
      i + 1,
      submit,
      wait,
      runtime,
      -1,
      -1,
      -1,
      procs,
      requested,
      -1,
      status,
      user,
      -1,
      -1,
      queue,
      -1,
      -1,
      -1,
    ].join(" "),
  );
  const file = join(folder, name);
  writeFileSync(file, `${[...header.map((line) => `; ${line}`), ...rows].join("\n")}\n`);
  return file;
}

/** Wednesday, 26 June 1996, 21:06 UTC. */
const BEGAN = "UnixStartTime: 835823160";
const described = (file: string) => describeTrace({ trace: file, lenient: false }, { version: "1.2.3" });

describe("a description of a trace", () => {
  it("measures are of the jobs that would be simulated", async () => {
    const about = await described(trace("small.swf", ["MaxProcs: 8", "Queue: 1 day", BEGAN]));
    expect(about).toMatchObject({
      machine: { procs: 8, procsFrom: "header MaxProcs" },
      jobs: 4,
      skipped: { noProcs: 1, noRuntime: 1, widerThanMachine: 1, malformed: 0 },
      spanSec: 86_400,
      workProcSec: 2800,
      load: 2800 / (8 * 86_400),
      recordedUtilisation: 2800 / (8 * 86_800),
      firstSubmitAt: "1996-06-26T21:06:00.000Z",
      statuses: { completed: 2, failed: 1, cancelled: 1, partial: 0, unknown: 0 },
    });
    expect(about.runtimesSec).toMatchObject({ mean: 225, min: 100, median: 200, p75: 325, max: 400 });
    expect(about.sizes).toMatchObject({ serialShare: 0.25, powerOfTwoShare: 0.75, median: 2.5 });
    expect(about.sizes.classes).toEqual([
      { from: 1, to: 1, jobShare: 0.25, workShare: 100 / 2800 },
      { from: 2, to: 2, jobShare: 0.25, workShare: 200 / 2800 },
      { from: 3, to: 4, jobShare: 0.5, workShare: 2500 / 2800 },
    ]);
    expect(about.estimates).toMatchObject({
      jobs: 4,
      underestimatedShare: 0.25,
      exactShare: 0.25,
      values: 2,
    });
    expect(about.estimates.byTenth).toEqual([0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0.25]);
    expect(about.estimates.popular[0]).toEqual({ requestedSec: 200, jobShare: 0.75 });
    expect(about.users).toMatchObject({ count: 2, unknownShare: 0 });
    expect(about.users.top[0]).toEqual({ id: 2, name: null, jobs: 2, workShare: 2500 / 2800 });
    expect(about.queues.top).toEqual([
      { id: 2, name: null, jobs: 1, workShare: 1600 / 2800 },
      { id: 1, name: "day", jobs: 3, workShare: 1200 / 2800 },
    ]);
    expect(about.groups).toEqual({ count: 0, unknownShare: 1, top: [] });
    expect(about.arrivals.gapsSec).toMatchObject({ min: 3600, median: 3600, max: 79_200, mean: 28_800 });
  });

  it.each([
    { zone: ["TimeZoneString: US/Eastern", "TimeZone: 0"], named: "US/Eastern", hours: [17, 18, 19, 17] },
    { zone: ["TimeZone: -18000"], named: "UTC-5", hours: [16, 17, 18, 16] },
    { zone: ["TimeZoneString: nowhere"], named: "UTC", hours: [21, 22, 23, 21] },
  ])("hours and weekdays are those of $named", async ({ zone, named, hours }) => {
    const about = await described(trace("zone.swf", ["MaxProcs: 8", BEGAN, ...zone]));
    const expected = new Array<number>(24).fill(0);
    for (const hour of hours) expected[hour]++;
    expect(about.machine.timeZone).toBe(named);
    expect(about.arrivals.byHour).toEqual(expected);
    expect(about.arrivals.byWeekday).toEqual([0, 0, 3, 1, 0, 0, 0]);
  });

  it("the change to winter time counts within the day", async () => {
    const header = ["MaxProcs: 8", "UnixStartTime: 846370800", "TimeZoneString: US/Eastern"];
    // 846396000 is 27 October 1996, 2:00 EDT, when clocks went back to 1:00.
    const submits = [0, 25_199, 25_200, 28_800];
    const jobs = submits.map((submit): Job => [submit, 0, 1, 1, 1, 1, 1, 1]);
    const { arrivals } = await described(trace("winter.swf", header, jobs));
    expect([19, 1, 2].map((hour) => arrivals.byHour?.[hour])).toEqual([1, 2, 1]);
  });

  it("there are no hours without UnixStartTime, and no load without a machine", async () => {
    const about = await described(trace("bare.swf", []));
    expect(about.arrivals).toMatchObject({ byHour: null, byWeekday: null });
    expect(about).toMatchObject({ load: null, recordedUtilisation: null, firstSubmitAt: null, jobs: 5 });
    expect(about.machine).toMatchObject({ procs: null, procsFrom: null, timeZone: null });
  });

  it("an unsorted trace is sorted, with the count of jobs out of order", async () => {
    const jobs = [JOBS[2], JOBS[0], JOBS[1]];
    const about = await described(trace("mixed.swf", ["MaxProcs: 8"], jobs));
    expect(about).toMatchObject({ unsorted: 2, spanSec: 7200 });
    expect(about.arrivals.gapsSec).toMatchObject({ min: 3600, max: 3600 });
  });

  it("refuses a trace without simulated jobs", async () => {
    const file = trace("none.swf", ["MaxProcs: 8"], JOBS.slice(4));
    await expect(described(file)).rejects.toMatchObject({ code: "noJobLeft" });
  });

  it.skipIf(!hasSharedData)(`describes CTC-SP2${withoutSharedData}`, async () => {
    const about = await described(tracePath("CTC-SP2"));
    expect(about).toMatchObject({
      jobs: 77_205,
      machine: { procs: 338, timeZone: "US/Eastern" },
      skipped: { noProcs: 0, noRuntime: 17, widerThanMachine: 0 },
      users: { count: 679 },
    });
    expect(about.load).toBeCloseTo(0.842, 3);
    expect(about.estimates.popular[0]).toMatchObject({ requestedSec: 64_800 });
  });
});
