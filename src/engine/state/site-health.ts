/**
 * The health of a site as it follows from the ends of attempts there, by the rule of spec A46, and whether
 * the site takes another job.
 *
 * Where the rule counts programs that end with an error, ours does so only if they are of two owners: one
 * person's programs that fail are more likely her own fault than the site's.
 */
import {
  type AttemptEnd,
  asksToResume,
  type EndTally,
  type JobRecord,
  type QuickFailure,
  type SiteHealth,
} from "../../model/index.ts";
import type { Projection } from "./projection.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const WINDOW_MINUTES = 10;
/** Time in which failures have to come together. */
export const WINDOW_MS = WINDOW_MINUTES * MINUTE_MS;
/** Time for which failures are remembered, to tell whether a job description fails at every site. */
const REMEMBERED_MS = 60 * MINUTE_MS;
/** Number of sites at which a job description must fail to be at fault itself. */
const SEVERAL_SITES = 2;
const HISTORY_DAYS = 30;
/** Most failures that are remembered. */
const MOST_FAILURES = 50;
const FEWEST_FAILURES = 5;
const FEWEST_DESCRIPTIONS = 2;
const FEWEST_RUNS = 20;
/** Run time below which a failure is quick at a site without history. */
const QUICK_MS = 60_000;
const QUANTILE = 0.05;
const LEAST_RATE = 0.02;
const MOST_CHANCE = 1e-4;
/** Pause before the first test; each failed one doubles it. */
export const FIRST_PAUSE_MS = 10 * MINUTE_MS;
const LONGEST_PAUSE_MS = 4 * 60 * MINUTE_MS;
/** Number of good tests in a row after which a site is readmitted. */
export const GOOD_PROBES = 2;
/** Jobs in flight at a site that was readmitted, and how many have to end well there. */
export const TRIAL = { most: 5, needed: 20 } as const;

/** A site about which nothing is known yet. */
export function unknownHealth(site: string): SiteHealth {
  return { site, days: [], minutes: [], failures: [], runs: [], aside: null, endedWell: null, sent: [] };
}

/** True if the attempt was lost, or ended with an error sooner than 95 % of the jobs that end well there. */
function isQuickFailure(
  health: SiteHealth,
  job: Pick<JobRecord, "startedAtMs" | "description">,
  end: AttemptEnd,
  atMs: number,
): boolean {
  const { startedAtMs } = job;
  if (asksToResume(job, end) || end.shortOf !== undefined) return false;
  if (end.cause === "lost" || end.cause === "launchFailed") return true;
  const isError = end.cause === "signalled" || (end.cause === "exited" && end.exitCode !== 0);
  return isError && atMs - (startedAtMs ?? atMs) < quickMs(health);
}

/** The end of an attempt, whether its own description is at fault, and the node on which it was. */
interface CountedEnd {
  readonly end: AttemptEnd;
  readonly isOwnFault: boolean;
  /** Absent: unknown, or several. */
  readonly node?: string | undefined;
}

/** The health after an attempt has ended; what was cancelled, or never ran, says nothing. */
export function afterEnd(
  health: SiteHealth,
  job: JobRecord,
  { end, isOwnFault, node }: CountedEnd,
  atMs: number,
): SiteHealth {
  const sent = health.sent.filter((id) => id !== job.id);
  if (end.cause === "cancelled" || end.isImitated === true) {
    return sent.length === health.sent.length ? health : { ...health, sent };
  }
  const isQuick = isQuickFailure(health, job, end, atMs);
  const isCounted = isQuick && !isOwnFault;
  const isGood = end.cause === "exited" && end.exitCode === 0;
  const counted: SiteHealth = {
    ...health,
    ...{ sent, ...tallied(health, isCounted, atMs) },
    runs: isGood && job.startedAtMs !== null ? withRun(health.runs, atMs - job.startedAtMs) : health.runs,
    failures: recentFailures(health, isQuick ? failureOf(job, { end, node }, atMs) : undefined, atMs),
  };
  // A test that fails by its own fault says nothing: the next job tests again.
  if (health.aside !== null && isQuick && isOwnFault) return counted;
  if (health.aside !== null) return afterProbe(counted, health.sent.includes(job.id), isQuick, atMs);
  const { endedWell } = health;
  if (endedWell === null || !isGood) return counted;
  return { ...counted, endedWell: endedWell + 1 < TRIAL.needed ? endedWell + 1 : null };
}

/** A description that fails as soon as it begins, wherever it goes. */
interface OwnFault {
  readonly sites: readonly string[];
  readonly times: number;
}

/** True if a program of an owner failed at several sites in the last hour (rule EN-194). */
export function ownFaultOf(
  { books }: Pick<Projection, "books">,
  { description, owner }: Pick<QuickFailure, "description" | "owner">,
  nowMs: number,
): OwnFault | undefined {
  const found = [...books.siteHealth.values()].map(({ site, failures }) => ({
    site,
    times: failures.filter((it) => isOf(it, { description, owner }) && it.atMs > nowMs - REMEMBERED_MS)
      .length,
  }));
  const failing = found.filter(({ times }) => times > 0);
  if (failing.length < SEVERAL_SITES) return undefined;
  const times = failing.reduce((sum, one) => sum + one.times, 0);
  return { sites: failing.map(({ site }) => site), times };
}

function isOf(failure: QuickFailure, of: Pick<QuickFailure, "description" | "owner">): boolean {
  return failure.description === of.description && failure.owner === of.owner;
}

/** True if the end of an attempt is another quick failure of a program that failed at other sites. */
export function failedElsewhere(
  { books }: Pick<Projection, "books">,
  job: JobRecord,
  site: string,
  nowMs: number,
): boolean {
  const of = { description: programOf(job), owner: job.owner };
  return [...books.siteHealth.values()].some(
    (health) =>
      health.site !== site && health.failures.some((it) => isOf(it, of) && it.atMs > nowMs - REMEMBERED_MS),
  );
}

/**
 * Quick failures and ends for which a site is to be set aside; undefined where it is not.
 *
 * @param isOwnFault true of failures that are the fault of what failed
 * @param history what to compare with: ends before the last ten minutes
 */
export function sickness(
  health: Pick<SiteHealth, "aside" | "failures" | "minutes" | "days">,
  nowMs: number,
  isOwnFault: (failure: QuickFailure) => boolean = () => false,
  history: Pick<SiteHealth, "minutes" | "days"> = health,
): { readonly quick: number; readonly ended: number } | undefined {
  const { aside, failures, minutes } = health;
  const inWindow = failures.filter(({ atMs }) => atMs > nowMs - WINDOW_MS);
  const recent = inWindow.filter((failure) => !isOwnFault(failure));
  const isOfSeveral = new Set(recent.map(({ owner }) => owner)).size > 1;
  const counting = recent.filter(({ isLost }) => isLost || isOfSeveral);
  const descriptions = new Set(counting.map(({ description }) => description)).size;
  const quick = counting.length;
  if (aside !== null || quick < FEWEST_FAILURES || descriptions < FEWEST_DESCRIPTIONS) return undefined;
  const inTime = (tallies: readonly EndTally[]) =>
    sumOf(sincePeriod(tallies, periodOf(nowMs, MINUTE_MS) - WINDOW_MINUTES));
  const ended = Math.max(inTime(minutes).ended, quick);
  const all = sumOf(history.days);
  const window = inTime(history.minutes);
  const before = { ended: all.ended - window.ended, quick: all.quick - window.quick };
  const rate = before.ended > 0 ? Math.max(LEAST_RATE, before.quick / before.ended) : LEAST_RATE;
  return chanceOfAtLeast(quick, ended, rate) < MOST_CHANCE ? { quick, ended } : undefined;
}

/** True if a site accepts one more job now. @param more jobs that this decision has placed there already */
export function takesOneMore(
  { books, jobs }: Projection,
  site: string,
  more: number,
  nowMs: number,
): "yes" | "asTest" | "no" {
  const health = books.siteHealth.get(site);
  if (health === undefined || (health.aside === null && health.endedWell === null)) return "yes";
  const there = health.sent.filter((id) => jobs.get(id)?.site === site).length + more;
  if (health.aside === null) return there < TRIAL.most ? "yes" : "no";
  return there === 0 && nowMs >= health.aside.probeAtMs ? "asTest" : "no";
}

/** P(X ≥ k) of n trials that succeed with probability p, 0 < p < 1. Terms from the kth on are summed. */
export function chanceOfAtLeast(k: number, n: number, p: number): number {
  if (p >= 1 || k <= 0) return 1;
  let logTerm = k * Math.log(p) + (n - k) * Math.log1p(-p);
  for (let i = 1; i <= k; i++) logTerm += Math.log((n - k + i) / i);
  let term = Math.exp(logTerm);
  let sum = 0;
  for (let i = k; i <= n && term > sum * 1e-17; i++) {
    sum += term;
    term *= ((n - i) / (i + 1)) * (p / (1 - p));
  }
  return Math.min(1, sum);
}

function afterProbe(health: SiteHealth, isProbe: boolean, isQuick: boolean, atMs: number): SiteHealth {
  const { aside } = health;
  if (aside === null || !isProbe) return health;
  if (!isQuick) {
    return { ...health, aside: { ...aside, goodProbes: aside.goodProbes + 1, probeAtMs: atMs } };
  }
  const pauseMs = Math.min(aside.pauseMs * 2, LONGEST_PAUSE_MS);
  return { ...health, aside: { ...aside, goodProbes: 0, pauseMs, probeAtMs: atMs + pauseMs } };
}

/** The lower bound of the histogram's class in which the quantile lies. */
function quickMs({ runs }: SiteHealth): number {
  const all = runs.reduce((sum, count) => sum + count, 0);
  if (all < FEWEST_RUNS) return QUICK_MS;
  let seen = 0;
  for (const [i, count] of runs.entries()) {
    seen += count;
    if (seen >= all * QUANTILE) return (2 ** i - 1) * 1000;
  }
  return QUICK_MS;
}

function withRun(runs: readonly number[], runMs: number): readonly number[] {
  const at = Math.floor(Math.log2(Math.max(0, runMs) / 1000 + 1));
  return Array.from({ length: Math.max(runs.length, at + 1) }, (_, i) => (runs[i] ?? 0) + (i === at ? 1 : 0));
}

function tallied({ days, minutes }: SiteHealth, isQuick: boolean, atMs: number) {
  return {
    days: withEnd(days, isQuick, periodOf(atMs, DAY_MS), HISTORY_DAYS),
    minutes: withEnd(minutes, isQuick, periodOf(atMs, MINUTE_MS), WINDOW_MINUTES),
  };
}

function withEnd(
  tallies: readonly EndTally[],
  isQuick: boolean,
  period: number,
  most: number,
): readonly EndTally[] {
  const kept = sincePeriod(tallies, period - most);
  const now = kept.find((it) => it.period === period) ?? { period, ended: 0, quick: 0 };
  const counted = { period, ended: now.ended + 1, quick: now.quick + (isQuick ? 1 : 0) };
  return [...kept.filter((it) => it.period !== period), counted];
}

function sincePeriod(tallies: readonly EndTally[], after: number): readonly EndTally[] {
  return tallies.filter(({ period }) => period > after);
}

function sumOf(tallies: readonly EndTally[]): { readonly ended: number; readonly quick: number } {
  return {
    ended: tallies.reduce((sum, it) => sum + it.ended, 0),
    quick: tallies.reduce((sum, it) => sum + it.quick, 0),
  };
}

function periodOf(atMs: number, lengthMs: number): number {
  return Math.floor(atMs / lengthMs);
}

function recentFailures({ failures }: SiteHealth, failure: QuickFailure | undefined, atMs: number) {
  const recent = failures.filter((it) => it.atMs > atMs - REMEMBERED_MS);
  return (failure === undefined ? recent : [...recent, failure]).slice(-MOST_FAILURES);
}

function failureOf(
  job: JobRecord,
  { end: { cause }, node }: Pick<CountedEnd, "end" | "node">,
  atMs: number,
): QuickFailure {
  const isLost = cause === "lost" || cause === "launchFailed";
  const where = node === undefined ? {} : { node };
  return { atMs, description: programOf(job), owner: job.owner, isLost, ...where };
}

/** Command of a job, shortened. */
export function programOf({ description }: Pick<JobRecord, "description">): string {
  return [description.executable, ...description.arguments].join(" ").slice(0, 200);
}
