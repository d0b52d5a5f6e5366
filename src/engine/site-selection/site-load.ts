/**
 * Load of a site (in use and requested), from its queue, for the rows of a choice table.
 *
 * Cost: one pass over the queue after it has changed, then a look-up.
 */
import { inQueueOrder, type NamedQueue } from "../../queue/index.ts";
import type { SiteState } from "../state/site-state.ts";

/** Processors. */
export interface SiteLoad {
  /** Of jobs that run. */
  readonly inUse: number;
  /** Of jobs that wait there, let into the queue or not. */
  readonly waiting: number;
}

/** The loads that were counted, as long as their queues have not changed. */
const loads = new WeakMap<NamedQueue, { readonly version: number; readonly load: SiteLoad }>();

/** The load of a site. */
export function loadOf({ queue }: Pick<SiteState, "queue">): SiteLoad {
  const made = loads.get(queue);
  if (made?.version === queue.version) return made.load;
  const load = counted(queue);
  loads.set(queue, { version: queue.version, load });
  return load;
}

function counted({ machine, running, handleOf, pending, heldOutside }: NamedQueue): SiteLoad {
  const [procs] = machine.jobs.need;
  let inUse = 0;
  for (const job of running) inUse += procs[handleOf.get(job) ?? 0];
  let waiting = 0;
  const { handles, count } = inQueueOrder(machine);
  for (let at = 0; at < count; at++) waiting += procs[handles[at]];
  for (const operation of pending) if (operation.kind === "arrive") waiting += operation.need[0];
  for (const { need } of heldOutside.values()) waiting += need[0];
  return { inUse, waiting };
}
