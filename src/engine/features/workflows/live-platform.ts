/**
 * The sites of this broker as planners of workflows take them: what each may still sell, from now on.
 *
 * A slot set says what a queue leaves free; a site's rules say how much of it may be reserved at once. What
 * is offered here is the smaller of both at every instant, so that a plan on it is rarely refused; the offers
 * decide. Advisory, as slots are.
 */
import { PROC_MS_PER_SU } from "../../../base/index.ts";
import { rateAt } from "../../../market/index.ts";
import { isForeign, isImitating, reservationRulesOf } from "../../../model/index.ts";
import type { Platform, PlatformSite, SlotForSale } from "../../../plan/index.ts";
import type { Slot } from "../../../profile/index.ts";
import { siteTariff } from "../../state/price-terms.ts";
import type { Projection } from "../../state/projection.ts";
import { endOf, heldAt, type Reserved } from "../../state/reserved.ts";
import { isOpen, type SiteState } from "../../state/site-state.ts";

/** Time that jobs may start after their reservation, by the type of site: see `PlatformSite`. */
const MARGIN_MS = { managed: 30_000, simulated: 30_000, slurm: 120_000, exec: 120_000 } as const;
/** Time from the making of a plan to its beginning: offers are made and accepted meanwhile. */
const LEAD_MS = { managed: 10_000, foreign: 30_000 };
/** Bandwidth between sites; links between live sites are not known. */
const USUAL_LINK = { latencyMs: 0, bytesPerSec: 125_000_000 };
const MILLION = 1_000_000;

/** Sites by name with the slots that their queues leave, and who would pay. */
interface LivePlatformQuestion {
  readonly sets: readonly { readonly site: string; readonly slots: readonly Slot[] }[];
  readonly consumer: string;
}

/** A platform whose plans begin at an instant. */
interface LivePlatform {
  readonly platform: Platform;
  readonly beginMs: number;
}

/** The platform of the sites that take jobs now; those that take none are left out. */
export function livePlatform(
  { sites, reserved }: Pick<Projection, "sites" | "reserved">,
  { sets, consumer }: LivePlatformQuestion,
  nowMs: number,
): LivePlatform {
  const open = sets.flatMap(({ site: name, slots }) => {
    const site = sites.get(name);
    return site !== undefined && isOpen(site) && !isImitating(site.spec) ? [{ site, slots }] : [];
  });
  const isAnyForeign = open.some(({ site: { spec } }) => isForeign(spec));
  const beginMs = nowMs + (isAnyForeign ? LEAD_MS.foreign : LEAD_MS.managed);
  const own = open.map(({ site, slots }) => soldAt(site, { slots, consumer, reserved }, { nowMs, beginMs }));
  return { platform: { sites: own, link: USUAL_LINK, pairs: [] }, beginMs };
}

function soldAt(
  site: SiteState,
  { slots, consumer, reserved }: { slots: readonly Slot[]; consumer: string; reserved: Reserved },
  { nowMs, beginMs }: { readonly nowMs: number; readonly beginMs: number },
): PlatformSite {
  const { name, spec } = site;
  const { aheadMs, noticeMs, farMs } = reservationRulesOf(spec);
  const firstMs = Math.max(beginMs, nowMs + noticeMs);
  const lastMs = nowMs + Math.min(aheadMs, farMs);
  const caps = capsAt(site, reserved, consumer);
  const tariff = siteTariff(site, consumer, "reservation");
  const kept: (SlotForSale & { readonly endMs: number })[] = [];
  for (const { startAt, durationMs, procs } of slots) {
    const startMs = Math.max(firstMs, startAt);
    const endMs = Math.min(lastMs, startAt + durationMs);
    if (endMs <= startMs) continue;
    const span = { startMs: startMs - beginMs, endMs: endMs - beginMs };
    const most = Math.min(procs, roomIn(caps, kept, { ...span, beginMs }));
    if (most < 1) continue;
    const { unitPriceThousandths, transactionProcMs } = rateAt(tariff, startMs);
    const price = unitPriceThousandths / 1000;
    const fixedSu = transactionProcMs / PROC_MS_PER_SU;
    const sold = { startMs: span.startMs, durationMs: span.endMs - span.startMs, procs: most };
    kept.push({ ...sold, price, fixedSu, divisible: true, extensible: false, endMs: span.endMs });
  }
  const { unitPriceThousandths } = rateAt(tariff, beginMs);
  const sold = kept.map(({ endMs: _, ...slot }) => slot);
  const fixed = { name, procs: spec.procs, speed: 1, price: unitPriceThousandths / 1000 };
  return { ...fixed, slots: sold, marginMs: MARGIN_MS[spec.type] };
}

/** Limits of a site on what is reserved at once: of all together, and of the consumer. */
interface Caps {
  readonly limits: readonly { readonly procs: number; readonly held: readonly HeldSpan[] }[];
}

interface HeldSpan {
  readonly startMs: number;
  readonly endMs: number;
  readonly procs: number;
}

function capsAt({ name, spec }: SiteState, reserved: Reserved, consumer: string): Caps {
  const { sharePpm, consumerSharePpm, offerSharePpm } = reservationRulesOf(spec);
  const all = heldAt(reserved, name).map((it) => ({ ...it, endMs: endOf(it) }));
  const own = all.filter((it) => it.consumer === consumer);
  const part = (ppm: number): number => Number((BigInt(spec.procs) * BigInt(ppm)) / BigInt(MILLION));
  return {
    limits: [
      { procs: part(sharePpm), held: all },
      { procs: part(consumerSharePpm), held: own },
      { procs: part(offerSharePpm), held: [] },
    ],
  };
}

/**
 * Number of processors that may still be reserved during all of a span, beside those reserved and those
 * already on offer.
 */
function roomIn(
  { limits }: Caps,
  kept: readonly HeldSpan[],
  { startMs, endMs, beginMs }: { readonly startMs: number; readonly endMs: number; readonly beginMs: number },
): number {
  const rooms = limits.map(({ procs, held }) => {
    const spans = [
      ...kept,
      ...held.map((it) => ({
        procs: it.procs,
        startMs: it.startMs - beginMs,
        endMs: it.endMs - beginMs,
      })),
    ];
    return procs - peakWithin(spans, startMs, endMs);
  });
  return Math.min(...rooms);
}

function peakWithin(spans: readonly HeldSpan[], fromMs: number, toMs: number): number {
  const within = spans.filter(({ startMs, endMs }) => startMs < toMs && endMs > fromMs);
  let peak = 0;
  for (const { startMs } of within) {
    const atMs = Math.max(fromMs, startMs);
    let procs = 0;
    for (const it of within) if (it.startMs <= atMs && atMs < it.endMs) procs += it.procs;
    peak = Math.max(peak, procs);
  }
  return peak;
}
