/**
 * Cost of a job that runs through a site's queue, if it used its whole limit and started now: n·d·c (rule
 * EN-39). Its start, and the price of its time then, are not known yet.
 */
import { baseCharge } from "../../market/index.ts";
import { siteTariff } from "../state/price-terms.ts";
import type { SiteState } from "../state/site-state.ts";

/** A job whose cost is asked for. */
export interface CostedJob {
  readonly consumer: string;
  readonly procs: number;
  /** Null: the site's usual limit. */
  readonly limitMs: number | null;
}

/** Processor-ms. */
export function queuedCost(site: SiteState, { consumer, procs, limitMs }: CostedJob, nowMs: number): number {
  const durationMs = limitMs ?? site.spec.defaultWallTimeMs;
  return baseCharge({ procs, startMs: nowMs, durationMs }, siteTariff(site, consumer, "queued"));
}
