/**
 * How well each level of a site is served (rules PO-5, PO-8).
 *
 * Over the resources that policies name for it, the greatest of use ÷ entitlement over the epoch. What its
 * jobs will still use by their estimates counts as used already: so a look that lets several jobs go gives
 * each consumer its part, and long jobs are not let go one after the other before the first was counted.
 * Departs from [UP], where EA is the past alone and one job per consumer goes in each turn of the loop.
 */
import { WHOLE_SHARE } from "../../model/index.ts";
import { usedOver } from "../use-history.ts";
import { epochLengthMs } from "./epoch.ts";
import { compareFractions, type Fraction, fraction, ZERO_FRACTION } from "./fraction.ts";
import type { Level, LevelLimit, Levels } from "./levels.ts";
import { SITE_RESOURCES, type SiteUses } from "./view.ts";

/** How well the levels of a site are served. */
export interface Served {
  readonly levels: Levels;
  /** By level and column; null where no policy names the level for it. */
  readonly measures: readonly (readonly (Measure | null)[])[];
  /** By level, the greatest over its resources; undefined where it is to be found anew. */
  readonly greatest: (Fraction | undefined)[];
}

interface Measure {
  readonly windowMs: number;
  /** Times `WHOLE_SHARE`, so that shares stay integers. */
  used: bigint;
  readonly whole: bigint;
}

/** How well served the levels are when nothing is in use. */
export function servedBy(uses: SiteUses, levels: Levels, nowMs: number): Served {
  const measures = levels.list.map((level) =>
    level.limits.map((limit, column) =>
      limit === null ? null : measure(uses, level, limit, { column, nowMs }),
    ),
  );
  return { levels, measures, greatest: levels.list.map(() => undefined) };
}

/**
 * Counts what a job will still use for all levels of its consumer; taken back where `sign` is −1.
 *
 * @param restMs how long it will go on, by its estimate
 */
export function countRest(
  { levels, measures, greatest }: Served,
  {
    level,
    need,
    restMs,
  }: { readonly level: number; readonly need: readonly number[]; readonly restMs: number },
  sign: 1n | -1n,
): void {
  for (const index of levels.list[level].line) {
    greatest[index] = undefined;
    for (const [column, measured] of measures[index].entries()) {
      if (measured === null || need[column] === 0) continue;
      const forMs = Math.min(restMs, measured.windowMs);
      measured.used += sign * BigInt(need[column]) * BigInt(forMs) * BigInt(WHOLE_SHARE);
    }
  }
}

/** How well a level is served. */
export function servedOf({ measures, greatest }: Served, level: number): Fraction {
  const known = greatest[level];
  if (known !== undefined) return known;
  let most: Fraction | undefined;
  for (const measured of measures[level]) {
    if (measured === null) continue;
    const served = fraction(measured.used, measured.whole);
    if (most === undefined || compareFractions(served, most) > 0) most = served;
  }
  const found = most ?? ZERO_FRACTION;
  greatest[level] = found;
  return found;
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
  return {
    windowMs,
    used: used * BigInt(WHOLE_SHARE),
    whole: BigInt(entitledShare) * BigInt(epoch.capacity) * BigInt(windowMs),
  };
}
