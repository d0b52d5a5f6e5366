/**
 * Victims for a job whose consumer is within its entitlement, among jobs of consumers over theirs (rules
 * PO-10, PO-11).
 *
 * Source: case 3 of [UP] slide 12.
 * Departs from it: by the amounts that the job needs, not one job for one; no job is stopped in vain, more
 * than needed, before its minimum run time, too often, or back and forth.
 * Cost: per victim O(levels · depth); the jobs of a level are sorted, and each is skipped once.
 */

import { SITE_RESOURCES, type StoppingVerb } from "./enforced-site.ts";
import {
  decide,
  type EnforcementPass,
  isWithinBudget,
  type LevelOver,
  lastBegunFirst,
  passAgainAt,
  type Row,
  wantedBy,
} from "./enforcement-pass.ts";
import { compareRatios, type Ratio } from "./fraction.ts";
import { fits, freeTo, isOverEntitled, occupy, staysEntitled } from "./occupancy.ts";

/** A job to be stopped. */
export interface Victim {
  readonly row: Row;
  readonly verb: StoppingVerb;
  /** Amounts that it releases. */
  readonly freed: readonly number[];
}

/** Victims for a job, and whether the budgets allow stopping them. */
export interface VictimPlan {
  readonly victims: readonly Victim[];
  readonly outOf: "actions" | "suspended" | null;
}

/** The running jobs of a level, the last begun first. */
interface StoppableLevel {
  readonly level: number;
  readonly rows: readonly Row[];
  /** Index of the first job that has run its minimum time; jobs before it began later. */
  readonly firstOld: number;
  /** Earliest end of a minimum run time among the jobs before it that may be stopped; infinite where none. */
  readonly oldAtMs: number;
  /** Jobs before this index cannot be stopped. */
  next: number;
}

/** Running jobs by level. */
export type Stoppable = readonly StoppableLevel[];

const memory = SITE_RESOURCES.indexOf("memory");
const columns = SITE_RESOURCES.length;
const places = SITE_RESOURCES.map((_, column) => column);

/** The jobs that could be stopped in a pass. */
export function stoppableOf(pass: EnforcementPass): Stoppable {
  const byLevel = new Map<number, Row[]>();
  for (const row of pass.rows) {
    if (row.state !== "running") continue;
    const known = byLevel.get(row.level);
    if (known === undefined) byLevel.set(row.level, [row]);
    else known.push(row);
  }
  return Array.from(byLevel, ([level, rows]) => stoppableAt(pass, level, rows.sort(lastBegunFirst)));
}

/** Resets the scan of a level whose stopped jobs may run again. */
export function returned(stoppable: Stoppable | undefined, level: number): void {
  const its = stoppable?.find((at) => at.level === level);
  if (its !== undefined) its.next = its.firstOld;
}

function stoppableAt({ site, nowMs }: EnforcementPass, level: number, rows: readonly Row[]): StoppableLevel {
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

/** Victims for a claimant that does not fit; undefined where it has no claim or stopping would not help. */
export function planVictims(
  pass: EnforcementPass,
  claimant: Row,
  stoppable: Stoppable,
): VictimPlan | undefined {
  const wanted = wantedBy(claimant);
  const levels = takenFrom(pass, claimant, stoppable);
  if (levels.length === 0) return undefined;
  const chosen: Victim[] = [];
  while (!fits(pass.now, claimant.level, wanted)) {
    const victim = nextVictim(pass, claimant, levels);
    if (victim === undefined) break;
    chosen.push(victim);
    victim.row.isChosen = true;
    occupy(pass.now, victim.row.level, victim.freed, -1);
  }
  const isEnough = fits(pass.now, claimant.level, wanted);
  const needed = isEnough ? chosen.filter((victim) => isNeeded(pass, claimant, victim)) : chosen;
  for (const { row, freed } of needed) occupy(pass.now, row.level, freed, 1);
  for (const { row } of chosen) row.isChosen = false;
  return isEnough ? { victims: needed, outOf: outOfBudget(pass, needed) } : undefined;
}

/** Stops a victim for a claimant. */
export function stopVictim(
  pass: EnforcementPass,
  { job: { id, consumer } }: Row,
  { row, verb }: Victim,
): void {
  const state = verb === "suspend" ? "suspended" : "waiting";
  decide(pass, row, { verb, cause: { kind: "roomFor", job: id, consumer } }, state);
}

/** Columns of which the claimant needs more than is free to it. */
function shortOf(pass: EnforcementPass, claimant: Row): readonly number[] {
  const wanted = wantedBy(claimant);
  return places.filter(
    (column) => wanted[column] > 0 && wanted[column] > freeTo(pass.now, claimant.level, column),
  );
}

/** A level from whose jobs a claimant may take, and the number of levels that both share. */
interface TakenFrom {
  readonly from: StoppableLevel;
  readonly common: number;
}

/**
 * Levels from which a claimant may take: its own levels that they are not part of must stay within their
 * entitlement, and the uppermost of these must be `preempting` for all resources that are short. Use of the
 * shared levels does not grow.
 */
function takenFrom(pass: EnforcementPass, claimant: Row, stoppable: Stoppable): readonly TakenFrom[] {
  const { list } = pass.levels;
  const { line } = list[claimant.level];
  const short = shortOf(pass, claimant);
  const wanted = wantedBy(claimant);
  const mayTake = line.map(() => false);
  for (let at = line.length - 1; at >= 0 && staysEntitled(pass.now, line[at], wanted); at--) {
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

/** The best remaining victim: of the level that is furthest over, the first job that may be stopped. */
function nextVictim(pass: EnforcementPass, claimant: Row, levels: readonly TakenFrom[]): Victim | undefined {
  const short = shortOf(pass, claimant);
  const ways = waysToStop(pass, claimant);
  let best: { readonly victim: Victim; readonly over: Ratio } | undefined;
  for (const { from, common } of levels) {
    const over = overBy(pass, from.level, common);
    if (over === undefined) continue;
    const compared = best === undefined ? 1 : compareRatios(over, best.over);
    if (compared < 0) continue;
    const victim = firstVictim(pass, { claimant, ways, short }, from);
    if (victim === undefined) continue;
    if (best === undefined || compared > 0 || lastBegunFirst(victim.row, best.victim.row) < 0)
      best = { victim, over };
  }
  return best?.victim;
}

/** The excess of the levels of a job that are not the claimant's; undefined where none is over. */
function overBy(pass: EnforcementPass, from: number, common: number): Ratio | undefined {
  const { line } = pass.levels.list[from];
  let isOver = false;
  let most = NO_RATIO;
  for (let i = common; i < line.length; i++) {
    const its = overOf(pass, line[i]);
    isOver ||= its.isOver;
    if (most === NO_RATIO || compareRatios(its.ratio, most) > 0) most = its.ratio;
  }
  return isOver ? most : undefined;
}

function overOf(pass: EnforcementPass, level: number): LevelOver {
  const { now, overs } = pass;
  const known = overs[level];
  const change = now.changes[level];
  if (known !== undefined && known.change === change) return known;
  const found = { change, isOver: isOverEntitled(now, level), ratio: ratioOf(pass, level) };
  overs[level] = found;
  return found;
}

function ratioOf({ levels: { entitled }, now: { inUse } }: EnforcementPass, level: number): Ratio {
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

/** Granted verbs to stop jobs for a claimant, the milder one first. */
function waysToStop(pass: EnforcementPass, claimant: Row): readonly StoppingVerb[] {
  const hasMemory = wantedBy(claimant)[memory] <= Math.max(0, freeTo(pass.now, claimant.level, memory));
  return BOTH_WAYS.filter((way) => pass.granted.has(way) && (way !== "suspend" || hasMemory));
}

interface Search {
  readonly claimant: Row;
  readonly ways: readonly StoppingVerb[];
  readonly short: readonly number[];
}

function firstVictim(
  pass: EnforcementPass,
  { claimant, ways, short }: Search,
  from: StoppableLevel,
): Victim | undefined {
  const { rows, firstOld } = from;
  const { stoppedFor } = claimant.job;
  if (stoppedFor.length === 0) passAgainAt(pass, from.oldAtMs);
  else
    for (const row of rows.slice(0, firstOld)) if (!stoppedFor.includes(row.job.id)) schedulePass(pass, row);
  while (from.next < rows.length && rows[from.next].state !== "running") from.next++;
  if (ways.length === 0) return undefined;
  for (let at = from.next; at < rows.length; at++) {
    const row = rows[at];
    if (row.state !== "running" || row.isChosen || stoppedFor.includes(row.job.id)) continue;
    if (row.job.stops >= pass.site.rules.maxSuspensions) continue;
    const { spared } = row.job;
    const verb = spared === undefined ? ways[0] : ways.find((way) => !spared.includes(way));
    if (verb === undefined) continue;
    const freed = verb === "suspend" ? row.needBesideMemory : row.need;
    if (short.some((column) => freed[column] > 0)) return { row, verb, freed };
  }
  return undefined;
}

function schedulePass(pass: EnforcementPass, { job }: Row): void {
  const { minRunMs, maxSuspensions } = pass.site.rules;
  if (job.stops < maxSuspensions) passAgainAt(pass, (job.begunAtMs ?? pass.nowMs) + minRunMs);
}

/** True where the claimant would not fit without this victim; otherwise the victim is dropped. */
function isNeeded(pass: EnforcementPass, claimant: Row, { row, freed }: Victim): boolean {
  occupy(pass.now, row.level, freed, 1);
  if (fits(pass.now, claimant.level, wantedBy(claimant))) return false;
  occupy(pass.now, row.level, freed, -1);
  return true;
}

function outOfBudget(pass: EnforcementPass, victims: readonly Victim[]): VictimPlan["outOf"] {
  const suspending = victims.reduce(
    (sum, { row, verb }) => sum + (verb === "suspend" ? row.job.need.cpu : 0),
    0,
  );
  if (suspending > 0 && pass.suspendedProcs + suspending > pass.mostSuspendedProcs) return "suspended";
  return isWithinBudget(pass, victims.length) ? null : "actions";
}

function commonLevels(one: readonly number[], other: readonly number[]): number {
  let common = 0;
  while (common < one.length && common < other.length && one[common] === other[common]) common++;
  return common;
}
