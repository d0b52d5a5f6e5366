/**
 * The sites of this broker as planners of workflows take them: what each may still sell, from now on.
 *
 * A slot set says what a queue leaves free; a site's rules say how much of it may be reserved at once. What
 * is offered here is the smaller of both at every instant, so that a plan on it is rarely refused; the offers
 * decide. Memory and GPUs likewise. Advisory, as slots are.
 */
import { PROC_MS_PER_SU } from "../../../base/index.ts";
import { rateAt } from "../../../market/index.ts";
import { isForeign, isImitating, reservationRulesOf } from "../../../model/index.ts";
import type { FreeBeside, Platform, PlatformSite, SlotForSale } from "../../../plan/index.ts";
import type { Advertisement } from "../../slots.ts";
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

type Free = Pick<Advertisement, "slots" | "freeBeside">;

/** Sites by name with the slots that their queues leave, and who would pay. */
interface LivePlatformQuestion {
  readonly sets: readonly Pick<Advertisement, "site" | "slots" | "freeBeside">[];
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
  const open = sets.flatMap(({ site: name, slots, freeBeside }) => {
    const site = sites.get(name);
    return site !== undefined && isOpen(site) && !isImitating(site.spec) ? [{ site, slots, freeBeside }] : [];
  });
  const isAnyForeign = open.some(({ site: { spec } }) => isForeign(spec));
  const beginMs = nowMs + (isAnyForeign ? LEAD_MS.foreign : LEAD_MS.managed);
  const own = open.map(({ site, ...free }) =>
    soldAt(site, { ...free, consumer, reserved }, { nowMs, beginMs }),
  );
  return { platform: { sites: own, link: USUAL_LINK, pairs: [] }, beginMs };
}

function soldAt(
  site: SiteState,
  {
    slots,
    freeBeside,
    consumer,
    reserved,
  }: Free & { readonly consumer: string; readonly reserved: Reserved },
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
  const { procs, memoryBytes, gpus = 0 } = spec;
  return {
    ...{ name, procs, memoryBytes, gpus, speed: 1, price: unitPriceThousandths / 1000 },
    ...{ slots: sold, marginMs: MARGIN_MS[spec.type] },
    freeBeside: soldBeside(site, freeBeside, { caps, beginMs }),
  };
}

/** Memory and GPUs that may still be reserved, from each instant until the next. */
function soldBeside(
  { spec }: SiteState,
  free: readonly FreeBeside[],
  { caps, beginMs }: { readonly caps: Caps; readonly beginMs: number },
): readonly FreeBeside[] {
  const held = caps.limits.flatMap((limit) => limit.held);
  const changes = [...free.map(({ fromMs }) => fromMs), ...held.flatMap((it) => [it.startMs, it.endMs])];
  const instants = new Set([beginMs, ...changes.filter((atMs) => atMs > beginMs)]);
  return [...instants]
    .sort((one, other) => one - other)
    .map((atMs) => {
      const now = free.findLast(({ fromMs }) => fromMs <= atMs) ?? { memoryBytes: 0, gpus: 0 };
      const [{ held: all }] = caps.limits;
      const memoryBytes = Math.min(now.memoryBytes, spec.memoryBytes - sumAt(all, atMs, "memoryBytes"));
      const rooms = caps.limits.map((limit) => limit.gpus - sumAt(limit.held, atMs, "gpus"));
      return {
        fromMs: atMs - beginMs,
        memoryBytes: Math.max(0, memoryBytes),
        gpus: Math.max(0, Math.min(now.gpus, ...rooms)),
      };
    });
}

function sumAt(held: readonly HeldSpan[], atMs: number, of: "memoryBytes" | "gpus"): number {
  return held.reduce((sum, it) => sum + (it.startMs <= atMs && atMs < it.endMs ? (it[of] ?? 0) : 0), 0);
}

/** Limits of a site on what is reserved at once: of all together, and of the consumer. */
interface Caps {
  readonly limits: readonly {
    readonly procs: number;
    readonly gpus: number;
    readonly held: readonly HeldSpan[];
  }[];
}

interface HeldSpan {
  readonly startMs: number;
  readonly endMs: number;
  readonly procs: number;
  readonly memoryBytes?: number;
  readonly gpus?: number;
}

function capsAt({ name, spec }: SiteState, reserved: Reserved, consumer: string): Caps {
  const { sharePpm, consumerSharePpm, offerSharePpm } = reservationRulesOf(spec);
  const all = heldAt(reserved, name).map((it) => ({ ...it, endMs: endOf(it) }));
  const own = all.filter((it) => it.consumer === consumer);
  const { procs: allProcs, gpus: allGpus = 0 } = spec;
  const part = (all: number, ppm: number): number => Number((BigInt(all) * BigInt(ppm)) / BigInt(MILLION));
  const parts = (ppm: number) => ({ procs: part(allProcs, ppm), gpus: part(allGpus, ppm) });
  return {
    limits: [
      { ...parts(sharePpm), held: all },
      { ...parts(consumerSharePpm), held: own },
      { ...parts(offerSharePpm), held: [] },
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
