/** What is promised in a queue that grows, by everything that speaks, against what comes. */
import { describe, expect, it } from "vitest";
import { foreignSpec } from "../../../test/engine-scene.ts";
import { createRandom, drawInteger } from "../../base/index.ts";
import { forecastStart } from "./forecast-start.ts";
import { shapeOfSite } from "./observed-queue.ts";
import { eventsOfPast, factsOf, ONLY_QUEUE, type PastJob } from "./past-jobs.ts";
import { createSiteHistory, learn, stateFor } from "./site-history.ts";

const MINUTE = 60_000;
const PROCS = 16;
/** Of wait, as whoever was told an hour does not mind a minute. */
const toleranceMs = (promisedMs: number): number => 15_000 + promisedMs / 100;

/**
 * Jobs of three people that come faster than they can be served, and use up to all of their limits. Those of
 * the first go before the others', of which nobody who only sees the queue knows; nobody passes who is first.
 */
function growing(seed: number, count: number): readonly PastJob[] {
  const random = createRandom(seed);
  const jobs = Array.from({ length: count }, (_, at) => {
    const ranMs = drawInteger(random, 2 * MINUTE, 14 * MINUTE);
    const limitMs = Math.ceil((ranMs * drawInteger(random, 10, 12)) / 10);
    const procs = drawInteger(random, 1, 8);
    const user = drawInteger(random, 0, 5);
    return { at, user, procs, ranMs, limitMs, comesMs: Math.ceil(at * 1.9 * MINUTE), startedMs: -1 };
  });
  const rank = ({ user, at }: (typeof jobs)[number]): number => (user === 0 ? at - count : at);
  let next = 0;
  let waiting: typeof jobs = [];
  let running: typeof jobs = [];
  const endOf = ({ startedMs, ranMs }: (typeof jobs)[number]): number => startedMs + ranMs;
  for (let nowMs = 0; next < count || waiting.length > 0; ) {
    running = running.filter((job) => endOf(job) > nowMs);
    for (; next < count && jobs[next].comesMs <= nowMs; next++) waiting.push(jobs[next]);
    waiting.sort((a, b) => rank(a) - rank(b));
    let free = PROCS - running.reduce((sum, { procs }) => sum + procs, 0);
    for (const job of waiting) {
      if (job.procs > free) break;
      free -= job.procs;
      job.startedMs = nowMs;
      running.push(job);
    }
    waiting = waiting.filter(({ startedMs }) => startedMs < 0);
    nowMs = Math.min(next < count ? jobs[next].comesMs : Number.POSITIVE_INFINITY, ...running.map(endOf));
  }
  return jobs.map(({ at, user, procs, limitMs, comesMs, startedMs, ranMs }): PastJob => {
    const times = { eligibleAtMs: comesMs, startedAtMs: startedMs, endedAtMs: startedMs + ranMs };
    return { id: `j${at}`, user: `u${user}`, queue: ONLY_QUEUE, procs, memoryBytes: 0, limitMs, ...times };
  });
}

/** How many of the promises of each probability were kept, of all that were made when jobs came. */
function keptOf(past: readonly PastJob[]): Record<number, readonly [kept: number, made: number]> {
  const site = createSiteHistory("s", shapeOfSite({ ...foreignSpec(PROCS), discipline: "fcfs" }));
  const byId = new Map(past.map((job) => [job.id, job]));
  const kept: Record<number, readonly [number, number]> = {};
  for (const event of eventsOfPast(past)) {
    const job = event.kind === "submitted" ? byId.get(event.job.id) : undefined;
    if (job !== undefined) {
      const facts = factsOf(job);
      const state = stateFor(site, ONLY_QUEUE, event.atMs);
      const said = forecastStart(site, { facts, nowMs: event.atMs, state, deadlineMs: null });
      const waitMs = (job.startedAtMs ?? 0) - event.atMs;
      for (const { probability, waitMs: promisedMs } of said.forecast?.promises ?? []) {
        const [good, all] = kept[probability] ?? [0, 0];
        const isKept = waitMs <= promisedMs + toleranceMs(promisedMs);
        kept[probability] = [good + Number(isKept), all + 1];
      }
    }
    learn(site, { event, isLate: false }, { from: "live", isPlayed: true, runs: 0 });
  }
  return kept;
}

describe("in a queue that grows", () => {
  it.each([1, 2, 3])("PD-24 promises have their stated coverage (draw %i)", (seed) => {
    const past = growing(seed, 400);
    const waits = past.map(({ startedAtMs, eligibleAtMs }) => (startedAtMs ?? 0) - eligibleAtMs);
    // It does grow: the last fifty wait more than an hour longer than the first.
    expect(Math.min(...waits.slice(-50))).toBeGreaterThanOrEqual(0);
    const mean = (some: readonly number[]) => some.reduce((sum, it) => sum + it, 0) / some.length;
    expect(mean(waits.slice(-50)) - mean(waits.slice(0, 50))).toBeGreaterThan(60 * MINUTE);
    const kept = keptOf(past);
    for (const [probability, [good, made]] of Object.entries(kept)) {
      expect(made, probability).toBeGreaterThan(100);
      expect(good / made, probability).toBeGreaterThan(Number(probability) - 0.05);
    }
  });
});
