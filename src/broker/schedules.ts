/**
 * Schedules of sites: what ran, runs, waits and is reserved there, in rows, for somebody who may see a part.
 *
 * One look at the site's plan and one at the jobs that have ended. Rows stay what they were for as long as a
 * bar is shown. As of a past instant the plan is that of the state which the log gives: the starts that
 * the queue's rules gave then. Surveys of foreign sites are not recorded, so of those only our own jobs are
 * known, and none of their planned starts.
 */
import { messageOf } from "../base/index.ts";
import {
  type Bar,
  barsNow,
  barsSeen,
  isObserved,
  isOpen,
  type PlacedBar,
  pastBars,
  placeBars,
} from "../engine/index.ts";
import { isForeign, type JobRecord, publishesAggregates } from "../model/index.ts";
import type { Profile } from "../profile/index.ts";
import {
  type BrokerApi,
  jobOf,
  type Logbook,
  type Round,
  type ScheduleQuestion,
  type SiteSchedule,
} from "../runtime/index.ts";
import { hidesJobs } from "./explain-there.ts";
import type { PastStates } from "./past-states.ts";
import type { Plans } from "./plans.ts";
import type { Predictions } from "./predictions/predictions.ts";
import { createRememberedRows } from "./remembered-rows.ts";
import type { Sites } from "./sites.ts";
import { leftFreeThere } from "./slots-there.ts";
import type { Trials } from "./trials/trials.ts";

/** Dependencies of schedules. */
export interface ScheduleWorld {
  readonly round: Pick<Round, "projection" | "nowMs">;
  readonly logbook: Pick<Logbook, "rows">;
  readonly pastStates: PastStates;
  readonly sites: Pick<Sites, "get">;
  readonly plans: Plans;
  readonly trials: Pick<Trials, "leftFree">;
  readonly predictions: Pick<Predictions, "promised">;
}

/** Past jobs in one answer, the latest first. */
const MOST_PAST = 20_000;
/** Bars in one answer; those furthest ahead are left out. */
const MOST_BARS = 50_000;
const PAGE = 1000;

/** The schedules of a broker; undefined for a site that is not there. */
export function schedulesBy(world: ScheduleWorld): BrokerApi["schedule"] {
  const remembered = createRememberedRows();
  return async (question) => {
    const { site: name, sinceMs, untilMs, asOfMs } = question;
    const there = await clusterAt(world, name);
    const past = await pastJobs(world, question);
    const picture = asOfMs === null ? await pictureNow(world, name) : await pictureThen(world, name, asOfMs);
    const site = world.round.projection.sites.get(name);
    if (site === undefined || picture === undefined) return undefined;
    const { atMs } = picture;
    const { areJobsPrivate, nodes } = there;
    const bars = [...picture.bars, ...pastBars(past.jobs)].map(asOfMs === null ? there.onNodes : asItIs);
    const seen = barsSeen(bars, { sees: question.sees, areJobsPrivate });
    const procs = Math.max(
      site.spec.procs,
      nodes.reduce((sum, node) => sum + node.procs, 0),
    );
    const whose = areJobsPrivate ? JSON.stringify([name, question.reader]) : name;
    const placed = placeBars(seen, { nowMs: atMs, procs, nodes, before: remembered.of(whose) });
    if (asOfMs === null) remembered.keep(whose, placed, atMs);
    const shown = placed.filter((bar) => isBetween(bar, question, atMs));
    shown.sort((a, b) => (a.startMs === b.startMs ? 0 : a.startMs - b.startMs));
    const given = shown.slice(0, MOST_BARS);
    const { discipline } = site.spec;
    return {
      ...{ site: name, isPartial: picture.isPartial, atMs, sinceMs, untilMs, procs, discipline },
      ...{ areJobsPrivate, nodes, free: picture.free(untilMs ?? Number.POSITIVE_INFINITY) },
      ...{ seenAtMs: site.observation.seenAtMs, trouble: site.observation.trouble ?? there.trouble },
      rows: shown.reduce((most, bar) => Math.max(most, lastRowOf(bar)), procs),
      ...{ bars: given, promises: asOfMs === null ? await promisesTo(world, name, given) : new Map() },
      leftOut: { past: past.leftOut, later: Math.max(0, shown.length - MOST_BARS) },
    };
  };
}

const asItIs = (bar: Bar): Bar => bar;

/** Bars of a site at an instant, and the capacity that its plan leaves free until a later instant. */
interface Picture {
  readonly atMs: number;
  readonly bars: readonly Bar[];
  readonly isPartial: boolean;
  readonly free: (untilMs: number) => SiteSchedule["free"];
}

async function pictureNow(
  { round, plans, trials }: ScheduleWorld,
  name: string,
): Promise<Picture | undefined> {
  const atMs = await plans.ready(name);
  const site = round.projection.sites.get(name);
  if (site === undefined) return undefined;
  const bars = barsNow(round.projection, site, atMs);
  const isKnown = isOpen(site) || isObserved(site);
  const left = isKnown ? await leftFreeThere(site.queue, atMs, trials) : undefined;
  const free: Picture["free"] = (untilMs) => (left === undefined ? [] : stepsOf(left.profile, untilMs));
  return { atMs, bars, isPartial: false, free };
}

/** State of a site at a past instant, from the log; empty where the site had not been added yet. */
function pictureThen({ pastStates }: ScheduleWorld, name: string, atMs: number): Promise<Picture> {
  return pastStates.read(atMs, (projection) => {
    const site = projection.sites.get(name);
    const isPartial = site !== undefined && isForeign(site.spec);
    const bars = site === undefined ? [] : barsNow(projection, site, atMs);
    return { atMs, bars: isPartial ? bars.map(unplanned) : bars, isPartial, free: () => [] };
  });
}

/** A waiting job of a foreign site whose survey is not known. */
function unplanned(bar: Bar): Bar {
  const never = Number.POSITIVE_INFINITY;
  return bar.kind === "queued" ? { ...bar, kind: "held", startMs: never, endMs: never } : bar;
}

/** Facts that only a survey of a whole cluster shows. */
interface Cluster {
  readonly areJobsPrivate: boolean;
  readonly nodes: SiteSchedule["nodes"];
  readonly trouble: string | null;
  readonly onNodes: (bar: Bar) => Bar;
}

const NO_CLUSTER: Cluster = { areJobsPrivate: false, nodes: [], trouble: null, onNodes: (bar) => bar };

/** A cluster that cannot be looked at may be one that hides jobs. */
async function clusterAt({ round, sites }: ScheduleWorld, name: string): Promise<Cluster> {
  const spec = round.projection.sites.get(name)?.spec;
  if (spec !== undefined && publishesAggregates(spec)) return { ...NO_CLUSTER, areJobsPrivate: true };
  const look = sites.get(name)?.snapshot;
  if (look === undefined) return NO_CLUSTER;
  try {
    const snapshot = await look();
    const nodesOf = new Map(snapshot.jobs.map(({ siteJob, nodes }) => [siteJob, nodes]));
    const onNodes = (bar: Bar): Bar => {
      const siteJob = bar.facts?.seen?.siteJob ?? bar.facts?.job?.siteJob ?? "";
      return bar.kind === "running" ? { ...bar, nodes: nodesOf.get(siteJob) ?? [] } : bar;
    };
    const nodes = snapshot.nodes.map((node) => ({ name: node.name, procs: node.procs }));
    return { areJobsPrivate: hidesJobs(snapshot), nodes, trouble: null, onNodes };
  } catch (error) {
    return { ...NO_CLUSTER, areJobsPrivate: true, trouble: messageOf(error) };
  }
}

/** Starts promised to jobs that wait, by the keys of their bars; none where they cannot be had in time. */
async function promisesTo(
  { round, predictions }: ScheduleWorld,
  name: string,
  bars: readonly Bar[],
): Promise<SiteSchedule["promises"]> {
  const spec = round.projection.sites.get(name)?.spec;
  const names = new Map<string, string>();
  for (const { key, kind, facts } of bars) {
    if (kind !== "queued" || facts === undefined) continue;
    const siteJob = facts.seen?.siteJob ?? facts.job?.siteJob ?? key;
    names.set(spec !== undefined && isForeign(spec) ? siteJob : key, key);
  }
  const promised = await predictions.promised(name, [...names.keys()]).catch(() => undefined);
  return new Map([...(promised ?? [])].map(([known, starts]) => [names.get(known) ?? known, starts]));
}

/** Jobs that ended in the period, the latest first. */
async function pastJobs(
  { logbook }: ScheduleWorld,
  { site, sinceMs, asOfMs }: ScheduleQuestion,
): Promise<{ readonly jobs: readonly JobRecord[]; readonly leftOut: boolean }> {
  const jobs: JobRecord[] = [];
  const ended = { atLeast: sinceMs, ...(asOfMs === null ? {} : { before: asOfMs + 1 }) };
  let after: string | undefined;
  do {
    const page = await logbook.rows("jobs", {
      where: { site: { is: site }, endedAtMs: ended },
      ...{ orderBy: "endedAtMs", descending: true, limit: PAGE },
      ...(after === undefined ? {} : { after }),
    });
    jobs.push(...page.rows.map(({ record }) => jobOf(record)));
    after = page.next;
  } while (after !== undefined && jobs.length < MOST_PAST);
  return { jobs, leftOut: after !== undefined };
}

/** True for bars in the period; jobs without a planned start are in every period that is not over. */
export function isBetween(
  { startMs, endMs }: Pick<Bar, "startMs" | "endMs">,
  { sinceMs, untilMs }: Pick<ScheduleQuestion, "sinceMs" | "untilMs">,
  nowMs: number,
): boolean {
  if (startMs === Number.POSITIVE_INFINITY) return untilMs === null || untilMs > nowMs;
  return endMs > sinceMs && (untilMs === null || startMs < untilMs);
}

function lastRowOf({ rows }: PlacedBar): number {
  return rows.reduce((most, [first, count]) => Math.max(most, first + count), 0);
}

/** Free processors from instant to instant. */
function stepsOf({ times, free: [procs], head, tail }: Profile, untilMs: number): SiteSchedule["free"] {
  const steps: SiteSchedule["free"][number][] = [];
  for (let at = head; at < tail && times[at] < untilMs; at++) {
    const endMs = at + 1 < tail ? times[at + 1] : Number.POSITIVE_INFINITY;
    if (procs[at] > 0) steps.push({ startMs: times[at], endMs, procs: procs[at] });
  }
  return steps;
}
