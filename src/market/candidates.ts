/**
 * The instants at which a slot may begin (rule MK-3).
 */
import { jobState, type TriedMachine } from "../queue/index.ts";
import type { WantedStart } from "./priced-slot.ts";

/** The candidates for a question, ascending; none lies in the past. */
export function candidatesFor(tried: TriedMachine, wanted: WantedStart): Float64Array {
  const { nowMs } = tried.machine;
  if (wanted.kind === "at") return Float64Array.from(wanted.startMs < nowMs ? [] : [wanted.startMs]);
  const firstMs = wanted.kind === "from" ? Math.max(nowMs, wanted.fromMs) : nowMs;
  const instants = new Set([firstMs]);
  for (const atMs of changesOf(tried)) if (atMs >= firstMs) instants.add(atMs);
  return Float64Array.from(instants).sort();
}

/** Every instant at which something starts or ends at the site, in no order. */
export function* changesOf({ machine, present }: TriedMachine): Generator<number> {
  const { jobs, reservations } = machine;
  for (let handle = 0; handle < jobs.size; handle++) {
    if (jobs.state[handle] === jobState.running) yield jobs.startMs[handle] + jobs.estimateMs[handle];
  }
  for (let i = 0; i < present.handles.length; i++) {
    yield present.startMs[i];
    yield present.startMs[i] + jobs.estimateMs[present.handles[i]];
  }
  for (const { startMs, durationMs } of reservations.values()) {
    yield startMs;
    yield startMs + durationMs;
  }
}
