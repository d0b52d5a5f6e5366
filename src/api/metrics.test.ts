import { describe, expect, it } from "vitest";
import { eventually } from "../../test/api/eventually.ts";
import { serve, serverOf } from "../../test/api/serving.ts";
import type { StreamRecord } from "../model/index.ts";

/** The value of a sample; undefined where there is none. */
function sampleIn(text: string, sample: string): number | undefined {
  const line = text.split("\n").find((it) => it.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length));
}

describe("metrics", () => {
  it("tells of jobs by state, also of those that change", async () => {
    const { send, brokerApi } = await serve();
    brokerApi.put("a", { state: "WAITING" });
    brokerApi.put("b", { state: "RUNNING" });
    brokerApi.put("old", { state: "DONE" });
    const text = async () => (await send("GET", "/metrics")).text;
    const first = await text();
    expect(sampleIn(first, 'stint_jobs{state="WAITING"}')).toBe(1);
    expect(sampleIn(first, 'stint_jobs{state="RUNNING"}')).toBe(1);
    expect(sampleIn(first, 'stint_jobs{state="READY"}')).toBe(0);
    expect(sampleIn(first, 'stint_jobs{state="DONE"}')).toBeUndefined();
    expect(sampleIn(first, 'stint_jobs_ended_total{state="DONE"}')).toBe(0);
    brokerApi.change("a", { state: "RUNNING" });
    brokerApi.change("b", { state: "DONE" });
    brokerApi.change("new", { state: "SCHEDULED" });
    const later = await text();
    expect(sampleIn(later, 'stint_jobs{state="WAITING"}')).toBe(0);
    expect(sampleIn(later, 'stint_jobs{state="RUNNING"}')).toBe(1);
    expect(sampleIn(later, 'stint_jobs{state="SCHEDULED"}')).toBe(1);
    expect(sampleIn(later, 'stint_jobs_ended_total{state="DONE"}')).toBe(1);
    expect(brokerApi.listening()).toBe(1);
  });

  it("counts what changes while it reads the pages, and reads all of them", async () => {
    const { send, brokerApi } = await serve();
    for (let i = 0; i < 1500; i++) brokerApi.put(`j${i}`);
    const { jobs } = brokerApi;
    brokerApi.jobs = async (query) => {
      const page = await jobs(query);
      // After the page was read: what is told since is newer.
      if (page.next === undefined) brokerApi.change("j0", { state: "DONE" });
      return page;
    };
    const { text } = await send("GET", "/metrics");
    expect(sampleIn(text, 'stint_jobs{state="WAITING"}')).toBe(1499);
  });

  it("a first look that fails is tried again", async () => {
    const { send, brokerApi } = await serve({ onError: () => undefined });
    const { jobs } = brokerApi;
    brokerApi.jobs = () => Promise.reject(new Error("not now"));
    expect((await send("GET", "/metrics")).status).toBe(500);
    expect(brokerApi.listening()).toBe(0);
    brokerApi.jobs = jobs;
    expect((await send("GET", "/metrics")).status).toBe(200);
  });

  it("tells of sites, with their names written as the format wants", async () => {
    const { send, brokerApi } = await serve();
    const [local] = brokerApi.sites();
    brokerApi.siteViews.set('a"\\', { ...local, name: 'a"\\', isDraining: true, trouble: "x" });
    const { text, headers } = await send("GET", "/metrics");
    expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(sampleIn(text, 'stint_site_procs{site="local"}')).toBe(4);
    expect(sampleIn(text, 'stint_site_procs_busy{site="local"}')).toBe(3);
    expect(sampleIn(text, 'stint_site_jobs_running{site="local"}')).toBe(1);
    expect(sampleIn(text, 'stint_site_jobs_waiting{site="local"}')).toBe(2);
    expect(sampleIn(text, 'stint_site_trouble{site="local"}')).toBe(0);
    expect(sampleIn(text, 'stint_site_cannot_enforce{site="local"}')).toBe(0);
    expect(sampleIn(text, 'stint_site_draining{site="a\\"\\\\"}')).toBe(1);
    expect(sampleIn(text, 'stint_site_trouble{site="a\\"\\\\"}')).toBe(1);
  });

  it("tells of streams by state, and the figures of those that report", async () => {
    const { send, brokerApi } = await serve();
    const record = (job: string, admittedAtMs: number | null, endedAtMs: number | null = null) => ({
      ...{
        job,
        site: "local",
        admittedAtMs,
        endedAtMs,
        submittedAtMs: 0,
        isPaused: false,
        isDraining: false,
      },
      ...{ stream: {} as StreamRecord["stream"], last: null },
    });
    const { query } = brokerApi;
    const records = [record("waits", null), record("runs", 1), record("over", 1, 2)];
    const others = query as (...asked: readonly unknown[]) => unknown;
    brokerApi.query = ((...asked: readonly unknown[]) =>
      asked[0] === "streams" ? records : others(...asked)) as typeof query;
    const figures = {
      ...{ state: "halted", atMs: 0, allocatedBytesPerSec: 7, receivedBytesPerSec: 6, seq: 0, setAside: 0 },
      ...{ processedBytesPerSec: 5, ackedBytes: 30, totalBytes: 100, occupiedBytes: 20, quotaBytes: 40 },
      ...{ halts: 2, haltedMs: 1500, trouble: null },
    };
    brokerApi.streamFigures = (job) => (job === "runs" ? figures : undefined);
    const { text } = await send("GET", "/metrics");
    expect(sampleIn(text, 'stint_streams{site="local",state="WAITING"}')).toBe(1);
    expect(sampleIn(text, 'stint_streams{site="local",state="HALTED"}')).toBe(1);
    const of = (name: string, stream = "runs") =>
      sampleIn(text, `stint_stream_${name}{site="local",stream="${stream}"}`);
    expect([of("allocated_bytes_per_second"), of("lag_bytes"), of("halted_seconds")]).toEqual([7, 70, 1.5]);
    expect([of("unsent_bytes"), of("lag_bytes", "waits"), of("lag_bytes", "over")]).toEqual(
      Array(3).fill(undefined),
    );
  });

  it("counts requests by route, as the route is written, and how long they took", async () => {
    const { send, brokerApi } = await serve();
    brokerApi.put("a", { state: "DONE" });
    await send("GET", "/api/v1/jobs/a");
    await send("GET", "/api/v1/jobs/zz");
    await send("GET", "/nowhere/secret");
    await send("GET", "/api/v1/jobs/a/watch");
    const text = async () => (await send("GET", "/metrics")).text;
    let last = "";
    const count = (route: string, status: number) =>
      sampleIn(last, `stint_http_requests_total{method="GET",route="${route}",status="${status}"}`);
    // An answer is counted when all of it was sent, which may be after it was read.
    for (let tries = 0; tries < 100 && count("/metrics", 200) === undefined; tries++) last = await text();
    expect(count("/api/v1/jobs/:id", 200)).toBe(1);
    expect(count("/api/v1/jobs/:id", 404)).toBe(1);
    expect(count("none", 404)).toBe(1);
    expect(last).not.toContain("secret");
    const of = 'method="GET",route="/api/v1/jobs/:id"';
    const name = "stint_http_request_duration_seconds";
    expect(sampleIn(last, `${name}_count{${of}}`)).toBe(2);
    expect(sampleIn(last, `${name}_bucket{le="+Inf",${of}}`)).toBe(2);
    expect(sampleIn(last, `${name}_sum{${of}}`)).toBeGreaterThan(0);
    expect(last).not.toContain(`${name}_count{method="GET",route="/api/v1/jobs/:id/watch"}`);
    const bounds = [...last.matchAll(/le="[^"]+",method="GET",route="[^"]*jobs\/:id"\} (\d+)/g)].map(
      ([, value]) => Number(value),
    );
    expect(bounds).toEqual(bounds.toSorted((a, b) => a - b));
    expect(bounds).toHaveLength(12);
  });

  it("is the same for all servers of one broker", async () => {
    const { send, brokerApi } = await serve();
    const other = serverOf(brokerApi);
    await other.inject("/api/v1/sites");
    const sample = 'stint_http_requests_total{method="GET",route="/api/v1/sites",status="200"}';
    const { text } = await send("GET", "/metrics");
    expect(sampleIn(text, sample)).toBe(1);
    await other.close();
    await eventually("one listener", () => brokerApi.listening() === 1);
  });

  it("is for those who may see the log", async () => {
    const who = { owner: "me", consumer: "local/me" } as const;
    const { send } = await serve({ identify: () => ({ ...who, role: "auditor" }) });
    expect((await send("GET", "/metrics")).status).toBe(200);
    const unknown = await serve({ identify: () => undefined });
    expect((await unknown.send("GET", "/metrics")).status).toBe(401);
  });
});
