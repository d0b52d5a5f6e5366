/**
 * Results of a verification: measures in parts of the capacity, and whether each agreement was kept (rule
 * PO-26).
 *
 * Sums are exact; here each measure is divided once, to the nearest 10⁻⁹.
 */
import { type EpochWindow, type Policy, type SharedResource, WHOLE_SHARE } from "../../model/index.ts";
import type { ExcludedStretch, RecordedStretch, Stretch, VerifyDefinitions } from "./evidence.ts";
import type { JobMeasures } from "./job-measures.ts";
import type { LevelState, LevelSums } from "./level-state.ts";
import { lengthMs } from "./stretches.ts";
import { type Measured, measuredOf, type ResourceTotal, type Verification } from "./verify.ts";

/** `keptWhereRecorded`: there are gaps, of which nothing is known; `unknown`: nothing was recorded. */
export type Verdict = "kept" | "keptWhereRecorded" | "violated" | "unknown";

/** The promises of a policy: use within the burst, use within the epoch share, and the share being given. */
type Promised = "burst" | "epoch" | "given";

/** Parts of the capacity over the measured time; null where the place had none. */
export interface Parts {
  /** Use (ARU). */
  readonly used: number | null;
  readonly aboveBurst: number | null;
  readonly aboveEpoch: number | null;
  readonly aboveEpochContended: number | null;
  /** The part of it by runs on an idle share that was lent until they end: no violation. */
  readonly aboveEpochLent: number | null;
  readonly notGiven: number | null;
  /** The part of it due to shares that others borrowed until their runs end: no violation. */
  readonly notGivenLent: number | null;
}

/** Measures of jobs. */
export interface JobFindings {
  readonly submitted: number;
  readonly completed: number;
  /** ART, in ms, to the nearest; null where no job completed. */
  readonly meanResponseMs: number | null;
  /** AJC: the part of the submitted jobs that completed; null where none was submitted. */
  readonly completedPart: number | null;
}

/** Measures of a level for a resource. */
export interface LevelFindings {
  readonly resource: SharedResource;
  readonly consumer: string;
  /** Share of the place's capacity, in parts of one. */
  readonly epochShare: number;
  readonly burstShare: number;
  readonly window: EpochWindow;
  readonly bucketMs: number;
  readonly rule: Policy["rule"];
  readonly mode: Policy["mode"];
  readonly verdict: Verdict;
  readonly violated: readonly Promised[];
  readonly parts: Parts;
  readonly jobs: JobFindings;
  /** Times of each violation, in order. */
  readonly stretches: Readonly<
    Record<"aboveBurst" | "aboveEpoch" | "contended" | "notGiven", readonly Stretch[]>
  >;
}

/** Measures of a resource in total: the sum over the uppermost named levels. */
export interface TotalFindings {
  readonly resource: SharedResource;
  /** Amount·ms, as text: bytes over a month pass 2^53. */
  readonly capacityMs: string;
  readonly parts: Parts;
}

/** All results of a verification. */
export interface Findings extends Stretch {
  readonly place: string;
  readonly definitions: VerifyDefinitions;
  readonly verdict: Verdict;
  readonly measuredMs: number;
  /** Gaps of one resource alone name it; they are listed where a policy names it too. */
  readonly gaps: readonly RecordedStretch[];
  readonly excluded: readonly ExcludedStretch[];
  readonly totals: readonly TotalFindings[];
  readonly jobs: JobFindings;
  readonly levels: readonly LevelFindings[];
  /** Resources with policies but without a known capacity, which are not measured. */
  readonly unmeasured: readonly SharedResource[];
}

const WHOLE = BigInt(WHOLE_SHARE);
const DIGITS = 1_000_000_000n;

/** Divides the sums, and decides each verdict. */
export function findingsOf(verification: Verification): Findings {
  const { evidence, question, counted, excluded, levels, totals, jobs, unmeasured } = verification;
  const judged = levels.map((level) => levelFindings(verification, level));
  const verdicts = judged.map(({ verdict }) => verdict);
  const isOfInterest = ({ resource, used }: ResourceTotal) =>
    used > 0n || levels.length === 0 || levels.some((level) => level.resource === resource);
  const gaps = gapsIn(verification);
  return {
    ...{ place: evidence.place, fromMs: question.fromMs, toMs: question.toMs, gaps, excluded, unmeasured },
    definitions: question.definitions,
    verdict: verdicts.includes("violated") ? "violated" : verdictOf({ counted, gaps }, []),
    measuredMs: lengthMs(counted),
    totals: totals.filter(isOfInterest).map((total) => totalFindings(total, levels)),
    jobs: jobFindings(jobs[0]),
    levels: judged,
  };
}

function gapsIn({ gaps, apart, levels }: Verification): readonly RecordedStretch[] {
  const own = [...apart].filter(([resource]) => levels.some((level) => level.resource === resource));
  return [...gaps, ...own.flatMap(([resource, one]) => one.gaps.map((gap) => ({ ...gap, resource })))];
}

function levelFindings(verification: Verification, level: LevelState): LevelFindings {
  const { resource, path, node, sums, stretches } = level;
  const { totals, jobs, question } = verification;
  const capacity = totals.find((total) => total.resource === resource)?.capacity ?? 0n;
  const violated = violatedBy(level, capacity, question.definitions.tolerancePpm);
  const of = jobs.find(({ consumer }) => consumer === path);
  return {
    ...{ resource, consumer: path, window: node.window, rule: node.rule, mode: node.mode },
    epochShare: node.epochShare / WHOLE_SHARE,
    burstShare: node.burstShare / WHOLE_SHARE,
    bucketMs: level.burst.bucketMs,
    verdict: verdictOf(measuredOf(verification, resource), violated),
    violated,
    parts: partsOf(sums, capacity),
    jobs: jobFindings(of ?? jobs[0]),
    stretches,
  };
}

/** Promises broken: under `cap` all use above the epoch share counts, else the contended part. */
function violatedBy({ sums, node }: LevelState, capacity: bigint, tolerancePpm: number): readonly Promised[] {
  const epoch = node.rule === "cap" ? sums.aboveEpoch : sums.contended - sums.contendedLent;
  const amounts = { burst: sums.aboveBurst, epoch, given: sums.notGiven - sums.notGivenLent };
  const isViolated = (amount: bigint) => amount * 1_000_000n > capacity * WHOLE * BigInt(tolerancePpm);
  return (["burst", "epoch", "given"] as const).filter((promised) => isViolated(amounts[promised]));
}

function verdictOf({ counted, gaps }: Measured, violated: readonly Promised[]): Verdict {
  if (violated.length > 0) return "violated";
  if (counted.length === 0) return "unknown";
  return gaps.length > 0 ? "keptWhereRecorded" : "kept";
}

function totalFindings(
  { resource, capacity, used }: ResourceTotal,
  levels: readonly LevelState[],
): TotalFindings {
  const own = levels.filter((level) => level.resource === resource);
  const uppermost = own.filter(({ path }) => !own.some((other) => path.startsWith(`${other.path}/`)));
  const sum = (what: keyof LevelSums) => uppermost.reduce((all, { sums }) => all + sums[what], 0n);
  const sums: LevelSums = {
    used: used * WHOLE,
    aboveBurst: sum("aboveBurst"),
    aboveEpoch: sum("aboveEpoch"),
    contended: sum("contended"),
    contendedLent: sum("contendedLent"),
    notGiven: sum("notGiven"),
    notGivenLent: sum("notGivenLent"),
  };
  return { resource, capacityMs: String(capacity), parts: partsOf(sums, capacity) };
}

function partsOf(sums: LevelSums, capacity: bigint): Parts {
  const part = (amount: bigint) => partOf(amount, capacity * WHOLE);
  return {
    used: part(sums.used),
    aboveBurst: part(sums.aboveBurst),
    aboveEpoch: part(sums.aboveEpoch),
    aboveEpochContended: part(sums.contended),
    aboveEpochLent: part(sums.contendedLent),
    notGiven: part(sums.notGiven),
    notGivenLent: part(sums.notGivenLent),
  };
}

function jobFindings({ submitted, completed, completedOfSubmitted, responseMs }: JobMeasures): JobFindings {
  return {
    submitted,
    completed,
    meanResponseMs: completed === 0 ? null : Math.round(responseMs / completed),
    completedPart: partOf(BigInt(completedOfSubmitted), BigInt(submitted)),
  };
}

/** A quotient to the nearest 10⁻⁹, halves up; amounts are ≥ 0. */
function partOf(amount: bigint, whole: bigint): number | null {
  return whole === 0n ? null : Number((2n * amount * DIGITS + whole) / (2n * whole)) / Number(DIGITS);
}
