/**
 * The price list of a queue that somebody wrote down: c = 1, f₀ = 0, and no rules on who may reserve.
 */
import type { QueueSnapshot, QuotedStart, SnapshotQuestion } from "../model/index.ts";
import { priceList } from "./price-list.ts";
import { PLAIN_PRICE, type WantedStart } from "./priced-slot.ts";
import { machineOfSnapshot } from "./snapshot-machine.ts";
import { rateAt } from "./tariff.ts";

/** The possible starts, in order; none where the slot is wider than the machine. */
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
