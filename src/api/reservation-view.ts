/**
 * Prices, reservations and accounts as the API writes them: SU as a number, and exactly beside it.
 */

import { counted, PROC_MS_PER_SU, suText } from "../base/index.ts";
import type {
  AccountsView,
  IncomeView,
  PostingView,
  PricedStartView,
  PriceRulesView,
  PriceSumView,
  ReservationView,
  SiteAccountsView,
  SiteQuoteView,
} from "../contract/index.ts";
import {
  delayText,
  hindranceText,
  inSeconds,
  type LivePrice,
  type PostingRecord,
  type ReservationRecord,
  type SiteAccounts,
  type SiteQuote,
  type SlotResource,
  ticketName,
  type WantedSlot,
} from "../model/index.ts";
import type { AccountView } from "../runtime/index.ts";
import { factsView } from "./facts-view.ts";
import { isoInstant } from "./iso-instant.ts";

const MILLION = 1_000_000;

/** Exact money as SU; unrounded. */
export function suOf(procMs: number): number {
  return procMs / PROC_MS_PER_SU;
}

/** SU as exact money, to the nearest processor-millisecond. */
export function procMsOf(su: number): number {
  return Math.round(su * PROC_MS_PER_SU);
}

type SumFacts = Pick<LivePrice, "baseProcMs" | "fixedProcMs" | "delaysJobs" | "delayProcMs">;
type PriceFacts = SumFacts & Pick<LivePrice, "unitPriceThousandths" | "transactionProcMs" | "rules">;

/** Price in its parts at one site, with its price rules. */
export function priceView(price: PriceFacts): PriceSumView & PriceRulesView {
  const { unitPriceThousandths, transactionProcMs, rules } = price;
  return {
    ...priceSumView(price),
    unitPrice: unitPriceThousandths / 1000,
    ...{ transactionSu: suOf(transactionProcMs), transactionProcMs },
    rules: rules.map(({ rule, unitPriceThousandths: c, durationMs }) => ({
      ...{ rule, unitPrice: c / 1000, durationSec: durationMs / 1000 },
    })),
  };
}

/** Price in its parts, of one site or several. */
export function priceSumView({ baseProcMs, fixedProcMs, delaysJobs, delayProcMs }: SumFacts): PriceSumView {
  const priceProcMs = baseProcMs + fixedProcMs;
  return {
    ...{ priceSu: suOf(priceProcMs), priceProcMs },
    ...{ baseSu: suOf(baseProcMs), baseProcMs, fixedSu: suOf(fixedProcMs), fixedProcMs },
    ...{ delaysJobs, delaySu: suOf(delayProcMs), delayProcMs },
  };
}

/** A possible start with its price. */
export function pricedStartView(price: LivePrice): PricedStartView {
  const { startMs, delays, hindrance } = price;
  return {
    startAt: isoInstant(startMs),
    ...priceView(price),
    delays: delays === null ? null : inSeconds(delays),
    effect: delays === null ? shortEffect(price) : delayText(delays),
    hindrance: hindrance === null ? null : { ...factsView(hindrance), text: hindranceText(hindrance) },
  };
}

/** Effect on waiting jobs, where it is only estimated. */
export function shortEffect({ delaysJobs, delayProcMs }: SumFacts): string {
  if (delaysJobs === 0) return "delays nobody";
  return `delays ${counted(delaysJobs, "queued job")}, which is worth ${suText(delayProcMs)}`;
}

/** Quotes of a site. */
export function siteQuoteView({ site, trouble, starts, leftOut }: SiteQuote): SiteQuoteView {
  return {
    site,
    trouble,
    starts: starts.map(pricedStartView),
    ...(leftOut === undefined ? {} : { leftOut }),
  };
}

/** An offer or a reservation. */
export function reservationView(record: ReservationRecord): ReservationView {
  const { penaltyProcMs, refundProcMs, unitPriceThousandths, durationMs } = record;
  const { usedProcMs = 0 } = record;
  const { rules = [{ rule: null, unitPriceThousandths, durationMs }] } = record;
  return {
    id: record.id,
    state: record.state,
    site: record.site,
    siteReservation: record.siteReservation,
    together: record.together,
    consumer: record.consumer,
    owner: record.owner,
    procs: record.procs,
    memoryBytes: record.memoryBytes === 0 ? null : record.memoryBytes,
    gpus: record.gpus ?? null,
    resource: resourceView(record),
    startAt: isoInstant(record.startMs),
    endAt: isoInstant(record.startMs + record.durationMs),
    durationSec: record.durationMs / 1000,
    ...priceView({ ...record, rules }),
    penalty: record.penaltyPpm / MILLION,
    basePenalty: record.basePenaltyPpm / MILLION,
    expiresAt: isoInstant(record.expiresAtMs),
    used: record.isUsed,
    ...{ usedSu: suOf(usedProcMs), usedProcMs },
    ...{ penaltySu: suOf(penaltyProcMs), penaltyProcMs, refundSu: suOf(refundProcMs), refundProcMs },
    ...ticketOf(record),
    history: record.history.map(({ state, atMs, by, why }) => ({ state, at: isoInstant(atMs), by, why })),
  };
}

function ticketOf({ ticket }: ReservationRecord): Pick<ReservationView, "ticket"> {
  if (ticket === undefined) return {};
  return { ticket: { name: ticketName(ticket.ticket), heldSec: ticket.heldMs / 1000 } };
}

/** Part of a store or of a link; null for processors. */
export function resourceView({ resource }: Pick<WantedSlot, "resource">): SlotResource | null {
  if (resource === undefined) return null;
  const { kind, name, amount } = resource;
  return { kind, name, amount };
}

/** Accounts; a site's income only where `maySeeIncome`. */
export function accountsView(
  { consumer, levels, sites, postings }: AccountView,
  maySeeIncome: (site: string) => boolean,
): AccountsView {
  return {
    consumer,
    levels: levels.map(({ site, consumer: level, balanceProcMs, isGranted }) => ({
      ...{ site, consumer: level, balanceProcMs, granted: isGranted },
      balanceSu: balanceProcMs === null ? null : suOf(balanceProcMs),
    })),
    sites: sites.filter(({ site }) => maySeeIncome(site)).map(siteAccountsView),
    postings: postings.map(postingView),
  };
}

function siteAccountsView({ site, hasGrants, incomeProcMs, sold }: SiteAccounts): SiteAccountsView {
  const { base, delays, penalties } = incomeProcMs;
  const incomeSu: IncomeView = { base: suOf(base), delays: suOf(delays), penalties: suOf(penalties) };
  const { reservedProcMs, usedProcMs, delayedJobs } = sold;
  const { pricedDelayProcMs: pricedProcMs, causedDelayProcMs: causedProcMs } = sold;
  const idleProcMs = reservedProcMs - usedProcMs;
  return {
    ...{ site, hasGrants, incomeSu, incomeProcMs },
    reserved: {
      ...{ su: suOf(reservedProcMs), procMs: reservedProcMs, idleSu: suOf(idleProcMs), idleProcMs },
    },
    delays: {
      ...{ jobs: delayedJobs, pricedSu: suOf(pricedProcMs), pricedProcMs },
      ...{ causedSu: suOf(causedProcMs), causedProcMs },
    },
  };
}

function postingView({ atMs, procMs, ...same }: PostingRecord): PostingView {
  const { id, site, consumer, kind, about, entries } = same;
  return { id, site, consumer, at: isoInstant(atMs), kind, about, su: suOf(procMs), procMs, entries };
}
