/** Jobs that an offered slot delays. */
import { delaysBy } from "../../../market/index.ts";
import { columnsAt, type DelayedByOffer } from "../../../model/index.ts";
import { lentQueue, prepareImpact, withoutIdleColumns } from "../../../queue/index.ts";
import { queueNow, type ReservedState } from "../../state/reserved.ts";
import type { SiteState } from "../../state/site-state.ts";
import { declaredIn } from "./declared-costs.ts";
import type { AskedSlot } from "./live-quote.ts";

/** Stint jobs that a slot would delay, one by one, as recorded with its offer. */
export function delayedByOffer(
  state: ReservedState,
  site: SiteState,
  slot: Pick<AskedSlot, "procs" | "memoryBytes" | "gpus" | "durationMs"> & { readonly startMs: number },
  nowMs: number,
): { readonly delayed?: readonly DelayedByOffer[] } {
  const queue = queueNow(site, state.reserved, lentQueue(site.queue), nowMs);
  const { startMs, durationMs } = slot;
  const { machine, need } = withoutIdleColumns(queue.machine, columnsAt(site.spec, slot));
  const rectangle = { pool: 0, need, startMs, durationMs };
  const all = delaysBy(prepareImpact(machine), rectangle, declaredIn(state, queue)) ?? [];
  const delayed = all.flatMap(({ handle, plannedMs, costProcMs: procMs }): DelayedByOffer[] => {
    const job = queue.jobOf.get(handle);
    return job !== undefined && state.jobs.has(job) ? [{ job, plannedMs, procMs }] : [];
  });
  return delayed.length === 0 ? {} : { delayed };
}
