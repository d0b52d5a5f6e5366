/**
 * Simulation of a queue on a copy, without further arrivals and with every job using its whole estimate.
 *
 * Waiting jobs keep their present order, since future priorities depend on unknown events.
 * Cost: one simulation of the queue.
 */
import { assert } from "../../base/index.ts";
import { siteAhead } from "../drive/ahead.ts";
import { createDrive, driveUntil, playInstant } from "../drive/drive.ts";
import { observe } from "../drive/site.ts";
import type { Machine, SiteRules } from "../machine.ts";
import { priorityOf } from "../waiting.ts";

/** Simulates until all waiting jobs have started; calls `onStart` for each, at the instant of its start. */
export function playForward(copy: Machine, onStart: (handle: number, atMs: number) => void): void {
  const site = siteAhead(copy);
  let left = copy.waiting.count;
  if (left === 0) return;
  observe(site, {
    started(handle, atMs) {
      left--;
      onStart(handle, atMs);
    },
  });
  const driven = createDrive(site, []);
  playInstant(driven, copy.nowMs);
  driveUntil(driven, () => left === 0);
  assert(left === 0, "who waits starts when all the others have ended");
}

/** Rules of the machine, with the priorities of its waiting jobs fixed at their present values. */
export function rulesOfNow(machine: Machine): SiteRules {
  const { rules, waiting } = machine;
  if (rules.priority === undefined) return rules;
  const ofNow = new Map<number, number>();
  for (const handle of waiting.handles.subarray(0, waiting.count)) {
    ofNow.set(handle, priorityOf(machine, handle));
  }
  return { ...rules, priority: ({ handle }) => ofNow.get(handle) ?? 0 };
}
