/**
 * The whole answer in words: the blockers, when it would start, and what would make it sooner.
 */
import { counted, formatDuration, sizeText, unreachable } from "../../base/index.ts";
import type { ClusterChange, SingleChange } from "./change-search.ts";
import type { ClusterExplanation, ClusterPrediction } from "./explain-cluster-job.ts";
import { clusterBlockersText, type FormatInstant } from "./text.ts";

/** The answer as lines to print, one fact each. */
export function clusterExplanationText(
  explanation: ClusterExplanation,
  formatInstant: FormatInstant,
): readonly string[] {
  const { prediction, changes } = explanation;
  return [
    ...clusterBlockersText(explanation, formatInstant),
    ...(prediction === null ? [] : predictionText(prediction, formatInstant)),
    ...changes.map((change) => changeText(change, formatInstant)),
  ];
}

function predictionText(prediction: ClusterPrediction, at: FormatInstant): readonly string[] {
  const { startAtMs, jobsBefore, jobsLeftOut, setAside, systemExpectsAtMs } = prediction;
  const lines: string[] = [];
  if (startAtMs === null) lines.push("as things are it never starts");
  else {
    const aside =
      setAside.length === 0 ? "" : `, what keeps it for itself (${setAside.join(", ")}) were gone`;
    lines.push(
      `it would start by ${at(startAtMs)} if every job used its whole time limit${aside} and nothing else ` +
        `came (${counted(jobsBefore, "job")} before it)`,
    );
  }
  if (jobsLeftOut > 0) {
    lines.push(
      `${counted(jobsLeftOut, "more job")} before it were too many to be looked at: it may be later`,
    );
  }
  if (systemExpectsAtMs !== null) lines.push(`the batch system expects ${at(systemExpectsAtMs)}`);
  return lines;
}

function changeText(change: ClusterChange, at: FormatInstant): string {
  const changed =
    change.kind === "together" ? change.changes.map(changedText).join(" and ") : changedText(change);
  return `with ${changed} it would start by ${at(change.startAtMs)}`;
}

function changedText(change: SingleChange): string {
  switch (change.kind) {
    case "fewerProcs":
      return counted(change.procs, "processor");
    case "fewerNodes":
      return [
        counted(change.nodes, "node"),
        counted(change.procs, "processor"),
        ...(change.gpus === undefined ? [] : [counted(change.gpus, "GPU")]),
      ].join(" and ");
    case "shorterLimit":
      return `a time limit of ${formatDuration(change.limitMs)}`;
    case "lessMemory":
      return `${sizeText(change.memoryBytes)} of memory in all`;
    case "fewerGpus":
      return counted(change.gpus, "GPU");
    case "otherPartition":
      return `partition ${change.partition}`;
    default:
      return unreachable(change);
  }
}
