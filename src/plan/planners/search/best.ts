/** The best placements of a search: those that no other beats in both makespan and cost. */
import type { Placement } from "../placement.ts";

/** Cost of a placement, and what selection compares. */
interface Judged {
  readonly costSu: number;
  readonly worth: number;
}

/** A collection of placements. */
export interface Best {
  /** Considers a placement, which may count time backwards; its worth is the result. */
  readonly offer: (placement: Placement, lengthMs: number, isBackward?: boolean) => number;
  /** The worth of a placement that cannot be a plan. */
  readonly worthOf: (placement: Placement, lengthMs: number) => number;
  readonly makespanMs: () => number;
  readonly placements: () => readonly Placement[];
}

interface Kept {
  readonly placement: Placement;
  readonly lengthMs: number;
  readonly costSu: number;
}

/** An empty collection. */
export function createBest(judge: (placement: Placement, lengthMs: number) => Judged): Best {
  let kept: Kept[] = [];
  let shortest = Number.POSITIVE_INFINITY;
  return {
    offer: (placement, lengthMs, isBackward = false) => {
      const { costSu, worth } = judge(placement, lengthMs);
      if (kept.some((one) => one.lengthMs <= lengthMs && one.costSu <= costSu)) return worth;
      kept = kept.filter((one) => one.lengthMs < lengthMs || one.costSu < costSu);
      kept.push({ placement: copied(placement, lengthMs, isBackward), lengthMs, costSu });
      shortest = Math.min(shortest, lengthMs);
      return worth;
    },
    worthOf: (placement, lengthMs) => judge(placement, lengthMs).worth,
    makespanMs: () => shortest,
    placements: () => kept.map(({ placement }) => placement),
  };
}

function copied({ site, startMs, endMs }: Placement, lengthMs: number, isBackward: boolean): Placement {
  if (!isBackward) return { site: site.slice(), startMs: startMs.slice(), endMs: endMs.slice() };
  return {
    site: site.slice(),
    startMs: endMs.map((at) => lengthMs - at),
    endMs: startMs.map((at) => lengthMs - at),
  };
}
