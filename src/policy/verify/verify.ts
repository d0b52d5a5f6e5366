/**
 * Verification: whether each agreement was kept, by the measures of [UP], slide 25, over a period (rules
 * PO-20, PO-26).
 *
 * One sweep over all changes, in order of time; between two changes all is constant, so that every sum is
 * exact. It begins with the record, for windows look back before the period; only recorded time of the period
 * is measured.
 * Cost: O(changes × (levels + kinds of waiting jobs)).
 */
import { SHARED_RESOURCES, type SharedResource } from "../../model/index.ts";
import { bordersOf, type Change, changesOf, type JobKind, type SweptRun } from "./changes.ts";
import { contentionAt, isClaimedByOthers, lentShortageAt } from "./contention.ts";
import {
  type CapacityStep,
  type Evidence,
  type ExcludedStretch,
  RECORDED_APART,
  type RecordedStretch,
  type Stretch,
  type VerifyQuestion,
} from "./evidence.ts";
import { type JobMeasures, measureJobs } from "./job-measures.ts";
import {
  changeShares,
  createLevel,
  endBuckets,
  type LevelState,
  measurePiece,
  restartWindow,
} from "./level-state.ts";
import { applyChange, createScene, noteLent, type Scene, settleClaims } from "./scene.ts";
import { joined, outside, within } from "./stretches.ts";
import { levelsByTerm, type TermLevels, unmeasuredResources } from "./terms.ts";

/** The measures of a period; sums are exact. */
export interface Verification {
  readonly evidence: Evidence;
  readonly question: VerifyQuestion;
  /** The measured time of the period. */
  readonly counted: readonly Stretch[];
  /** The time of the period without record, in which nothing is measured. */
  readonly gaps: readonly Stretch[];
  /** Measured time and gaps of each resource with a record of its own. */
  readonly apart: ReadonlyMap<SharedResource, Measured>;
  /** Time of the period that the definitions exclude. */
  readonly excluded: readonly ExcludedStretch[];
  /** Levels in the order of the policies, each before those below it. */
  readonly levels: readonly LevelState[];
  readonly totals: readonly ResourceTotal[];
  readonly jobs: readonly JobMeasures[];
  /** Resources with policies, but without a known capacity. */
  readonly unmeasured: readonly SharedResource[];
}

/** Measured time of a period, and its gaps. */
export type Measured = Pick<Verification, "counted" | "gaps">;

/** The measured time of a period for a resource. */
export function measuredOf(verification: Verification, resource: SharedResource): Measured {
  return verification.apart.get(resource) ?? verification;
}

/** Capacity and use of a resource over the measured time, in amount·ms. */
export interface ResourceTotal {
  readonly resource: SharedResource;
  capacity: bigint;
  used: bigint;
}

/** Measures a period. */
export function verify(evidence: Evidence, question: VerifyQuestion): Verification {
  const period = { fromMs: question.fromMs, toMs: question.toMs };
  const { definitions } = question;
  const stopped = evidence.stopped.filter(({ why }) => definitions[why] === "excluded");
  const excluded = stopped.flatMap((one) => within([one], period).map((part) => ({ ...part, why: one.why })));
  const measuredIn = (stretches: readonly RecordedStretch[]): Measured => {
    const recorded = within(stretches, period);
    const counted = joined(recorded.flatMap((part) => outside(excluded, part)));
    return { counted, gaps: outside(recorded, period) };
  };
  const whole = measuredIn(evidence.recorded.filter(({ resource }) => resource === undefined));
  const named = evidence.recorded.flatMap(({ resource }) => (resource === undefined ? [] : [resource]));
  const apart = new Map(
    [...new Set([...RECORDED_APART, ...named])].map((name): [SharedResource, Measured] => [
      name,
      measuredIn(evidence.recorded.filter(({ resource }) => resource === name)),
    ]),
  );
  const sweep = createSweep(evidence, question, { whole, apart });
  runSweep(sweep);
  const levels = [...sweep.levels.values()];
  for (const level of levels) endBuckets(level);
  return {
    ...{ evidence, question, ...whole, apart, excluded, levels },
    totals: sweep.totals,
    jobs: measureJobs(evidence.records, whole.counted, [...new Set(levels.map(({ path }) => path))]),
    unmeasured: unmeasuredResources(evidence),
  };
}

interface Sweep {
  readonly evidence: Evidence;
  readonly terms: readonly TermLevels[];
  readonly changes: readonly Change[];
  readonly kinds: readonly JobKind[];
  readonly isMeasured: MeasuredAt;
  readonly instants: readonly number[];
  /** States by resource and path. */
  readonly levels: Map<string, LevelState>;
  readonly totals: ResourceTotal[];
  /** Number of lent runs in progress, by kind. */
  readonly lent: Map<JobKind, number>;
  readonly entered: Set<TermLevels>;
}

/** True where a resource is measured from an instant on; called in order of time. */
type MeasuredAt = (resource: SharedResource, atMs: number) => boolean;

interface MeasuredParts {
  readonly whole: Measured;
  readonly apart: ReadonlyMap<SharedResource, Measured>;
}

function measuredAt({ whole, apart }: MeasuredParts): MeasuredAt {
  const at = new Map([whole, ...apart.values()].map((one): [Measured, number] => [one, 0]));
  return (resource, atMs) => {
    const one = apart.get(resource) ?? whole;
    let part = at.get(one) ?? 0;
    while (part < one.counted.length && one.counted[part].toMs <= atMs) part++;
    at.set(one, part);
    return part < one.counted.length && one.counted[part].fromMs <= atMs;
  };
}

function createSweep(evidence: Evidence, question: VerifyQuestion, measured: MeasuredParts): Sweep {
  const { changes, kinds } = changesOf(evidence, question);
  const terms = levelsByTerm(evidence);
  const fromMs = Math.min(question.fromMs, changes[0]?.atMs ?? question.fromMs);
  const borders = [
    ...[fromMs, question.toMs],
    ...[measured.whole, ...measured.apart.values()].flatMap(({ counted }) => bordersOf(counted)),
    ...terms.map((term) => term.fromMs),
    ...evidence.capacity.map((step) => step.fromMs),
    ...changes.map(({ atMs }) => atMs),
  ];
  const inside = borders.filter((atMs) => atMs >= fromMs && atMs <= question.toMs);
  const instants = [...new Set(inside.sort((one, other) => one - other))];
  const totals = SHARED_RESOURCES.filter((resource) =>
    evidence.capacity.some(({ amounts }) => (amounts[resource] ?? 0) > 0),
  ).map((resource): ResourceTotal => ({ resource, capacity: 0n, used: 0n }));
  return {
    ...{ evidence, terms, changes, kinds, instants, totals, isMeasured: measuredAt(measured) },
    ...{ levels: new Map(), lent: new Map(), entered: new Set() },
  };
}

function runSweep(sweep: Sweep): void {
  const { instants, changes, evidence, terms } = sweep;
  const { capacity } = evidence;
  let scene: Scene | undefined;
  let [term, step, next] = [0, 0, 0];
  for (const [index, fromMs] of instants.slice(0, -1).entries()) {
    const before = { term, step };
    while (term + 1 < terms.length && terms[term + 1].fromMs <= fromMs) term++;
    while (step + 1 < capacity.length && capacity[step + 1].fromMs <= fromMs) step++;
    if (scene === undefined || term !== before.term || step !== before.step) {
      scene = sceneOf(sweep, terms[term], capacity[step], fromMs);
    }
    const begun: SweptRun[] = [];
    for (; next < changes.length && changes[next].atMs <= fromMs; next++) {
      const { run, by } = changes[next];
      applyChange(scene, changes[next]);
      if (run !== null && by > 0) begun.push(run);
      else if (run?.isLent === true) countLent(sweep, run, -1);
    }
    measureScene(sweep, scene, begun, { fromMs, toMs: instants[index + 1] });
  }
}

function sceneOf(sweep: Sweep, term: TermLevels, { amounts }: CapacityStep, atMs: number): Scene {
  const { kinds, lent, entered } = sweep;
  const isEntered = entered.has(term);
  entered.add(term);
  const states = isEntered ? statesIn(sweep, term) : enterTerm(sweep, term, atMs);
  return createScene({ term, capacity: amounts, states, kinds, lent });
}

function countLent({ lent }: Sweep, { kind }: SweptRun, by: 1 | -1): void {
  lent.set(kind, (lent.get(kind) ?? 0) + by);
}

function measureScene(sweep: Sweep, scene: Scene, begun: readonly SweptRun[], piece: Stretch): void {
  settleClaims(scene);
  for (const run of begun) {
    run.isLent = !isClaimedByOthers(scene, run.kind);
    if (!run.isLent) continue;
    noteLent(scene, run.kind);
    countLent(sweep, run, 1);
  }
  for (const level of scene.levels) {
    const { inUse, lent, entitled, claimed } = level;
    measurePiece(level.state, {
      ...piece,
      isMeasured: sweep.isMeasured(level.resource, piece.fromMs),
      capacity: scene.capacity[level.resource] ?? 0,
      ...{ inUse, lent, entitled, claimed },
      contention: inUse > 0 ? contentionAt(scene, level) : "none",
      excused: lentShortageAt(scene, level),
    });
  }
  const lastsMs = BigInt(piece.toMs - piece.fromMs);
  for (const total of sweep.totals) {
    if (!sweep.isMeasured(total.resource, piece.fromMs)) continue;
    total.capacity += BigInt(scene.capacity[total.resource] ?? 0) * lastsMs;
    total.used += BigInt(scene.inUse[SHARED_RESOURCES.indexOf(total.resource)]) * lastsMs;
  }
}

/** The levels of a term that begins; levels that it names no more keep their measures. */
function enterTerm({ levels }: Sweep, term: TermLevels, atMs: number): readonly LevelState[] {
  return term.levels.map(({ resource, node, limits, isFirst }) => {
    const name = `${resource} ${node.path}`;
    const known = levels.get(name);
    if (known !== undefined) {
      if (isFirst) restartWindow(known, node, limits, atMs);
      else changeShares(known, node);
      return known;
    }
    const created = createLevel(resource, node, limits, atMs);
    levels.set(name, created);
    return created;
  });
}

function statesIn({ levels }: Sweep, term: TermLevels): readonly LevelState[] {
  return term.levels.flatMap(({ resource, node }) => levels.get(`${resource} ${node.path}`) ?? []);
}
