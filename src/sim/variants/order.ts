/**
 * Request and response of the thread that simulates variants.
 */
import type { SimulationFailure, VariantGiven, VariantResult } from "../../contract/index.ts";

/** A workload and the variants of the rules under which it is simulated. */
export interface VariantsOrder {
  /** A directory of its own: the workload is in it, and results go there. */
  readonly directory: string;
  readonly version: string;
  /** Name of the workload in reports and faults. */
  readonly workload: string;
  /**
   * True where the workload is a record that begins with running and waiting jobs, as for `stint sim
   * --what-if`.
   */
  readonly isRecord: boolean;
  /** Discipline of variants that name none. */
  readonly discipline: NonNullable<VariantGiven["discipline"]>;
  /** At least one. */
  readonly variants: readonly VariantGiven[];
}

/** Message of the thread; the last is `done` or `failed`. */
export type VariantsAnswer =
  /** Fraction of the whole, 0 … 1. */
  | { readonly kind: "progress"; readonly progress: number }
  | { readonly kind: "done"; readonly results: readonly VariantResult[] }
  | { readonly kind: "failed"; readonly failure: SimulationFailure };

/** Names in the directory of a simulation. */
export const VARIANT_FILES = {
  workload: "workload",
  jobs: "jobs.csv.gz",
  schedule: (variant: number): string => `schedule-${variant}.json`,
} as const;
