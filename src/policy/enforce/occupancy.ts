/**
 * Occupancy of a site and each of its levels, and whether more would fit.
 *
 * Computed for the present, and for the instant of a candidate's reservation. The unused part of `dedicated`
 * entitlements is stored by level too: `kept` is what outsiders of a level must leave to it and to those
 * below, so that a pass costs no more than the depth of the consumer.
 */

import { SITE_RESOURCES, type SiteAmounts } from "./enforced-site.ts";
import { columnsOf, type Level, type Levels, SITE_LEVEL } from "./levels.ts";

/** Amounts in use; those of level `i` and column `c` at `i · columns + c`. */
export interface Occupancy {
  readonly levels: Levels;
  readonly available: readonly number[];
  readonly inUse: Float64Array;
  /** Number of changes of each level's use; cached results hold while it is unchanged. */
  readonly changes: Int32Array;
  /** Amounts that outsiders of a level must leave to it. */
  readonly kept: Float64Array;
  /** The sum of `kept` over the levels below a level. */
  readonly keptBelow: Float64Array;
}

const columns = SITE_RESOURCES.length;
const places: readonly number[] = SITE_RESOURCES.map((_, column) => column);

/** The occupancy of a site without jobs. */
export function emptyOccupancy(levels: Levels, available: SiteAmounts): Occupancy {
  const size = levels.list.length * columns;
  const occupancy: Occupancy = {
    levels,
    available: columnsOf(available),
    inUse: new Float64Array(size),
    changes: new Int32Array(levels.list.length),
    kept: new Float64Array(size),
    keptBelow: new Float64Array(size),
  };
  if (levels.hasDedicated) {
    for (const level of [...levels.list].reverse())
      for (const column of places) keep(occupancy, level, column);
  }
  return occupancy;
}

/** An independent copy. */
export function copyOccupancy(occupancy: Occupancy): Occupancy {
  return {
    ...occupancy,
    inUse: occupancy.inUse.slice(),
    changes: occupancy.changes.slice(),
    kept: occupancy.kept.slice(),
    keptBelow: occupancy.keptBelow.slice(),
  };
}

/** Adds amounts to the use of a level and those above it; subtracts where `sign` is −1. */
export function occupy(occupancy: Occupancy, level: number, amounts: readonly number[], sign: 1 | -1): void {
  const { levels, inUse, changes } = occupancy;
  const { line } = levels.list[level];
  for (let i = 0; i < line.length; i++) changes[line[i]]++;
  for (let column = 0; column < columns; column++) {
    const amount = sign * amounts[column];
    if (amount === 0) continue;
    inUse[column] += amount;
    for (let i = 0; i < line.length; i++) inUse[line[i] * columns + column] += amount;
    if (levels.hasDedicated) updateKept(occupancy, line, column);
  }
}

/** Amount of a resource that a level has in use. */
export function usedBy({ inUse }: Occupancy, level: number, column: number): number {
  return inUse[level * columns + column];
}

/** Amount of a resource that is free to jobs of a level, less what is dedicated to others; may be below 0. */
export function freeTo(occupancy: Occupancy, level: number, column: number): number {
  const { levels, available, inUse } = occupancy;
  const free = available[column] - inUse[column];
  return levels.hasDedicated ? free - keptFrom(occupancy, levels.list[level].line, column) : free;
}

/** True where these amounts are free to the level. */
export function fits(occupancy: Occupancy, level: number, amounts: readonly number[]): boolean {
  const { levels, available, inUse } = occupancy;
  for (let column = 0; column < columns; column++) {
    const amount = amounts[column];
    if (amount === 0) continue;
    const free = available[column] - inUse[column];
    if (amount > free) return false;
    if (levels.hasDedicated && amount > free - keptFrom(occupancy, levels.list[level].line, column))
      return false;
  }
  return true;
}

/** True where these amounts use nothing dedicated to others, whether they fit or not. */
export function leavesKept(
  { levels, kept, keptBelow }: Occupancy,
  level: number,
  amounts: readonly number[],
): boolean {
  if (!levels.hasDedicated) return true;
  return amounts.every(
    (amount, column) => amount === 0 || keptFrom({ kept, keptBelow }, levels.list[level].line, column) === 0,
  );
}

/** The uppermost level that would exceed its burst with these amounts; undefined where none would. */
export function overBurst(
  { levels: { list, bursts }, inUse }: Occupancy,
  level: number,
  amounts: readonly number[],
): Level | undefined {
  const { line } = list[level];
  for (let i = 0; i < line.length; i++) {
    const index = line[i];
    for (let column = 0; column < columns; column++) {
      const at = index * columns + column;
      if (amounts[column] !== 0 && inUse[at] + amounts[column] > bursts[at]) return list[index];
    }
  }
  return undefined;
}

/** True where a level stays within its entitlement with these amounts. */
export function staysEntitled(
  { levels: { entitled }, inUse }: Occupancy,
  level: number,
  amounts: readonly number[],
): boolean {
  for (let column = 0; column < columns; column++) {
    const at = level * columns + column;
    if (amounts[column] !== 0 && inUse[at] + amounts[column] > entitled[at]) return false;
  }
  return true;
}

/** True where a level is over its entitlement of any resource. */
export function isOverEntitled({ levels: { entitled }, inUse }: Occupancy, level: number): boolean {
  const at = level * columns;
  for (let column = 0; column < columns; column++) {
    if (inUse[at + column] > entitled[at + column]) return true;
  }
  return false;
}

function keptFrom(
  { kept, keptBelow }: Pick<Occupancy, "kept" | "keptBelow">,
  line: readonly number[],
  column: number,
): number {
  let amount = keptBelow[SITE_LEVEL * columns + column];
  for (let i = 0; i < line.length; i++) {
    const at = line[i] * columns + column;
    amount += keptBelow[at] - kept[at];
  }
  return amount;
}

function updateKept(occupancy: Occupancy, line: readonly number[], column: number): void {
  for (let i = line.length - 1; i >= 0; i--) keep(occupancy, occupancy.levels.list[line[i]], column);
}

/**
 * Computes what outsiders must leave to a level from what those below it keep, and updates the level above.
 */
function keep(occupancy: Occupancy, { index, parent, limits }: Level, column: number): void {
  if (index === SITE_LEVEL) return;
  const { kept, keptBelow, inUse } = occupancy;
  const at = index * columns + column;
  const limit = limits[column];
  const own = limit?.node.mode === "dedicated" ? limit.entitled - inUse[at] : 0;
  const before = kept[at];
  kept[at] = Math.max(own, keptBelow[at], 0);
  keptBelow[parent * columns + column] += kept[at] - before;
}
