/**
 * Price-sensitive users over several sites ([PROV] 5.3: prices "can lead to load balancing in the Grid").
 *
 * A part of each site's jobs reserves: at home, or at whichever site of those wide enough has the start and
 * price that its α prefers over all lists together. The others queue at home.
 */
import { assert, ExactSum, exactProduct, MS_PER_HOUR } from "../../src/base/index.ts";
import { chooseStart, type PricedStart } from "../../src/market/index.ts";
import {
  createArrivals,
  createDrive,
  createOrderedSite,
  drive,
  type FinishedJob,
  feedOf,
  observeEnds,
  playInstant,
} from "../../src/queue/index.ts";
import { drawReserving } from "../../src/sim/reserving/draw-reserving.ts";
import { type PoolStart, reservableSite, type SlotQuote } from "../../src/sim/reserving/reservable-site.ts";
import type { WorkloadJob } from "../../src/sim/workload/workload.ts";

/** A site with the jobs of its own users. */
export interface HomeSite {
  readonly name: string;
  readonly procs: number;
  readonly jobs: readonly WorkloadJob[];
}

/** Who reserves, and where he looks. */
export interface UserRules {
  readonly share: number;
  readonly alpha: number;
  readonly looks: "at home" | "everywhere";
  readonly seed: number;
}

/** What came of it. */
export interface Spread {
  /** By site, until the last submission. */
  readonly utilisation: readonly number[];
  /** Between the busiest and the idlest. */
  readonly widest: number;
  readonly fixedSu: number;
  readonly reservedWaitHours: number;
  readonly queuedWaitHours: number;
  /** Reservations that are not at home. */
  readonly moved: number;
}

const MILLION = 1_000_000;

interface Asking {
  readonly job: WorkloadJob;
  readonly home: number;
  readonly alphaPpm: number | undefined;
}

/** Plays all sites in one time. */
export function chooseSites(sites: readonly HomeSite[], rules: UserRules): Spread {
  const tally = new Tally(sites);
  const places = sites.map(({ procs }, at) => {
    const { site, submit } = createOrderedSite<WorkloadJob>({
      capacity: [[procs]],
      discipline: "conservative",
    });
    const finished = (it: FinishedJob<WorkloadJob>): void => tally.add(at, it, undefined);
    observeEnds(site, finished);
    const arrivals = createArrivals<WorkloadJob>(submit);
    const slots = reservableSite(site);
    const driven = createDrive(site, [arrivals, slots]);
    return { procs, driven, feed: feedOf(driven, arrivals), slots };
  });
  for (const group of byInstant(askingOf(sites, rules))) {
    for (const { job, home, alphaPpm } of group) if (alphaPpm === undefined) places[home].feed.offer(job);
    const atMs = group[0].job.submitMs;
    for (const { job, home, alphaPpm } of group) {
      if (alphaPpm === undefined) continue;
      const list = places.flatMap(({ procs, driven, slots }, at): PlacedStart[] => {
        if (procs < job.need[0] || (rules.looks === "at home" && at !== home)) return [];
        drive(driven, atMs);
        playInstant(driven, atMs);
        const quote = slots.quote(job);
        return quote.list.map((start) => ({ ...start, at, quote }));
      });
      const taken = placed(chooseStart(list, alphaPpm));
      const { driven, slots } = places[taken.at];
      const { startMs, fixedProcMs } = slots.accept(taken.quote, taken, job);
      playInstant(driven, atMs);
      const endMs = startMs + job.runtimeMs;
      const ended = { job, startMs, endMs, promisedMs: startMs, backfilled: false, pool: 0 };
      tally.add(taken.at, ended, { fixedProcMs, hasMoved: taken.at !== home });
    }
  }
  for (const { feed } of places) feed.finish();
  return tally.spread();
}

interface PlacedStart extends PoolStart {
  readonly at: number;
  readonly quote: SlotQuote;
}

/** The chosen one is one of the list. */
function placed(start: PricedStart | undefined): PlacedStart {
  assert(start !== undefined && "quote" in start, "home is wide enough");
  return start as PlacedStart;
}

function askingOf(sites: readonly HomeSite[], { share, alpha, seed }: UserRules): readonly Asking[] {
  const rules = { sharePpm: Math.round(share * MILLION), alphaPpm: Math.round(alpha * MILLION) };
  return sites
    .flatMap(({ jobs }, home) => {
      const next = drawReserving(rules, seed + home);
      return jobs.map((job): Asking => ({ job, home, alphaPpm: next() }));
    })
    .sort((one, other) => one.job.submitMs - other.job.submitMs);
}

function* byInstant(all: readonly Asking[]): Generator<readonly Asking[]> {
  for (let from = 0; from < all.length; ) {
    let end = from + 1;
    while (all[end]?.job.submitMs === all[from].job.submitMs) end++;
    yield all.slice(from, end);
    from = end;
  }
}

interface Reserved {
  readonly fixedProcMs: number;
  readonly hasMoved: boolean;
}

class Tally {
  readonly #procs: readonly number[];
  readonly #untilMs: number;
  readonly #busy: readonly ExactSum[];
  readonly #waits = { reserved: 0, queued: 0 };
  readonly #counts = { reserved: 0, queued: 0 };
  #fixedProcMs = 0;
  #moved = 0;

  constructor(sites: readonly HomeSite[]) {
    this.#procs = sites.map(({ procs }) => procs);
    this.#untilMs = Math.max(...sites.flatMap(({ jobs }) => jobs.slice(-1).map(({ submitMs }) => submitMs)));
    this.#busy = sites.map(() => new ExactSum());
  }

  add(at: number, { job, startMs, endMs }: FinishedJob<WorkloadJob>, reserved: Reserved | undefined): void {
    const ranMs = Math.max(0, Math.min(endMs, this.#untilMs) - Math.min(startMs, this.#untilMs));
    this.#busy[at].add(exactProduct(job.need[0], ranMs));
    const kind = reserved === undefined ? "queued" : "reserved";
    this.#waits[kind] += startMs - job.submitMs;
    this.#counts[kind]++;
    if (reserved === undefined) return;
    this.#fixedProcMs += reserved.fixedProcMs;
    if (reserved.hasMoved) this.#moved++;
  }

  spread(): Spread {
    const utilisation = this.#busy.map((sum, at) => sum.dividedBy(this.#untilMs) / this.#procs[at]);
    const { reserved, queued } = this.#counts;
    return {
      utilisation,
      widest: Math.max(...utilisation) - Math.min(...utilisation),
      fixedSu: this.#fixedProcMs / MS_PER_HOUR / Math.max(1, reserved),
      reservedWaitHours: this.#waits.reserved / MS_PER_HOUR / Math.max(1, reserved),
      queuedWaitHours: this.#waits.queued / MS_PER_HOUR / Math.max(1, queued),
      moved: this.#moved,
    };
  }
}
