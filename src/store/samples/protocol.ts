/** Messages between the broker's thread and the thread that owns the samples: plain data. */
import type { SeriesGrid } from "../../policy/index.ts";
import type { SampleBatch, SampledSeries, Samples } from "../../runtime/index.ts";

/** Start parameters of the thread. */
export interface SamplesOrder {
  readonly file: string;
}

/** Message of the thread when the file is open. */
export interface SamplesOpened {
  readonly putAside: string | null;
}

/** A request to the thread. */
export type SampleQuestion =
  | { readonly kind: "add"; readonly batch: SampleBatch }
  | { readonly kind: "lastOf"; readonly source: string }
  | { readonly kind: "course"; readonly place: string; readonly grid: SeriesGrid }
  | { readonly kind: "notes"; readonly placePrefix: string }
  | { readonly kind: "prune"; readonly nowMs: number }
  | { readonly kind: "close" };

/** Answers, by kind of request. */
export interface SampleAnswers {
  readonly add: boolean;
  readonly lastOf: number;
  readonly course: SampledSeries;
  readonly notes: Awaited<ReturnType<Samples["notes"]>>;
  readonly prune: undefined;
  readonly close: undefined;
}
