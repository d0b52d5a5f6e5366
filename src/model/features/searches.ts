/** Searches: sweeps whose points are chosen one after the other, by what the jobs before gave. */
import type { FeatureModel } from "../feature.ts";
import type { SearchEnd, SearchPoint } from "../sweep.ts";

/** The points of a search, in the order in which they were chosen; its jobs are those of its array. */
export interface SearchRecord {
  readonly array: string;
  readonly points: readonly SearchPoint[];
  readonly endedAtMs: number | null;
}

interface SearchesTypes {
  readonly command:
    | { readonly kind: "choosePoints"; readonly array: string; readonly points: readonly SearchPoint[] }
    | {
        readonly kind: "valuePoint";
        readonly array: string;
        readonly index: number;
        readonly value: number | null;
      }
    | { readonly kind: "endSearch"; readonly array: string; readonly end: SearchEnd };
  readonly event:
    | {
        readonly kind: "searchPointsChosen";
        readonly array: string;
        readonly points: readonly SearchPoint[];
      }
    /** Null: its job failed. */
    | {
        readonly kind: "searchPointValued";
        readonly array: string;
        readonly index: number;
        readonly value: number | null;
      }
    | { readonly kind: "searchEnded"; readonly array: string; readonly end: SearchEnd };
  readonly books: { readonly searches: SearchRecord };
}

export const searches: FeatureModel<SearchesTypes> = {
  events: { searchPointsChosen: 1, searchPointValued: 1, searchEnded: 1 },
  refusals: {},
  books: { searches: ({ array }) => array },
};
