/** Transfers over the links of a site in a measured period. */

/** From one instant to another, by consumer; where there is nothing, nothing passed. Times are Unix ms. */
export interface MeasuredTransfers {
  readonly site: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly passed: readonly { readonly consumer: string; readonly bytes: number }[];
}
