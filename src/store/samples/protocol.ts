/**
 * What passes between the broker's thread and the one that owns the samples: plain data.
 */
import type { SeriesGrid } from "../../policy/index.ts";
import type { SampleBatch, SampledSeries, Samples } from "../../runtime/index.ts";

/** What the thread is started with. */
export interface SamplesOrder {
  readonly file: string;
}

/** What it says when the file is open. */
export interface SamplesOpened {
  readonly putAside: string | null;
}

/** A question to it. */
export type SampleQuestion =
  | { readonly kind: "add"; readonly batch: SampleBatch }
  | { readonly kind: "lastOf"; readonly source: string }
  | { readonly kind: "course"; readonly place: string; readonly grid: SeriesGrid }
  | { readonly kind: "notes"; readonly placePrefix: string }
  | { readonly kind: "prune"; readonly nowMs: number }
  | { readonly kind: "close" };

/** What answers each. */
export interface SampleAnswers {
  readonly add: boolean;
  readonly lastOf: number;
  readonly course: SampledSeries;
  readonly notes: Awaited<ReturnType<Samples["notes"]>>;
  readonly prune: undefined;
  readonly close: undefined;
}
