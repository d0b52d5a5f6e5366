/**
 * Differences of a variant from the first one: jobs that start earlier or later, by user.
 */
import type { VariantChange } from "../../contract/index.ts";
import { GROUPINGS, type WhatIfBaseline } from "../../model/index.ts";
import { grouped } from "../what-if/grouped.ts";
import { movedJobs, movesOf } from "../what-if/moved-starts.ts";
import type { StartedJob } from "../what-if/play-record.ts";

/** Most groups of a kind: those with most jobs. */
const MOST_GROUPS = 200;

/** Two variants, and the error of the first against a record, if there is one. */
export interface TwoVariants {
  readonly first: readonly StartedJob[];
  readonly other: readonly StartedJob[];
  readonly baseline: WhatIfBaseline | null;
}

/** The change; null where no job starts in both. */
export function variantChange({ first, other, baseline }: TwoVariants): VariantChange | null {
  const moved = movedJobs({ started: first }, { started: other });
  if (moved.length === 0) return null;
  const all = movesOf(moved);
  return {
    ...all,
    incomparable: first.length + other.length - 2 * moved.length,
    groups: GROUPINGS.flatMap((by) =>
      grouped(moved, by)
        .slice(0, MOST_GROUPS)
        .map(({ name, items }) => ({ by, name, ...movesOf(items) })),
    ),
    isWithinError: baseline === null ? null : baseline.meanSec > all.meanSec,
  };
}
