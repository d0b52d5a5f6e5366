/** A record of use as changes in order of time: begins and ends of runs and of waits. */
import { SHARED_RESOURCES } from "../../model/index.ts";
import type { Evidence, OpenStretch, Stretch, UseRecord, VerifyQuestion } from "./evidence.ts";

/** Jobs of one consumer with the same need: they are counted, not listed. */
export interface JobKind {
  readonly consumer: string;
  /** Need by `SHARED_RESOURCES`. */
  readonly need: readonly number[];
  waiting: number;
  running: number;
}

/** A run in progress; `lent` is decided at its begin. */
export interface SweptRun {
  readonly kind: JobKind;
  isLent: boolean;
}

/** A begin or end. */
export interface Change {
  readonly atMs: number;
  readonly kind: JobKind;
  /** Null for a wait. */
  readonly run: SweptRun | null;
  readonly by: 1 | -1;
}

/** All changes before the end of the period, in order of time; ends before beginnings. */
export function changesOf(
  { records }: Evidence,
  { toMs, definitions }: VerifyQuestion,
): { readonly changes: readonly Change[]; readonly kinds: readonly JobKind[] } {
  const kinds = new Map<string, JobKind>();
  const changes: Change[] = [];
  const add = (stretch: OpenStretch, kind: JobKind, run: SweptRun | null): void => {
    const { fromMs, toMs: endMs } = stretch;
    if (fromMs >= toMs || (endMs !== null && endMs <= fromMs)) return;
    changes.push({ atMs: fromMs, kind, run, by: 1 });
    if (endMs !== null && endMs < toMs) changes.push({ atMs: endMs, kind, run, by: -1 });
  };
  for (const record of records) {
    const kind = kindOf(record, kinds);
    for (const wait of record.waits) add(wait, kind, null);
    for (const run of record.runs) {
      if (run.isLost === true && definitions.nodeFailure === "provider") continue;
      add(run, kind, { kind, isLent: false });
    }
  }
  changes.sort((one, other) => one.atMs - other.atMs || one.by - other.by);
  return { changes, kinds: [...kinds.values()] };
}

/** The instants in a period at which `stretches` begin or end. */
export function bordersOf(stretches: readonly Stretch[]): readonly number[] {
  return stretches.flatMap(({ fromMs, toMs }) => [fromMs, toMs]);
}

function kindOf({ consumer, need }: UseRecord, kinds: Map<string, JobKind>): JobKind {
  const amounts = SHARED_RESOURCES.map((resource) => need[resource] ?? 0);
  const name = `${consumer} ${amounts.join(" ")}`;
  const known = kinds.get(name);
  if (known !== undefined) return known;
  const kind: JobKind = { consumer, need: amounts, waiting: 0, running: 0 };
  kinds.set(name, kind);
  return kind;
}
