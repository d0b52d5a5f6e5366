/**
 * Which GPUs of a managed site a job has: numbers from 0, as many as the site declares.
 *
 * Free devices are taken first, the lowest number first; then those of suspended jobs, whose processes still
 * hold them; then, since the queue counts on a job's end a moment before its process has gone, any others.
 */
import type { JobRecord } from "../../model/index.ts";
import type { Projection } from "./projection.ts";
import type { SiteState } from "./site-state.ts";

/** Devices for a job that starts at a managed site; undefined where it asks for none. */
export function devicesFor(
  { jobs }: Pick<Projection, "jobs">,
  { name, spec }: SiteState,
  { id, description }: JobRecord,
): readonly number[] | undefined {
  const { gpus = 0 } = description;
  if (gpus === 0) return undefined;
  const uses = Array.from({ length: spec.gpus ?? 0 }, () => 0);
  for (const job of jobs.values()) {
    if (job.site !== name || job.id === id) continue;
    for (const device of job.gpuDevices ?? []) uses[device] += job.state === "SUSPENDED" ? 1 : IN_USE;
  }
  const inOrder = [...uses.keys()].sort((a, b) => uses[a] - uses[b] || a - b);
  return inOrder.slice(0, gpus).sort((a, b) => a - b);
}

/** Weight of a running job, beyond any number of suspended ones. */
const IN_USE = 1_000_000;
