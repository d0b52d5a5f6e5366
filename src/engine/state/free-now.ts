/** What is free at a site. */
import type { SiteSize } from "../../model/index.ts";
import type { SiteState } from "./site-state.ts";

/** Amounts that no running job uses. */
export function freeNow({ spec, queue }: SiteState): Required<SiteSize> {
  const free = { procs: spec.procs, memoryBytes: spec.memoryBytes, gpus: spec.gpus ?? 0 };
  const [procs, memory, gpus] = queue.machine.jobs.need;
  for (const job of queue.running) {
    const handle = queue.handleOf.get(job);
    if (handle === undefined) continue;
    free.procs -= procs[handle];
    free.memoryBytes -= memory[handle];
    if (gpus !== undefined) free.gpus -= gpus[handle];
  }
  return free;
}
