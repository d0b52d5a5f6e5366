/**
 * The port of the second, less strict store: samples of what is used, in slots of ten seconds, folded as
 * they come (`policy/use-samples`).
 *
 * It knows places and names, and nothing of what they mean. A place is a site, or a host of one.
 */
import type { SampledPart, SeriesGrid } from "../policy/index.ts";

/** Values at a place at an instant. */
export interface Sample {
  readonly place: string;
  /** Unix ms; it speaks for the whole slot. */
  readonly atMs: number;
  /** For so many slots up to that one; 1 where absent. */
  readonly slots?: number;
  /** Whole amounts from 0 on, by name; what is not named is 0. */
  readonly values: readonly (readonly [name: string, value: number])[];
  /** Values that hold until a later sample; a value not named is none. */
  readonly standing: readonly (readonly [name: string, value: number])[];
}

/** Samples that come together. */
export interface SampleBatch {
  readonly samples: readonly Sample[];
  /** Where the source numbers what it sends: taken once, in order. */
  readonly numbered?: { readonly source: string; readonly seq: number };
  /** Texts that replace the last one of their place. */
  readonly notes?: readonly { readonly place: string; readonly text: string }[];
}

/** A period at a place, step by step. */
export interface SampledSeries {
  readonly grid: SeriesGrid;
  /** Sampled slots of each step. */
  readonly covered: readonly number[];
  /** By name; null in each step of which nothing is known. */
  readonly values: readonly { readonly name: string; readonly parts: readonly (SampledPart | null)[] }[];
  /** By name, what stood at the end of each step. */
  readonly standing: readonly { readonly name: string; readonly parts: readonly (number | null)[] }[];
}

/** The open store. */
export interface Samples {
  /** Resolves when the batch is stored; false where it was stored before. */
  add(batch: SampleBatch): Promise<boolean>;
  /** The last number taken of a source; 0 where there is none. */
  lastOf(source: string): Promise<number>;
  course(place: string, grid: SeriesGrid): Promise<SampledSeries>;
  /** Last texts of the places with this prefix, by place. */
  notes(placePrefix: string): Promise<readonly { readonly place: string; readonly text: string }[]>;
  /** Deletes samples beyond their retention. */
  prune(nowMs: number): Promise<void>;
  close(): Promise<void>;
}
