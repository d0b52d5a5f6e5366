/**
 * A record made of what a site's accounting remembers: with scores, before anything has come.
 *
 * All of it is learnt from; the latest submissions are played, and of these some are simulated, so that
 * every method has its record in the first minute.
 * Cost: a play of the queue for each of the latest 2,000, and 20 more for each of 60.
 */

import { eventsOfPast, type PastJob } from "./past-jobs.ts";
import { createSiteHistory, learn, type SiteHistory, type SiteShape } from "./site-history.ts";

/** The latest submissions that are played. */
const MOST_PLAYED = 2000;
/** So many of them are simulated, too, evenly over them, each in so many futures. */
const SIMULATED = 60;
const RUNS = 20;
/** More of the past says nothing more: history keeps so many waits of a class. */
const MOST_JOBS = 20_000;

/**
 * Learns a site's past.
 *
 * @param mayPlay asked before each play; once it says no, past waits alone are scored
 */
export function learnPast(
  site: string,
  shape: SiteShape,
  jobs: readonly PastJob[],
  mayPlay: () => boolean = () => true,
): SiteHistory {
  const learnt = createSiteHistory(site, shape);
  for (const _ of pastSteps(learnt, jobs, mayPlay));
  return learnt;
}

/** Learns past events into a new site history, one event a step, so that other work can run in between. */
export function* pastSteps(
  learnt: SiteHistory,
  jobs: readonly PastJob[],
  mayPlay: () => boolean,
): Generator<undefined> {
  const latest = [...jobs].sort((a, b) => a.eligibleAtMs - b.eligibleAtMs).slice(-MOST_JOBS);
  const played = Math.min(MOST_PLAYED, latest.length);
  const every = Math.max(1, Math.floor(played / SIMULATED));
  let left = latest.length;
  for (const event of eventsOfPast(latest)) {
    const isPlayed = event.kind === "submitted" && left-- <= played && mayPlay();
    const runs = isPlayed && left % every === 0 ? RUNS : 0;
    learn(learnt, { event, isLate: false }, { from: "past", isPlayed, runs });
    yield undefined;
  }
}
