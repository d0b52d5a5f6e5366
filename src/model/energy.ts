/**
 * A simple model of the power that processors take, and the energy of a simulation by it
 * (docs/reference/measures.md).
 */

/** Power of one processor; watts ≥ 0. */
export interface PowerModel {
  readonly idleWatts: number;
  readonly busyWatts: number;
  /** Idle processors are switched off after this time; never where absent. */
  readonly offAfterMs?: number;
  /** Of one that is off. */
  readonly offWatts: number;
  /** Time to switch one on, at the watts of a busy one. */
  readonly bootMs: number;
}

/** Energy from the first submission to the last end; the field names are JSON keys. */
export interface EnergyUse {
  readonly totalKwh: number;
  readonly busyKwh: number;
  readonly idleKwh: number;
  readonly offKwh: number;
  readonly bootKwh: number;
  /** Processors that were switched on, each time counted. */
  readonly boots: number;
  /** Energy for an hour of a busy processor, all others included. */
  readonly kwhPerProcHour: number;
}
