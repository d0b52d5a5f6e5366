/** JSON of a verification: what was measured, and of what evidence. */
import type { VerificationView } from "../../contract/index.ts";
import { inSeconds } from "../../model/index.ts";
import type { Findings, JobFindings, LevelFindings, Stretch } from "../../policy/index.ts";
import type { EvidenceSource } from "./bundle.ts";

/** Results of a verification, with their source. */
export interface SealedFindings {
  readonly findings: Findings;
  readonly source: EvidenceSource;
  /** Seal of a bundle of this evidence. */
  readonly seal: string;
  /** Head of the log after the last event read; only of a log. */
  readonly head: { readonly seq: number; readonly hash: string } | null;
}

/** Largest number of stretches of each kind in the JSON; the others are counted. */
const MOST_STRETCHES = 100;

/** JSON of a verification. */
export function verifiedValue({ findings, source, seal, head }: SealedFindings): VerificationView {
  const { place, verdict, definitions, measuredMs, gaps, excluded, totals, jobs, levels, unmeasured } =
    findings;
  const { tolerancePpm, ...words } = definitions;
  return {
    ...{ site: place, ...stretchValue(findings), verdict, measuredSec: measuredMs / 1000, source },
    ...{ seal, head, definitions: { ...words, tolerance: tolerancePpm / 1_000_000 } },
    gaps: gaps.map(({ resource, ...gap }) => ({
      ...stretchValue(gap),
      ...(resource === undefined ? {} : { resource }),
    })),
    excluded: excluded.map(({ why, ...stretch }) => ({ ...stretchValue(stretch), why })),
    unmeasured,
    totals: totals.map(({ resource, parts }) => ({ resource, ...parts })),
    jobs: jobsValue(jobs),
    consumers: levels.map(levelValue),
  };
}

function levelValue(level: LevelFindings): VerificationView["consumers"][number] {
  const { resource, consumer, verdict, violated, epochShare, burstShare, window, bucketMs } = level;
  const { rule, mode, parts, jobs, stretches } = level;
  return {
    ...{ consumer, resource, verdict, violated, ...parts, ...jobsValue(jobs) },
    agreed: { epochShare, window: inSeconds(window), burstShare, bucketSec: bucketMs / 1000, rule, mode },
    when: {
      aboveBurst: timesValue(stretches.aboveBurst),
      aboveEpoch: timesValue(stretches.aboveEpoch),
      contended: timesValue(stretches.contended),
      notGiven: timesValue(stretches.notGiven),
    },
  };
}

function timesValue(all: readonly Stretch[]) {
  return { count: all.length, first: all.slice(0, MOST_STRETCHES).map(stretchValue) };
}

function jobsValue({ submitted, completed, completedPart, meanResponseMs }: JobFindings) {
  const meanResponseSec = meanResponseMs === null ? null : meanResponseMs / 1000;
  return { submitted, completed, completedPart, meanResponseSec };
}

function stretchValue({ fromMs, toMs }: Stretch) {
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}
