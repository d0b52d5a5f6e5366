/**
 * A site's published use as a sample, and the series of such samples as the answer to a query (rule EN-83).
 *
 * The names of values are `RESOURCE CONSUMER MEASURE`, no word of which has a blank; of the site as a whole
 * the consumer is empty.
 */
import { SHARED_RESOURCES, type SharedResource } from "../../../model/index.ts";
import { type SampledPart, SITE_RESOURCES } from "../../../policy/index.ts";
import type { LevelUsage } from "../../state/level-usage.ts";
import type { SiteUsage } from "./site-usage.ts";

/** Sampled values, and the limits in effect (`standing`), each by name, as a store of samples takes them. */
export interface UseSample {
  readonly values: readonly (readonly [name: string, value: number])[];
  readonly standing: readonly (readonly [name: string, value: number])[];
}

/** Rows of a site that one sample has; a site of more consumers has the history of its busiest. */
export const MOST_SAMPLED = 1000;

/** The sample of a site at an instant. */
export function useSample(usage: SiteUsage): UseSample {
  const { capacity, free, levels, jobsRunning, jobsWaiting } = usage;
  const chosen = busiest(levels);
  return {
    values: [
      ...SITE_RESOURCES.flatMap((resource) => [
        named(resource, "", "inUse", capacity[resource] - free[resource]),
        named(resource, "", "free", free[resource]),
      ]),
      named("jobs", "", "running", jobsRunning),
      named("jobs", "", "waiting", jobsWaiting),
      ...chosen.flatMap((level) => MEASURES.map((measure) => ofLevel(level, measure, level[measure]))),
      named("levels", "", "leftOut", levels.length - chosen.length),
    ],
    standing: [
      ...SITE_RESOURCES.map((resource) => named(resource, "", "capacity", capacity[resource])),
      ...chosen.flatMap((level) => LIMITS.map((limit) => ofLevel(level, limit, level[limit]))),
    ],
  };
}

const MEASURES = ["inUse", "waiting", "jobsRunning", "jobsWaiting", "usedPpm"] as const;
const LIMITS = ["epochPpm", "burstPpm"] as const;

function busiest(levels: readonly LevelUsage[]): readonly LevelUsage[] {
  if (levels.length <= MOST_SAMPLED) return levels;
  return levels.toSorted((a, b) => b.usedPpm - a.usedPpm).slice(0, MOST_SAMPLED);
}

function ofLevel({ resource, consumer }: LevelUsage, measure: string, value: number) {
  return named(resource, consumer, measure, value);
}

function named(resource: string, consumer: string, measure: string, value: number) {
  return [`${resource} ${consumer} ${measure}`, value] as const;
}

/** Series of samples as a store returns them; index i of each array is step i. */
export interface UseSeriesPair {
  readonly covered: readonly number[];
  readonly values: readonly { readonly name: string; readonly parts: readonly (SampledPart | null)[] }[];
  readonly standing: readonly { readonly name: string; readonly parts: readonly (number | null)[] }[];
}

/** Series of one level, one element per step; null where nothing is known. */
export interface LevelHistory extends LevelSeriesMap {
  readonly resource: SharedResource;
  readonly consumer: string;
}

type Parts = readonly (SampledPart | null)[];
type Stood = readonly (number | null)[];

interface LevelSeriesMap {
  readonly inUse: Parts;
  readonly waiting: Parts;
  readonly jobsRunning: Parts;
  readonly jobsWaiting: Parts;
  readonly usedPpm: Parts;
  readonly epochPpm: Stood;
  readonly burstPpm: Stood;
}

/** A resource of the site as a whole. */
interface ResourceHistory {
  readonly resource: SharedResource;
  readonly inUse: Parts;
  readonly free: Parts;
  readonly capacity: Stood;
}

/** Series of a site. */
export interface UseHistoryOfSite {
  readonly resources: readonly ResourceHistory[];
  readonly jobsRunning: Parts;
  readonly jobsWaiting: Parts;
  /**
   * Levels in the order of resources and paths; null in the steps in which no limit of the level was in
   * effect.
   */
  readonly levels: readonly LevelHistory[];
}

/** Use history of a site from the series of its samples. */
export function historyOfSite(courses: UseSeriesPair): UseHistoryOfSite {
  const values = new Map(courses.values.map(({ name, parts }) => [name, parts]));
  const standing = new Map(courses.standing.map(({ name, parts }) => [name, parts]));
  const none: SampledPart = { mean: 0, min: 0, max: 0 };
  const nothing = courses.covered.map((slots) => (slots === 0 ? null : none));
  const partsOf = (resource: string, consumer: string, measure: string): Parts =>
    values.get(`${resource} ${consumer} ${measure}`) ?? nothing;
  const stoodOf = (resource: string, consumer: string, limit: string): Stood =>
    standing.get(`${resource} ${consumer} ${limit}`) ?? courses.covered.map(() => null);
  const resources = SITE_RESOURCES.filter((resource) => standing.has(`${resource}  capacity`));
  return {
    resources: resources.map((resource) => ({
      resource,
      inUse: partsOf(resource, "", "inUse"),
      free: partsOf(resource, "", "free"),
      capacity: stoodOf(resource, "", "capacity"),
    })),
    jobsRunning: partsOf("jobs", "", "running"),
    jobsWaiting: partsOf("jobs", "", "waiting"),
    levels: levelsIn(courses).map(({ resource, consumer }) => {
      const epochPpm = stoodOf(resource, consumer, "epochPpm");
      const known = (measure: (typeof MEASURES)[number]): Parts =>
        partsOf(resource, consumer, measure).map((part, step) => (epochPpm[step] === null ? null : part));
      return {
        ...{ resource, consumer, epochPpm, burstPpm: stoodOf(resource, consumer, "burstPpm") },
        ...{ inUse: known("inUse"), waiting: known("waiting"), usedPpm: known("usedPpm") },
        ...{ jobsRunning: known("jobsRunning"), jobsWaiting: known("jobsWaiting") },
      };
    }),
  };
}

function levelsIn({ standing }: UseSeriesPair): readonly Pick<LevelHistory, "resource" | "consumer">[] {
  const found = standing.flatMap(({ name }) => {
    const [word, consumer = "", limit] = name.split(" ");
    const resource = SHARED_RESOURCES.find((it) => it === word);
    return resource === undefined || limit !== "epochPpm" ? [] : [{ resource, consumer }];
  });
  const rank = ({ resource }: { readonly resource: SharedResource }) => SHARED_RESOURCES.indexOf(resource);
  return found.sort((a, b) => rank(a) - rank(b) || (a.consumer < b.consumer ? -1 : 1));
}
