import { describe, expect, it, vi } from "vitest";
import { aFault, aSite, capturedProgram, NOW } from "../../test/captured-program.ts";
import type { HostView, StepView, StintClient, UsageHistoryView } from "../api/client/index.ts";
import type { RunSensor, WriteUsageReport } from "./index.ts";
import { sparkline } from "./sparkline.ts";

const part = (mean: number): StepView => ({ mean, min: 0, max: mean });
const course = [part(0), null, part(2), part(4)];
const nothing = course.map((it) => (it === null ? null : part(0)));
const history: UsageHistoryView = {
  ...{ site: "here", since: "2026-05-31T11:00:00.000Z", until: NOW, everySec: 900 },
  sampledSec: [900, 0, 900, 450],
  resources: [
    { resource: "cpu", inUse: course, free: course, capacity: [8, 8, 8, 8] },
    { resource: "gpu", inUse: nothing, free: nothing, capacity: [0, 0, 0, 0] },
  ],
  ...{ jobsRunning: nothing, jobsWaiting: nothing },
  levels: [
    {
      ...{ resource: "cpu", consumer: "cms", inUse: course, waiting: nothing, jobsRunning: nothing },
      ...{ jobsWaiting: nothing, usedPpm: [part(0), null, part(5), part(123_456)] },
      ...{ epochPpm: [null, null, 200_000, 200_000], burstPpm: [null, null, 500_000, 500_000] },
    },
  ],
};
const usageHistory = vi.fn<StintClient["usageHistory"]>(async () => history);
const sites = async () => [aSite()];

const isoOf = (atMs: number): string => new Date(atMs).toISOString();

describe("stint usage --since", () => {
  it("is a row a level, with bars, means, most and limits", async () => {
    const { call } = capturedProgram({ usageHistory, sites });
    const { out, err } = await call("usage", "here", "--since", "1h");
    expect(err).toBe("");
    const [head, columns, all, cms, ...more] = out.split("\n");
    expect(head).toMatch(/^here from .* until .*, in steps of 15m; sampled 62% of it$/);
    expect(columns).toMatch(/^CONSUMER +RESOURCE +IN USE +MEAN +MAX +USED% +EPOCH% +BURST%$/);
    expect(all).toMatch(/^\(all\) +cpu +▁·▂▄ +2 +4 *$/);
    expect(cms).toMatch(/^cms +cpu +▁·▄█ +2 +4 +12.35 +20 +50$/);
    expect(more).toEqual([""]);
  });

  it("asks for the period, the step and the consumer that were said", async () => {
    usageHistory.mockClear();
    const { call } = capturedProgram({ usageHistory, sites });
    await call("usage", "here", "--since", "2h", "--until", "1h", "--every", "5m", "--consumer", "cms");
    const nowMs = Date.parse(NOW);
    expect(usageHistory.mock.calls).toEqual([
      [
        "here",
        { since: isoOf(nowMs - 7_200_000), until: isoOf(nowMs - 3_600_000), everySec: 300, consumer: "cms" },
      ],
    ]);
  });

  it("csv and wide have a row a step, empty where nothing is known; JSON is the answer", async () => {
    const { call } = capturedProgram({ usageHistory, sites });
    const csv = (await call("usage", "here", "--since", "1h", "-o", "csv")).out.split("\r\n");
    expect(csv[0]).toBe(
      "site,consumer,resource,from,everySec,sampledSec,inUse,inUseMin,inUseMax,waiting,jobsRunning," +
        "jobsWaiting,usedPpm,epochPpm,burstPpm,free,capacity",
    );
    expect(csv).toHaveLength(1 + 4 * 3 + 1);
    expect(csv[3]).toBe("here,cms,cpu,2026-05-31T11:00:00.000Z,900,900,0,0,0,0,0,0,0,,,,");
    expect(csv[6]).toBe("here,cms,cpu,2026-05-31T11:15:00.000Z,900,0,,,,,,,,,,,");
    expect((await call("usage", "here", "--since", "1h", "-o", "wide")).out.split("\n")).toHaveLength(14);
    expect(JSON.parse((await call("usage", "here", "--since", "1h", "-o", "json")).out)).toEqual(history);
    expect(JSON.parse((await call("usage", "--since", "1h", "-o", "json")).out)).toEqual({
      items: [history],
      next: null,
    });
    expect((await call("usage", "--since", "1h", "-o", "name")).out).toBe("here  cpu\nhere cms cpu\n");
  });

  it("--report writes a page of one site; the options of a period need one", async () => {
    const write = vi.fn<WriteUsageReport>(async () => undefined);
    const two = async () => [aSite(), aSite({ name: "far" })];
    const { call } = capturedProgram({ usageHistory, sites: two }, { usageReport: async () => write });
    expect(await call("usage", "here", "--since", "1h", "--report", "x.html")).toEqual({
      ...{ code: 0, out: "", err: "stint: x.html written\n" },
    });
    expect(write.mock.calls).toEqual([[history, "x.html"]]);
    const several = await call("usage", "--since", "1h", "--report", "x.html");
    expect(several).toMatchObject({ code: 2, err: expect.stringContaining("about one site") });
    for (const option of ["--every", "--until", "--report"]) {
      expect(await call("usage", "here", option, "1h")).toMatchObject({ code: 2, out: "" });
    }
  });

  it("bars are as high as the mean of what is known, and no higher than the highest", () => {
    expect(sparkline([0, 1, 2, 3, 4, 5, 6, 7, 8], 8, 20)).toBe("▁▁▂▃▄▅▆▇█");
    expect(sparkline([null, null, 8, null, 2, 4], 8, 3)).toBe("·█▃");
    expect(sparkline([9, 0.001], 8, 9)).toBe("█▁");
    expect(sparkline([0, null], 0, 9)).toBe("▁·");
  });
});

const host: HostView = {
  ...{ host: "node1", sensor: "s", at: NOW, isSilent: true, procs: 1.25, memoryBytes: 2 ** 30 },
  ...{ unreadable: 2, dropped: 3, course: null },
  jobs: [
    { job: "7f3a", siteJob: "42", owner: "ann", processes: 3, cpuSec: 75, procs: 1.25, memoryBytes: 2 ** 30 },
    { job: null, siteJob: "43", owner: "bob", processes: 1, cpuSec: 0.5, procs: null, memoryBytes: 4096 },
  ],
};

describe("stint usage --hosts", () => {
  it("has a table a host, and says what is wrong with it", async () => {
    const { call } = capturedProgram({ hosts: async () => [host], sites });
    const { out } = await call("usage", "here", "--hosts");
    const [head, columns, ours, other] = out.split("\n");
    expect(head).toMatch(/^node1 of here at .*: 1.25 processors and 1G of memory in use by jobs; /);
    expect(head).toContain("of 2 processes it could not be read whose they are; 3 readings were dropped");
    expect(head).toMatch(/nothing was heard since$/);
    expect(columns).toMatch(/^JOB +SITE JOB +OWNER +PROCESSES +CPU TIME +PROCS +MEMORY$/);
    expect(ours).toMatch(/^7f3a +42 +ann +3 +1m15s +1.25 +1G$/);
    expect(other).toMatch(/^43 +43 +bob +1 +0.5s +- +4K$/);
  });

  it("has the course where a period is said; programs get rows, or the answer", async () => {
    const hosts = vi.fn<StintClient["hosts"]>(async () => [
      {
        ...host,
        course: {
          ...{ since: history.since, until: NOW, everySec: 900, sampledSec: history.sampledSec },
          ...{ procs: course, memoryBytes: nothing, jobs: nothing },
        },
      },
    ]);
    const { call } = capturedProgram({ hosts, sites });
    expect((await call("usage", "here", "--hosts", "--since", "1h")).out).toContain(
      "processors, up to 4: ▁·▄█\n",
    );
    expect(hosts.mock.calls[0]).toEqual(["here", { since: isoOf(Date.parse(NOW) - 3_600_000) }]);
    const csv = (await call("usage", "here", "--hosts", "-o", "csv")).out.split("\r\n");
    expect(csv[1]).toBe("here,node1,7f3a,42,ann,3,75,1.25,1073741824");
    const { items } = JSON.parse((await call("usage", "here", "--hosts", "-o", "json")).out);
    expect(items).toMatchObject([{ site: "here", host: "node1" }]);
  });

  it("that no sensor reports is told", async () => {
    const { call } = capturedProgram({ hosts: async () => [], sites });
    expect((await call("usage", "here", "--hosts")).err).toContain("no sensor has reported from here");
  });
});

describe("stint sensor", () => {
  it("is run with what was said, and ends when it is asked to", async () => {
    const run = vi.fn<RunSensor>(async (_, { signal, tell }) => {
      tell("it runs");
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    });
    const { call, request, soFar } = capturedProgram({}, { sensor: async () => run });
    const running = call("sensor", "--site", "west", "--every", "30s", "--host", "n1", "--spool", "/x");
    await vi.waitFor(() => expect(soFar().err).toBe("stint: it runs\n"), 100_000);
    request("terminate");
    expect((await running).code).toBe(0);
    expect(run.mock.calls[0]?.[0]).toEqual({
      ...{ site: "west", everyMs: 30_000, host: "n1", spool: "/x", isOnce: false },
    });
  });

  it('sends what it saw by the client; a "no" ends it once', async () => {
    const reportHost = vi.fn<StintClient["reportHost"]>(async () => ({ lastSeq: 1, taken: 1 }));
    const reading = { seq: 1, overMs: null, jobs: [], unreadable: 0, dropped: 0 };
    const run: RunSensor = async ({ site }, { send }) => {
      const report = { host: "n1", sensor: "s", readings: [{ ...reading, atMs: Date.parse(NOW) }] };
      await send({ site, ...report });
    };
    const { call } = capturedProgram({ reportHost }, { sensor: async () => run });
    expect((await call("sensor", "--once")).code).toBe(0);
    const sent = { seq: 1, overSec: null, jobs: [], unreadable: 0, dropped: 0, at: NOW };
    expect(reportHost.mock.calls).toEqual([[{ site: "local", host: "n1", sensor: "s", readings: [sent] }]]);
    reportHost.mockRejectedValue(aFault("notAllowed"));
    expect((await call("sensor", "--once")).code).toBe(4);
  });
});
