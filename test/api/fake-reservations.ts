/** Reservations and prices as a broker has them, for tests of the API. */
import type { LivePrice, ReservationRecord } from "../../src/model/index.ts";

/** An offer of four processors for an hour at 08:00, which costs 4 SU and 2 SU for delays. */
export function aReservation(id: string, change: Partial<ReservationRecord> = {}): ReservationRecord {
  return {
    ...{ id, site: "local", consumer: "local/me", owner: "me", state: "OFFERED", order: 1 },
    ...{ procs: 4, memoryBytes: 0, startMs: Date.UTC(2026, 10, 20, 8), durationMs: 3_600_000 },
    ...{ baseProcMs: 14_400_000, fixedProcMs: 7_200_000, delaysJobs: 1, delayProcMs: 7_200_000 },
    ...{ unitPriceThousandths: 1000, transactionProcMs: 0, penaltyPpm: 100_000, basePenaltyPpm: 0 },
    ...{ expiresAtMs: Date.UTC(2026, 10, 20, 7, 1), siteReservation: null, together: null, isUsed: false },
    ...{ penaltyProcMs: 0, refundProcMs: 0 },
    history: [{ state: "OFFERED", atMs: Date.UTC(2026, 10, 20, 7), by: "me", why: null }],
    ...change,
  };
}

/** A start at 08:00 that costs 4 SU and 2 SU for delays. */
export function aPrice(change: Partial<LivePrice> = {}): LivePrice {
  return {
    startMs: Date.UTC(2026, 10, 20, 8),
    ...{ unitPriceThousandths: 1000, transactionProcMs: 0, baseProcMs: 14_400_000, fixedProcMs: 7_200_000 },
    rules: [{ rule: null, unitPriceThousandths: 1000, durationMs: 3_600_000 }],
    ...{ delaysJobs: 1, delayProcMs: 7_200_000 },
    delays: { jobs: 1, totalMs: 1_800_000, worstMs: 1_800_000, ownJobs: 0 },
    hindrance: null,
    ...change,
  };
}
