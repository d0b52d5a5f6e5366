/**
 * The prices that a site charges one consumer for one kind of slot, at every instant (rule MK-21).
 *
 * Price rules repeat every week, so a tariff is one week in parts, with the sum of c·ms before each: the
 * amount of a slot is a difference of two sums, whatever it spans. Weeks begin where Unix time does, on a
 * Thursday in UTC. Sums are BigInt: a year at the highest price passes 2^53.
 * Cost: made in O(rules² × days); an amount O(log parts).
 */
import {
  isWithin,
  type PriceBook,
  type PriceRule,
  type RuleUse,
  type SlotKind,
  type WantedSlot,
  WEEKDAYS,
} from "../model/index.ts";
import { MOST_PROC_MS } from "./counted.ts";

/** The prices at an instant. */
export interface Rate {
  /** Name of the rule; null where none applies and the site's own prices hold. */
  readonly rule: string | null;
  /** Unit price c, in thousandths. */
  readonly unitPriceThousandths: number;
  /** f₀ of a slot that begins then. */
  readonly transactionProcMs: number;
}

/** Rates through a week. Treat as opaque. */
export interface Tariff {
  /** Parts of the week in order, without gaps. */
  readonly parts: readonly TariffPart[];
  /** The sum of c·ms over the week. */
  readonly whole: bigint;
}

interface TariffPart {
  readonly fromMs: number;
  readonly endMs: number;
  readonly rate: Rate;
  /** The sum of c·ms from the beginning of the week to `fromMs`. */
  readonly before: bigint;
}

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const DAYS = [0, 1, 2, 3, 4, 5, 6] as const;
/** Days from Monday to Thursday, on which Unix time begins. */
const FIRST_WEEKDAY = 3;
const THOUSAND = 1000n;

/** The price rules of a site that apply to this consumer and this kind of slot, as a tariff. */
export function tariffOf(
  book: PriceBook,
  { consumer, kind }: { readonly consumer: string; readonly kind: SlotKind },
): Tariff {
  const { unitPriceThousandths, transactionProcMs, prices = [] } = book;
  const usual: Rate = { rule: null, unitPriceThousandths, transactionProcMs };
  const rules = prices.filter(
    ({ consumers, slots }) =>
      (consumers === null || consumers.some((path) => isWithin(consumer, path))) &&
      (slots === null || slots.includes(kind)),
  );
  const instants = [...new Set([0, ...rules.flatMap(changesOf)])].sort((a, b) => a - b);
  const parts: TariffPart[] = [];
  let whole = 0n;
  instants.forEach((fromMs, at) => {
    const endMs = instants[at + 1] ?? WEEK_MS;
    const rule = rules.find((it) => fits(it, fromMs));
    const rate = rule === undefined ? usual : rateOf(rule);
    parts.push({ fromMs, endMs, rate, before: whole });
    whole += BigInt(endMs - fromMs) * BigInt(rate.unitPriceThousandths);
  });
  return { parts, whole };
}

/** A tariff with one rate at every instant. */
export function constantTariff(rate: Omit<Rate, "rule">): Tariff {
  return tariffOf(rate, { consumer: "", kind: "reservation" });
}

/** The rate that applies at an instant. */
export function rateAt(tariff: Tariff, atMs: number): Rate {
  return partAt(tariff, modulo(atMs, WEEK_MS)).rate;
}

/** The instants in (fromMs, untilMs] at which c or f₀ changes, ascending. */
export function* priceChanges({ parts }: Tariff, fromMs: number, untilMs: number): Generator<number> {
  const changing = parts.filter((part, at) => !isSamePrice(part.rate, (parts[at - 1] ?? parts.at(-1)).rate));
  for (let weekMs = fromMs - modulo(fromMs, WEEK_MS); changing.length > 0; weekMs += WEEK_MS) {
    for (const part of changing) {
      const atMs = weekMs + part.fromMs;
      if (atMs > untilMs) return;
      if (atMs > fromMs) yield atMs;
    }
  }
}

function isSamePrice(one: Rate, other: Rate): boolean {
  return (
    one.unitPriceThousandths === other.unitPriceThousandths &&
    one.transactionProcMs === other.transactionProcMs
  );
}

/**
 * A slot to be priced: processors, or an amount of a store or link, `perProc` of which count as a processor.
 */
export interface PricedSize extends Pick<WantedSlot, "procs" | "startMs" | "durationMs"> {
  /** Amount that counts as one processor; 1 where absent. */
  readonly perProc?: number;
}

/** Σ n·c over the time of a slot, in processor-milliseconds, rounded once; at most `MOST_PROC_MS`. */
export function tariffAmount(
  tariff: Tariff,
  { procs, perProc = 1, startMs, durationMs }: PricedSize,
  rounding: "up" | "down",
): number {
  const sum = sumUntil(tariff, startMs + durationMs) - sumUntil(tariff, startMs);
  const parts = sum * BigInt(procs);
  const whole = THOUSAND * BigInt(perProc);
  const amount = (parts + (rounding === "up" ? whole - 1n : 0n)) / whole;
  return amount < BigInt(MOST_PROC_MS) ? Number(amount) : MOST_PROC_MS;
}

/** The rules by which a slot is priced, each with its time in the slot, in order of first use. */
export function rulesUsed(
  tariff: Tariff,
  { startMs, durationMs }: Pick<WantedSlot, "startMs" | "durationMs">,
): readonly RuleUse[] {
  const uses = new Map<string | null, RuleUse>();
  // Each whole week of the slot has the same rules.
  const weeks = Math.floor(durationMs / WEEK_MS);
  if (weeks > 0) addUses(uses, tariff, { startMs, spanMs: WEEK_MS, times: weeks });
  addUses(uses, tariff, { startMs, spanMs: durationMs - weeks * WEEK_MS, times: 1 });
  return [...uses.values()];
}

interface UsedSpan {
  readonly startMs: number;
  /** At most a week. */
  readonly spanMs: number;
  readonly times: number;
}

function addUses(
  uses: Map<string | null, RuleUse>,
  tariff: Tariff,
  { startMs, spanMs, times }: UsedSpan,
): void {
  let weekMs = modulo(startMs, WEEK_MS);
  for (let leftMs = spanMs; leftMs > 0; ) {
    const { endMs, rate } = partAt(tariff, weekMs);
    const stepMs = Math.min(leftMs, endMs - weekMs);
    const { rule, unitPriceThousandths } = rate;
    const soFarMs = uses.get(rule)?.durationMs ?? 0;
    uses.set(rule, { rule, unitPriceThousandths, durationMs: soFarMs + times * stepMs });
    leftMs -= stepMs;
    weekMs = endMs % WEEK_MS;
  }
}

function rateOf({ name, unitPriceThousandths, transactionProcMs }: PriceRule): Rate {
  return { rule: name, unitPriceThousandths, transactionProcMs };
}

/** The instants of the week at which a rule begins or ends to apply. */
function changesOf(rule: PriceRule): readonly number[] {
  return DAYS.flatMap((day) =>
    [rule.fromMs, lengthened(rule)].map((ms) => modulo(day * DAY_MS + ms - rule.clockMs, WEEK_MS)),
  );
}

/** End of the rule's time of day, counted from the beginning of the day on which it begins. */
function lengthened({ fromMs, untilMs }: PriceRule): number {
  return untilMs > fromMs ? untilMs : untilMs + DAY_MS;
}

/** True where the rule's time, beginning on this day or the day before, contains the instant of the week. */
function fits(rule: PriceRule, weekMs: number): boolean {
  const localMs = modulo(weekMs + rule.clockMs, WEEK_MS);
  const day = Math.floor(localMs / DAY_MS);
  const inDayMs = localMs - day * DAY_MS;
  return [0, 1].some((daysBefore) => {
    const sinceMs = inDayMs + daysBefore * DAY_MS;
    const weekday = WEEKDAYS[modulo(day - daysBefore + FIRST_WEEKDAY, 7)];
    const isItsDay = rule.days === null || rule.days.includes(weekday);
    return isItsDay && sinceMs >= rule.fromMs && sinceMs < lengthened(rule);
  });
}

function sumUntil(tariff: Tariff, atMs: number): bigint {
  const weeks = Math.floor(atMs / WEEK_MS);
  const restMs = atMs - weeks * WEEK_MS;
  const { fromMs, before, rate } = partAt(tariff, restMs);
  const inPart = BigInt(restMs - fromMs) * BigInt(rate.unitPriceThousandths);
  return BigInt(weeks) * tariff.whole + before + inPart;
}

function partAt({ parts }: Tariff, weekMs: number): TariffPart {
  let low = 0;
  let high = parts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (parts[middle].fromMs <= weekMs) low = middle;
    else high = middle - 1;
  }
  return parts[low];
}

/** The remainder in [0, divisor), also for instants before 1970. */
function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
