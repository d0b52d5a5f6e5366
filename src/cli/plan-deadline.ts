/** `--deadline` of `stint plan`: lengths of time from the start of the plan, or instants. */
import { Fault } from "../base/index.ts";
import { instantText } from "./instant-text.ts";
import type { PlanDeadline } from "./plan-tools.ts";
import { durationBesideInstant, instantAheadValue } from "./quantity-values.ts";

const OPTION = "--deadline";

/** Deadlines between commas. @throws Fault where one is not understood, or is past */
export function deadlinesValue(nowMs: () => number): (text: string) => readonly PlanDeadline[] {
  return (text) => text.split(",").map((one) => deadlineOf(one.trim(), nowMs));
}

function deadlineOf(text: string, nowMs: () => number): PlanDeadline {
  if (!/^\d{4}-\d\d-\d\d/.test(text)) return { afterMs: durationBesideInstant(OPTION, text, "6h") };
  const atMs = instantAheadValue(OPTION, nowMs)(text);
  if (atMs > nowMs()) return { atMs };
  throw new Fault({
    kind: "badInput",
    code: "deadlinePast",
    what: `${OPTION}: ${instantText(new Date(atMs).toISOString())} is in the past`,
    why: "a plan begins now at the earliest, so its deadline must be in the future",
    remedy: `write a later instant, or a duration from the start of the plan: ${OPTION} 6h`,
  });
}
