/**
 * Jobs that matched no site are matched again only when something has changed that decides about them
 * (rule EN-288): the spec of a site, the size of a queue, or an attribute that their requirements, or those
 * of a site, refer to.
 *
 * Source: lazy matching of the task queue [WMS]. Functionally equivalent to matching every waiting job in
 * each decision; jobs of one class (`placementClass`) are matched once for each change. What depends on more
 * (response times, prices, shares in policies, input data, the time, local accounts) is matched each time,
 * and everything every five minutes.
 * Cost: one comparison for each class and change; nothing while no ad changes.
 */
import {
  asksForPrice,
  asksForResponse,
  asksForView,
  classKeyOf,
  decidingAttributes,
} from "../../match/index.ts";
import type { JobRecord, SiteSpec } from "../../model/index.ts";
import type { Projection } from "../state/projection.ts";
import { isDemanding, type SiteState } from "../state/site-state.ts";
import type { SurveyedQueue } from "../survey.ts";
import { isRestricted } from "./access-views.ts";
import { placementClass } from "./placement-class.ts";
import { standingAd, standingQueueAds } from "./site-facts.ts";

/** All waiting jobs are matched again after this time at the latest. */
export const EAGER_MS = 300_000;

/** State that is cached between decisions. */
interface Remembered {
  /** Deciding values with which the jobs of a class last matched no site, by class. */
  readonly unmatched: Map<string, string>;
  /** Specs and ads with which every waiting job was matched; undefined while some are still to be matched. */
  settledWith: readonly unknown[] | undefined;
  /** When everything was matched last; Unix ms. */
  allAtMs: number;
  /** Number of matches so far. */
  matches: number;
}

const remembered = new WeakMap<Projection, Remembered>();

/** A pass over the waiting jobs. */
export interface LazyPass {
  /** True if the class of a job matched no site, and nothing that decides has changed since. */
  isUnmatched(job: JobRecord): boolean;
  /** Notes the result of a match. @param found none: it matched no site */
  note(job: JobRecord, found: "none" | "other"): void;
  /** Notes a job that has to be looked at in the next decision too. */
  keepOpen(): void;
  /** Ends a pass in which every waiting job was looked at. */
  end(): void;
}

/** Number of matches of waiting jobs since the start of the broker. */
export function waitingMatches(projection: Projection): number {
  return remembered.get(projection)?.matches ?? 0;
}

/** Has waiting jobs looked at in the next decision though no ad changes: others have come to wait. */
export function othersWait(projection: Projection): void {
  const known = remembered.get(projection);
  if (known !== undefined) known.settledWith = undefined;
}

/** Begins a pass; undefined if nothing has changed since the last one. */
export function lazyPass(
  projection: Projection,
  open: readonly SiteState[],
  nowMs: number,
): LazyPass | undefined {
  const known = rememberedOf(projection, nowMs);
  const sites = open.flatMap(standingOf);
  const { settledWith } = known;
  if (settledWith?.length === sites.length && settledWith.every((it, at) => it === sites[at]))
    return undefined;
  const isAnyDemanding = open.some(isDemanding);
  const isAnyRestricted = open.some((site) => isRestricted(projection, site, nowMs));
  const isOwn = (job: JobRecord): boolean => isAnyRestricted && asksForView(job);
  let isComplete = true;
  const classOf = (job: JobRecord): string =>
    (isAnyDemanding ? undefined : placementClass(job)) ?? `${job.id} ${textOf(job.description)}`;
  return {
    isUnmatched(job) {
      const deciding = isOwn(job) ? undefined : decidingFor(job, open, classOf(job));
      return deciding !== undefined && known.unmatched.get(classOf(job)) === deciding;
    },
    note(job, found) {
      known.matches++;
      const deciding = found === "none" && !isOwn(job) ? decidingFor(job, open, classOf(job)) : undefined;
      if (deciding === undefined) isComplete = false;
      else known.unmatched.set(classOf(job), deciding);
    },
    keepOpen() {
      isComplete = false;
    },
    end() {
      known.settledWith = isComplete ? sites : undefined;
    },
  };
}

function rememberedOf(projection: Projection, nowMs: number): Remembered {
  const known = remembered.get(projection);
  if (known !== undefined && Math.abs(nowMs - known.allAtMs) < EAGER_MS) return known;
  const fresh = {
    unmatched: new Map(),
    settledWith: undefined,
    allAtMs: nowMs,
    matches: known?.matches ?? 0,
  };
  remembered.set(projection, fresh);
  return fresh;
}

/** Objects of a site that are replaced when its spec, an ad or the size of its queues changes. */
function standingOf(site: SiteState): readonly unknown[] {
  return [site.spec, standingAd(site), site.observation.queues.length === 0 ? null : standingQueueAds(site)];
}

/** Everything that decides whether a job matches one of the sites; undefined where it cannot be named. */
function decidingFor(job: JobRecord, sites: readonly SiteState[], ofClass: string): string | undefined {
  if (asksForResponse(job) || asksForPrice(job) || job.description.inputData !== undefined) return undefined;
  const key = `${ofClass} ${classKeyOf(job)}`;
  const parts: string[] = [];
  for (const site of sites) {
    parts.push(site.name, settingsOf(site.spec));
    const queues = standingQueueAds(site);
    for (const ad of [standingAd(site), ...queues.map((queue) => queue.ad)]) {
      const text = decidingAttributes(job, ad, key);
      if (text === undefined) return undefined;
      parts.push(text);
    }
    parts.push(...queues.map(({ facts }) => sizeOf(facts)));
  }
  return parts.join("\n");
}

/** The size of a queue, which decides with the size of a job. */
function sizeOf({
  queue,
  isDefault,
  procs,
  gpus,
  nodeKinds,
  mostNodes,
  maxWallTimeMs,
}: SurveyedQueue): string {
  return JSON.stringify([queue, isDefault, procs, gpus, nodeKinds, mostNodes, maxWallTimeMs]);
}

/** Cache of the texts of specs and descriptions. */
const written = new WeakMap<object, string>();

function textOf(object: object, said = object): string {
  const known = written.get(object) ?? JSON.stringify(said);
  written.set(object, known);
  return known;
}

/** The spec without its attributes of ads, which are compared one by one. */
function settingsOf(spec: SiteSpec): string {
  const { ads: _, ...settings } = spec;
  return textOf(spec, settings);
}
