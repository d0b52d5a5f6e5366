/**
 * Scores of placements: if the promise of the choice table came true.
 *
 * The promise is part of the placement event, so that the score follows from the log and is the same
 * after a restart. It is made only where there were several sites to choose from and a start was known.
 * It came true when the job started (at a managed site with policies: was let in) no later than one cycle
 * after the promised start, and is missed when it did not or ended unstarted; a late job counts as missed
 * while it still waits. Jobs that somebody held, cancelled or called back before do not count.
 */
import { isFinal, isForeign, type JobRecord, type RecommendedPlace } from "../../model/index.ts";
import { siteChange } from "../site-change.ts";
import { letsInOneByOne } from "../state/enforced-site.ts";
import type { Projection, RecordChange } from "../state/projection.ts";
import type { SiteState } from "../state/site-state.ts";
import type { ChoiceRow, SiteScore } from "./choice-row.ts";

/** An enforcer decides at least so often ([UP]; spec: 5 s at a managed site) … */
const CYCLE_MS = 5_000;
/** … and what happens at a foreign one is known after it was handed over and looked at, twice. */
const FOREIGN_CYCLE_MS = 30_000;

interface Chosen {
  readonly site: SiteState;
  readonly row: ChoiceRow;
  readonly job: JobRecord;
}

/** Promise of a choice, to be scored; undefined without a known start or promise. */
export function promisedPlace(
  projection: Projection,
  { site, row, job }: Chosen,
  nowMs: number,
): RecommendedPlace | undefined {
  const { honoured, predictedStartMs } = row;
  if (honoured === "never" || predictedStartMs === null || !Number.isFinite(predictedStartMs))
    return undefined;
  const isByLetIn =
    honoured === "now" && !isForeign(site.spec) && letsInOneByOne(projection, site, job, nowMs);
  const startMs = isByLetIn ? nowMs : Math.max(nowMs, predictedStartMs);
  return { honoured, byMs: startMs + cycleMsOf(site), isByLetIn, outcome: "open" };
}

/** Tolerance: how much later than predicted a job may start for the prediction to count as true. */
export function cycleMsOf({ spec }: Pick<SiteState, "spec">): number {
  return isForeign(spec) ? FOREIGN_CYCLE_MS : CYCLE_MS;
}

/** Changed records with what has come of their recommendations by now, and the scores of their sites. */
export function withScores(
  projection: Projection,
  changes: readonly RecordChange[],
  atMs: number,
): RecordChange[] {
  if (!changes.some((change) => change.kind === "job" && isOpen(change.record))) return [...changes];
  const sites = new Set<SiteState>();
  const scored = changes.map((change): RecordChange => {
    if (change.kind !== "job" || !isOpen(change.record)) return change;
    const record = scoredRecord(change.record, atMs);
    if (projection.jobs.has(record.id)) projection.jobs.set(record.id, record);
    const site = projection.sites.get(record.site ?? "");
    if (site !== undefined && counts(site, record)) sites.add(site);
    return { kind: "job", record };
  });
  return [...scored, ...[...sites].map(siteChange)];
}

/** By site how often it did as was said, those counted that are late already. */
export function scoresNow({ jobs, sites }: Projection, nowMs: number): ReadonlyMap<string, SiteScore> {
  const scores = new Map([...sites.values()].map(({ name, score }) => [name, { ...score }]));
  for (const { site, recommended } of jobs.values()) {
    const score = scores.get(site ?? "");
    if (score !== undefined && recommended?.outcome === "open" && recommended.byMs < nowMs) score.missed += 1;
  }
  return scores;
}

function isOpen({ recommended }: JobRecord): boolean {
  return recommended?.outcome === "open";
}

/** True if the record counts for the score of its site from now on. */
function counts(site: SiteState, { recommended }: JobRecord): boolean {
  const { kept, missed } = site.score;
  if (recommended?.outcome === "kept") site.score = { kept: kept + 1, missed };
  else if (recommended?.outcome === "missed") site.score = { kept, missed: missed + 1 };
  else return false;
  return true;
}

function scoredRecord(job: JobRecord, atMs: number): JobRecord {
  const { recommended } = job;
  if (recommended === undefined) return job;
  const outcome = outcomeOf(job, recommended, atMs);
  return outcome === "open" ? job : { ...job, recommended: { ...recommended, outcome } };
}

function outcomeOf(job: JobRecord, { byMs, isByLetIn }: RecommendedPlace, atMs: number) {
  const { state, site, startDecidedAtMs, enforced } = job;
  if (site === null || state === "HELD" || state === "CANCELLED") return "void";
  const isLetIn = isByLetIn && enforced?.isHeld !== true;
  if (isLetIn || startDecidedAtMs !== null)
    return Math.min(atMs, startDecidedAtMs ?? atMs) <= byMs ? "kept" : "missed";
  return isFinal(state) ? "missed" : "open";
}
