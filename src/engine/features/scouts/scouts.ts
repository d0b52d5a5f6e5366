/**
 * Scouts of sweeps: the other jobs wait until these have ended, and then run with the proposed limits, with
 * the requested ones, or after a decision of the user (rule EN-360).
 *
 * If no scout succeeded, or no site would accept the proposal, the user decides, because the other jobs would
 * fail in the same way.
 */
import { accepted, assert, refused } from "../../../base/index.ts";
import {
  indexesOf,
  type JobDescription,
  memberId,
  type ScoutProposal,
  type ScoutSummary,
  type StintEvent,
} from "../../../model/index.ts";
import type { Answer, CommandOf, EventOf, Feature } from "../../feature.ts";
import { keepJob } from "../../keep-job.ts";
import { type ArrayState, openScouts } from "../../state/arrays.ts";
import type { Projection, RecordChange } from "../../state/projection.ts";
import { scoutProposal } from "../../state/scouts.ts";
import { whyNotPossible } from "../../submit.ts";

export const scouts = {
  name: "scouts",
  answers: { decideScouts },
  applies: { scoutsEnded, scoutsDecided },
  decide: (projection, nowMs) =>
    [...projection.arrays.values()].flatMap((array) => {
      const { scouts: summary } = array.accepted;
      const isOver = summary?.outcome === null && summary.ended === summary.jobs;
      return isOver ? [endOfScouts(projection, { array, summary }, nowMs)] : [];
    }),
  explain: {
    atBroker: ({ arrays }, { id, array: of }) => {
      const array = arrays.get(of?.id ?? "");
      const summary = array?.accepted.scouts;
      if (array?.scouts === undefined || summary === undefined || array.scouts.has(id)) return [];
      const left = summary.jobs - summary.ended;
      const isUndecided = summary.outcome === "waiting";
      return [{ kind: "scoutsFirst", array: array.accepted.id, left, isUndecided }];
    },
  },
} as const satisfies Feature;

interface OfArray {
  readonly array: ArrayState;
  readonly summary: ScoutSummary;
}

function endOfScouts(projection: Projection, { array, summary }: OfArray, atMs: number): StintEvent {
  const { id, description } = array.accepted;
  const proposal = scoutProposal(summary, description);
  const mode = description.sweep?.scouts ?? "propose";
  const isPossible = proposal === undefined || isTaken(projection, array, { proposal, nowMs: atMs });
  const wanted = { propose: "kept", use: proposal === undefined ? "kept" : "used", wait: "waiting" } as const;
  const outcome = summary.ok === 0 || (mode === "use" && !isPossible) ? "waiting" : wanted[mode];
  return { kind: "scoutsEnded", array: id, outcome, ...(proposal === undefined ? {} : { proposal }), atMs };
}

/** True if jobs with the proposed limits would be accepted. */
function isTaken(
  projection: Projection,
  { accepted: { id, description, consumer, owner } }: ArrayState,
  { proposal, nowMs }: { readonly proposal: ScoutProposal; readonly nowMs: number },
): boolean {
  const { array: _, sweep: _sweep, after: _after, ...one } = description;
  const command = { kind: "submit", job: id, consumer, owner, description: { ...one, ...proposal } } as const;
  return whyNotPossible(projection, command, nowMs) === undefined;
}

function decideScouts(
  projection: Projection,
  { array: id, isUsed, by }: CommandOf<"decideScouts">,
  nowMs: number,
): Answer {
  const array = projection.arrays.get(id);
  if (array === undefined) return refused({ kind: "unknownArray", array: id });
  const { scouts: summary } = array.accepted;
  const why = whyNotDecidable(summary, isUsed);
  if (why !== undefined) return refused({ kind: "scoutsNotDecidable", array: id, why });
  if (!isUsed && summary?.outcome === "kept") return accepted([]);
  return accepted([{ kind: "scoutsDecided", array: id, isUsed, by, atMs: nowMs }]);
}

function whyNotDecidable(summary: ScoutSummary | undefined, isUsed: boolean) {
  if (summary === undefined) return "none";
  if (summary.outcome === null) return "running";
  if (summary.outcome === "used") return "used";
  return isUsed && summary.proposal === undefined ? "noProposal" : undefined;
}

function scoutsEnded(
  projection: Projection,
  { array, outcome, proposal }: EventOf<"scoutsEnded">,
): RecordChange[] {
  return settled(projection, array, { outcome, ...(proposal === undefined ? {} : { proposal }) });
}

function scoutsDecided(projection: Projection, { array, isUsed }: EventOf<"scoutsDecided">): RecordChange[] {
  return settled(projection, array, { outcome: isUsed ? "used" : "kept" });
}

/** Records the outcome; a used proposal is written into the jobs that have no site. */
function settled(projection: Projection, id: string, change: Partial<ScoutSummary>): RecordChange[] {
  const array = projection.arrays.get(id);
  if (array === undefined) return [];
  const { scouts: before, description } = array.accepted;
  assert(before !== undefined, "an event about scouts is about an array that has some");
  const summary = { ...before, ...change };
  array.accepted = { ...array.accepted, scouts: summary };
  if (summary.outcome !== "waiting") openScouts(array);
  const { proposal } = summary;
  if (summary.outcome !== "used" || proposal === undefined) return [];
  array.accepted = { ...array.accepted, description: { ...description, ...proposal } };
  return indexesOf(description.array ?? "").flatMap((index) => {
    const job = projection.jobs.get(memberId(id, index));
    const isFree = job !== undefined && job.site === null && isAsAsked(job.description, description);
    return isFree ? [keepJob(projection, { ...job, description: { ...job.description, ...proposal } })] : [];
  });
}

/** False for a job that its user has edited. */
function isAsAsked(job: JobDescription, array: JobDescription): boolean {
  return job.wallTimeMs === array.wallTimeMs && job.memoryBytes === array.memoryBytes;
}
