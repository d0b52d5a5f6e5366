/**
 * A cluster's own shares, limits and classes of jobs, and changes of them: what usage policies are compiled
 * to where the batch system itself is to enforce them.
 *
 * A change knows what it found and what takes it back. It is recorded before anything is run, so that a
 * broker that dies in the middle can finish it or take it back.
 */
import type { ClusterSnapshot } from "./cluster.ts";

/** Current shares and limits in a cluster's accounting. */
export interface NativeShares extends Pick<ClusterSnapshot, "name" | "associations" | "qos" | "settings"> {
  /** Every account that the accounting knows, on whichever cluster. */
  readonly accountNames: readonly string[];
  /** Those of them that some cluster has. */
  readonly usedAccountNames: readonly string[];
  /** GPUs of the cluster. */
  readonly gpus: number;
}

/** A setting that changes. */
export interface ChangedSetting {
  /** `fairshare`, `GrpTRES=cpu`, `qos+` (one more among those allowed), … */
  readonly name: string;
  /** Null: there was none. */
  readonly before: string | null;
  readonly after: string;
}

/** One change of a cluster's own shares, as a command in words, and what takes it back. */
export interface ShareChange {
  readonly entity: "account" | "qos";
  /** Of the account or the QOS. */
  readonly name: string;
  /** Consumer of the share; empty for all. */
  readonly consumer: string;
  readonly kind: "add" | "modify";
  readonly settings: readonly ChangedSetting[];
  readonly command: readonly string[];
  readonly undo: readonly string[];
  /**
   * Of an account whose name the accounting did not know: what takes that back too, once no cluster has it.
   */
  readonly forget?: readonly string[];
}

/** A line of the batch system's configuration that policies ask for. It is never changed by Stint. */
export interface ConfigurationLine {
  readonly name: string;
  /** Null: no value before. */
  readonly before: string | null;
  readonly after: string;
  readonly why: string;
}

/** Settings with which a cluster enforces usage policies itself. */
export interface CompiledShares {
  /** In an order in which they can be made; they are taken back in the opposite one. */
  readonly changes: readonly ShareChange[];
  /** Lines of the configuration that would have to be otherwise; an administrator's to change. */
  readonly configuration: readonly ConfigurationLine[];
  /** Sentences on policies that the batch system cannot express, and on obstacles to enforcing the shares. */
  readonly remarks: readonly string[];
}

/**
 * Standing of an ordered change. `ordered`: it may have been made; `made`; `left`: its reversal was
 * impossible, since somebody else has changed the same setting or the batch system refused.
 */
export type ShareChangeStanding = "ordered" | "made" | "left";

/** A change that was ordered and is not taken back. */
export interface OrderedShareChange {
  /** `ORDER/1`, `ORDER/2`, … as they were to be made. */
  readonly id: string;
  readonly change: ShareChange;
  readonly standing: ShareChangeStanding;
  /** In the batch system's words, or ours; null without a reason. */
  readonly why: string | null;
}

/** Outcome of one change, or of its reversal, for the record. */
export interface ShareChangeOutcome {
  readonly id: string;
  /** `gone`: the cluster has nothing of it, since it was refused or never tried, or was taken back. */
  readonly standing: ShareChangeStanding | "gone";
  readonly why: string | null;
}

/** Outcome of one change, for people. `notTried`: an earlier one had failed; `already`: nothing to revert. */
export type ShareStepResult = "made" | "failed" | "unknown" | "notTried" | "takenBack" | "already" | "left";

/** One step of making changes or of taking them back. */
export interface ShareStep {
  readonly id: string;
  readonly change: ShareChange;
  readonly result: ShareStepResult;
  /** Null without a reason. */
  readonly why: string | null;
}
