/** Changes of a job's own Requirements with which a site matches, found by trying (rule MT-8). */
import {
  analyzeMatch,
  type ClassAd,
  clausesOf,
  parseExpression,
  tableOf,
  unparse,
} from "../classad/index.ts";
import { adFor, type MatchedJob, type Part, partText } from "./choose.ts";

/** New Requirements, and how they differ. */
interface ChangedRequirements {
  readonly requirements: string;
  readonly difference: string;
  /** Number of differences. */
  readonly parts: number;
}

/** The smallest change of the given Requirements after which a site matches; undefined: none is found. */
export function changedRequirements(
  job: MatchedJob,
  site: ClassAd,
  nowMs: number,
): ChangedRequirements | undefined {
  const read = parseExpression(job.description.requirements ?? "");
  if (!read.ok) return undefined;
  const clauses = clausesOf(read.value.node).map(unparse);
  for (const { parts } of analyzeMatch(adFor(job), tableOf([site]), { nowMs }).changes) {
    const changed = parts.reduce<readonly string[] | undefined>(withPart, clauses);
    if (changed === undefined) continue;
    const difference = parts.map(partText).join(", and ");
    return { requirements: joined(changed), difference, parts: parts.length };
  }
  return undefined;
}

/** The clauses with a part of a change; undefined where it changes none of them. */
function withPart(clauses: readonly string[] | undefined, part: Part): readonly string[] | undefined {
  const at = part.kind === "attribute" ? -1 : (clauses?.indexOf(beforeOf(part)) ?? -1);
  if (clauses === undefined || at < 0) return undefined;
  return clauses.flatMap((clause, i) => {
    if (i !== at) return [clause];
    return part.kind === "condition" ? [part.to] : [];
  });
}

function beforeOf(part: Exclude<Part, { kind: "attribute" }>): string {
  return part.kind === "condition" ? part.from : part.text;
}

function joined(clauses: readonly string[]): string {
  if (clauses.length < 2) return clauses[0] ?? "true";
  return clauses.map((clause) => `(${clause})`).join(" && ");
}
