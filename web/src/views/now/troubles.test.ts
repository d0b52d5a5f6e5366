import { describe, expect, it } from "vitest";
import type { JobView, ReservationView, SiteView, StreamView } from "../../app/client.ts";
import type { WholeRow } from "../../parts/whole-rows.ts";
import { troublesOf, type Watched } from "./troubles.ts";

const NOW = Date.UTC(2026, 0, 1, 12);
const minutesAgo = (minutes: number): string => new Date(NOW - 60_000 * minutes).toISOString();
const job = (id: string, more: Partial<JobView>) =>
  ({
    ...{ id, name: id, state: "DONE", result: "failed", exitCode: 3, signal: null, reason: null },
    ...{ timeLimit: false, executable: "sh", endedAt: minutesAgo(5) },
    ...more,
  }) as JobView;
const site = (name: string, more: Partial<SiteView>) => ({ name, trouble: null, ...more }) as SiteView;
const whole = (id: string, states: WholeRow["states"], endedAt: string | null): WholeRow => ({
  ...{ kind: "array", id, href: `/arrays/${id}`, title: id, consumer: "physics", states },
  ...{ at: minutesAgo(600), endedAt },
});
const stream = (id: string, figures: object, endedAt: string | null = null) =>
  ({ id, name: id, endedAt, figures: { trouble: null, ...figures } }) as StreamView;
const reservation = (id: string, state: ReservationView["state"], at: string) =>
  ({
    ...{ id, site: "elm", state },
    history: [{ state, at, by: null, why: "two nodes failed" }],
  }) as unknown as ReservationView;

const NOTHING: Watched = { sites: [], reservations: [], streams: [], wholes: [], jobs: [] };
const told = (watched: Partial<Watched>) =>
  troublesOf({ ...NOTHING, ...watched }, NOW).map(({ title, text }) => `${title}: ${text}`);

describe("what needs attention", () => {
  it("is a site that cannot be reached, or cannot act", () => {
    const sites = [
      site("elm", {}),
      site("oak", { trouble: "no answer" }),
      site("ash", { cannotAct: "no right to hold" }),
    ];
    expect(told({ sites })).toEqual(["oak: no answer", "ash: no right to hold"]);
  });

  it("is a job that failed within the last hour, with the reason", () => {
    const jobs = [
      job("code", {}),
      job("killed", { exitCode: null, signal: "SIGKILL" }),
      job("limit", { timeLimit: true }),
      job("refused", { state: "ABORTED", result: null, reason: "no site has 99 processors" }),
      job("fine", { result: "ok", exitCode: 0 }),
      job("old", { endedAt: minutesAgo(61) }),
    ];
    expect(told({ jobs })).toEqual([
      "code · code: exit code 3",
      "killed · killed: ended by signal SIGKILL",
      "limit · limit: reached its time limit",
      "refused · refuse: no site has 99 processors",
    ]);
  });

  it("is an array or DAG of which jobs failed, while it goes on and for an hour", () => {
    const wholes = [
      whole("active", { FAILED: 1, RUNNING: 3 }, null),
      whole("ended", { FAILED: 1, ABORTED: 1 }, minutesAgo(59)),
      whole("fine", { DONE: 4 }, null),
      whole("old", { FAILED: 4 }, minutesAgo(61)),
    ];
    expect(told({ wholes })).toEqual([
      "active: 1 of its jobs has failed",
      "ended: 2 of its jobs have failed",
    ]);
  });

  it("is a stream in trouble, whose job is not told of again", () => {
    const streams = [
      stream("ligo", { trouble: "its source does not answer" }),
      stream("cms", { failure: "its program crashed" }, minutesAgo(1)),
      stream("atlas", {}),
    ];
    expect(told({ streams, jobs: [job("cms", {})] })).toEqual([
      "stream ligo: its source does not answer",
      "stream cms: its program crashed",
    ]);
  });

  it("is a reservation that was violated", () => {
    const reservations = [
      reservation("r1", "VIOLATED", minutesAgo(2)),
      reservation("r2", "VIOLATED", minutesAgo(90)),
      reservation("r3", "FULFILLED", minutesAgo(2)),
    ];
    expect(told({ reservations })).toEqual(["reservation r1 at elm: two nodes failed"]);
  });
});
