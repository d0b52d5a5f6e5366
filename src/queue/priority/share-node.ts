/**
 * A node in a tree of accounts and users, as fair-share factors see it.
 */

/** An account with those below it, or a user. */
export interface ShareNode {
  readonly name: string;
  /** Relative to the siblings', ≥ 0. */
  readonly shares: number;
  /** Any unit; of an account usually the sum of its children's. */
  readonly usage: number;
  /** Absent for a user. */
  readonly children?: readonly ShareNode[];
  /** Of a user: 0 … 1, higher is served first; as it was computed last. */
  factor: number;
}
