import { describe, expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";

describe("one job", () => {
  it("AP-12 is written in the words and units of people", async () => {
    const { send, brokerApi } = await serve();
    const startedAtMs = Date.UTC(2026, 10, 20, 9, 0, 0, 250);
    brokerApi.put(
      "abcdefabcdef",
      {
        state: "DONE",
        result: "failed",
        exitCode: null,
        signal: "SIGTERM",
        isTimeLimit: true,
        site: "local",
        attempt: 1,
        startedAtMs,
        endedAtMs: startedAtMs + 1000,
        cpuMs: 1234,
      },
      { arguments: ["x"], memoryBytes: 1024, wallTimeMs: 90_500, userTags: { run: "7" } },
    );
    expect((await send("GET", "/api/v1/jobs/abcdefabcdef")).json).toEqual({
      id: "abcdefabcdef",
      state: "DONE",
      result: "failed",
      exitCode: null,
      signal: "SIGTERM",
      timeLimit: true,
      site: "local",
      virtual: null,
      reservation: null,
      siteJob: null,
      gpus: null,
      gpuDevices: null,
      attempt: 1,
      name: null,
      consumer: "local/me",
      owner: "me",
      executable: "true",
      arguments: ["x"],
      procs: 1,
      memoryBytes: 1024,
      wallTimeSec: 90.5,
      delayCostSuPerHour: null,
      after: [],
      waitsFor: [],
      userTags: { run: "7" },
      stdInput: null,
      workingDirectory: null,
      stdOutput: "stdout",
      stdError: "stderr",
      outputSandbox: [],
      submittedAt: "2026-11-20T08:00:00.000Z",
      startedAt: "2026-11-20T09:00:00.250Z",
      endedAt: "2026-11-20T09:00:01.250Z",
      ranSec: 1,
      runningSince: null,
      cpuSec: 1.234,
      reason: null,
    });
  });

  it.each([
    ["SUSPENDED", 1000, 4, null],
    ["SCHEDULED", null, 4, null],
    ["RUNNING", 9000, 4, "1970-01-01T00:00:09.000Z"],
  ] as const)("does not count suspended time as run: %s", async (state, startDecidedAtMs, ranSec, since) => {
    const { send, brokerApi } = await serve();
    const earlierRuns = [{ fromMs: 1000, toMs: 5000 }];
    brokerApi.put("abcdefabcdef", { state, startedAtMs: 1100, startDecidedAtMs, earlierRuns });
    const { json } = await send("GET", "/api/v1/jobs/abcdefabcdef");
    expect(json).toMatchObject({ ranSec, runningSince: since });
  });

  it.each([
    ["launchFailed", "it could not be started: no such program"],
    ["lost", "its site lost it: no such program"],
  ] as const)("AP-12 says why it was ABORTED: %s", async (kind, reason) => {
    const { send, brokerApi } = await serve();
    brokerApi.put("a", { state: "ABORTED", abortReason: { kind, detail: "no such program" } });
    expect((await send("GET", "/api/v1/jobs/a")).json).toMatchObject({ reason, startedAt: null });
    const over = { job: "a", state: "ABORTED", causes: [{ kind: "over" }], helpfulChanges: [] } as const;
    brokerApi.explanation = { ...over, method: null, predictedStartAtMs: null };
    expect((await send("GET", "/api/v1/jobs/a/why")).json.lines).toContain(reason);
  });

  it("AP-12 says why it was CANCELLED where nobody asked for it", async () => {
    const { client, brokerApi } = await serve();
    const ended = { state: "CANCELLED", isCancelRequested: true } as const;
    brokerApi.put("a", { ...ended, cancelCause: "reservationEnded" }, { reservation: "r1" });
    brokerApi.put("b", ended, { reservation: "r1" });
    // It ended by itself before it could be cancelled.
    brokerApi.put("c", { ...ended, state: "DONE", cancelCause: "reservationEnded" }, { reservation: "r1" });
    const reasons = ["a", "b", "c"].map(async (id) => (await client.job(id)).reason);
    expect(await Promise.all(reasons)).toEqual(["its reservation r1 ended", null, null]);
  });

  it("has the charge for its last run, once it was charged", async () => {
    const { brokerApi, client } = await serve();
    brokerApi.put("a", { state: "DONE", attempt: 2, endedAtMs: Date.UTC(2026, 10, 20) });
    brokerApi.put("b", { state: "RUNNING", attempt: 1 });
    const posting = (id: string, procMs: number) => ({
      ...{ id, site: "local", consumer: "cms", atMs: Date.UTC(2026, 10, 20), kind: "job" as const },
      ...{ about: "a", procMs, entries: [] },
    });
    const postings = [posting("a/1", -1_800_000), posting("a/2", -9_000_000), posting("b/1", -1)];
    brokerApi.accountView = { ...brokerApi.accountView, postings };
    expect(await client.job("a")).toMatchObject({ chargedSu: 2.5, chargedProcMs: 9_000_000 });
    expect(await client.job("b")).not.toHaveProperty("chargedSu");
  });

  it("AP-8 is found by as much of its id as is unique", async () => {
    const { send, brokerApi } = await serve();
    for (const id of ["abc", "abcd", "abd", "x1", "x2", "x3", "x4", "x5", "x6"]) brokerApi.put(id);
    expect((await send("GET", "/api/v1/jobs/abd")).json.id).toBe("abd");
    // All of an id counts, though it begins another.
    expect((await send("GET", "/api/v1/jobs/abc")).json.id).toBe("abc");
    const two = await send("GET", "/api/v1/jobs/ab");
    expect(two).toMatchObject({ status: 409, json: { type: "urn:stint:ambiguousId" } });
    expect(two.json).toMatchObject({ candidates: ["abc", "abcd", "abd"], why: "candidates: abc, abcd, abd" });
    const six = await send("POST", "/api/v1/jobs/x/cancel");
    expect(six.json).toMatchObject({ candidates: ["x1", "x2", "x3", "x4", "x5"] });
    expect(six.json.why).toContain("and more");
    const none = await send("GET", "/api/v1/jobs/y/why");
    expect(none).toMatchObject({ status: 404, json: { type: "urn:stint:unknownJob", job: "y" } });
  });

  it.each(["cancel", "hold", "release", "suspend", "resume"])("can be asked to %s", async (verb) => {
    const { send, brokerApi } = await serve();
    brokerApi.put("abc");
    expect(await send("POST", `/api/v1/jobs/ab/${verb}`)).toMatchObject({ status: 200, json: { id: "abc" } });
    expect(brokerApi.asked).toEqual([{ kind: verb, job: "abc", by: "me" }]);
    brokerApi.refuse = () => ({
      kind: "wrongState",
      job: "abc",
      verb: "hold",
      state: "DONE",
      allowedIn: ["WAITING"],
    });
    const refused = await send("POST", `/api/v1/jobs/abc/${verb}`);
    expect(refused).toMatchObject({ status: 409, json: { state: "DONE", allowedIn: ["WAITING"] } });
  });

  it("says in its explanation what of other brokers counts at its site, and how old that is", async () => {
    const { client, brokerApi } = await serve();
    brokerApi.put("abc", { site: "far" });
    const causes = [{ kind: "procsBusy", site: "far", needed: 4, free: 1 }] as const;
    const plain = { method: "schedule", helpfulChanges: [], predictedStartAtMs: null } as const;
    brokerApi.explanation = { job: "abc", state: "SCHEDULED", causes, ...plain };
    const heardAtMs = Date.UTC(2026, 10, 20, 8);
    const told = { peer: "west", heardAtMs, leftOut: 0, by: "operator", told: 5 };
    const counted = [
      { site: "far", jobs: 2, procs: 7 },
      { site: "near", jobs: 3, procs: 9 },
    ];
    const { query } = brokerApi;
    const peers = [{ ...told, counted }];
    Object.assign(brokerApi, {
      query: (...asked: Parameters<typeof query>) => (asked[0] === "peers" ? peers : query(...asked)),
    });
    const { lines } = await client.why("abc");
    expect(lines.filter((line) => line.includes("west"))).toEqual([
      "7 processors of 2 jobs that west has sent to far count as use there; it was heard last at " +
        "2026-11-20T08:00:00.000Z, and jobs that it has submitted since are not known",
    ]);
  });

  it("AP-1 is explained as data and in sentences", async () => {
    const { send, brokerApi } = await serve();
    brokerApi.put("abc");
    const explanation = {
      job: "abc",
      state: "SCHEDULED",
      causes: [{ kind: "procsBusy", site: "local", needed: 4, free: 1 }],
      predictedStartAtMs: Date.UTC(2026, 10, 21),
      method: "schedule",
      helpfulChanges: [{ kind: "fewerProcs", procs: 1 }],
    } as const;
    brokerApi.explanation = explanation;
    const { lines, ...data } = (await send("GET", "/api/v1/jobs/abc/why")).json;
    const { predictedStartAtMs: _, ...same } = explanation;
    expect(data).toEqual({ ...same, predictedStartAt: "2026-11-21T00:00:00.000Z" });
    expect(lines).toEqual([
      "job abc is SCHEDULED",
      "it needs 4 processors; local has 1 free",
      expect.stringContaining("2026-11-21T00:00:00.000Z"),
      "with 1 processor it would start now",
    ]);
    brokerApi.explanation = undefined;
    expect((await send("GET", "/api/v1/jobs/abc/why")).status).toBe(404);
  });
});

describe("lists", () => {
  it("AP-11 come in pages, newest first, until the cursor is null", async () => {
    const { send, brokerApi } = await serve();
    for (const id of ["a", "b", "c", "d", "e"]) brokerApi.put(id);
    const pages: unknown[] = [];
    let cursor = "";
    do {
      const { json } = await send("GET", `/api/v1/jobs?limit=2${cursor}`);
      pages.push((json.items as { id: string }[]).map(({ id }) => id).join(""));
      cursor = typeof json.next === "string" ? `&cursor=${encodeURIComponent(json.next)}` : "";
    } while (cursor !== "");
    expect(pages).toEqual(["ed", "cb", "a"]);
  });

  it("AP-11 hand every filter to the broker", async () => {
    const { send, brokerApi } = await serve();
    const filters = "state=DONE&state=HELD&owner=me&consumer=cms%2Fhiggs&site=local&limit=7&cursor=9";
    await send("GET", `/api/v1/jobs?${filters}&since=2026-11-20T08:30:00%2B01:00`);
    await send("GET", "/api/v1/jobs?name=night&tag=project%3Dsnow&tag=urgent");
    await send("GET", "/api/v1/jobs?state=RUNNING&since=2026-11-20");
    await send("GET", "/api/v1/jobs");
    await send("GET", "/api/v1/jobs?since=2026-11-01&until=2026-11-20T12:00:00Z&time=ended&sort=-ended");
    await send("GET", "/api/v1/jobs?until=2026-11-20&sort=name&exitCode=137");
    expect(brokerApi.queries).toEqual([
      {
        states: ["DONE", "HELD"],
        owner: "me",
        consumer: "cms/higgs",
        site: "local",
        limit: 7,
        after: "9",
        sinceMs: Date.UTC(2026, 10, 20, 7, 30),
      },
      { name: "night", tags: ["project=snow", "urgent"] },
      { states: ["RUNNING"], sinceMs: Date.UTC(2026, 10, 20) },
      {},
      {
        ...{ sinceMs: Date.UTC(2026, 10, 1), untilMs: Date.UTC(2026, 10, 20, 12), time: "ended" },
        sort: { by: "ended", isDescending: true },
      },
      { untilMs: Date.UTC(2026, 10, 20), exitCode: 137, sort: { by: "name", isDescending: false } },
    ]);
  });

  it.each([
    ["limit=0", "limit", "must be >= 1"],
    ["limit=1001", "limit", "must be <= 1000"],
    ["limit=1.5", "limit", "must be integer"],
    ["limit=0x10", "limit", "must be integer"],
    ["limit=", "limit", "must be integer"],
    ["limit=1&limit=2", "limit", "must be integer"],
    ["state=BUSY", "state", "must be one of WAITING, READY, SCHEDULED"],
    ["state=DONE&state=done", "state", "must be one of"],
    ["since=yesterday", "since", "must be a day or an instant"],
    ["since=2026-11-20T08:30:00", "since", "must be a day or an instant"],
    ["since=2026-13-40", "since", "this date or time does not exist"],
    ["sate=DONE", "sate", "is state meant?"],
  ])("AP-2 ?%s is refused by name", async (query, parameter, detail) => {
    const { send, brokerApi } = await serve();
    const { status, json } = await send("GET", `/api/v1/jobs?${query}`);
    expect(status).toBe(400);
    expect(json).toMatchObject({ type: "urn:stint:invalidRequest", parameter });
    expect(json.why).toContain(detail);
    expect(brokerApi.queries).toEqual([]);
  });

  it("AP-1 sites come with their load", async () => {
    const { send } = await serve();
    const { json } = await send("GET", "/api/v1/sites");
    expect(json.items).toMatchObject([{ name: "local", running: 1, waiting: 2, procsBusy: 3 }]);
  });
});
