import { describe, expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";
import type { StartForecast } from "../engine/index.ts";
import type { Prospect } from "../runtime/index.ts";

const forecast: StartForecast = {
  method: "history",
  promises: [{ probability: 0.95, waitMs: 60_000, startAtMs: 60_000 }],
  score: {
    of: "class",
    kept: [{ probability: 0.95, promises: 400, kept: 0.9, fellShort: true }],
    medianErrorMs: 5000,
    meanLossMs: 1,
  },
  hasBeenWrong: true,
  assumptions: ["waitsAsOfLate"],
};
const bare: Prospect = {
  ...{ site: "local", partition: null, takesJobs: true, unfit: null, trouble: null, when: null },
};
const silent = {
  forecast: null,
  otherMethods: [],
  probabilityByDeadline: null,
  learnt: { past: 1, live: 2 },
};
const said: Prospect = {
  ...bare,
  when: { ...silent, forecast, otherMethods: [forecast], noRecord: null, probabilityByDeadline: 0.9 },
};

const path = "/api/v1/jobs/assess";

describe("where and when a job would start", () => {
  it("is told a site each, with the score beside every forecast", async () => {
    const { send, brokerApi } = await serve();
    brokerApi.prospects = [said];
    const { status, json } = await send("POST", path, { body: { procs: 8 } });
    expect(status).toBe(200);
    const { promises, score, ...same } = forecast;
    const { meanLossMs: _, medianErrorMs: __, ...record } = score;
    const shown = { ...record, medianErrorSec: 5 };
    const startAt = "1970-01-01T00:01:00.000Z";
    const view = { ...same, promises: [{ probability: 0.95, waitSec: 60, startAt }], score: shown };
    expect(json).toEqual({
      items: [
        {
          ...{
            site: "local",
            partition: null,
            takesJobs: true,
            fits: true,
            refusal: null,
            slot: null,
            trouble: null,
          },
          ...{ forecast: view, otherMethods: [view], noRecord: null, probabilityByDeadline: 0.9 },
          learnt: { past: 1, live: 2 },
        },
      ],
    });
  });

  it("asks for the need that is described, of all sites or of those named", async () => {
    const { client, brokerApi } = await serve();
    await client.assess({});
    await client.assess({
      executable: "x",
      procs: 2,
      wallTimeSec: 0.009,
      memoryBytes: 7,
      gpus: 1,
      site: "local",
    });
    await client.assess({ sites: ["local"], partition: "p", deadline: "2026-11-20T08:30:00Z" });
    const job = { procs: 1, memoryBytes: 0, gpus: 0, limitMs: null, queue: null };
    const whose = { owner: "me", consumer: "local/me", queues: new Map() };
    expect(brokerApi.thoughtOf).toEqual([
      { job, ...whose, deadlineMs: null },
      {
        job: { procs: 2, memoryBytes: 7, gpus: 1, limitMs: 9, queue: null },
        ...{ ...whose, deadlineMs: null, sites: ["local"] },
      },
      {
        job: { ...job, queue: "p" },
        ...{ ...whose, sites: ["local"], deadlineMs: Date.UTC(2026, 10, 20, 8, 30) },
      },
    ]);
  });

  it("says what is missing, why a site is out, and which could not be asked", async () => {
    const { client, brokerApi } = await serve();
    const startAtMs = Date.UTC(2026, 10, 20, 8, 1);
    const scheduled = { waitMs: 60_000, startAtMs, assumptions: ["nobodyElseComes"] } as const;
    brokerApi.prospects = [
      { ...bare, when: { ...silent, noRecord: { settled: 3, needed: 20, scheduled: null } } },
      { ...bare, when: { ...silent, noRecord: { settled: 3, needed: 20, scheduled } } },
      { ...bare, unfit: { kind: "siteTooSmall", procs: 4, memoryBytes: 2 ** 30 } },
      { ...bare, trouble: "it hangs" },
      {
        ...bare,
        unfit: {
          kind: "noMatch",
          clauses: [
            { of: "job", text: "other.A" },
            { of: "site", text: "other.B" },
          ],
        },
      },
    ];
    const {
      items: [young, known, small, away, other],
    } = await client.assess({});
    expect(known?.noRecord?.scheduled).toEqual({
      ...{ waitSec: 60, startAt: "2026-11-20T08:01:00.000Z", assumptions: ["nobodyElseComes"] },
    });
    expect(young).toMatchObject({ fits: true, forecast: null, noRecord: { settled: 3, needed: 20 } });
    const text = "it has 4 processors and 1G of memory in all";
    expect(small).toMatchObject({ fits: false, refusal: { kind: "siteTooSmall", procs: 4, text } });
    const requires = "the job requires other.A; the site requires other.B";
    expect(other).toMatchObject({ fits: false, refusal: { kind: "noMatch", text: requires } });
    expect(away).toMatchObject({ fits: null, trouble: "it hangs", forecast: null });
    await expect(client.assess({ site: "nowhere" })).rejects.toMatchObject({ code: "unknownSite" });
    const wrong = await Promise.all(
      [{ deadline: "2026-13-01T00:00:00Z" }, { deadline: "soon" }, { cpuNumber: 3 }, { procs: 0 }].map(
        (body) => client.assess(body as object).catch((error) => error.kind),
      ),
    );
    expect(wrong).toEqual(["badInput", "badInput", "badInput", "badInput"]);
  });

  it("says each clause's verdict for each site where the job has requirements or a rank", async () => {
    const { client, brokerApi } = await serve();
    const clause = { of: "job", text: "other.Gpus >= 1", verdicts: ["false"] } as const;
    const sites = [{ name: "local", takesJobs: true }];
    brokerApi.matches = { sites, clauses: [clause], matches: [], changes: [] };
    const asked = [{ requirements: "other.Gpus >= 1", sites: ["local"] }, { rank: "other.Gpus" }, {}];
    const [required, ranked, plain] = await Promise.all(asked.map((body) => client.assess(body)));
    expect(required.match).toEqual(brokerApi.matches);
    expect(ranked.match).toEqual(await client.match({ rank: "other.Gpus" }));
    expect(plain).toEqual({ items: [] });
    const unmet = new Map([["local", [{ of: "job", text: "other.Gpus >= 1" }]]]);
    const unmatched = brokerApi.thoughtOf.map((question) => question.unmatched);
    expect(unmatched).toHaveLength(3);
    expect(unmatched).toEqual(expect.arrayContaining([unmet, unmet, undefined]));
    await expect(client.assess({ requirements: "other.Gpus >" })).rejects.toMatchObject({
      code: "unreadableExpression",
      what: expect.stringContaining("line 1, column 13"),
    });
  });

  it("AP-34 records and submits nothing", async () => {
    const { client, brokerApi } = await serve();
    await client.assess({ executable: "true" });
    expect(brokerApi.asked).toEqual([]);
  });

  it("is for those who may submit", async () => {
    const auditor = { owner: "you", consumer: "local/you", role: "auditor" } as const;
    const { send, brokerApi } = await serve({ identify: () => auditor });
    expect((await send("POST", path, { body: {} })).status).toBe(403);
    expect(brokerApi.thoughtOf).toEqual([]);
  });
});
