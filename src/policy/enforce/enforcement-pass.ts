/**
 * One enforcement pass: the site as it would be after the decisions so far.
 *
 * A pass decides on a copy of its input: jobs change their states here as they will at the site, so that each
 * decision takes the earlier ones into account. A pass depends on the site alone, not on the order of its
 * jobs nor on earlier passes.
 */
import { mulDiv } from "../../base/index.ts";
import type { EnforcementCause, EnforcementStep, EnforcementVerb } from "../../model/index.ts";
import type { UseHistory, UseLimit } from "../use-history.ts";
import {
  COUNTED_VERBS,
  type EnforcedJob,
  type EnforcedJobState,
  type EnforcedSite,
  type LeftOut,
  SITE_RESOURCES,
  type SiteAmounts,
} from "./enforced-site.ts";
import type { Ratio } from "./fraction.ts";
import { columnsOf, consumerLevel, type Level, type Levels, levelsAt, SITE_LEVEL } from "./levels.ts";
import { emptyOccupancy, type Occupancy, occupy } from "./occupancy.ts";
import { countRest, type Served, servedBy } from "./served.ts";

/** A job, and the decision about it in this pass. */
export interface Row {
  readonly job: EnforcedJob;
  readonly level: number;
  /** Need by column. */
  readonly need: readonly number[];
  /** Need without memory, which a suspended job keeps. */
  readonly needBesideMemory: readonly number[];
  /** False for a job wider than the site or one of its bursts, which can never be released. */
  readonly isPossible: boolean;
  readonly kind: Kind;
  state: EnforcedJobState;
  step: Step | null;
  /** True for a job that was stopped or held in this pass, and then released again. */
  wasReversed: boolean;
  /** Reason why it is not released, as far as this round has found out. */
  cause: EnforcementCause | null;
  /** True for a selected victim. */
  isChosen: boolean;
}

/** A decision. */
export interface Step {
  readonly row: Row;
  /**
   * Null where the batch system needs no command: a job that was queued already is raised, if that is
   * granted.
   */
  readonly verb: EnforcementVerb | null;
  readonly cause: EnforcementCause;
  isUndone: boolean;
}

/** State of an enforcement pass. */
export interface EnforcementPass {
  readonly site: EnforcedSite;
  readonly nowMs: number;
  readonly granted: ReadonlySet<EnforcementStep>;
  readonly levels: Levels;
  readonly now: Occupancy;
  readonly served: Served;
  /** Jobs in order. */
  readonly rows: readonly Row[];
  readonly steps: Step[];
  leftOut: LeftOut[];
  /** Jobs that burst or cap refused in the last round. */
  readonly refused: Set<Row>;
  suspendedCount: number;
  /** Incremented with each change of a state and each round; cached results hold while it is unchanged. */
  moves: number;
  /** Number of actions that count against the budget. */
  counted: number;
  /** Number of jobs that run, are queued or were released. */
  inUseCount: number;
  suspendedProcs: number;
  readonly mostSuspendedProcs: number;
  wakeAtMs: number;
  /** Capped resources by level; filled on demand. */
  readonly caps: (readonly CappedHistory[] | undefined)[];
  /** Capped levels over their share; undefined before first use. */
  overCaps: OverCaps | undefined;
  /** Excess over the entitlement by level, as last computed. */
  readonly overs: (LevelOver | undefined)[];
  /** Instants at which more of a capped level can be released, by amount and time. */
  readonly lastsAgain: Map<string, number | null>;
}

/** The use of a resource by a capped level, and its limit. */
export interface CappedHistory {
  readonly level: Level;
  readonly column: number;
  readonly history: UseHistory;
  readonly limit: UseLimit;
  /** Amount·ms left until the share is reached; infinite beyond the exact integers of a double. */
  readonly left: number;
}

/** The excess of a level over its present entitlement. */
export interface LevelOver {
  /** The change count of the occupancy for which it holds. */
  readonly change: number;
  readonly isOver: boolean;
  /** The greatest of use ÷ entitlement over its resources. */
  readonly ratio: Ratio;
}

/** A level that is over its share of a column. */
export interface LevelColumn {
  readonly level: Level;
  readonly column: number;
}

/** Capped levels over their shares, from the top down. */
export interface OverCaps {
  readonly all: readonly LevelColumn[];
  /** By level of a job, the entries above or at it; filled on demand. */
  readonly byLevel: Map<number, readonly LevelColumn[]>;
}

const memory = SITE_RESOURCES.indexOf("memory");

/** Steps that are worked out where only `watch` is granted. */
const WATCHED: ReadonlySet<EnforcementStep> = new Set<EnforcementStep>(["hold", "requeue", "suspend"]);

/** True where only `watch` is granted. */
export function isWatchOnly({ rules }: EnforcedSite): boolean {
  return rules.granted.every((step) => step === "watch");
}

/** A pass without decisions. */
export function beginPass(site: EnforcedSite, nowMs: number, known?: Levels): EnforcementPass {
  const granted = grantedAt(site);
  const levels = known ?? levelsAt(site.shares, site.capacity, site.jobs);
  const pass: EnforcementPass = {
    site,
    nowMs,
    granted,
    levels,
    now: emptyOccupancy(levels, site.available),
    served: servedBy(site.uses, levels, nowMs),
    rows: rowsOf(site, levels),
    steps: [],
    leftOut: [],
    refused: new Set(),
    counted: 0,
    inUseCount: 0,
    suspendedCount: 0,
    moves: 0,
    suspendedProcs: 0,
    mostSuspendedProcs: mostSuspendedAt(site),
    wakeAtMs: Number.POSITIVE_INFINITY,
    caps: [],
    overCaps: undefined,
    overs: [],
    lastsAgain: new Map(),
  };
  for (const row of pass.rows) enter(pass, row, stateToBegin(row.job, granted));
  return pass;
}

const WHOLE_PPM = 1_000_000;

/**
 * A part of the whole is no limit: where consumers take turns, more may be suspended than there are
 * processors.
 */
function mostSuspendedAt({ rules, capacity }: EnforcedSite): number {
  if (rules.suspendedPpm >= WHOLE_PPM) return Number.POSITIVE_INFINITY;
  return mulDiv(rules.suspendedPpm, capacity.cpu, WHOLE_PPM, "down");
}

/**
 * The granted steps. A job that is requeued and not held would start again at once, so without `hold` there
 * is no requeueing.
 */
function grantedAt(site: EnforcedSite): ReadonlySet<EnforcementStep> {
  if (isWatchOnly(site)) return WATCHED;
  const granted = new Set(site.rules.granted);
  if (!granted.has("hold")) granted.delete("requeue");
  return granted;
}

/** True for a job that runs, is queued, or was released in this pass. */
export function isInUse({ state }: Row): boolean {
  return state === "running" || state === "queued";
}

/** True for a waiting or suspended job that can be released. */
export function isCandidate({ state, isPossible, level }: Row): boolean {
  return level !== SITE_LEVEL && isPossible && (state === "waiting" || state === "suspended");
}

/** Amounts that a job needs to continue, beyond those that it occupies. */
export function wantedBy(row: Row): readonly number[] {
  return row.state === "suspended" ? row.needBesideMemory : row.need;
}

/** The end of a job in use, by its estimate; now, where that is past. */
export function endsAtMs({ job }: Row, nowMs: number): number {
  return nowMs + restMs(job, nowMs);
}

/** Remaining time of a job, once released or as it runs; 0 where its planned end is past. */
export function restMs({ state, plannedEndMs, estimateMs }: EnforcedJob, nowMs: number): number {
  if (state !== "running" || plannedEndMs === null) return estimateMs;
  return Math.max(0, plannedEndMs - nowMs);
}

/** Changes the state of a job in the pass. */
export function moveTo(pass: EnforcementPass, row: Row, state: EnforcedJobState): void {
  leave(pass, row);
  enter(pass, row, state);
}

/** True where this many more counted actions are within the budget. */
export function isWithinBudget({ counted, site }: EnforcementPass, more: number): boolean {
  return counted + more <= site.actionsLeft;
}

/** Records a decision, and changes the state of the job by it. */
export function decide(
  pass: EnforcementPass,
  row: Row,
  step: Pick<Step, "verb" | "cause">,
  state: EnforcedJobState,
): void {
  const decided: Step = { row, ...step, isUndone: false };
  row.step = decided;
  pass.steps.push(decided);
  if (isCounted(decided)) pass.counted++;
  moveTo(pass, row, state);
}

/** Takes back the decision about a job. */
export function undo(pass: EnforcementPass, row: Row): void {
  if (row.step === null) return;
  row.step.isUndone = true;
  if (isCounted(row.step)) pass.counted--;
  row.step = null;
  row.wasReversed = true;
  moveTo(pass, row, stateToBegin(row.job, pass.granted));
}

/** Moves the next pass forward to an instant, unless that is past. */
export function passAgainAt(pass: EnforcementPass, atMs: number | null): void {
  if (atMs !== null && atMs > pass.nowMs) pass.wakeAtMs = Math.min(pass.wakeAtMs, atMs);
}

/** Order of stopping: the last begun first, of equal ones the last in order. */
export function lastBegunFirst(one: Row, other: Row): number {
  const apartMs = (other.job.begunAtMs ?? 0) - (one.job.begunAtMs ?? 0);
  return apartMs === 0 ? other.job.order - one.job.order : apartMs;
}

/**
 * The state of a job at the beginning of a pass: where `hold` is not granted, queued jobs count as waiting,
 * unless they were resumed.
 */
function stateToBegin(
  { state, begunAtMs }: EnforcedJob,
  granted: ReadonlySet<EnforcementStep>,
): EnforcedJobState {
  return state === "queued" && begunAtMs === null && !granted.has("hold") ? "waiting" : state;
}

function isCounted({ verb }: Pick<Step, "verb">): boolean {
  return verb !== null && COUNTED_VERBS.includes(verb);
}

function rowsOf({ jobs, capacity }: EnforcedSite, levels: Levels): readonly Row[] {
  const kinds = levels.list.map((): Map<number, Kind[]> => new Map());
  const whole = columnsOf(capacity);
  let isInOrder = true;
  let before = Number.NEGATIVE_INFINITY;
  const rows: Row[] = [];
  for (const job of jobs) {
    const level = consumerLevel(levels, job.consumer);
    const kind = kindOf(kinds[level], job.need, { level, levels, whole });
    const { need, needBesideMemory, isPossible } = kind;
    rows.push({
      job,
      level,
      need,
      needBesideMemory,
      isPossible,
      kind,
      state: "waiting",
      step: null,
      wasReversed: false,
      cause: null,
      isChosen: false,
    });
    isInOrder &&= job.order > before;
    before = job.order;
  }
  return isInOrder ? rows : rows.sort((one, other) => one.job.order - other.job.order);
}

/** Attributes shared by jobs of one level with the same need. */
interface Kind extends Pick<Row, "need" | "needBesideMemory" | "isPossible"> {
  /** The move at which one of them did not fit, had no claim, and another job had the reservation. */
  stuckAt: number;
  /** The move at which one of them would have delayed the reservation. */
  crowdsAt: number;
}

/** Number of kinds with equal processors up to which they are compared one by one. */
const KINDS_KNOWN = 16;

interface KindPlace {
  readonly level: number;
  readonly levels: Levels;
  /** The capacity, by column. */
  readonly whole: readonly number[];
}

function kindOf(known: Map<number, Kind[]>, amounts: SiteAmounts, place: KindPlace): Kind {
  const { cpu, gpu, memory: bytes } = amounts;
  const alike = known.get(cpu) ?? [];
  for (const kind of alike) if (kind.need[1] === gpu && kind.need[memory] === bytes) return kind;
  const need = columnsOf(amounts);
  const needBesideMemory = need.map((amount, column) => (column === memory ? 0 : amount));
  const kind = { need, needBesideMemory, isPossible: isPossible(need, place), stuckAt: -1, crowdsAt: -1 };
  if (alike.length < KINDS_KNOWN) known.set(cpu, [...alike, kind]);
  return kind;
}

function isPossible(need: readonly number[], { level, levels, whole }: KindPlace): boolean {
  if (need.some((amount, column) => amount > whole[column])) return false;
  return levels.list[level].line.every((index) =>
    need.every((amount, column) => amount <= levels.bursts[index * need.length + column]),
  );
}

function enter(pass: EnforcementPass, row: Row, state: EnforcedJobState): void {
  row.state = state;
  account(pass, row, 1);
}

function leave(pass: EnforcementPass, row: Row): void {
  account(pass, row, -1);
}

function account(pass: EnforcementPass, row: Row, sign: 1 | -1): void {
  pass.moves++;
  const { job, level, need, state } = row;
  if (isInUse(row)) {
    pass.inUseCount += sign;
    occupy(pass.now, level, need, sign);
    countRest(pass.served, { level, need, restMs: restMs(job, pass.nowMs) }, sign);
  } else if (state === "suspended") {
    pass.suspendedCount += sign;
    pass.suspendedProcs += sign * job.need.cpu;
    occupy(pass.now, level, memoryAlone(row), sign);
  }
}

/** Amounts that a suspended job occupies. */
export function memoryAlone({ need }: Row): readonly number[] {
  return need[memory] === 0 ? NOTHING : need.map((amount, column) => (column === memory ? amount : 0));
}

const NOTHING: readonly number[] = SITE_RESOURCES.map(() => 0);
