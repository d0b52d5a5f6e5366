/**
 * Start predictions from past waits alone, for sites that publish nothing else.
 *
 * Source: QBETS [NBW07]: binomial bounds, change points, classes. Events come in order of time. There is a
 * series of waits for every class, every queue, and the site; the finest one with enough waits answers, and
 * the answer names it.
 * Cost: O(log n) an event; a re-fit every 500 starts of a queue.
 */
import { assert } from "../base/index.ts";
import { addToBin, type Bin, binKey, createBin, type RecentWait, recentOf } from "./bins.ts";
import { fitClasses } from "./fit-classes.ts";
import type { JobEvent, JobFacts } from "./job-facts.ts";
import type { Assurance } from "./ranks.ts";
import {
  boundNow,
  createWatched,
  lowerBoundNow,
  probabilityNow,
  unwatch,
  type Watched,
  type WatchedSeries,
  watch,
} from "./watched-series.ts";

/** The series that answered: the job's class, its queue, or the whole site. */
type HistoryLevel = "class" | "queue" | "site";

/** The series behind a number. */
export interface HistorySource {
  readonly level: HistoryLevel;
  /** The class as `queue` and its bins, the queue, or "". */
  readonly name: string;
  readonly waits: number;
  readonly changePoints: number;
}

interface WaitClass {
  /** Keys of its bins, sorted. */
  readonly name: string;
  readonly watched: WatchedSeries;
}

interface QueueHistory {
  readonly bins: Map<string, Bin>;
  classOf: Map<string, WaitClass>;
  readonly all: WatchedSeries;
  starts: number;
}

interface WaitingJob {
  readonly job: JobFacts;
  readonly submittedAtMs: number;
  /** The job in the series of its class (undefined where its bin is in none), its queue and the site. */
  inClass: { readonly of: WatchedSeries; readonly watched: Watched } | undefined;
  readonly inQueue: Watched;
  readonly inSite: Watched;
}

/** Past waits of a site. Treat as opaque. */
export interface WaitHistory {
  readonly queues: Map<string, QueueHistory>;
  readonly site: WatchedSeries;
  /** Waiting jobs in order of submission. */
  readonly waiting: Map<string, WaitingJob>;
}

const STARTS_BETWEEN_FITS = 500;

/** A site without past waits. */
export function createHistory(): WaitHistory {
  return { queues: new Map(), site: createWatched(), waiting: new Map() };
}

/** Adds an event; unknown jobs (submitted before observation began) are ignored. */
export function observeWaits(history: WaitHistory, event: JobEvent): void {
  switch (event.kind) {
    case "submitted":
      submitted(history, event.job, event.atMs);
      return;
    case "started":
      left(history, event.id, event.atMs, true);
      return;
    case "withdrawn":
      left(history, event.id, event.atMs, false);
      return;
    case "ended":
      return;
  }
}

/** A value, and the series that it comes from. */
export interface FromHistory {
  readonly value: number;
  readonly source: HistorySource;
}

/** An upper bound, in ms, of the wait of a job submitted now; undefined while too few waits are known. */
export function boundWait(
  history: WaitHistory,
  job: JobFacts,
  assurance: Assurance,
  nowMs: number,
): FromHistory | undefined {
  return ask(history, job, (of) => boundNow(of, assurance, nowMs));
}

/** A lower bound, in ms: at least 1 − q of the waits are longer. */
export function boundWaitBelow(
  history: WaitHistory,
  job: JobFacts,
  assurance: Assurance,
  nowMs: number,
): FromHistory | undefined {
  return ask(history, job, (of) => lowerBoundNow(of, assurance, nowMs));
}

/**
 * The probability, with confidence `confidence`, that a job submitted now starts within `withinMs`; undefined
 * while fewer than 59 waits are known.
 */
export function probabilityOfStart(
  history: WaitHistory,
  job: JobFacts,
  deadline: { readonly withinMs: number; readonly confidence: number },
  nowMs: number,
): FromHistory | undefined {
  const { withinMs, confidence } = deadline;
  return ask(history, job, (of) => probabilityNow(of, withinMs, confidence, nowMs));
}

/** The classes of a queue, as lists of bins `procs/wallTime` in powers of two. */
export function classesOf(history: WaitHistory, queue: string): string[] {
  const classes = new Set(history.queues.get(queue)?.classOf.values());
  return [...classes].map(({ name }) => name).sort();
}

/** The present class of a job; undefined where its bin is in none yet. */
export function classOfJob(history: WaitHistory, job: JobFacts): string | undefined {
  return history.queues.get(job.queue)?.classOf.get(binKey(job))?.name;
}

/** The answer of the finest series that has one. */
function ask(
  { queues, site }: WaitHistory,
  job: JobFacts,
  question: (of: WatchedSeries) => number | undefined,
): FromHistory | undefined {
  const queue = queues.get(job.queue);
  const inClass = queue?.classOf.get(binKey(job));
  const candidates: readonly (readonly [HistoryLevel, string, WatchedSeries | undefined])[] = [
    ["class", `${job.queue} ${inClass?.name}`, inClass?.watched],
    ["queue", job.queue, queue?.all],
    ["site", "", site],
  ];
  for (const [level, name, of] of candidates) {
    const value = of && question(of);
    if (of === undefined || value === undefined) continue;
    const { waitsMs, changePoints } = of.series;
    return { value, source: { level, name, waits: waitsMs.length, changePoints } };
  }
  return undefined;
}

function submitted(history: WaitHistory, job: JobFacts, atMs: number): void {
  assert(!history.waiting.has(job.id), "a job is submitted once");
  const queue = queueOf(history, job.queue);
  const of = queue.classOf.get(binKey(job))?.watched;
  history.waiting.set(job.id, {
    job,
    submittedAtMs: atMs,
    inClass: of && { of, watched: watch(of, atMs) },
    inQueue: watch(queue.all, atMs),
    inSite: watch(history.site, atMs),
  });
}

function left(history: WaitHistory, id: string, atMs: number, hasStarted: boolean): void {
  const waiting = history.waiting.get(id);
  if (waiting === undefined) return;
  history.waiting.delete(id);
  const { job, inClass, inQueue, inSite, submittedAtMs } = waiting;
  const queue = queueOf(history, job.queue);
  if (inClass) unwatch(inClass.of, inClass.watched, atMs, hasStarted);
  unwatch(queue.all, inQueue, atMs, hasStarted);
  unwatch(history.site, inSite, atMs, hasStarted);
  if (!hasStarted) return;
  const bin = queue.bins.get(binKey(job)) ?? createBin(job);
  queue.bins.set(bin.key, bin);
  addToBin(bin, { submittedAtMs, startedAtMs: atMs });
  if (++queue.starts % STARTS_BETWEEN_FITS === 0) refit(history, job.queue, queue);
}

/** Forms the classes again; unchanged ones keep their series. */
function refit(history: WaitHistory, name: string, queue: QueueHistory): void {
  const before = new Map([...queue.classOf.values()].map((it) => [it.name, it]));
  const waiting = [...history.waiting.values()].filter(({ job }) => job.queue === name);
  queue.classOf = new Map();
  for (const bins of fitClasses([...queue.bins.values()])) {
    const keys = bins.map(({ key }) => key).sort();
    const className = keys.join(" ");
    const inIt = waiting.filter(({ job }) => keys.includes(binKey(job)));
    const it = before.get(className) ?? { name: className, watched: replayed(bins, inIt) };
    for (const key of keys) queue.classOf.set(key, it);
  }
}

/** The series of the latest waits of these bins, as if they had been one class all the time. */
function replayed(bins: readonly Bin[], stillWaiting: readonly WaitingJob[]): WatchedSeries {
  const of = createWatched();
  const past = bins.flatMap(recentOf).map((wait) => ({ ...wait, watched: undefined }));
  const submissions: Replayed[] = [...past, ...stillWaiting.map(asReplayed)];
  const siteEvents = submissions
    .flatMap((it) => [
      { it, atMs: it.submittedAtMs, isStart: false },
      { it, atMs: it.startedAtMs, isStart: true },
    ])
    .filter(({ atMs }) => atMs < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.atMs - b.atMs || Number(a.isStart) - Number(b.isStart));
  for (const { it, atMs, isStart } of siteEvents) {
    if (!isStart) it.watched = watch(of, atMs);
    else if (it.watched !== undefined) unwatch(of, it.watched, atMs, true);
    if (it.job !== undefined && it.watched !== undefined) it.job.inClass = { of, watched: it.watched };
  }
  return of;
}

interface Replayed extends RecentWait {
  readonly job?: WaitingJob;
  watched: Watched | undefined;
}

function asReplayed(job: WaitingJob): Replayed {
  const { submittedAtMs } = job;
  return { job, submittedAtMs, startedAtMs: Number.POSITIVE_INFINITY, watched: undefined };
}

function queueOf(history: WaitHistory, name: string): QueueHistory {
  const known = history.queues.get(name);
  if (known !== undefined) return known;
  const created = { bins: new Map(), classOf: new Map(), all: createWatched(), starts: 0 };
  history.queues.set(name, created);
  return created;
}
