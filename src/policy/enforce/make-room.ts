/**
 * Room for a job whose consumer is within its share, taken from those that are over theirs (PO-10, PO-11).
 *
 * Source: case 3 of [UP] slide 12. Departs from it: in terms of what the job needs and not one job for one;
 * nobody is stopped in vain, more than needed, too early, too often, or back and forth.
 */
import type { EnforcementVerb } from "../../model/index.ts";
import { compareFractions, type Fraction, fraction, ZERO_FRACTION } from "./fraction.ts";
import type { Level } from "./levels.ts";
import { isWithinBudget, type Look, lastBegunFirst, lookAgainAt, type Row, wantedBy } from "./look.ts";
import { fits, freeTo, occupy, staysEntitled, usedBy } from "./occupancy.ts";
import { SITE_RESOURCES } from "./view.ts";

/** A job to be stopped. */
export interface Victim {
  readonly row: Row;
  readonly verb: Extract<EnforcementVerb, "requeue" | "suspend">;
  /** What comes free by it. */
  readonly freed: readonly number[];
}

/** Who would be stopped for a job, and whether the budgets allow it. */
export interface RoomPlan {
  readonly victims: readonly Victim[];
  readonly outOf: "actions" | "suspended" | null;
}

/** Running jobs by level, the last begun first. */
export type Stoppable = ReadonlyMap<number, readonly Row[]>;

const memory = SITE_RESOURCES.indexOf("memory");
const places = SITE_RESOURCES.map((_, column) => column);

/** Those who could be stopped in a look. */
export function stoppableOf(look: Look): Stoppable {
  const byLevel = new Map<number, Row[]>();
  for (const row of look.rows) {
    if (row.state !== "running") continue;
    const known = byLevel.get(row.level);
    if (known === undefined) byLevel.set(row.level, [row]);
    else known.push(row);
  }
  for (const rows of byLevel.values()) rows.sort(lastBegunFirst);
  return byLevel;
}

/** Who is to be stopped for a claimant that does not fit; undefined where it has no claim or it is no use. */
export function planRoom(look: Look, claimant: Row, stoppable: Stoppable): RoomPlan | undefined {
  const wanted = wantedBy(claimant);
  const short = shortOf(look, claimant);
  const levels = [...stoppable.keys()].filter((level) => mayTakeBack(look, claimant, level, short));
  if (levels.length === 0) return undefined;
  const chosen: Victim[] = [];
  while (!fits(look.now, claimant.level, wanted)) {
    const victim = nextVictim({ look, claimant, stoppable, levels, chosen });
    if (victim === undefined) break;
    chosen.push(victim);
    occupy(look.now, victim.row.level, victim.freed, -1);
  }
  const isEnough = fits(look.now, claimant.level, wanted);
  const needed = isEnough ? chosen.filter((victim) => isNeeded(look, claimant, victim)) : chosen;
  for (const { row, freed } of needed) occupy(look.now, row.level, freed, 1);
  return isEnough ? { victims: needed, outOf: outOfBudget(look, needed) } : undefined;
}

interface Search {
  readonly look: Look;
  readonly claimant: Row;
  readonly stoppable: Stoppable;
  readonly levels: readonly number[];
  readonly chosen: readonly Victim[];
}

/** The resources of which a claimant wants more than is free to it. */
function shortOf(look: Look, claimant: Row): readonly number[] {
  const wanted = wantedBy(claimant);
  return places.filter(
    (column) => wanted[column] > 0 && wanted[column] > freeTo(look.now, claimant.level, column),
  );
}

/**
 * Whether a claimant is within its share, and what that has lent is taken back at once, for all that is
 * short. Of the levels that both are of none has more by it.
 */
function mayTakeBack(look: Look, claimant: Row, from: number, short: readonly number[]): boolean {
  const { list } = look.levels;
  const { line } = list[claimant.level];
  const common = commonLevels(line, list[from].line);
  if (common === line.length || !staysEntitled(look.now, line.slice(common), wantedBy(claimant)))
    return false;
  const { limits } = list[line[common]];
  return short.every((column) => limits[column]?.node.mode === "preempting");
}

/** The best victim that is left: of the level that is furthest over, its first that may be stopped. */
function nextVictim(search: Search): Victim | undefined {
  const { look, claimant, stoppable, levels } = search;
  const short = shortOf(look, claimant);
  let best: { readonly victim: Victim; readonly over: Fraction } | undefined;
  for (const level of levels) {
    const over = overBy(look, claimant, level);
    if (over === undefined) continue;
    const compared = best === undefined ? 1 : compareFractions(over, best.over);
    if (compared < 0) continue;
    const victim = firstVictim(search, stoppable.get(level) ?? [], short);
    if (victim === undefined) continue;
    if (best === undefined || compared > 0 || lastBegunFirst(victim.row, best.victim.row) < 0)
      best = { victim, over };
  }
  return best?.victim;
}

/** How far the levels of a consumer that are not the claimant's are over; undefined where none is. */
function overBy(look: Look, claimant: Row, from: number): Fraction | undefined {
  const levels = apart(look, claimant, from);
  if (!levels.some((level) => isOver(look, level))) return undefined;
  let most = ZERO_FRACTION;
  for (const { index, limits } of levels) {
    for (const column of places) {
      const limit = limits[column];
      if (limit === null) continue;
      const ratio = fraction(BigInt(usedBy(look.now, index, column)), BigInt(limit.entitled));
      if (compareFractions(ratio, most) > 0) most = ratio;
    }
  }
  return most;
}

function isOver({ now }: Look, { index, limits }: Level): boolean {
  for (const column of places) {
    const limit = limits[column];
    if (limit !== null && usedBy(now, index, column) > limit.entitled) return true;
  }
  return false;
}

function firstVictim(search: Search, rows: readonly Row[], short: readonly number[]): Victim | undefined {
  for (const row of rows) {
    if (row.state !== "running" || search.chosen.some((victim) => victim.row === row)) continue;
    const victim = stopped(search, row);
    if (victim !== undefined && short.some((column) => victim.freed[column] > 0)) return victim;
  }
  return undefined;
}

/** How a job would be stopped; undefined where it may not be. */
function stopped({ look, claimant }: Search, row: Row): Victim | undefined {
  const { rules } = look.site;
  const { begunAtMs, stops } = row.job;
  if (claimant.job.stoppedFor.includes(row.job.id)) return undefined;
  if (stops >= rules.maxSuspensions) return undefined;
  if (begunAtMs !== null && look.nowMs - begunAtMs < rules.minRunMs) {
    lookAgainAt(look, begunAtMs + rules.minRunMs);
    return undefined;
  }
  const hasMemory = wantedBy(claimant)[memory] <= Math.max(0, freeTo(look.now, claimant.level, memory));
  if (look.granted.has("suspend") && hasMemory) return { row, verb: "suspend", freed: row.needBesideMemory };
  return look.granted.has("requeue") ? { row, verb: "requeue", freed: row.need } : undefined;
}

/** Whether it would not fit without this one; if it would, the job is given back. */
function isNeeded(look: Look, claimant: Row, { row, freed }: Victim): boolean {
  occupy(look.now, row.level, freed, 1);
  if (fits(look.now, claimant.level, wantedBy(claimant))) return false;
  occupy(look.now, row.level, freed, -1);
  return true;
}

function outOfBudget(look: Look, victims: readonly Victim[]): RoomPlan["outOf"] {
  const suspending = victims.reduce(
    (sum, { row, verb }) => sum + (verb === "suspend" ? row.job.need.cpu : 0),
    0,
  );
  if (suspending > 0 && look.suspendedProcs + suspending > look.mostSuspendedProcs) return "suspended";
  return isWithinBudget(look, victims.length) ? null : "actions";
}

/** The levels of a consumer that are not the claimant's own. */
function apart({ levels: { list } }: Look, claimant: Row, from: number): readonly Level[] {
  const { line } = list[from];
  const levels: Level[] = [];
  for (let i = commonLevels(list[claimant.level].line, line); i < line.length; i++)
    levels.push(list[line[i]]);
  return levels;
}

function commonLevels(one: readonly number[], other: readonly number[]): number {
  let common = 0;
  while (common < one.length && common < other.length && one[common] === other[common]) common++;
  return common;
}
