/**
 * Messages between the threads of a scenario.
 */
import type { FaultFacts } from "../../base/index.ts";
import type { Scenario } from "../../model/index.ts";
import type { SiteOutcome } from "./site-outcome.ts";

/** Order that a worker receives once, at its start. */
export interface WorkerOrder {
  readonly scenario: Scenario;
  readonly version: string;
  readonly directory: string;
  /** One 32-bit integer; not 0 when everybody is to stop. */
  readonly stopped: SharedArrayBuffer;
  /** One 32-bit integer: the process group of the program that this worker has begun, 0 for none. */
  readonly program: SharedArrayBuffer;
}

/** One replicate of one run, with all its sites. */
export interface Task {
  readonly index: number;
  /** The place of the run in the scenario. */
  readonly run: number;
  /** From 0. */
  readonly replicate: number;
}

/** Result of a task. */
export type TaskAnswer =
  | { readonly kind: "done"; readonly index: number; readonly sites: readonly SiteOutcome[] }
  | { readonly kind: "stopped"; readonly index: number }
  | { readonly kind: "failed"; readonly index: number; readonly fault: Omit<FaultFacts, "cause"> };

/** All tasks of a scenario: every run of the first replicate, then of the second, and so on. */
export function tasksOf({ runs, replicates }: Scenario): readonly Task[] {
  return Array.from({ length: runs.length * replicates }, (_, index) => ({
    index,
    run: index % runs.length,
    replicate: Math.floor(index / runs.length),
  }));
}
