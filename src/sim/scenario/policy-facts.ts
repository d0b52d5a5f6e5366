/**
 * Effects of the usage policies of a site: measured as `stint policy verify` measures, over the time that
 * counts (rules SI-86, SI-5).
 */
import { MS_PER_SECOND } from "../../base/index.ts";
import type { ConsumerFacts, PolicyFacts, ScenarioEnforcer } from "../../model/index.ts";
import {
  findingsOf,
  type LevelFindings,
  type TotalFindings,
  VERIFY_DEFAULTS,
  verify,
} from "../../policy/index.ts";
import type { Counted } from "./counted.ts";
import type { PolicedJobs } from "./policed-jobs.ts";
import { courseOf, type JobTimes, type Stretch } from "./site-course.ts";

/** The site that is measured. */
export interface PolicedSite {
  readonly policed: PolicedJobs;
  readonly pep: ScenarioEnforcer;
  readonly procs: number;
  readonly counted: Counted;
}

/** The use of a level over time, against its limits; shares of the capacity. */
export interface LevelSeries {
  readonly consumer: string;
  readonly epochShare: number;
  readonly burstShare: number;
  /** Means over the steps of the site's course. */
  readonly used: readonly number[];
}

/** Effects of the policies, and the use over time of the uppermost levels. */
export interface Policing {
  readonly facts: PolicyFacts;
  readonly courses: readonly LevelSeries[];
}

/** Measures the effects of the policies of a site. */
export function policingOf(site: PolicedSite): Policing {
  const { totals, levels } = findingsAt(site);
  const named = levels.filter(({ resource }) => resource === "cpu");
  const total = totals.find(({ resource }) => resource === "cpu");
  return { facts: factsOf(site, total, named), courses: levelSeries(site, named) };
}

function factsOf(
  site: PolicedSite,
  total: TotalFindings | undefined,
  named: readonly LevelFindings[],
): PolicyFacts {
  const { policed, pep } = site;
  const { records, stops, policies } = policed;
  return {
    ...{ site: policies.site, pep },
    ...partsOf(total),
    stops: sumOf(stops),
    stoppedJobs: stops.filter((times) => times > 0).length,
    neverStarted: records.filter(({ runs }) => runs.length === 0).length,
    consumers: named.map((level) => consumerFacts(level, site)),
  };
}

function levelSeries(
  { policed, procs, counted }: PolicedSite,
  named: readonly LevelFindings[],
): readonly LevelSeries[] {
  const uppermost = named.filter(({ consumer }) => !named.some((other) => isBelow(consumer, other.consumer)));
  const lastMs = lastEndMs(policed);
  return uppermost.map(({ consumer, epochShare, burstShare }) => {
    const times = runTimes(policed, (whose) => whose === consumer || isBelow(whose, consumer));
    return { consumer, epochShare, burstShare, used: courseOf(times, procs, counted, lastMs).busy };
  });
}

/** Runs of the jobs of these consumers; a job that was suspended has several. */
export function runTimes({ records }: PolicedJobs, isMeant: (consumer: string) => boolean): JobTimes {
  const runs = records.flatMap(({ consumer, need, submittedAtMs, runs: its }) =>
    isMeant(consumer)
      ? its.map(({ fromMs, toMs }) => ({
          ...{ procs: need.cpu ?? 0, submitMs: submittedAtMs, startMs: fromMs, endMs: toMs ?? fromMs },
        }))
      : [],
  );
  return {
    procs: Float64Array.from(runs, ({ procs }) => procs),
    submitMs: Float64Array.from(runs, ({ submitMs }) => submitMs),
    startMs: Float64Array.from(runs, ({ startMs }) => startMs),
    endMs: Float64Array.from(runs, ({ endMs }) => endMs),
  };
}

function lastEndMs({ records }: PolicedJobs): number {
  return records.reduce((last, { endedAtMs }) => Math.max(last, endedAtMs ?? 0), 1);
}

function findingsAt({ policed, procs, counted }: PolicedSite) {
  const { policies, records } = policed;
  const { fromMs, untilMs } = counted;
  const whole: Stretch = { fromMs: 0, untilMs: Math.max(untilMs, lastEndMs(policed)) };
  const evidence = {
    place: policies.site,
    capacity: [{ fromMs: 0, amounts: { cpu: procs } }],
    terms: [{ fromMs: null, policies: policies.policies }],
    records,
    recorded: [{ fromMs: whole.fromMs, toMs: whole.untilMs }],
    stopped: [],
  };
  return findingsOf(verify(evidence, { fromMs, toMs: untilMs, definitions: VERIFY_DEFAULTS }));
}

function partsOf(of: Pick<TotalFindings, "parts"> | undefined) {
  return {
    aboveEpoch: of?.parts.aboveEpoch ?? 0,
    aboveEpochContended: of?.parts.aboveEpochContended ?? 0,
    aboveBurst: of?.parts.aboveBurst ?? 0,
    notGiven: of?.parts.notGiven ?? 0,
  };
}

function consumerFacts(level: LevelFindings, { policed, counted }: PolicedSite): ConsumerFacts {
  const { consumer, epochShare, burstShare, parts } = level;
  const { fromMs, untilMs } = counted;
  const waits: number[] = [];
  let stops = 0;
  for (const [at, record] of policed.records.entries()) {
    const { submittedAtMs, runs } = record;
    if (record.consumer !== consumer && !isBelow(record.consumer, consumer)) continue;
    stops += policed.stops[at];
    const isCounted = submittedAtMs >= fromMs && submittedAtMs <= untilMs;
    if (isCounted && runs.length > 0) waits.push(runs[0].fromMs - submittedAtMs);
  }
  return {
    ...{ consumer, epochShare, burstShare, used: parts.used ?? 0 },
    ...partsOf(level),
    jobs: waits.length,
    waitMeanSec: waits.length === 0 ? null : sumOf(waits) / waits.length / MS_PER_SECOND,
    stops,
  };
}

function isBelow(path: string, above: string): boolean {
  return path.startsWith(`${above}/`);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
