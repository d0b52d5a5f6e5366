/**
 * The port of simulations that a broker runs for people: they are kept as files, not in the log, since
 * nothing that the broker decides depends on them.
 */
import type {
  SIMULATION_STATES,
  SimulationFailure,
  SimulationSchedule,
  SimulationWorkload,
  SimulationWorkloadView,
  VariantGiven,
  VariantResult,
} from "../contract/index.ts";

/** A simulation without its results. Instants are Unix ms. */
export interface SimulationRecord {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly consumer: string;
  /** True where everybody who knows its id may see it. */
  readonly isShared: boolean;
  /** Hash of the request; two requests under one idempotency key are the same if it is. */
  readonly fingerprint: string;
  readonly workload: Omit<SimulationWorkloadView, "at"> & {
    readonly atMs: number | null;
    /** True for the queue of a site that hides jobs of others from its users. */
    readonly isPrivate: boolean;
  };
  /** Discipline of variants that name none. */
  readonly discipline: NonNullable<VariantGiven["discipline"]>;
  readonly variants: readonly VariantGiven[];
  readonly state: (typeof SIMULATION_STATES)[number];
  /** Fraction that is done, 0 … 1. */
  readonly progress: number;
  readonly createdAtMs: number;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
  readonly failure: SimulationFailure | null;
  /** Version of the program that ran it; null before. */
  readonly version: string | null;
}

/** A simulation as it is ordered. */
export interface SimulationOrder
  extends Pick<
    SimulationRecord,
    "id" | "name" | "owner" | "consumer" | "isShared" | "fingerprint" | "workload" | "discipline" | "variants"
  > {
  readonly content: WorkloadContent;
}

/** Where the bytes of a workload come from: the request, the example of its name, an earlier simulation. */
type WorkloadContent =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array | string }
  | { readonly kind: "example" }
  | { readonly kind: "again"; readonly id: string };

/** Changes that a simulation allows. */
type SimulationChange = Partial<Pick<SimulationRecord, "name" | "isShared">>;

/** Simulations of a broker. */
export interface Simulations {
  /** Workloads that may be ordered as examples. */
  readonly workloads: readonly SimulationWorkload[];
  /** All of them, newest first. */
  list(): readonly SimulationRecord[];
  find(id: string): SimulationRecord | undefined;
  /** Number of simulations that run before it; 0 where it does not wait. */
  ahead(id: string): number;
  /**
   * Takes an order; it is on disk when this resolves.
   *
   * @throws Fault `tooManySimulations`, `simulationsFull`, `unknownWorkload`
   */
  order(order: SimulationOrder): Promise<SimulationRecord>;
  /** Results in the order of the variants; undefined before its end, or where it is unknown. */
  results(id: string): Promise<readonly VariantResult[] | undefined>;
  /** When the jobs of a variant start and end; undefined where there is no such variant, or not yet. */
  schedule(id: string, variant: number): Promise<SimulationSchedule | undefined>;
  /** A row for each job of each variant as CSV; undefined before its end. */
  rows(id: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Changes a simulation that exists. */
  change(id: string, change: SimulationChange): Promise<SimulationRecord | undefined>;
  /** Removes a simulation with its files; one that runs ends at once. False where there is none. */
  remove(id: string): Promise<boolean>;
  /** Calls back when a simulation has changed, or is gone; returns a function that ends this. */
  onChange(listener: (id: string) => void): () => void;
}
