/**
 * The slots of sites as the API says them.
 */
import type { ResourceKind } from "../../model/index.ts";

/** When something is free, for how long, and what reserving it would cost whoever asks. */
export interface FreeTimeView {
  readonly start: string;
  readonly durationSec: number;
  readonly divisible: boolean;
  readonly extensible: boolean;
  /** All of it: every part at its unit price, and the fixed price once. */
  readonly priceSu: number;
  readonly priceProcMs: number;
  readonly fixedSu: number;
  readonly fixedProcMs: number;
  /** c at its start. */
  readonly unitPrice: number;
}

/** A free rectangle of a site. */
export interface SlotView extends FreeTimeView {
  readonly procs: number;
}

/** The slots of a store or of a link; amounts are bytes, or bytes a second. */
export interface ResourceSlotsView {
  readonly kind: ResourceKind;
  readonly name: string;
  readonly slots: readonly (FreeTimeView & { readonly amount: number })[];
}

/** What a site's whole queue leaves free; advisory. */
export interface SlotSetView {
  readonly site: string;
  /** Grows when the set has changed, not when time has passed. */
  readonly sequence: number;
  readonly at: string;
  readonly slots: readonly SlotView[];
  /** Stores first. */
  readonly resources: readonly ResourceSlotsView[];
}
