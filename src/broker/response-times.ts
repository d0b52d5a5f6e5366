/**
 * Response time of each site, last computed by the prediction thread: requested when sites are listed, stored
 * with its instant (rule BR-63).
 *
 * A listing costs nothing but this: a value older than a minute is renewed in the background. Only without a
 * value, or with a very old one, a listing waits, for a bounded time.
 */
import type { SiteSpec } from "../model/index.ts";
import type { Clock, ProspectQuestion, Round, SiteResponse } from "../runtime/index.ts";
import { askedAtSite } from "./asked-at-site.ts";
import type { Predictions } from "./predictions/predictions.ts";
import type { Sites } from "./sites.ts";

/** Dependencies of response times. */
export interface ResponseWorld {
  readonly round: Pick<Round, "projection" | "nowMs">;
  readonly sites: Pick<Sites, "get">;
  readonly clock: Clock;
  readonly predictions: Pick<Predictions, "respond">;
}

/** Last response time of each site. */
export interface ResponseBook {
  /** Last response time of a site; null before the first. */
  of(site: string): SiteResponse | null;
  /**
   * Renews old values, of these sites or all; resolves when all sites have a usable value or the wait has
   * ended.
   */
  refreshed(sites?: readonly string[]): Promise<void>;
}

/** Age up to which a value is not renewed. */
const FRESH_MS = 60_000;
/** Age from which a listing waits for a new value … */
const OLD_MS = 600_000;
/** … and for how long at most. */
const PATIENCE_MS = 1000;
/** Approximate time, in ms, for simulating one answer. */
const ANSWER_MS = 30;

/** A job of one processor without an owner, of the usual duration at the site. */
const ONE_PROCESSOR: ProspectQuestion = {
  job: { procs: 1, memoryBytes: 0, gpus: 0, limitMs: null, queue: null },
  owner: "",
  deadlineMs: null,
};

interface Entry {
  /**
   * Settings for which the value holds; a site that was changed, or added anew under this name, has others.
   */
  readonly spec: SiteSpec;
  /** Instant of the last request. */
  readonly askedAtMs: number;
  readonly asking: Promise<void>;
  said: SiteResponse | null;
}

/** A book without values. */
export function createResponseBook(world: ResponseWorld): ResponseBook {
  const entries = new Map<string, Entry>();
  const entryOf = (name: string): Entry | undefined => {
    const entry = entries.get(name);
    const spec = world.round.projection.sites.get(name)?.spec;
    if (entry === undefined || entry.spec === spec) return entry;
    entries.delete(name);
    return undefined;
  };
  const begin = (name: string): Entry | undefined => {
    const spec = world.round.projection.sites.get(name)?.spec;
    if (spec === undefined) return undefined;
    const before = entryOf(name);
    const nowMs = world.round.nowMs();
    if (before !== undefined && nowMs - before.askedAtMs < FRESH_MS) return before;
    const asking = ask(world, name).then((said) => {
      entry.said = said ?? entry.said;
    });
    const entry: Entry = { spec, askedAtMs: nowMs, asking, said: before?.said ?? null };
    entries.set(name, entry);
    return entry;
  };
  return {
    of: (site) => entryOf(site)?.said ?? null,
    async refreshed(names = [...world.round.projection.sites.keys()]) {
      const nowMs = world.round.nowMs();
      const worthIt = names.flatMap((name) => {
        const entry = begin(name);
        const isOld = entry !== undefined && nowMs - (entry.said?.atMs ?? Number.NEGATIVE_INFINITY) > OLD_MS;
        return isOld ? [entry.asking] : [];
      });
      if (worthIt.length > 0) await withPatience(world.clock, Promise.all(worthIt));
    },
  };
}

/**
 * Response time of a site; undefined where there is no answer now: then the former value stays, with its
 * instant.
 */
async function ask(world: ResponseWorld, name: string): Promise<SiteResponse | undefined> {
  const site = world.round.projection.sites.get(name);
  if (site === undefined) return undefined;
  try {
    const { asked, partition } = await askedAtSite(site, ONE_PROCESSOR, { ...world, answerMs: ANSWER_MS });
    if (asked === null) return undefined;
    return { ...(await world.predictions.respond(asked)), partition };
  } catch {
    // Why it cannot be asked is the site's trouble, which is told beside it.
    return undefined;
  }
}

async function withPatience(clock: Clock, awaited: Promise<unknown>): Promise<void> {
  let cancel = (): void => undefined;
  const enough = new Promise<void>((resolve) => {
    cancel = clock.wakeAt(clock.nowMs() + PATIENCE_MS, resolve);
  });
  await Promise.race([awaited, enough]);
  cancel();
}
