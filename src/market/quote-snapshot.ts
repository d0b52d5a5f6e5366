/** The machine of a queue snapshot, and its price list with c = 1, f₀ = 0 and no rules on who may reserve. */
import { assert } from "../base/index.ts";
import type { QueueSnapshot, QuotedStart, SnapshotQuestion } from "../model/index.ts";
import { adopt, createMachine, prepareImpact, reserve, type TriedMachine } from "../queue/index.ts";
import { priceList } from "./price-list.ts";
import { PLAIN_PRICE, type WantedStart } from "./priced-slot.ts";
import { rateAt } from "./tariff.ts";

/** The possible starts, ascending; none where the slot is wider than the machine. */
export function quoteOf(
  snapshot: QueueSnapshot,
  { procs, durationMs, startMs, fromMs }: Omit<SnapshotQuestion, "file">,
): readonly QuotedStart[] {
  if (procs > snapshot.procs) return [];
  const shape = { pool: 0, need: [procs], durationMs };
  return priceList(machineOfSnapshot(snapshot), shape, wantedStart(startMs, fromMs), PLAIN_PRICE).map(
    (it) => ({
      startMs: it.startMs,
      unitPriceThousandths: rateAt(PLAIN_PRICE.tariff, it.startMs).unitPriceThousandths,
      fixedProcMs: it.fixedProcMs,
      delaysJobs: it.delayedJobs,
      delayProcMs: it.delayProcMs,
    }),
  );
}

function wantedStart(startMs: number | undefined, fromMs: number | undefined): WantedStart {
  if (startMs !== undefined) return { kind: "at", startMs };
  return fromMs === undefined ? { kind: "whenever" } : { kind: "from", fromMs };
}

/**
 * The machine of a snapshot, to try reservations on. Waiting jobs are not started even where there is room
 * now, since a slot may still take it; jobs that have ended by now are left out.
 *
 * @param snapshot whose running jobs and reservations must fit beside each other
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
