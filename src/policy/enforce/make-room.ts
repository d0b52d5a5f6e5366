/**
 * Room for a job whose consumer is within its share, taken from those that are over theirs (PO-10, PO-11).
 *
 * Source: case 3 of [UP] slide 12. Departs from it: in terms of what the job needs and not one job for one;
 * nobody is stopped in vain, more than needed, too early, too often, or back and forth.
 * Cost: per victim O(levels · depth); those of a level are kept in order, and passed by once.
 */
import { compareRatios, type Ratio } from "./fraction.ts";
import {
  decide,
  isWithinBudget,
  type LevelOver,
  type Look,
  lastBegunFirst,
  lookAgainAt,
  type Row,
  wantedBy,
} from "./look.ts";
import { fits, freeTo, isOverEntitled, occupy, staysEntitled } from "./occupancy.ts";
import { SITE_RESOURCES, type StoppingVerb } from "./view.ts";

/** A job to be stopped. */
export interface Victim {
  readonly row: Row;
  readonly verb: StoppingVerb;
  /** What comes free by it. */
  readonly freed: readonly number[];
}

/** Who would be stopped for a job, and whether the budgets allow it. */
export interface RoomPlan {
  readonly victims: readonly Victim[];
  readonly outOf: "actions" | "suspended" | null;
}

/** The running jobs of a level, the last begun first. */
interface StoppableLevel {
  readonly level: number;
  readonly rows: readonly Row[];
  /** The first that has run its minimum time: those before it have begun later. */
  readonly firstOld: number;
  /** When the first of those before it that may be stopped again has run it; infinite where none. */
  readonly oldAtMs: number;
  /** All before it cannot be stopped (any more). */
  next: number;
}

/** Running jobs by level. */
export type Stoppable = readonly StoppableLevel[];

const memory = SITE_RESOURCES.indexOf("memory");
const columns = SITE_RESOURCES.length;
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
  return Array.from(byLevel, ([level, rows]) => stoppableAt(look, level, rows.sort(lastBegunFirst)));
}

/** Those who were stopped may run again: they are looked at anew. */
export function returned(stoppable: Stoppable | undefined, level: number): void {
  const its = stoppable?.find((at) => at.level === level);
  if (its !== undefined) its.next = its.firstOld;
}

function stoppableAt({ site, nowMs }: Look, level: number, rows: readonly Row[]): StoppableLevel {
  const { minRunMs, maxSuspensions } = site.rules;
  const isYoung = ({ job }: Row): boolean => job.begunAtMs !== null && nowMs - job.begunAtMs < minRunMs;
  const old = rows.findIndex((row) => !isYoung(row));
  const firstOld = old < 0 ? rows.length : old;
  let oldAtMs = Number.POSITIVE_INFINITY;
  for (const { job } of rows.slice(0, firstOld)) {
    if (job.stops < maxSuspensions) oldAtMs = Math.min(oldAtMs, (job.begunAtMs ?? nowMs) + minRunMs);
  }
  return { level, rows, firstOld, oldAtMs, next: firstOld };
}

/** Who is to be stopped for a claimant that does not fit; undefined where it has no claim or it is no use. */
export function planRoom(look: Look, claimant: Row, stoppable: Stoppable): RoomPlan | undefined {
  const wanted = wantedBy(claimant);
  const levels = takenFrom(look, claimant, stoppable);
  if (levels.length === 0) return undefined;
  const chosen: Victim[] = [];
  while (!fits(look.now, claimant.level, wanted)) {
    const victim = nextVictim(look, claimant, levels);
    if (victim === undefined) break;
    chosen.push(victim);
    victim.row.isChosen = true;
    occupy(look.now, victim.row.level, victim.freed, -1);
  }
  const isEnough = fits(look.now, claimant.level, wanted);
  const needed = isEnough ? chosen.filter((victim) => isNeeded(look, claimant, victim)) : chosen;
  for (const { row, freed } of needed) occupy(look.now, row.level, freed, 1);
  for (const { row } of chosen) row.isChosen = false;
  return isEnough ? { victims: needed, outOf: outOfBudget(look, needed) } : undefined;
}

/** Stops somebody for a claimant. */
export function stopVictim(look: Look, { job: { id, consumer } }: Row, { row, verb }: Victim): void {
  const state = verb === "suspend" ? "suspended" : "waiting";
  decide(look, row, { verb, cause: { kind: "roomFor", job: id, consumer } }, state);
}

/** The resources of which a claimant wants more than is free to it. */
function shortOf(look: Look, claimant: Row): readonly number[] {
  const wanted = wantedBy(claimant);
  return places.filter(
    (column) => wanted[column] > 0 && wanted[column] > freeTo(look.now, claimant.level, column),
  );
}

/** A level of whose jobs a claimant may take back, and how many levels both are of. */
interface TakenFrom {
  readonly from: StoppableLevel;
  readonly common: number;
}

/**
 * From whom a claimant may take back: where its own levels that they are not of stay within their share,
 * and what the uppermost of these has lent is taken back at once, for all that is short. Of the levels that
 * both are of none has more by it.
 */
function takenFrom(look: Look, claimant: Row, stoppable: Stoppable): readonly TakenFrom[] {
  const { list } = look.levels;
  const { line } = list[claimant.level];
  const short = shortOf(look, claimant);
  const wanted = wantedBy(claimant);
  const mayTake = line.map(() => false);
  for (let at = line.length - 1; at >= 0 && staysEntitled(look.now, line[at], wanted); at--) {
    const { limits } = list[line[at]];
    mayTake[at] = short.every((column) => limits[column]?.node.mode === "preempting");
  }
  const levels: TakenFrom[] = [];
  if (!mayTake.includes(true)) return levels;
  for (const from of stoppable) {
    const common = commonLevels(line, list[from.level].line);
    if (common < line.length && mayTake[common]) levels.push({ from, common });
  }
  return levels;
}

/** The best victim that is left: of the level that is furthest over, its first that may be stopped. */
function nextVictim(look: Look, claimant: Row, levels: readonly TakenFrom[]): Victim | undefined {
  const short = shortOf(look, claimant);
  const ways = waysToStop(look, claimant);
  let best: { readonly victim: Victim; readonly over: Ratio } | undefined;
  for (const { from, common } of levels) {
    const over = overBy(look, from.level, common);
    if (over === undefined) continue;
    const compared = best === undefined ? 1 : compareRatios(over, best.over);
    if (compared < 0) continue;
    const victim = firstVictim(look, { claimant, ways, short }, from);
    if (victim === undefined) continue;
    if (best === undefined || compared > 0 || lastBegunFirst(victim.row, best.victim.row) < 0)
      best = { victim, over };
  }
  return best?.victim;
}

/** How far the levels of a consumer that are not the claimant's are over; undefined where none is. */
function overBy(look: Look, from: number, common: number): Ratio | undefined {
  const { line } = look.levels.list[from];
  let isOver = false;
  let most = NO_RATIO;
  for (let i = common; i < line.length; i++) {
    const its = overOf(look, line[i]);
    isOver ||= its.isOver;
    if (most === NO_RATIO || compareRatios(its.ratio, most) > 0) most = its.ratio;
  }
  return isOver ? most : undefined;
}

function overOf(look: Look, level: number): LevelOver {
  const { now, overs } = look;
  const known = overs[level];
  const change = now.changes[level];
  if (known !== undefined && known.change === change) return known;
  const found = { change, isOver: isOverEntitled(now, level), ratio: ratioOf(look, level) };
  overs[level] = found;
  return found;
}

function ratioOf({ levels: { entitled }, now: { inUse } }: Look, level: number): Ratio {
  let most = NO_RATIO;
  for (let at = level * columns; at < (level + 1) * columns; at++) {
    if (entitled[at] === Number.POSITIVE_INFINITY || inUse[at] === 0) continue;
    const ratio = { over: inUse[at], under: entitled[at], about: inUse[at] / entitled[at] };
    if (most === NO_RATIO || compareRatios(ratio, most) > 0) most = ratio;
  }
  return most;
}

const NO_RATIO: Ratio = { over: 0, under: 1, about: 0 };

const BOTH_WAYS: readonly StoppingVerb[] = ["suspend", "requeue"];

/** How jobs would be stopped for a claimant now, the milder way first; none where that is not granted. */
function waysToStop(look: Look, claimant: Row): readonly StoppingVerb[] {
  const hasMemory = wantedBy(claimant)[memory] <= Math.max(0, freeTo(look.now, claimant.level, memory));
  return BOTH_WAYS.filter((way) => look.granted.has(way) && (way !== "suspend" || hasMemory));
}

interface Search {
  readonly claimant: Row;
  readonly ways: readonly StoppingVerb[];
  readonly short: readonly number[];
}

function firstVictim(
  look: Look,
  { claimant, ways, short }: Search,
  from: StoppableLevel,
): Victim | undefined {
  const { rows, firstOld } = from;
  const { stoppedFor } = claimant.job;
  if (stoppedFor.length === 0) lookAgainAt(look, from.oldAtMs);
  else for (const row of rows.slice(0, firstOld)) if (!stoppedFor.includes(row.job.id)) watchYoung(look, row);
  while (from.next < rows.length && rows[from.next].state !== "running") from.next++;
  if (ways.length === 0) return undefined;
  for (let at = from.next; at < rows.length; at++) {
    const row = rows[at];
    if (row.state !== "running" || row.isChosen || stoppedFor.includes(row.job.id)) continue;
    if (row.job.stops >= look.site.rules.maxSuspensions) continue;
    const { spared } = row.job;
    const verb = spared === undefined ? ways[0] : ways.find((way) => !spared.includes(way));
    if (verb === undefined) continue;
    const freed = verb === "suspend" ? row.needBesideMemory : row.need;
    if (short.some((column) => freed[column] > 0)) return { row, verb, freed };
  }
  return undefined;
}

function watchYoung(look: Look, { job }: Row): void {
  const { minRunMs, maxSuspensions } = look.site.rules;
  if (job.stops < maxSuspensions) lookAgainAt(look, (job.begunAtMs ?? look.nowMs) + minRunMs);
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

function commonLevels(one: readonly number[], other: readonly number[]): number {
  let common = 0;
  while (common < one.length && common < other.length && one[common] === other[common]) common++;
  return common;
}
