/** Comparison of two parties' evidence of one place: jobs, times, capacity, policies, measures. */
import type { Evidence, UseRecord, VerifyQuestion } from "./evidence.ts";
import type { Findings, LevelFindings, Parts } from "./findings.ts";

/** One difference; null for a value that one side does not have. */
export interface EvidenceDifference {
  readonly kind:
    | "place"
    | "period"
    | "definitions"
    | "policies"
    | "capacity"
    | "recorded"
    | "job"
    | "measure";
  /** Id of a job, resource and consumer of a measure; empty where there is one of the kind. */
  readonly of: string;
  /** The part that differs. */
  readonly what: string;
  readonly one: unknown;
  readonly other: unknown;
}

/** Evidence and question of one side. */
export interface ComparedSide {
  readonly evidence: Evidence;
  readonly question: VerifyQuestion;
  readonly findings: Findings;
}

/** All differences: definitions first, then the record as a whole, jobs by id, measures. */
export function compareEvidence(one: ComparedSide, other: ComparedSide): readonly EvidenceDifference[] {
  return [
    ...wholeDifferences(one, other),
    ...jobDifferences(one.evidence.records, other.evidence.records),
    ...measureDifferences(one.findings, other.findings),
  ];
}

function wholeDifferences(one: ComparedSide, other: ComparedSide): readonly EvidenceDifference[] {
  const period = ({ question }: ComparedSide) => ({ fromMs: question.fromMs, toMs: question.toMs });
  const sides: readonly (readonly [EvidenceDifference["kind"], (side: ComparedSide) => unknown])[] = [
    ["place", ({ evidence }) => evidence.place],
    ["period", period],
    ["definitions", ({ question }) => question.definitions],
    ["policies", ({ evidence }) => evidence.terms],
    ["capacity", ({ evidence }) => evidence.capacity],
    ["recorded", ({ evidence }) => evidence.recorded],
    ["recorded", ({ evidence }) => evidence.stopped],
  ];
  return sides.flatMap(([kind, of]) => differing({ kind, of: "", what: kind }, of(one), of(other)));
}

const JOB_PARTS = [
  ...(["of", "consumer", "need", "submittedAtMs"] as const),
  ...(["waits", "runs", "endedAtMs", "outcome"] as const),
] as const;

function jobDifferences(
  ones: readonly UseRecord[],
  others: readonly UseRecord[],
): readonly EvidenceDifference[] {
  const byId = (records: readonly UseRecord[]) => new Map(records.map((record) => [record.id, record]));
  const [left, right] = [byId(ones), byId(others)];
  const ids = [...new Set([...left.keys(), ...right.keys()])].sort(inOrder);
  return ids.flatMap((id): readonly EvidenceDifference[] => {
    const [one, other] = [left.get(id), right.get(id)];
    if (one === undefined || other === undefined) {
      return [{ kind: "job", of: id, what: "job", one: one ?? null, other: other ?? null }];
    }
    return JOB_PARTS.flatMap((what) => differing({ kind: "job", of: id, what }, one[what], other[what]));
  });
}

function measureDifferences(one: Findings, other: Findings): readonly EvidenceDifference[] {
  const name = ({ resource, consumer }: LevelFindings) => `${resource} ${consumer}`;
  const byName = ({ levels }: Findings) => new Map(levels.map((level) => [name(level), level]));
  const [left, right] = [byName(one), byName(other)];
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((of): readonly EvidenceDifference[] => {
    const [here, there] = [left.get(of), right.get(of)];
    if (here === undefined || there === undefined) {
      return [{ kind: "measure", of, what: "level", one: here?.parts ?? null, other: there?.parts ?? null }];
    }
    const parts = Object.keys(here.parts) as (keyof Parts)[];
    return [
      ...differing({ kind: "measure", of, what: "verdict" }, here.verdict, there.verdict),
      ...parts.flatMap((what) =>
        differing({ kind: "measure", of, what }, here.parts[what], there.parts[what]),
      ),
    ];
  });
}

function differing(
  where: Pick<EvidenceDifference, "kind" | "of" | "what">,
  one: unknown,
  other: unknown,
): readonly EvidenceDifference[] {
  return textOf(one) === textOf(other) ? [] : [{ ...where, one, other }];
}

/** A text that is equal for equal values, in whatever order their members are. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const texts = members.map(([name, member]) => `${JSON.stringify(name)}:${textOf(member)}`);
  return `{${texts.sort(inOrder).join(",")}}`;
}

/** Order of texts with numbers by value, so that job 9 comes before job 10. */
function inOrder(one: string, other: string): number {
  const [first, second] = [Number(one), Number(other)];
  if (first !== second && !Number.isNaN(first) && !Number.isNaN(second)) return first - second;
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
