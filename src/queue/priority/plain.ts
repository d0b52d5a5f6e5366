/**
 * Orders by one property of a job: how long it has waited, how wide it is, how long it asks for.
 */
import { unreachable } from "../../base/index.ts";
import type { PlainPriorityRules } from "../../model/index.ts";
import type { OwnedJob, PriorityScheme } from "./scheme.ts";

/** The scheme of these rules; nobody's past matters. */
export function plainScheme({ kind, favour }: PlainPriorityRules): PriorityScheme {
  const sign = favour === "large" ? 1 : -1;
  const nothing = (): undefined => undefined;
  return {
    known: nothing,
    started: nothing,
    ended: nothing,
    order: (waiting, { nowMs }) => waiting.map((job) => sign * propertyOf(job, kind, nowMs)),
  };
}

function propertyOf(job: OwnedJob, kind: PlainPriorityRules["kind"], nowMs: number): number {
  switch (kind) {
    case "age":
      return nowMs - job.arrivedAtMs;
    case "size":
      return job.need[0];
    case "length":
      return job.estimateMs;
    default:
      return unreachable(kind);
  }
}
