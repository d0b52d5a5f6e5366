import { describe, expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";
import type { Bar } from "../engine/index.ts";

const user = { owner: "you", consumer: "local/you", role: "user" } as const;
const HOUR = 3_600_000;

describe("the schedule of a site", () => {
  const serveJobs = async (who: typeof user | undefined = undefined) => {
    const served = await serve(who === undefined ? {} : { identify: () => who });
    const { brokerApi } = served;
    const barOf = (id: string, owner: string): Bar => {
      brokerApi.put(id, { owner, consumer: `local/${owner}`, state: "SCHEDULED" }, { name: `n-${id}` });
      const job = brokerApi.records.get(id);
      if (job === undefined) throw new Error("it was put there");
      const whose = { owner, consumer: job.consumer, site: "local" };
      const times = { procs: 2, startMs: HOUR, endMs: 2 * HOUR };
      return { key: id, kind: "queued", ...times, inside: null, nodes: [], whose, facts: { job } };
    };
    brokerApi.barsThere = [barOf("mine", "you"), barOf("others", "eve")];
    const promised = [{ probability: 0.95, startAtMs: 3 * HOUR }];
    brokerApi.promisesThere = new Map([["mine", promised]]);
    return served;
  };

  it("has bars with times and rows, and what the plan leaves free, as the client gives it", async () => {
    const { client } = await serveJobs();
    const { bars, free, ...rest } = await client.schedule("local", { since: "1970-01-01T00:00:00Z" });
    expect(rest).toMatchObject({
      site: "local",
      at: "1970-01-01T00:00:00.000Z",
      procs: 8,
      rows: 8,
      hidden: false,
    });
    expect(free).toEqual([{ from: "1970-01-01T00:00:00.000Z", until: null, procs: 8 }]);
    expect(bars).toMatchObject([
      {
        job: "mine",
        name: "n-mine",
        kind: "queued",
        from: "1970-01-01T01:00:00.000Z",
        rows: [[0, 2]],
        promises: [{ probability: 0.95, startAt: "1970-01-01T03:00:00.000Z" }],
      },
      { job: "others", promises: [], owner: "eve", until: "1970-01-01T02:00:00.000Z", rows: [[2, 2]] },
    ]);
  });

  it("of others' jobs a user sees when and how large, and nothing else", async () => {
    const { send } = await serveJobs(user);
    const { status, text, json } = await send("GET", "/api/v1/sites/local/schedule");
    expect(status).toBe(200);
    expect(json.bars).toMatchObject([
      { job: "mine", mine: true, kind: "queued" },
      { job: null, name: null, owner: null, mine: false, procs: 2, kind: "queued" },
    ]);
    expect(text).not.toMatch(/eve|n-others/);
  });

  it("where the site hides jobs, a user sees only what others use together", async () => {
    const { send, brokerApi } = await serveJobs(user);
    brokerApi.areJobsPrivate = true;
    const { text, json } = await send("GET", "/api/v1/sites/local/schedule");
    expect(json).toMatchObject({ hidden: true, bars: [{ job: "mine" }, { kind: "others", procs: 2 }] });
    expect(text).not.toMatch(/eve|n-others/);
  });

  it("is refused for a period that ends before it begins, and for a site that is not there", async () => {
    const { send } = await serve();
    const period = "since=2026-11-20T10:00:00Z&until=2026-11-20T10:00:00Z";
    expect((await send("GET", `/api/v1/sites/local/schedule?${period}`)).status).toBe(400);
    expect((await send("GET", "/api/v1/sites/nowhere/schedule")).status).toBe(404);
  });
});
