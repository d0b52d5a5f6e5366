/**
 * The future of a machine that already has jobs, on a copy.
 *
 * Unless the caller knows more, no other job arrives and every job uses its whole estimate.
 */
import { pushHeap } from "../../base/index.ts";
import { endMsOf, jobState } from "../job-table.ts";
import type { Machine } from "../machine.ts";
import { createDrive, driveUntil, playInstant } from "./drive.ts";
import { createSite, type DrivenSite, growColumns, observe } from "./site.ts";

/** The site of a machine, where `endOf` is the real end of a running job. */
export function siteAhead(
  machine: Machine,
  endOf: (handle: number) => number = (handle) => endMsOf(machine.jobs, handle),
): DrivenSite {
  const { jobs } = machine;
  const site = createSite(machine);
  if (jobs.size > site.restMs.length) growColumns(site, jobs.size - 1);
  site.restMs.set(jobs.estimateMs.subarray(0, jobs.size));
  site.endMs.fill(Number.NaN);
  for (let handle = 0; handle < jobs.size; handle++) {
    if (jobs.state[handle] !== jobState.running) continue;
    site.endMs[handle] = endOf(handle);
    pushHeap(site.ends, site.endMs[handle], handle);
  }
  return site;
}

/** Start of a waiting job, from `nowMs` on; Infinity where it never starts. Advances the machine. */
export function startAhead(machine: Machine, asked: number, nowMs: number): number {
  const site = siteAhead(machine);
  let startMs = Number.POSITIVE_INFINITY;
  observe(site, {
    started(handle, atMs) {
      if (handle === asked) startMs = atMs;
    },
  });
  const driven = createDrive(site, []);
  playInstant(driven, nowMs);
  driveUntil(driven, () => startMs < Number.POSITIVE_INFINITY);
  return startMs;
}
