/**
 * Service of each level of a site: the order in which levels are served (rule PO-8).
 *
 * Over the resources that policies name for it, the greatest of use ÷ entitlement over the epoch. The
 * estimated remaining use of its jobs counts as used already, so that a pass that releases several jobs gives
 * each consumer its part, and long jobs are not released one after the other before the first counts.
 * Equivalent to quotients of exact sums; for speed quotients of doubles decide where they are clearly apart,
 * and sums are doubles as long as these are exact.
 * Departs from [UP], where EA is past use alone and one job per consumer is released in each turn.
 */
import { WHOLE_SHARE } from "../../model/index.ts";
import { usedOver } from "../use-history.ts";
import { SITE_RESOURCES, type SiteUses } from "./enforced-site.ts";
import { epochLengthMs } from "./epoch.ts";
import { areApart, compareFractions, type Fraction, fraction } from "./fraction.ts";
import type { Level, LevelLimit, Levels } from "./levels.ts";

/** Service of the levels of a site. */
export interface Served {
  readonly levels: Levels;
  /** Measures by level and column; null where no policy names the level for it. */
  readonly measures: readonly (readonly (Measure | null)[])[];
  /** The greatest measure of each level; null where it has none. */
  readonly greatest: (Measure | null)[];
  /** Approximate service of each level; NaN where it and `greatest` must be computed again. */
  readonly about: Float64Array;
}

interface Measure {
  readonly windowMs: number;
  /** Amount·ms over the epoch, and to come. */
  used: bigint;
  /** Addend of `used`: an integer that a double holds exactly. */
  more: number;
  /** The whole entitlement times `WHOLE_SHARE`, so that shares stay integers. */
  readonly whole: bigint;
  readonly wholeAbout: number;
}

/** The service of the levels when nothing is in use. */
export function servedBy(uses: SiteUses, levels: Levels, nowMs: number): Served {
  const measures = levels.list.map((level) =>
    level.limits.map((limit, column) =>
      limit === null ? null : measure(uses, level, limit, { column, nowMs }),
    ),
  );
  return {
    levels,
    measures,
    greatest: levels.list.map(() => null),
    about: new Float64Array(levels.list.length).fill(Number.NaN),
  };
}

/** The remaining use of a job. */
export interface Rest {
  readonly level: number;
  readonly need: readonly number[];
  /** Remaining time by its estimate. */
  readonly restMs: number;
}

/** Adds the remaining use of a job to all levels of its consumer; subtracts where `sign` is −1. */
export function countRest(served: Served, { level, need, restMs }: Rest, sign: 1 | -1): void {
  const { levels, measures, about } = served;
  const { line } = levels.list[level];
  for (let i = 0; i < line.length; i++) {
    about[line[i]] = Number.NaN;
    const its = measures[line[i]];
    for (let column = 0; column < its.length; column++) {
      const measured = its[column];
      if (measured === null || need[column] === 0) continue;
      count(measured, sign * need[column], Math.min(restMs, measured.windowMs));
    }
  }
}

/** Negative where the first level is less served than the other, positive where it is more; 0: equally. */
export function compareServed(served: Served, one: number, other: number): number {
  const first = aboutOf(served, one);
  const second = aboutOf(served, other);
  if (areApart(first, second)) return first - second;
  return compareExactly(served.greatest[one], served.greatest[other]);
}

function compareExactly(one: Measure | null, other: Measure | null): number {
  const isPlain = one !== null && other !== null && one.whole === other.whole && one.used === other.used;
  // With equal entitlement and equal past use, the remaining use decides.
  if (isPlain && one.wholeAbout > 0) return one.more - other.more;
  return compareFractions(exactly(one), exactly(other));
}

/** Below it sums of two are exact. */
const EXACT = 2 ** 52;

function count(measured: Measure, amount: number, forMs: number): void {
  const used = amount * forMs;
  if (Math.abs(used) > EXACT) measured.used += BigInt(amount) * BigInt(forMs);
  else measured.more += used;
  if (Math.abs(measured.more) <= EXACT) return;
  measured.used += BigInt(measured.more);
  measured.more = 0;
}

function aboutOf(served: Served, level: number): number {
  const known = served.about[level];
  if (!Number.isNaN(known)) return known;
  let most = 0;
  let greatest: Measure | null = null;
  for (const measured of served.measures[level]) {
    if (measured === null) continue;
    const about = aboutMeasure(measured);
    const isMore = areApart(about, most) ? about > most : compareExactly(measured, greatest) > 0;
    if (greatest !== null && !isMore) continue;
    most = about;
    greatest = measured;
  }
  served.greatest[level] = greatest;
  served.about[level] = most;
  return most;
}

function aboutMeasure({ used, more, wholeAbout }: Measure): number {
  const about = Number(used) + more;
  if (about === 0) return 0;
  return wholeAbout === 0 ? Number.POSITIVE_INFINITY : (about * WHOLE_SHARE) / wholeAbout;
}

function exactly(measured: Measure | null): Fraction {
  if (measured === null) return fraction(0n, 1n);
  return fraction((measured.used + BigInt(measured.more)) * BigInt(WHOLE_SHARE), measured.whole);
}

function measure(
  uses: SiteUses,
  { path }: Level,
  { node, entitledShare, epoch }: LevelLimit,
  { column, nowMs }: { readonly column: number; readonly nowMs: number },
): Measure {
  const history = uses.get(SITE_RESOURCES[column])?.get(path)?.counted;
  const used = history === undefined ? 0n : usedOver(history, node.window, nowMs);
  const windowMs = epochLengthMs(node.window, nowMs);
  const whole = BigInt(entitledShare) * BigInt(epoch.capacity) * BigInt(windowMs);
  return { windowMs, used, more: 0, whole, wholeAbout: Number(whole) };
}
