/**
 * Prices of a site by clock, consumer, and kind of slot.
 *
 * A clock is a fixed offset from UTC: days have 24 hours, so that a night is as long in spring as in autumn,
 * and the price of a slot follows from its instants alone.
 */

/** The days of a week, Monday first. */
export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
/** See {@link WEEKDAYS}. */
type Weekday = (typeof WEEKDAYS)[number];

/**
 * Kinds of slots: a reservation at one site, a part of a co-reservation at several sites, a job that started
 * from the queue, or a part of a store or of a link, alone or with others. Extensions are of the
 * reservation's own kind.
 */
export const SLOT_KINDS = ["reservation", "together", "queued", "store", "link"] as const;
/** See {@link SLOT_KINDS}. */
export type SlotKind = (typeof SLOT_KINDS)[number];

/** One of a site's price rules: when it fits, and what it asks for. */
export interface PriceRule {
  /** Unique at the site. */
  readonly name: string;
  /** Offset of its clock from UTC. */
  readonly clockMs: number;
  /** From then on in the day, 0 … below 24 h, until then; not later: until then on the next day. */
  readonly fromMs: number;
  /** Above 0, up to 24 h. */
  readonly untilMs: number;
  /** The days on which its time begins; null: all. */
  readonly days: readonly Weekday[] | null;
  /** For these consumers and all below them; null: all. */
  readonly consumers: readonly string[] | null;
  /** For these kinds of slots; null: all. */
  readonly slots: readonly SlotKind[] | null;
  /** c, in thousandths, ≥ 1000; and f₀. */
  readonly unitPriceThousandths: number;
  readonly transactionProcMs: number;
}

/** Prices of a site: the first matching rule applies, else the two amounts. */
export interface PriceBook {
  readonly unitPriceThousandths: number;
  readonly transactionProcMs: number;
  readonly prices?: readonly PriceRule[];
}

/** The part of a slot that was priced by one rule. */
export interface RuleUse {
  /** Name of the rule; null where none matched. */
  readonly rule: string | null;
  readonly unitPriceThousandths: number;
  readonly durationMs: number;
}
