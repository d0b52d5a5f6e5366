/** Messages between the broker and the trial thread. Plain data. */
import type { MachineDiscipline } from "../../model/index.ts";
import type { Profile, Slot } from "../../profile/index.ts";
import type {
  MachineCheckpoint,
  PlanTask,
  ReservationShape,
  TriedReservations,
  WaitingStarts,
} from "../../queue/index.ts";

/** Tasks of the thread. */
export type TrialTask =
  | {
      /** Effect of slots on a copy of a queue. */
      readonly kind: "trial";
      readonly discipline: MachineDiscipline;
      readonly saved: MachineCheckpoint;
      readonly present: WaitingStarts;
      readonly shape: ReservationShape;
      readonly startsMs: Float64Array;
      readonly weights: Float64Array;
    }
  | { readonly kind: "plan"; readonly task: PlanTask }
  | { readonly kind: "leftFree"; readonly task: PlanTask; readonly startMs: Float64Array }
  | { readonly kind: "slots"; readonly profile: Profile };

/** Result of each kind of task. */
export interface FoundOf {
  readonly trial: TriedReservations;
  readonly plan: Float64Array;
  readonly leftFree: Profile;
  readonly slots: SlotColumns;
}

/** Slots, as cheaply as they can be sent. */
export interface SlotColumns {
  readonly startMs: Float64Array;
  readonly procs: Float64Array;
  readonly durationMs: Float64Array;
  readonly isExtensible: Uint8Array;
}

/** A task and its number. */
export interface AskedOfThread {
  readonly id: number;
  readonly task: TrialTask;
}

/** Outcome of a task; without `found` it failed. */
export interface ThreadAnswer {
  readonly id: number;
  readonly found: FoundOf[TrialTask["kind"]] | undefined;
}

/** Slots as columns, for sending them to another thread. */
export function columnsOf(slots: readonly Slot[]): SlotColumns {
  return {
    startMs: Float64Array.from(slots, ({ startAt }) => startAt),
    procs: Float64Array.from(slots, ({ procs }) => procs),
    durationMs: Float64Array.from(slots, ({ durationMs }) => durationMs),
    isExtensible: Uint8Array.from(slots, ({ extensible }) => Number(extensible)),
  };
}
