/**
 * Money in the state: postings, and what work and reservations are charged (rule EN-39).
 */
import {
  balanceName,
  baseCharge,
  chargeEntries,
  consumerOf,
  countable,
  grantEntries,
  type Income,
  type Ledger,
  type LedgerEntry,
  post,
  refundEntries,
  shortageOf,
} from "../../market/index.ts";
import type {
  AttemptEnd,
  JobRecord,
  PastRun,
  PostingKind,
  PostingRecord,
  Refusal,
  SiteSpec,
  StintEvent,
} from "../../model/index.ts";
import { siteTariff } from "./price-terms.ts";
import type { SiteState } from "./site-state.ts";

type Posted = Extract<StintEvent, { kind: "posted" }>;

/** A balance that a posting has changed, or a posting itself. */
export type AccountChange =
  | { readonly kind: "posting"; readonly record: PostingRecord }
  | { readonly kind: "balance"; readonly record: BalanceRecord }
  | { readonly kind: "balanceGone"; readonly key: string };

/** A balance as it is stored. */
export interface BalanceRecord {
  readonly key: string;
  readonly site: string;
  /** Name of the balance in the ledger. */
  readonly name: string;
  /** Balance in processor-ms; the nearest number where the exact one does not fit. */
  readonly procMs: number;
  /** Exact digits of the balance where `procMs` cannot hold it; else absent. */
  readonly exactProcMs?: string;
  /** The consumer to whom something was granted by this posting's side; else null. */
  readonly granted: string | null;
}

/** Applies a posting. */
export function applyPosted(ledger: Ledger, event: Posted): AccountChange[] {
  post(ledger, event.entries);
  const { kind: _, what, ...rest } = event;
  const changes: AccountChange[] = [{ kind: "posting", record: { ...rest, kind: what } }];
  for (const name of new Set(event.entries.map(balanceName))) {
    changes.push({ kind: "balance", record: balanceRecord(ledger, event.site, name) });
  }
  return changes;
}

/** The balances of a site that goes. */
export function forgetBalances({ balances }: Ledger, site: string): AccountChange[] {
  return [...balances.keys()].map((name) => ({ kind: "balanceGone", key: balanceKey(site, name) }));
}

/** Puts stored balances back. */
export function restoreBalance({ balances, granted }: Ledger, record: BalanceRecord): void {
  balances.set(record.name, BigInt(record.exactProcMs ?? record.procMs));
  if (record.granted !== null) granted.add(record.granted);
}

function balanceRecord({ balances, granted }: Ledger, site: string, name: string): BalanceRecord {
  const consumer = consumerOf(name);
  const isGranted = consumer !== undefined && granted.has(consumer);
  const balance = balances.get(name) ?? 0n;
  const procMs = Number(balance);
  const exact = Number.isSafeInteger(procMs) ? {} : { exactProcMs: String(balance) };
  return { key: balanceKey(site, name), site, name, procMs, ...exact, granted: isGranted ? consumer : null };
}

function balanceKey(site: string, name: string): string {
  return `${site} ${name}`;
}

/** Subject of a posting. */
interface About {
  readonly id: string;
  readonly site: string;
  readonly consumer: string;
  readonly about: string;
  readonly what: PostingKind;
  readonly atMs: number;
}

/** The event of a charge; none where there is nothing to charge. */
export function charge(about: About, income: Income): readonly Posted[] {
  return posting(about, chargeEntries(about.consumer, income), -sumOf(income));
}

/** The event of a refund. */
export function refund(about: About, income: Income): readonly Posted[] {
  return posting(about, refundEntries(about.consumer, income), sumOf(income));
}

/** The event of a grant. */
export function granting(about: About, procMs: number): readonly Posted[] {
  return posting(about, grantEntries(about.consumer, procMs), procMs);
}

function posting(about: About, entries: readonly LedgerEntry[], procMs: number): readonly Posted[] {
  return entries.length === 0 ? [] : [{ kind: "posted", ...about, procMs, entries }];
}

function sumOf({ base = 0, delays = 0, penalties = 0 }: Income): number {
  return base + delays + penalties;
}

/** Causes of the end of an attempt that imply that it ran. */
const RAN: readonly AttemptEnd["cause"][] = ["exited", "signalled", "timeLimit"];

/**
 * True if an ended job has run. For a job that started and ended between two reports the site may report
 * only the end: it ran from its start decision on (rule EN-39).
 */
export function hasRun({ startedAtMs }: JobRecord, { cause }: Pick<AttemptEnd, "cause">): boolean {
  return startedAtMs !== null || RAN.includes(cause);
}

/** An end: how it came, and when. */
export interface EndOfRun {
  readonly end: Pick<AttemptEnd, "cause">;
  readonly endMs: number;
}

/** Charges of an ended job: processors by real use; in a reservation nothing more. */
export function jobCharge(job: JobRecord, spec: SiteSpec, { end, endMs }: EndOfRun): readonly Posted[] {
  if (job.site === null || !hasRun(job, end) || job.description.reservation !== undefined) return [];
  const tariff = siteTariff({ spec }, job.consumer, "queued");
  const procs = job.description.procs;
  const base = runsOf(job, endMs).reduce(
    (sum, { fromMs, toMs }) =>
      sum + baseCharge({ procs, startMs: fromMs, durationMs: toMs - fromMs }, tariff),
    0,
  );
  if (base === 0) return [];
  const id = `${job.id}/${job.attempt}`;
  const { site, consumer } = job;
  const about = { id, site, consumer, about: job.id, what: "job", atMs: endMs } as const;
  return charge(about, { base: countable(base) });
}

/** Run intervals of a job, without suspended time. */
export function runsOf(job: JobRecord, endMs: number): readonly PastRun[] {
  const { earlierRuns = [], startDecidedAtMs, startedAtMs, state } = job;
  // One that was suspended runs again when that is decided anew.
  const fromMs = startDecidedAtMs ?? (earlierRuns.length === 0 ? startedAtMs : null);
  const isOn = state !== "SUSPENDED" && fromMs !== null && fromMs < endMs;
  return isOn ? [...earlierRuns, { fromMs, toMs: endMs }] : earlierRuns;
}

/** The refusal of an amount that an account cannot cover. */
export function shortRefusal(
  { name, ledger }: SiteState,
  consumer: string,
  neededProcMs: number,
): Extract<Refusal, { kind: "accountShort" }> | undefined {
  const shortage = shortageOf(ledger, consumer, neededProcMs);
  return shortage === undefined ? undefined : { kind: "accountShort", site: name, ...shortage };
}
