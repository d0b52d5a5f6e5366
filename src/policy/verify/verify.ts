/**
 * Was each agreement kept? The measures of [UP], slide 25, over a period (rules PO-19, PO-20, PO-23 …).
 *
 * One sweep over everything that changes, in order of time; between two changes all is constant, so that
 * every sum is exact. It begins with the record, for windows look back before the period; only what lies in
 * the period and is recorded is measured.
 * Cost: O(changes × (levels + kinds of jobs that wait)).
 */
import { SHARED_RESOURCES, type SharedResource } from "../../model/index.ts";
import { bordersOf, type Change, changesOf, type JobKind, type SweptRun } from "./changes.ts";
import { contentionAt, excusedAt, isClaimedByOthers } from "./contention.ts";
import type { CapacityStep, Evidence, ExcludedStretch, Stretch, VerifyQuestion } from "./evidence.ts";
import { type JobMeasures, measureJobs } from "./job-measures.ts";
import {
  beginAnew,
  changeShares,
  createLevel,
  endBuckets,
  type LevelState,
  measurePiece,
} from "./level-state.ts";
import { applyChange, createScene, noteLent, type Scene, settleClaims } from "./scene.ts";
import { joined, outside, within } from "./stretches.ts";
import { type LaidTerm, layTerms, unmeasuredResources } from "./terms.ts";

/** What came of it; sums are exact. */
export interface Verification {
  readonly evidence: Evidence;
  readonly question: VerifyQuestion;
  /** What is measured of the period. */
  readonly counted: readonly Stretch[];
  /** What of the period is not recorded: of it nothing is said. */
  readonly gaps: readonly Stretch[];
  /** What of the period the definitions leave out. */
  readonly excluded: readonly ExcludedStretch[];
  /** In the order of the policies, each level before those below it. */
  readonly levels: readonly LevelState[];
  readonly totals: readonly ResourceTotal[];
  readonly jobs: readonly JobMeasures[];
  /** Named by policies, and nobody says how much of it there is. */
  readonly unmeasured: readonly SharedResource[];
}

/** All that was there and all that was used of a resource while it was measured, in amount·ms. */
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
  const recorded = within(evidence.recorded, period);
  const counted = joined(recorded.flatMap((part) => outside(excluded, part)));
  const sweep = createSweep(evidence, question, counted);
  runSweep(sweep);
  const levels = [...sweep.levels.values()];
  for (const level of levels) endBuckets(level);
  return {
    ...{ evidence, question, counted, excluded, levels },
    gaps: outside(recorded, period),
    totals: sweep.totals,
    jobs: measureJobs(evidence.records, counted, [...new Set(levels.map(({ path }) => path))]),
    unmeasured: unmeasuredResources(evidence),
  };
}

interface Sweep {
  readonly evidence: Evidence;
  readonly terms: readonly LaidTerm[];
  readonly changes: readonly Change[];
  readonly kinds: readonly JobKind[];
  readonly counted: readonly Stretch[];
  readonly instants: readonly number[];
  /** By resource and path. */
  readonly levels: Map<string, LevelState>;
  readonly totals: ResourceTotal[];
  /** How many runs of a kind go on that were lent. */
  readonly lent: Map<JobKind, number>;
  readonly entered: Set<LaidTerm>;
}

function createSweep(evidence: Evidence, question: VerifyQuestion, counted: readonly Stretch[]): Sweep {
  const { changes, kinds } = changesOf(evidence, question);
  const terms = layTerms(evidence);
  const fromMs = Math.min(question.fromMs, changes[0]?.atMs ?? question.fromMs);
  const borders = [
    ...[fromMs, question.toMs, ...bordersOf(counted)],
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
    ...{ evidence, terms, changes, kinds, counted, instants, totals },
    ...{ levels: new Map(), lent: new Map(), entered: new Set() },
  };
}

function runSweep(sweep: Sweep): void {
  const { instants, changes, counted, evidence, terms } = sweep;
  const { capacity } = evidence;
  let scene: Scene | undefined;
  let [term, step, next, part] = [0, 0, 0, 0];
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
    while (part < counted.length && counted[part].toMs <= fromMs) part++;
    const isMeasured = part < counted.length && counted[part].fromMs <= fromMs;
    measureScene(sweep, scene, begun, { fromMs, toMs: instants[index + 1], isMeasured });
  }
}

function sceneOf(sweep: Sweep, term: LaidTerm, { amounts }: CapacityStep, atMs: number): Scene {
  const { kinds, lent, entered } = sweep;
  const isEntered = entered.has(term);
  entered.add(term);
  const states = isEntered ? statesIn(sweep, term) : enterTerm(sweep, term, atMs);
  return createScene({ term, capacity: amounts, states, kinds, lent });
}

function countLent({ lent }: Sweep, { kind }: SweptRun, by: 1 | -1): void {
  lent.set(kind, (lent.get(kind) ?? 0) + by);
}

interface Piece extends Stretch {
  readonly isMeasured: boolean;
}

function measureScene(sweep: Sweep, scene: Scene, begun: readonly SweptRun[], piece: Piece): void {
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
      capacity: scene.capacity[level.resource] ?? 0,
      ...{ inUse, lent, entitled, claimed },
      contention: inUse > 0 ? contentionAt(scene, level) : "none",
      excused: excusedAt(scene, level),
    });
  }
  if (!piece.isMeasured) return;
  const lastsMs = BigInt(piece.toMs - piece.fromMs);
  for (const total of sweep.totals) {
    total.capacity += BigInt(scene.capacity[total.resource] ?? 0) * lastsMs;
    total.used += BigInt(scene.inUse[SHARED_RESOURCES.indexOf(total.resource)]) * lastsMs;
  }
}

/** The levels of a term that begins; those that it names no more keep what was measured of them. */
function enterTerm({ levels }: Sweep, term: LaidTerm, atMs: number): readonly LevelState[] {
  return term.levels.map(({ resource, node, limits, isFirst }) => {
    const name = `${resource} ${node.path}`;
    const known = levels.get(name);
    if (known !== undefined) {
      if (isFirst) beginAnew(known, node, limits, atMs);
      else changeShares(known, node);
      return known;
    }
    const created = createLevel(resource, node, limits, atMs);
    levels.set(name, created);
    return created;
  });
}

function statesIn({ levels }: Sweep, term: LaidTerm): readonly LevelState[] {
  return term.levels.flatMap(({ resource, node }) => levels.get(`${resource} ${node.path}`) ?? []);
}
