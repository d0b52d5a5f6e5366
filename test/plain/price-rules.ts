/**
 * What time costs under a site's price rules, written from rule MK-21 alone: minute by minute,
 * each minute asked which rule fits. Slots begin and end with a minute; so do rules.
 */
import { type PriceBook, type PriceRule, type SlotKind, WEEKDAYS } from "../../src/model/index.ts";

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;

/** Who asks for which kind of slot. */
export interface PlainAsker {
  readonly consumer: string;
  readonly kind: SlotKind;
}

/** The first rule that fits a minute; undefined where none does. */
export function plainRuleAt(
  { prices = [] }: PriceBook,
  asker: PlainAsker,
  atMs: number,
): PriceRule | undefined {
  return prices.find((rule) => isForAsker(rule, asker) && isItsTime(rule, atMs));
}

function isForAsker({ consumers, slots }: PriceRule, { consumer, kind }: PlainAsker): boolean {
  const isOurs =
    consumers === null || consumers.some((it) => it === consumer || consumer.startsWith(`${it}/`));
  return isOurs && (slots === null || slots.includes(kind));
}

/** Every minute of the time that began today or yesterday on the rule's clock is looked at. */
function isItsTime({ clockMs, fromMs, untilMs, days }: PriceRule, atMs: number): boolean {
  const minute = Math.floor((atMs + clockMs) / MINUTE_MS);
  const today = Math.floor(minute / DAY_MINUTES);
  const lengthMs = untilMs > fromMs ? untilMs - fromMs : untilMs + DAY_MINUTES * MINUTE_MS - fromMs;
  return [today, today - 1].some((day) => {
    // 1 January 1970 was a Thursday.
    const name = WEEKDAYS[(((day + 3) % 7) + 7) % 7];
    const first = day * DAY_MINUTES + fromMs / MINUTE_MS;
    return (days === null || days.includes(name)) && minute >= first && minute < first + lengthMs / MINUTE_MS;
  });
}

/** n·c over the slot, rounded up once; and for how many ms each rule counted. */
export function plainBase(
  book: PriceBook,
  asker: PlainAsker,
  slot: { readonly procs: number; readonly startMs: number; readonly durationMs: number },
): { readonly baseProcMs: number; readonly usedMs: ReadonlyMap<string | null, number> } {
  const usedMs = new Map<string | null, number>();
  let thousandths = 0n;
  for (let atMs = slot.startMs; atMs < slot.startMs + slot.durationMs; atMs += MINUTE_MS) {
    const rule = plainRuleAt(book, asker, atMs);
    const c = rule?.unitPriceThousandths ?? book.unitPriceThousandths;
    thousandths += BigInt(slot.procs) * BigInt(c) * BigInt(MINUTE_MS);
    usedMs.set(rule?.name ?? null, (usedMs.get(rule?.name ?? null) ?? 0) + MINUTE_MS);
  }
  return { baseProcMs: Number((thousandths + 999n) / 1000n), usedMs };
}

/** f₀: that of the rule at the slot's start. */
export function plainTransaction(book: PriceBook, asker: PlainAsker, startMs: number): number {
  return plainRuleAt(book, asker, startMs)?.transactionProcMs ?? book.transactionProcMs;
}

/**
 * The instants after `fromMs` and up to `untilMs` at which c or f₀ changes, the first `most` of
 * them; `fromMs` is a full minute.
 */
export function plainChanges(
  book: PriceBook,
  asker: PlainAsker,
  { fromMs, untilMs, most }: { readonly fromMs: number; readonly untilMs: number; readonly most: number },
): readonly number[] {
  const priceAt = (atMs: number): string => {
    const rule = plainRuleAt(book, asker, atMs) ?? book;
    return `${rule.unitPriceThousandths} ${rule.transactionProcMs}`;
  };
  const changes: number[] = [];
  for (let atMs = fromMs + MINUTE_MS; atMs <= untilMs && changes.length < most; atMs += MINUTE_MS) {
    if (priceAt(atMs) !== priceAt(atMs - MINUTE_MS)) changes.push(atMs);
  }
  return changes;
}
