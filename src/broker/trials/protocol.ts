/**
 * What the broker and the thread of trials say to each other. Plain data.
 */
import type { MachineDiscipline } from "../../model/index.ts";
import type {
  MachineCheckpoint,
  ReservationShape,
  TriedReservations,
  WaitingStarts,
} from "../../queue/index.ts";

/** A trial, on a copy of the queue. */
export interface AskedTrial {
  readonly id: number;
  readonly discipline: MachineDiscipline;
  readonly saved: MachineCheckpoint;
  readonly present: WaitingStarts;
  readonly shape: ReservationShape;
  readonly startsMs: Float64Array;
  readonly weights: Float64Array;
}

/** What came of it; without an outcome it failed. */
export interface MadeTrial {
  readonly id: number;
  readonly outcome: TriedReservations | undefined;
}
