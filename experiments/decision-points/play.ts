/**
 * Several decision points that send jobs to the same sites, and tell each other only now and then.
 *
 * Each knows at once of what it has sent itself and what of that has ended; of the others' what they told at
 * the last exchange. They hear and count as live brokers do, by the same code, and send a job to the
 * site that is least used as far as they know, by the same selector; the sites play their queues by the site
 * machine, estimates exact. Nobody looks at what a site shows: the exchange is all that they know by.
 */
import {
  createHeap,
  createRandom,
  drawExponential,
  drawInteger,
  MS_PER_HOUR,
  popHeap,
  pushHeap,
  smallestKey,
} from "../../src/base/index.ts";
import { applyPeer, countedAt, hearPeer, type PeerState } from "../../src/engine/index.ts";
import type { DispatchedJob } from "../../src/model/index.ts";
import { drawnFrom, selectSite } from "../../src/policy/index.ts";
import { createNamedQueue, type NamedQueue, nextInstant, note, settle } from "../../src/queue/index.ts";

/** Processors of each site. */
export const SITES: readonly number[] = [16, 32, 32, 64, 64, 128, 128, 256];
/** The part of all processors that the jobs take. */
const LOAD = 0.9;
const WIDEST = 8;
const MEAN_RUN_MS = MS_PER_HOUR / 2;

/** One setting. */
export interface Setting {
  readonly points: number;
  /** Between two exchanges; 0: everything is known at once; Infinity: nothing is ever told. */
  readonly everyMs: number;
  readonly selector: "leastUsed" | "random";
  readonly jobs: number;
  readonly seed: number;
}

/** What came of it. */
export interface Played {
  /** The part of the jobs that went where one who knows all would have sent them. */
  readonly agreed: number;
  /** By how much the site was more used than the least used one, of its size; mean. */
  readonly excess: number;
  readonly meanWaitMs: number;
}

interface Job {
  readonly id: string;
  readonly submitMs: number;
  readonly procs: number;
  readonly runMs: number;
  readonly point: number;
}

/** A decision point. */
interface Point {
  readonly name: string;
  /** Its own jobs that are not over, as it tells others of them, by their ids. */
  readonly sent: Map<string, DispatchedJob>;
  /** Their processors, by site. */
  readonly own: number[];
  /** What it has heard of the others. */
  readonly peers: Map<string, PeerState>;
}

interface Play {
  readonly queues: readonly NamedQueue[];
  readonly sent: { readonly job: Job; readonly site: number }[];
  readonly indexOf: Map<string, number>;
  /** When jobs end, as indices into `sent`. */
  readonly ends: ReturnType<typeof createHeap>;
  readonly points: readonly Point[];
  /** What is in use or asked for, by site. */
  readonly truth: number[];
  waitMs: number;
}

/** Plays a drawn workload. */
export function play(setting: Setting): Played {
  const state = begin(setting.points);
  let [agreed, excess] = [0, 0];
  let exchangeMs = setting.everyMs;
  const jobs = drawnJobs(setting);
  for (const job of jobs) {
    for (; exchangeMs <= job.submitMs && setting.everyMs > 0; exchangeMs += setting.everyMs) {
      passTo(state, exchangeMs);
      exchange(state, exchangeMs);
    }
    passTo(state, job.submitMs);
    if (setting.everyMs === 0) exchange(state, job.submitMs);
    const site = siteFor(state, job, setting.selector);
    const used = state.truth.map((procs, at) => procs / SITES[at]);
    const least = Math.min(...used.filter((_, at) => SITES[at] >= job.procs));
    agreed += Number(used[site] === least);
    excess += used[site] - least;
    send(state, job, site);
  }
  passTo(state, Number.MAX_SAFE_INTEGER);
  const count = jobs.length;
  return { agreed: agreed / count, excess: excess / count, meanWaitMs: state.waitMs / count };
}

function begin(points: number): Play {
  const none = () => SITES.map(() => 0);
  return {
    queues: SITES.map((procs) => createNamedQueue([procs, 1], "easy", 0)),
    ...{ sent: [], indexOf: new Map(), ends: createHeap(), truth: none(), waitMs: 0 },
    points: Array.from({ length: points }, (_, at): Point => {
      return { name: String(at), sent: new Map(), own: none(), peers: new Map() };
    }),
  };
}

function drawnJobs({ jobs, points, seed }: Setting): readonly Job[] {
  const random = createRandom(seed);
  const procs = SITES.reduce((sum, it) => sum + it, 0);
  const betweenMs = (MEAN_RUN_MS * (1 + WIDEST)) / 2 / (LOAD * procs);
  let submitMs = 0;
  return Array.from({ length: jobs }, (_, at): Job => {
    submitMs += Math.ceil(drawExponential(random, betweenMs));
    const runMs = Math.max(1000, Math.round(drawExponential(random, MEAN_RUN_MS)));
    const width = drawInteger(random, 1, WIDEST);
    return { id: `${seed} ${at}`, submitMs, procs: width, runMs, point: drawInteger(random, 0, points - 1) };
  });
}

function siteFor({ points }: Play, job: Job, selector: Setting["selector"]): number {
  const { id, procs } = job;
  const { own, peers } = points[job.point];
  const usedAt = (at: number): number =>
    countedAt(peers, String(at), job.submitMs).reduce((sum, other) => sum + other.procs, own[at]);
  const rows = SITES.map((size, at) => ({
    ...{ site: String(at), usedPpm: (usedAt(at) / size) * 1_000_000 },
    ...{ lastSentMs: null, predictedStartMs: null, costProcMs: null },
  })).filter((_, at) => SITES[at] >= procs);
  return Number(selectSite(rows, selector, { lastSite: null, drawn: drawnFrom(id) })?.site);
}

function send(state: Play, job: Job, site: number): void {
  state.indexOf.set(job.id, state.sent.length);
  state.sent.push({ job, site });
  count(state, { job, site }, job.procs);
  const need = { procs: job.procs, gpus: 0, memoryBytes: 0 };
  const about = { id: job.id, site: String(site), siteJob: null, consumer: "vo", limitMs: job.runMs };
  state.points[job.point].sent.set(job.id, { ...about, ...need, startedAtMs: null });
  note(state.queues[site], { kind: "arrive", job: job.id, need: [job.procs, 0], estimateMs: job.runMs });
  started(state, state.queues[site], job.submitMs);
}

/** Everything that happens at sites until an instant: jobs start, and end. */
function passTo(state: Play, untilMs: number): void {
  for (const queue of state.queues) {
    for (let atMs = nextInstant(queue); atMs <= untilMs; atMs = nextInstant(queue)) {
      if (atMs === Number.POSITIVE_INFINITY) break;
      started(state, queue, atMs);
    }
  }
  while (state.ends.size > 0 && smallestKey(state.ends) <= untilMs) {
    const its = state.sent[popHeap(state.ends)];
    count(state, its, -its.job.procs);
    state.points[its.job.point].sent.delete(its.job.id);
  }
}

function started(state: Play, queue: NamedQueue, atMs: number): void {
  for (const id of settle(queue, atMs)) {
    const index = state.indexOf.get(id) ?? 0;
    const { job } = state.sent[index];
    state.waitMs += atMs - job.submitMs;
    const { sent } = state.points[job.point];
    const told = sent.get(id);
    if (told !== undefined) sent.set(id, { ...told, startedAtMs: atMs });
    pushHeap(state.ends, atMs + job.runMs, index);
  }
}

function count({ truth, points }: Play, { job, site }: Play["sent"][number], procs: number): void {
  truth[site] += procs;
  points[job.point].own[site] += procs;
}

/** Every point tells every other what it has sent that is not over. */
function exchange({ points }: Play, nowMs: number): void {
  for (const { name: peer, sent } of points) {
    const told = { asOfMs: nowMs, dispatched: [...sent.values()], leftOut: 0 };
    for (const other of points) if (other.name !== peer) hear(other, { peer, ...told }, nowMs);
  }
}

function hear(point: Point, told: Omit<Parameters<typeof hearPeer>[1], "kind" | "by">, nowMs: number): void {
  const answer = hearPeer(point, { kind: "hearPeer", by: "exchange", ...told }, nowMs);
  if (!answer.ok) throw new Error("what must hold: what a point tells is heard");
  for (const event of answer.value) if (event.kind === "peerHeard") applyPeer(point, event);
}
