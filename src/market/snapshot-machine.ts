/**
 * The site machine of a queue that somebody wrote down.
 */
import { assert } from "../base/index.ts";
import type { QueueSnapshot } from "../model/index.ts";
import { adopt, createMachine, prepareImpact, reserve, type TriedMachine } from "../queue/index.ts";

/**
 * Its machine, to try reservations on. Who waits is not started, also where there is room now: a slot may
 * still take it. What has ended by now is left out.
 *
 * @param snapshot of which everything that runs and is reserved fits beside each other
 */
export function machineOfSnapshot(snapshot: QueueSnapshot): TriedMachine {
  const { nowMs, procs, discipline, running, queued, reservations } = snapshot;
  const machine = createMachine([[procs]], { discipline }, nowMs);
  for (const job of running) {
    if (job.endMs <= nowMs) continue;
    const found = { state: "running", startMs: nowMs, pool: 0, arrivedAtMs: nowMs } as const;
    adopt(machine, { ...found, need: [job.procs], estimateMs: job.endMs - nowMs });
  }
  reservations.forEach(({ procs: width, startMs, durationMs }, id) => {
    const endMs = startMs + durationMs;
    if (endMs <= nowMs) return;
    const fromMs = Math.max(nowMs, startMs);
    const rectangle = { pool: 0, need: [width], startMs: fromMs, durationMs: endMs - fromMs };
    const refusal = reserve(machine, id, rectangle, nowMs);
    assert(refusal === undefined, "what is reserved has room");
  });
  for (const { procs: width, estimateMs } of queued) {
    adopt(machine, { state: "waiting", need: [width], estimateMs, arrivedAtMs: nowMs });
  }
  return prepareImpact(machine);
}
