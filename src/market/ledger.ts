/**
 * Accounts in SU by double entry (rules MK-17, MK-19).
 *
 * A transaction is entries that sum to zero in each book. There is a book for each depth of consumer paths,
 * so that a charge counts against every level of the path, and is income of the site in each. A balance is
 * the sum of its entries and nothing else.
 */
import { assert } from "../base/index.ts";

/** One side of a transaction. */
export interface LedgerEntry {
  /** Depth of the consumer path: 1 for `vo`, 2 for `vo/group` … */
  readonly book: number;
  /** `consumer PATH`, or an account of the site: `grants`, `base`, `delays`, `penalties`. */
  readonly account: string;
  readonly procMs: number;
}

const INCOME_KINDS = ["base", "delays", "penalties"] as const;
/** A kind of income. */
export type IncomeKind = (typeof INCOME_KINDS)[number];

/** Amounts by kind of income, each ≥ 0. */
export type Income = Readonly<Partial<Record<IncomeKind, number>>>;

/** Balances of one site, by book and account. Treat as opaque. */
export interface Ledger {
  readonly balances: Map<string, bigint>;
  /** Accounts that ever had a grant; while there is none, nothing is refused. */
  readonly granted: Set<string>;
}

/** A ledger without grants and charges. */
export function createLedger(): Ledger {
  return { balances: new Map(), granted: new Set() };
}

/** The levels of a consumer path, from the top: `vo`, `vo/group`, `vo/group/user`. */
export function levelsOf(consumer: string): readonly string[] {
  const parts = consumer.split("/");
  return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
}

/** The entries of a grant to a consumer at its level. @param procMs > 0, or < 0 to take back */
export function grantEntries(consumer: string, procMs: number): readonly LedgerEntry[] {
  const book = levelsOf(consumer).length;
  return [
    { book, account: "grants", procMs: -procMs },
    { book, account: accountOf(consumer), procMs },
  ];
}

/** The entries of a charge: in each book the level of the path pays, and the site earns. */
export function chargeEntries(consumer: string, income: Income): readonly LedgerEntry[] {
  const parts = INCOME_KINDS.flatMap((kind) => {
    const procMs = income[kind] ?? 0;
    return procMs === 0 ? [] : [{ kind, procMs }];
  });
  const total = parts.reduce((sum, { procMs }) => sum + procMs, 0);
  if (total === 0 && parts.length === 0) return [];
  return levelsOf(consumer).flatMap((level, at) => [
    { book: at + 1, account: accountOf(level), procMs: -total },
    ...parts.map(({ kind, procMs }) => ({ book: at + 1, account: kind, procMs })),
  ]);
}

/** The entries of a refund: the reverse of a charge. */
export function refundEntries(consumer: string, income: Income): readonly LedgerEntry[] {
  return chargeEntries(consumer, income).map((entry) => ({ ...entry, procMs: -entry.procMs }));
}

/** Adds a transaction to the balances. */
export function post(ledger: Ledger, entries: readonly LedgerEntry[]): void {
  const sums = new Map<number, bigint>();
  for (const { book, account, procMs } of entries) {
    assert(Number.isSafeInteger(procMs), "money is counted in whole processor-milliseconds");
    const exact = BigInt(procMs);
    sums.set(book, (sums.get(book) ?? 0n) + exact);
    const key = keyOf(book, account);
    ledger.balances.set(key, (ledger.balances.get(key) ?? 0n) + exact);
  }
  if (entries.some(({ account }) => account === "grants")) noteGranted(ledger, entries);
  assert(
    [...sums.values()].every((sum) => sum === 0n),
    "the entries of a transaction sum to zero in each book",
  );
}

/**
 * Balance of a consumer in processor-milliseconds, beyond 2^53 the nearest number; undefined where nothing
 * was posted to it.
 */
export function balanceOf(ledger: Ledger, consumer: string): number | undefined {
  const balance = exactBalance(ledger, consumer);
  return balance === undefined ? undefined : Number(balance);
}

function exactBalance({ balances }: Ledger, consumer: string): bigint | undefined {
  return balances.get(keyOf(levelsOf(consumer).length, accountOf(consumer)));
}

/** The site's income by kind, from the first book, which contains every consumer. */
export function incomeOf({ balances }: Ledger): Readonly<Record<IncomeKind, number>> {
  const of = (kind: IncomeKind): number => Number(balances.get(keyOf(1, kind)) ?? 0n);
  return { base: of("base"), delays: of("delays"), penalties: of("penalties") };
}

/** An account with too low a balance. */
export interface AccountShortage {
  readonly consumer: string;
  readonly balanceProcMs: number;
  readonly neededProcMs: number;
}

/**
 * The first level of a path that cannot cover an amount; undefined where all can.
 *
 * Before the first grant at the site nothing is refused. After it each level that had a grant must cover the
 * amount, and there must be one.
 */
export function shortageOf(
  ledger: Ledger,
  consumer: string,
  neededProcMs: number,
): AccountShortage | undefined {
  if (ledger.granted.size === 0 || neededProcMs <= 0) return undefined;
  const granted = levelsOf(consumer).filter((level) => ledger.granted.has(level));
  if (granted.length === 0)
    return { consumer, balanceProcMs: balanceOf(ledger, consumer) ?? 0, neededProcMs };
  for (const level of granted) {
    const balance = exactBalance(ledger, level) ?? 0n;
    if (balance < BigInt(neededProcMs)) {
      return { consumer: level, balanceProcMs: Number(balance), neededProcMs };
    }
  }
  return undefined;
}

/** The consumer of the balance with this name; undefined for an account of the site. */
export function consumerOf(name: string): string | undefined {
  const account = name.slice(name.indexOf(" ") + 1);
  return account.startsWith(CONSUMER) ? account.slice(CONSUMER.length) : undefined;
}

function noteGranted({ granted }: Ledger, entries: readonly LedgerEntry[]): void {
  for (const { account } of entries) {
    if (account.startsWith(CONSUMER)) granted.add(account.slice(CONSUMER.length));
  }
}

const CONSUMER = "consumer ";

function accountOf(consumer: string): string {
  return `${CONSUMER}${consumer}`;
}

/** The name under which the balance of an account is stored. */
export function balanceName({ book, account }: Pick<LedgerEntry, "book" | "account">): string {
  return keyOf(book, account);
}

function keyOf(book: number, account: string): string {
  return `${book} ${account}`;
}
