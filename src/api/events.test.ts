import { describe, expect, it } from "vitest";
import { type Serving, serve } from "../../test/api/serving.ts";
import type { Identity, StintEvent } from "../model/index.ts";
import { asJson } from "../runtime/index.ts";

const T0 = Date.UTC(2026, 10, 24, 12);
const as = (who: Partial<Identity>) => ({
  identify: (): Identity => ({ owner: "me", consumer: "cms/me", role: "user", ...who }),
});

/** Two jobs, mine and Ann's, of which the broker starts both at once. */
async function happened(who: Partial<Identity>): Promise<Serving> {
  const serving = await serve(as(who));
  const { brokerApi } = serving;
  brokerApi.put("mine1", { owner: "me", consumer: "cms/me", site: "local", submittedAtMs: T0 });
  brokerApi.put("anns1", { owner: "ann", consumer: "cms/ann", site: "far", submittedAtMs: T0 });
  const description = brokerApi.put("x").description;
  brokerApi.records.delete("x");
  const events: StintEvent[] = [
    { kind: "jobAccepted", job: "mine1", owner: "me", consumer: "cms/me", description, atMs: T0 },
    { kind: "jobAccepted", job: "anns1", owner: "ann", consumer: "cms/ann", description, atMs: T0 + 1000 },
    { kind: "queueSettled", site: "local", starts: ["mine1", "anns1"], atMs: T0 + 2000 },
    { kind: "jobHeld", job: "mine1", by: "olga", atMs: T0 + 3000 },
    { kind: "siteNoted", site: "local", text: "mine1", by: "olga", untilMs: null, atMs: T0 + 4000 },
  ];
  for (const { kind, atMs, ...body } of events) {
    await brokerApi.log.commit({ events: [{ kind, version: 2, atMs, body: asJson(body) }], changes: [] });
  }
  return serving;
}

const kinds = (items: readonly { kind: string; job: string | null }[]) =>
  items.map(({ kind, job }) => `${kind} ${job}`);

describe("GET /events", () => {
  it("of a job is its life, with who did what, and its states", async () => {
    const { client } = await happened({});
    const { items, next, head } = await client.events({ job: "mine", order: "oldest" });
    expect(items.map(({ text, by, state }) => [text, by, state])).toEqual([
      ["submitted for cms/me", "me", "WAITING"],
      ["local starts it", null, null],
      ["held", "olga", "HELD"],
    ]);
    expect([next, head]).toEqual([null, 5]);
    expect(items[0]).toMatchObject({ at: "2026-11-24T12:00:00.000Z", facts: null });
  });

  it("by site and by exit code, also of jobs whose events name no site", async () => {
    const { client, brokerApi } = await happened({ role: "admin" });
    const end = { cause: "exited", exitCode: 3, signal: null, cpuMs: null, detail: null } as const;
    const ended = ["mine1", "anns1"].map((job) => ({ job, attempt: 1, end }));
    for (const body of [...ended, { ...ended[0], end: { ...end, exitCode: 0 } }]) {
      const event = { kind: "attemptEnded", version: 1, atMs: T0 + 5000, body: asJson(body) };
      await brokerApi.log.commit({ events: [event], changes: [] });
    }
    type Query = Parameters<typeof client.events>[0];
    const of = async (query: Query) => kinds((await client.events(query)).items);
    expect(await of({ site: "far" })).toEqual(["attemptEnded anns1", "jobAccepted anns1"]);
    expect(await of({ exitCode: 3 })).toEqual(["attemptEnded anns1", "attemptEnded mine1"]);
    expect(await of({ exitCode: 3, site: "local" })).toEqual(["attemptEnded mine1"]);
    const until = new Date(T0 + 3000).toISOString();
    expect(await of({ site: "local", until })).toEqual(["queueSettled null", "jobAccepted mine1"]);
    expect(await of({ exitCode: 9 })).toEqual([]);
    const { client: mine } = await happened({});
    expect(kinds((await mine.events({ site: "far" })).items)).toEqual([]);
  });

  it.each([
    ["admin", ["siteNoted", "jobHeld mine1", "queueSettled", "jobAccepted anns1", "jobAccepted mine1"]],
    ["auditor", ["siteNoted", "jobHeld mine1", "queueSettled", "jobAccepted anns1", "jobAccepted mine1"]],
    ["operator", ["jobHeld mine1", "jobAccepted anns1", "jobAccepted mine1"]],
    ["voAdmin", ["jobHeld mine1", "jobAccepted mine1"]],
    ["user", ["jobHeld mine1", "jobAccepted mine1"]],
  ] as const)("%s sees %j", async (role, shown) => {
    const { client } = await happened({ role });
    const { items } = await client.events();
    expect(kinds(items)).toEqual(shown.map((it) => (it.includes(" ") ? it : `${it} null`)));
    const seesLog = role === "admin" || role === "auditor";
    expect(items.every(({ facts }) => (facts !== null) === seesLog)).toBe(true);
  });

  it("a site admin sees what happened to jobs at the site", async () => {
    const { client } = await happened({ role: "siteAdmin", site: "far" });
    expect(kinds((await client.events()).items)).toEqual(["jobAccepted anns1"]);
  });

  it("a job of somebody else is not there; a role for programs has no log", async () => {
    const { send, brokerApi } = await happened({});
    // The broker of this test knows no rights in its list of ids: the id itself decides.
    brokerApi.idsBeginning = async () => [];
    expect(await send("GET", "/api/v1/events?job=anns1")).toMatchObject({ status: 404 });
    const sensor = await happened({ role: "sensor", site: "local" });
    expect(await sensor.send("GET", "/api/v1/events")).toMatchObject({ status: 403 });
  });

  it("goes page by page, in both orders, between two instants", async () => {
    const { client } = await happened({ role: "auditor" });
    const seqs = async (query: Parameters<typeof client.events>[0]) => {
      const { items, next } = await client.events(query);
      return [items.map(({ seq }) => seq), next];
    };
    expect(await seqs({ limit: 2 })).toEqual([[5, 4], "4"]);
    expect(await seqs({ limit: 2, cursor: "4" })).toEqual([[3, 2], "2"]);
    expect(await seqs({ limit: 2, cursor: "2" })).toEqual([[1], null]);
    expect(await seqs({ order: "oldest", cursor: "4" })).toEqual([[5], null]);
    const stretch = { since: "2026-11-24T12:00:01Z", until: "2026-11-24T12:00:03Z" };
    expect(await seqs(stretch)).toEqual([[3, 2], null]);
  });

  it("what cannot be asked is told at its place", async () => {
    const { send } = await happened({});
    for (const query of ["since=yesterday", "limit=0", "cursor=x", "order=random"]) {
      const answer = await send("GET", `/api/v1/events?${query}`);
      expect(answer).toMatchObject({ status: 400, json: { parameter: query.split("=")[0] } });
    }
  });
});
