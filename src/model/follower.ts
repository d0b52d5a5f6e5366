/**
 * Brokers elsewhere that keep the usage policies of this one.
 */

/** A broker that has asked for the policies, and which of them its sites go by. */
export interface PolicyFollower {
  /** As it calls itself. */
  readonly name: string;
  /** Its sites: policies may name them as providers. */
  readonly sites: readonly string[];
  /** The last version that it has taken over; null before the first. */
  readonly version: number | null;
  /** Since when both are so; Unix ms. */
  readonly sinceMs: number;
  readonly by: string;
}
