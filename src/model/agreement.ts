/**
 * Terms of an agreement between provider and consumer besides the shares: definitions, prices, dates. Source:
 * [UP].
 *
 * Compliance is measured by the definitions of the agreement.
 */

/** An agreement between one provider and one consumer; its policies stand beside it. */
export interface Agreement {
  readonly name: string;
  readonly provider: string;
  readonly consumer: string;
  /** Contact of either party. */
  readonly contact: { readonly provider: string | null; readonly consumer: string | null };
  /** Offset of the agreement's clock from UTC. */
  readonly offsetMs: number;
  readonly definitions: AgreementDefinitions;
  readonly prices: {
    /** Price of an SU, in thousandths of one; null without an agreed price. */
    readonly unitPriceThousandths: number | null;
    /** Part of the price that a cancellation costs. */
    readonly penaltyPpm: number | null;
  };
  /** Unix ms; null: always has, or for ever. */
  readonly fromMs: number | null;
  readonly untilMs: number | null;
  readonly versions: readonly AgreementVersion[];
}

/** Period in which a version is in force, in Unix ms. */
export interface AgreementVersion {
  readonly version: number;
  readonly fromMs: number | null;
  readonly untilMs: number | null;
}

/** Definitions by which compliance is measured. */
export interface AgreementDefinitions {
  /** Treatment of capacity that is down; `drain`: of drained capacity. */
  readonly downtime: "counted" | "excluded";
  readonly drain: "counted" | "excluded";
  /** Work that could start at once; held, dependent and impossible jobs are none. */
  readonly demand: "eligible";
  /** Party to which the time of a failed node is charged. */
  readonly nodeFailure: "provider" | "consumer";
  readonly time: "wall" | "cpu";
  /** Value of an hour from a date on, in thousandths of one of the reference processor. */
  readonly benchmark: readonly { readonly fromMs: number; readonly thousandths: number }[];
}
