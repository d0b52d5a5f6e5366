/**
 * A site of several pools under an enforcer that lets jobs in and may requeue them, played as SI-80
 * and QU-1 say it: at every instant at which something happens all of it is seen anew, as a whole.
 */
import type { EnforcementRules, Policy } from "../../src/model/index.ts";
import {
  changeUse,
  createUseHistory,
  type EnforcedSite,
  enforce,
  SITE_RESOURCES,
  type SiteAmounts,
  type SiteResource,
  shareTree,
} from "../../src/policy/index.ts";
import { plainEnforce } from "./plain-enforcement.ts";

/** A job, and when somebody takes it away, if ever. */
export interface PolicedJob {
  readonly id: string;
  readonly consumer: string;
  readonly submitMs: number;
  readonly need: SiteAmounts;
  readonly runtimeMs: number;
  readonly estimateMs: number;
  readonly pools?: readonly number[];
  readonly takenMs?: number;
}

/** What became of it. */
export interface PolicedOutcome {
  readonly id: string;
  readonly runs: readonly (readonly [fromMs: number, toMs: number])[];
  readonly endMs: number | null;
  readonly pool: number | null;
  readonly isGone: boolean;
}

/** The site. */
export interface PolicedSite {
  readonly site: string;
  readonly pools: readonly SiteAmounts[];
  readonly policies: readonly Policy[];
  readonly rules: EnforcementRules;
}

/** A job under way. */
interface Live {
  readonly job: PolicedJob;
  readonly order: number;
  state: "coming" | "waiting" | "queued" | "running" | "over";
  begunAtMs: number | null;
  pool: number | null;
  stops: number;
  readonly stoppedFor: string[];
  readonly runs: [number, number][];
  endMs: number | null;
  isGone: boolean;
}

const FOREVER_MS = 1_000_000;

/** Plays it until nothing more happens. */
export function plainPolicedSite(site: PolicedSite, jobs: readonly PolicedJob[]): readonly PolicedOutcome[] {
  const all = jobs.map((job, order): Live => {
    const begun = { begunAtMs: null, pool: null, stops: 0, stoppedFor: [], runs: [] };
    return { job, order, state: "coming", ...begun, endMs: null, isGone: false };
  });
  let queue: readonly Live[] = [];
  for (let nowMs = 0; nowMs < FOREVER_MS; ) {
    for (const live of all) comeAndGo(live, nowMs);
    queue = queue.filter(({ state }) => state === "queued");
    const seen = siteSeen(site, all, nowMs);
    for (const { verb, job: id, cause } of inTurn(plainEnforce(seen, nowMs).actions)) {
      const live = all.find(({ job }) => job.id === id);
      if (live === undefined) throw new Error(`${id} is nobody`);
      if (verb === "release") queue = [...queue, live];
      else queue = queue.filter((other) => other !== live);
      if (verb === "requeue") {
        live.stops += 1;
        if (cause.kind === "roomFor") live.stoppedFor.push(cause.job);
        stop(live, nowMs);
      }
      live.state = verb === "release" ? "queued" : "waiting";
    }
    const { wakeAtMs } = enforce(seen, nowMs);
    start(site, all, queue, nowMs);
    const nextMs = Math.min(wakeAtMs ?? FOREVER_MS, ...all.flatMap((live) => instantsOf(live, nowMs)));
    nowMs = Math.max(nowMs + 1, nextMs);
  }
  return all.map(({ job: { id }, runs, endMs, pool, isGone }) => ({ id, runs, endMs, pool, isGone }));
}

/** First who goes, then who comes. */
function inTurn<One extends { readonly verb: string }>(actions: readonly One[]): readonly One[] {
  return [...actions].sort((one, other) => Number(one.verb === "release") - Number(other.verb === "release"));
}

function comeAndGo(live: Live, nowMs: number): void {
  const { job } = live;
  if (live.state === "running" && (live.begunAtMs ?? 0) + job.runtimeMs === nowMs) {
    stop(live, nowMs);
    live.endMs = nowMs;
    live.state = "over";
  }
  const isThere = live.state !== "coming" && live.state !== "over";
  if (job.takenMs === nowMs && isThere) {
    if (live.state === "running") stop(live, nowMs);
    live.isGone = true;
    live.state = "over";
  }
  if (job.submitMs === nowMs && live.state === "coming") live.state = "waiting";
}

function stop(live: Live, nowMs: number): void {
  const run = live.runs.at(-1);
  if (live.state === "running" && run !== undefined) run[1] = nowMs;
  live.begunAtMs = null;
}

/** QU-1, QU-6: in order, into the first pool with room that nobody who waits before it names. */
function start({ pools }: PolicedSite, all: readonly Live[], queue: readonly Live[], nowMs: number): void {
  const blocked = new Set<number>();
  for (const live of queue) {
    const named = live.job.pools ?? [...pools.keys()];
    const pool = named.find(
      (at) =>
        !blocked.has(at) &&
        SITE_RESOURCES.every((resource) => {
          const there = all.filter((other) => other.state === "running" && other.pool === at);
          const used = there.reduce((sum, { job }) => sum + job.need[resource], 0);
          return used + live.job.need[resource] <= pools[at][resource];
        }),
    );
    if (pool === undefined) for (const at of named) blocked.add(at);
    else {
      live.state = "running";
      live.pool = pool;
      live.begunAtMs = nowMs;
      live.runs.push([nowMs, FOREVER_MS]);
    }
  }
}

function instantsOf({ job, state, begunAtMs }: Live, nowMs: number): readonly number[] {
  const end = state === "running" ? [(begunAtMs ?? 0) + job.runtimeMs] : [];
  return [job.submitMs, ...end, ...(job.takenMs === undefined ? [] : [job.takenMs])].filter(
    (atMs) => atMs > nowMs,
  );
}

function siteSeen({ site, pools, policies, rules }: PolicedSite, all: readonly Live[], nowMs: number) {
  const capacity = { cpu: 0, gpu: 0, memory: 0 };
  for (const pool of pools) for (const resource of SITE_RESOURCES) capacity[resource] += pool[resource];
  const there = all.filter(({ state }) => state !== "coming" && state !== "over");
  const uses = new Map(SITE_RESOURCES.map((resource) => [resource, usesOf(all, resource, nowMs)]));
  const seen: EnforcedSite = {
    ...{ capacity, available: capacity, shares: shareTree(policies, site), uses, rules },
    actionsLeft: Number.MAX_SAFE_INTEGER,
    jobs: there.map(({ job, order, state, begunAtMs, stops, stoppedFor }) => ({
      ...{ id: job.id, consumer: job.consumer, need: job.need, order, begunAtMs, stops, stoppedFor },
      state: state as "waiting" | "queued" | "running",
      plannedEndMs: begunAtMs === null ? null : begunAtMs + job.estimateMs,
      estimateMs: job.estimateMs,
      nudged: null,
    })),
  };
  return seen;
}

/** What each level used, instant after instant. */
function usesOf(all: readonly Live[], resource: SiteResource, nowMs: number) {
  const levels = new Set(all.flatMap(({ job }) => pathOf(job.consumer)));
  return new Map(
    [...levels].map((level) => {
      const use = createUseHistory(FOREVER_MS);
      const under = all.filter(({ job }) => `${job.consumer}/`.startsWith(`${level}/`));
      const instants = under.flatMap(({ runs }) => runs.flat()).filter((atMs) => atMs <= nowMs);
      for (const atMs of [...new Set(instants)].sort((one, other) => one - other)) {
        const running = under.filter(({ runs }) => runs.some(([from, to]) => from <= atMs && atMs < to));
        changeUse(
          use,
          atMs,
          running.reduce((sum, { job }) => sum + job.need[resource], 0),
        );
      }
      return [level, { all: use, counted: use }] as const;
    }),
  );
}

function pathOf(consumer: string): readonly string[] {
  const words = consumer.split("/");
  return words.map((_, at) => words.slice(0, at + 1).join("/"));
}
