/**
 * The smallest change of a description after which nothing keeps the job from a site, found by trying: each
 * open site is asked what would have to change for it, and the answer is tried on all features.
 */
import {
  type DescriptionChange,
  type HelpfulChange,
  isImitating,
  type JobDescription,
  type JobRecord,
  publishesAggregates,
  type QueueLack,
} from "../model/index.ts";
import { keptFrom } from "./register.ts";
import { matchingChange } from "./site-selection/match-questions.ts";
import { missingData } from "./state/input-data.ts";
import type { Projection } from "./state/projection.ts";
import { shortageIn, tooSmallQueues } from "./state/queue-fit.ts";
import { isMeant, isOpen, type SiteState } from "./state/site-state.ts";
import type { SurveyedQueue } from "./survey.ts";

/** Most sites that are asked. */
const MOST_ASKED = 100;

/** A description that is changed step by step, in so many parts. */
interface Variant {
  readonly job: JobRecord;
  readonly changes: readonly DescriptionChange[];
  readonly parts: number;
  /** Queue whose limits it keeps; absent: none in particular. */
  readonly queue?: { readonly site: string; readonly queue: string };
}

/** The change with the fewest parts, with all sites that it opens; undefined where none is found. */
export function placeableChange(
  projection: Projection,
  job: JobRecord,
  nowMs: number,
): HelpfulChange | undefined {
  const { reservation, virtual } = job.description;
  if (reservation !== undefined || virtual !== undefined || job.ticket !== undefined) return undefined;
  const sites = [...projection.sites.values()].filter((it) => mayTake(it, job)).slice(0, MOST_ASKED);
  let best: (Variant & { readonly sites: readonly string[] }) | undefined;
  for (const site of sites) {
    // What was found already opens the site: nothing smaller is looked for there.
    if (best?.sites.includes(site.name) && best.parts === 1) continue;
    const found = variantFor(projection, site, job, nowMs);
    if (found === undefined || (best !== undefined && found.parts > best.parts)) continue;
    const open = sites.filter((it) => isOpened(projection, found.job, it, nowMs));
    const isBetter = best === undefined || found.parts < best.parts || open.length > best.sites.length;
    if (isBetter) best = { ...found, sites: open.map(({ name }) => name) };
  }
  if (best === undefined) return undefined;
  const { changes, sites: opened, queue } = best;
  return { kind: "placeable", changes, sites: opened, ...(queue === undefined ? {} : { queue }) };
}

function isOpened(projection: Projection, job: JobRecord, site: SiteState, nowMs: number): boolean {
  return isMeant(site, job.description) && keptFrom(projection, job, [site], nowMs).length === 0;
}

function mayTake(site: SiteState, { description }: JobRecord): boolean {
  return isOpen(site) && (isMeant(site, description) || !isImitating(site.spec));
}

/** Change that makes a site suitable; undefined if no sufficient change was found. */
function variantFor(
  projection: Projection,
  site: SiteState,
  job: JobRecord,
  nowMs: number,
): Variant | undefined {
  const named = job.description.site;
  const start: Variant = { job, changes: [], parts: 0 };
  const meant = named === undefined || named === site.name ? start : withChange(start, { kind: "anySite" });
  const found = withinQueues(fitting(meant, site), site).flatMap(
    (variant) => completed(projection, site, variant, nowMs) ?? [],
  );
  return found.reduce<Variant | undefined>(
    (best, one) => (best === undefined || one.parts < best.parts ? one : best),
    undefined,
  );
}

/** A variant that is large enough, with what else has to change; undefined where that is not enough. */
function completed(
  projection: Projection,
  site: SiteState,
  start: Variant,
  nowMs: number,
): Variant | undefined {
  const isFree = ({ job: tried }: Variant): boolean =>
    keptFrom(projection, tried, [site], nowMs).length === 0;
  let variant = withStore(withReadableData(projection, start), site);
  const change = isFree(variant) ? undefined : matchingChange(site, variant.job, nowMs);
  if (change !== undefined) {
    const { parts, ...requirements } = change;
    variant = withChange(variant, { kind: "requirements", ...requirements }, parts);
  }
  if (!isFree(variant)) variant = withFewerProcs(variant, isFree);
  return variant.parts > 0 && isFree(variant) ? variant : undefined;
}

/** Amounts no larger than those of the site. */
function fitting(variant: Variant, { spec }: SiteState): Variant {
  const { procs, memoryBytes = 0, gpus = 0 } = variant.job.description;
  let fits = variant;
  if (procs > spec.procs) fits = withChange(fits, { kind: "procs", procs: spec.procs });
  if (memoryBytes > spec.memoryBytes) {
    fits = withChange(fits, { kind: "memory", memoryBytes: spec.memoryBytes });
  }
  if (gpus > (spec.gpus ?? 0)) fits = withChange(fits, { kind: "gpus", gpus: spec.gpus ?? 0 });
  return fits;
}

/** Variants that a queue is large enough for: the given one, or one cut to the limits of each queue. */
function withinQueues(variant: Variant, site: SiteState): readonly Variant[] {
  if (tooSmallQueues(site, variant.job.description).length === 0) return [variant];
  return site.observation.queues.flatMap((queue) => cutTo(variant, site, queue) ?? []);
}

/** A variant with amounts that a queue allows; undefined where the queue has none of something. */
function cutTo(variant: Variant, site: SiteState, queue: SurveyedQueue): Variant | undefined {
  let cut = variant;
  for (;;) {
    const lack = shortageIn(site, queue, cut.job.description);
    if (lack === undefined) break;
    if (lack.most === 0 && lack.of !== "gpus") return undefined;
    cut = withChange(cut, changeTo(lack));
  }
  return publishesAggregates(site.spec) ? cut : { ...cut, queue: { site: site.name, queue: queue.queue } };
}

function changeTo({ of, most }: QueueLack): DescriptionChange {
  switch (of) {
    case "wallTime":
      return { kind: "wallTime", wallTimeMs: most };
    case "gpus":
      return { kind: "gpus", gpus: most };
    case "procs":
      return { kind: "procs", procs: most };
    case "memory":
      return { kind: "memory", memoryBytes: most };
  }
}

/** Protocols by which every input file can be read, where nothing else is missing. */
function withReadableData({ books }: Projection, variant: Variant): Variant {
  const { description } = variant.job;
  const { dataAccessProtocol: known } = description;
  const missing = missingData({ books }, description);
  if (known === undefined || missing.length === 0) return variant;
  const others = missing.map((name) => {
    const [copy] = books.replicas.get(name)?.copies ?? [];
    return copy?.url?.split(":", 1)[0];
  });
  const found = others.filter((protocol) => protocol !== undefined);
  if (found.length < others.length) return variant;
  return withChange(variant, { kind: "protocols", protocols: [...new Set([...known, ...found])] });
}

/** A store that the site has, where what the job leaves is to go to one that it has not. */
function withStore(variant: Variant, { spec: { stores = {} } }: SiteState): Variant {
  const { outputSE, outputData = [] } = variant.job.description;
  const fit = Object.keys(stores).filter(
    (name) => outputData.length === 0 || stores[name].directory !== undefined,
  );
  const known = new Set(fit.map((name) => name.toLowerCase()));
  const asked = [outputSE, ...outputData.map(({ store = outputSE }) => store)];
  const isThere = asked.every((store) => store === undefined || known.has(store.toLowerCase()));
  const [store] = fit;
  return isThere || store === undefined ? variant : withChange(variant, { kind: "store", store });
}

/** The largest smaller number of processors with which nothing keeps the job away, where there is one. */
function withFewerProcs(variant: Variant, isFree: (variant: Variant) => boolean): Variant {
  const changes = variant.changes.filter(({ kind }) => kind !== "procs");
  const parts = variant.parts - (variant.changes.length - changes.length);
  const withProcs = (procs: number): Variant =>
    withChange({ ...variant, changes, parts }, { kind: "procs", procs });
  let tooMany = variant.job.description.procs;
  if (tooMany < 2 || !isFree(withProcs(1))) return variant;
  let most = 1;
  while (tooMany - most > 1) {
    const middle = Math.floor((most + tooMany) / 2);
    if (isFree(withProcs(middle))) most = middle;
    else tooMany = middle;
  }
  return withProcs(most);
}

/** A variant with one change more; a change of the same amount is replaced. */
function withChange(variant: Variant, change: DescriptionChange, more = 1): Variant {
  const { job, changes, parts } = variant;
  const others = changes.filter(({ kind }) => kind !== change.kind);
  const description = changed(job.description, change);
  const counted = parts - (changes.length - others.length) + more;
  return { ...variant, job: { ...job, description }, changes: [...others, change], parts: counted };
}

function changed(description: JobDescription, change: DescriptionChange): JobDescription {
  switch (change.kind) {
    case "procs":
      return { ...description, procs: change.procs };
    case "memory":
      return { ...description, memoryBytes: change.memoryBytes };
    case "gpus": {
      const { gpus: _, ...others } = description;
      return change.gpus === 0 ? others : { ...others, gpus: change.gpus };
    }
    case "wallTime":
      return { ...description, wallTimeMs: change.wallTimeMs };
    case "anySite": {
      const { site: _, ...others } = description;
      return others;
    }
    case "protocols":
      return { ...description, dataAccessProtocol: change.protocols };
    case "store":
      return withOneStore(description, change.store);
    case "requirements":
      return { ...description, requirements: change.requirements };
  }
}

function withOneStore({ outputData, ...description }: JobDescription, store: string): JobDescription {
  const left = outputData?.map(({ store: _, ...one }) => one);
  return { ...description, outputSE: store, ...(left === undefined ? {} : { outputData: left }) };
}
