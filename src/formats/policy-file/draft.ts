/** A policy of a file before its names and the capacity of its provider are resolved. */
import type { EpochWindow, Policy, SharedResource } from "../../model/index.ts";
import type { Notes, Word } from "../yaml/index.ts";

/** A share as it was written: in parts per million, or an amount of something that its provider has. */
export type WrittenShare =
  | { readonly kind: "ppm"; readonly at: number; readonly text: string; readonly ppm: number }
  | (WrittenAmount & { readonly kind: "amount"; readonly at: number; readonly text: string });

/** `count` of something, as a fraction of two integers. */
interface WrittenAmount {
  readonly unit: AmountUnit;
  readonly count: bigint;
  readonly per: bigint;
}

/** Units of shares besides percent; `su` is over the length of the interval. */
export type AmountUnit = "procs" | "nodes" | "gpus" | "bytes" | "su";

/** A share with the interval over which it is meant. */
interface WrittenEpoch {
  readonly window: EpochWindow;
  readonly share: WrittenShare;
}

/** A share at any instant with the bucket over which violations are measured. */
interface WrittenBurst {
  readonly bucketMs: number;
  readonly share: WrittenShare;
}

/** From when until when a policy holds, in Unix ms; null: always has, or for ever. */
export interface Validity {
  readonly fromMs: number | null;
  readonly untilMs: number | null;
}

/** One policy as it was written. */
export interface PolicyDraft extends Validity, Pick<Policy, "rule" | "mode" | "carry"> {
  /** Position in the text. */
  readonly at: number;
  readonly notes: Notes;
  readonly source: number;
  readonly label: string | null;
  readonly resource: SharedResource;
  readonly provider: Word;
  readonly consumer: Word;
  readonly epoch: WrittenEpoch;
  /** Null where none was written. */
  readonly burst: WrittenBurst | null;
}

/** Defaults for all policies below a heading of the file. */
export interface DraftContext extends Validity {
  readonly notes: Notes;
  /** Which of the texts it is, from 0. */
  readonly source: number;
  /** Offset of the clock from UTC. */
  readonly offsetMs: number;
  readonly provider: Word | null;
  readonly consumer: Word | null;
}
