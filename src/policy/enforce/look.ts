/**
 * One look of an enforcer: the site as it would be after what was decided so far.
 *
 * A look decides on a copy of what it was handed: jobs move between states here as they will there, so
 * that each decision sees those before it.
 */
import { mulDiv } from "../../base/index.ts";
import type { EnforcementCause, EnforcementStep, EnforcementVerb } from "../../model/index.ts";
import type { UseHistory, UseLimit } from "../use-history.ts";
import type { Ratio } from "./fraction.ts";
import { columnsOf, consumerLevel, type Level, type Levels, levelsAt, SITE_LEVEL } from "./levels.ts";
import { emptyOccupancy, type Occupancy, occupy } from "./occupancy.ts";
import { countRest, type Served, servedBy } from "./served.ts";
import {
  COUNTED_VERBS,
  type EnforcedJob,
  type EnforcedJobState,
  type EnforcedSite,
  type LeftOut,
  SITE_RESOURCES,
  type SiteAmounts,
} from "./view.ts";

/** A job, and what became of it in this look. */
export interface Row {
  readonly job: EnforcedJob;
  readonly level: number;
  /** By column. */
  readonly need: readonly number[];
  /** The same without memory, which a suspended job keeps. */
  readonly needBesideMemory: readonly number[];
  /** Whether it could ever be let go: no wider than the site and every burst. */
  readonly isPossible: boolean;
  readonly kind: Kind;
  state: EnforcedJobState;
  /** What this look does to it. */
  step: Step | null;
  /** Whether it was stopped or held in this look, and let go again. */
  wasGivenBack: boolean;
  /** Why it is not let go, as far as this pass has found out. */
  cause: EnforcementCause | null;
  /** Whether it is about to be stopped for somebody. */
  isChosen: boolean;
}

/** Something that a look decides. */
export interface Step {
  readonly row: Row;
  /** Null where the batch system needs not be told: what was queued already is raised, if that is granted. */
  readonly verb: EnforcementVerb | null;
  readonly cause: EnforcementCause;
  isUndone: boolean;
}

/** A look under way. */
export interface Look {
  readonly site: EnforcedSite;
  readonly nowMs: number;
  readonly granted: ReadonlySet<EnforcementStep>;
  readonly levels: Levels;
  readonly now: Occupancy;
  readonly served: Served;
  /** In order. */
  readonly rows: readonly Row[];
  readonly steps: Step[];
  leftOut: LeftOut[];
  /** Whom burst or cap refused in the last pass. */
  readonly refused: Set<Row>;
  /** How many jobs are suspended. */
  suspendedCount: number;
  /** Grows with each change of a state, and with each pass: what was found out holds while it stays. */
  moves: number;
  /** Standing actions that the budget counts. */
  counted: number;
  /** Jobs that run, are queued or were let go. */
  inUseCount: number;
  /** Processors of jobs that are suspended. */
  suspendedProcs: number;
  readonly mostSuspendedProcs: number;
  wakeAtMs: number;
  /** By level, what of it is capped; filled as it is asked for. */
  readonly caps: (readonly CappedHistory[] | undefined)[];
  /** The capped levels that are over their share; undefined until they are asked for. */
  overCaps: OverCaps | undefined;
  /** By level, how far it is over what it is entitled to, as it was when last asked. */
  readonly overs: (LevelOver | undefined)[];
  /** When more of a capped level can be let go, by what was asked. */
  readonly lastsAgain: Map<string, number | null>;
}

/** What a capped level used of a resource, and what that is held against. */
export interface CappedHistory {
  readonly level: Level;
  readonly column: number;
  readonly history: UseHistory;
  readonly limit: UseLimit;
  /** How much amount·ms is left until the share is reached; what is past a double's integers is infinite. */
  readonly left: number;
}

/** How far a level is over what it is entitled to now. */
export interface LevelOver {
  /** The state of the occupancy of which this holds. */
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
  /** By level of a job, those of them that are of its line; filled as they are asked for. */
  readonly byLevel: Map<number, readonly LevelColumn[]>;
}

const memory = SITE_RESOURCES.indexOf("memory");

/** What a look works out when all it may do is say what it would do. */
const WATCHED: ReadonlySet<EnforcementStep> = new Set<EnforcementStep>(["hold", "requeue", "suspend"]);

/** Whether nothing but watching is granted. */
export function isWatchOnly({ rules }: EnforcedSite): boolean {
  return rules.granted.every((step) => step === "watch");
}

/** A look that has decided nothing yet. */
export function beginLook(site: EnforcedSite, nowMs: number, known?: Levels): Look {
  const granted = grantedAt(site);
  const levels = known ?? levelsAt(site.shares, site.capacity, site.jobs);
  const look: Look = {
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
  for (const row of look.rows) enter(look, row, stateToBegin(row.job, granted));
  return look;
}

const WHOLE_PPM = 1_000_000;

/** The whole is no limit: where consumers take turns, more may be suspended than there are processors. */
function mostSuspendedAt({ rules, capacity }: EnforcedSite): number {
  if (rules.suspendedPpm >= WHOLE_PPM) return Number.POSITIVE_INFINITY;
  return mulDiv(rules.suspendedPpm, capacity.cpu, WHOLE_PPM, "down");
}

/** A job that is requeued and not held would start again at once: without `hold` it is not requeued. */
function grantedAt(site: EnforcedSite): ReadonlySet<EnforcementStep> {
  if (isWatchOnly(site)) return WATCHED;
  const granted = new Set(site.rules.granted);
  if (!granted.has("hold")) granted.delete("requeue");
  return granted;
}

/** Whether a job runs, is queued, or was let go in this look. */
export function isInUse({ state }: Row): boolean {
  return state === "running" || state === "queued";
}

/** Whether a job can be let go. */
export function isCandidate({ state, isPossible, level }: Row): boolean {
  return level !== SITE_LEVEL && isPossible && (state === "waiting" || state === "suspended");
}

/** What a job needs to go on, beside what it occupies already. */
export function wantedBy(row: Row): readonly number[] {
  return row.state === "suspended" ? row.needBesideMemory : row.need;
}

/** When a job in use ends, by its estimate; now, where that is past. */
export function endsAtMs({ job }: Row, nowMs: number): number {
  return nowMs + restMs(job, nowMs);
}

/** How long a job goes on, once it is let go or as it runs; 0 where its planned end is past. */
export function restMs({ state, plannedEndMs, estimateMs }: EnforcedJob, nowMs: number): number {
  if (state !== "running" || plannedEndMs === null) return estimateMs;
  return Math.max(0, plannedEndMs - nowMs);
}

/** Changes the state of a job in the look. */
export function moveTo(look: Look, row: Row, state: EnforcedJobState): void {
  leave(look, row);
  enter(look, row, state);
}

/** Whether so many more counted actions are within the budget. */
export function isWithinBudget({ counted, site }: Look, more: number): boolean {
  return counted + more <= site.actionsLeft;
}

/** Decides something, and changes the state of the job by it. */
export function decide(
  look: Look,
  row: Row,
  step: Pick<Step, "verb" | "cause">,
  state: EnforcedJobState,
): void {
  const decided: Step = { row, ...step, isUndone: false };
  row.step = decided;
  look.steps.push(decided);
  if (isCounted(decided)) look.counted++;
  moveTo(look, row, state);
}

/** What was decided of a job in this look was not decided. */
export function undo(look: Look, row: Row): void {
  if (row.step === null) return;
  row.step.isUndone = true;
  if (isCounted(row.step)) look.counted--;
  row.step = null;
  row.wasGivenBack = true;
  moveTo(look, row, stateToBegin(row.job, look.granted));
}

/** Remembers to look again, where that is not past. */
export function lookAgainAt(look: Look, atMs: number | null): void {
  if (atMs !== null && atMs > look.nowMs) look.wakeAtMs = Math.min(look.wakeAtMs, atMs);
}

/** In which order jobs are stopped: the last begun first, of equal ones the last in order. */
export function lastBegunFirst(one: Row, other: Row): number {
  const apartMs = (other.job.begunAtMs ?? 0) - (one.job.begunAtMs ?? 0);
  return apartMs === 0 ? other.job.order - one.job.order : apartMs;
}

/** Where nobody may be held, what is queued has not been let in; but for what was resumed. */
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
      wasGivenBack: false,
      cause: null,
      isChosen: false,
    });
    isInOrder &&= job.order > before;
    before = job.order;
  }
  return isInOrder ? rows : rows.sort((one, other) => one.job.order - other.job.order);
}

/** What jobs of one level that need the same have in common. */
interface Kind extends Pick<Row, "need" | "needBesideMemory" | "isPossible"> {
  /** At which of the look's moves one of them did not fit, had no claim, and room was kept for another. */
  stuckAt: number;
  /** At which one of them would have taken of the room that is kept. */
  crowdsAt: number;
}

/** Kinds of as many processors are looked through one by one, up to so many. */
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

function enter(look: Look, row: Row, state: EnforcedJobState): void {
  row.state = state;
  account(look, row, 1);
}

function leave(look: Look, row: Row): void {
  account(look, row, -1);
}

function account(look: Look, row: Row, sign: 1 | -1): void {
  look.moves++;
  const { job, level, need, state } = row;
  if (isInUse(row)) {
    look.inUseCount += sign;
    occupy(look.now, level, need, sign);
    countRest(look.served, { level, need, restMs: restMs(job, look.nowMs) }, sign);
  } else if (state === "suspended") {
    look.suspendedCount += sign;
    look.suspendedProcs += sign * job.need.cpu;
    occupy(look.now, level, memoryAlone(row), sign);
  }
}

/** What a job occupies while it is suspended. */
export function memoryAlone({ need }: Row): readonly number[] {
  return need[memory] === 0 ? NOTHING : need.map((amount, column) => (column === memory ? amount : 0));
}

const NOTHING: readonly number[] = SITE_RESOURCES.map(() => 0);
