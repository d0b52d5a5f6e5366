/**
 * What a provider and a consumer have agreed beside the shares: definitions, prices, dates. Source: [UP].
 *
 * Whoever measures whether an agreement was kept measures by its definitions, and not by habit.
 */

/** An agreement between one provider and one consumer; its policies stand beside it. */
export interface Agreement {
  readonly name: string;
  readonly provider: string;
  readonly consumer: string;
  /** Whom to ask at either end. */
  readonly contact: { readonly provider: string | null; readonly consumer: string | null };
  /** How far its clock is ahead of UTC. */
  readonly offsetMs: number;
  readonly definitions: AgreementDefinitions;
  readonly prices: {
    /** What an SU costs, in thousandths of one; null where nothing is agreed. */
    readonly unitPriceThousandths: number | null;
    /** What part of the price cancelling costs. */
    readonly penaltyPpm: number | null;
  };
  /** Unix ms; null: always has, or for ever. */
  readonly fromMs: number | null;
  readonly untilMs: number | null;
  readonly versions: readonly AgreementVersion[];
}

/** From when until when a version holds, in Unix ms. */
export interface AgreementVersion {
  readonly version: number;
  readonly fromMs: number | null;
  readonly untilMs: number | null;
}

/** What the words of the agreement mean. */
export interface AgreementDefinitions {
  /** Whether capacity that is down, or drained, counts as capacity. */
  readonly downtime: "counted" | "excluded";
  readonly drain: "counted" | "excluded";
  /** Work that could start at once; held, dependent and impossible jobs are none. */
  readonly demand: "eligible";
  /** Whose time it was that a node failed under. */
  readonly nodeFailure: "provider" | "consumer";
  readonly time: "wall" | "cpu";
  /** What an hour counts from a date on, in thousandths of one of the reference processor. */
  readonly benchmark: readonly { readonly fromMs: number; readonly thousandths: number }[];
}
