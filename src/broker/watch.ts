/** Surveys a foreign site's queue periodically, and records the consequences. */

import { messageOf } from "../base/index.ts";
import type { Survey } from "../engine/index.ts";
import { attemptToken, isFinal } from "../model/index.ts";
import type { ForeignSite } from "../runtime/index.ts";
import type { SiteWorld } from "./attached-site.ts";

/** An answer that takes longer than this counts as none, until it comes. */
const PATIENCE_MS = 60_000;
/** Longest interval between surveys of a site that fails. */
const SELDOM_MS = 60_000;

/** Periodic surveys of one site. */
export interface Watch {
  start(): void;
  /** Notes that somebody has asked for the ads of the site's queues. */
  askForQueues(): void;
  /** Resolves when a survey shows the queue at that instant or later; never after `stop`. */
  seenAt(atMs: number): Promise<void>;
  /** Waits for a look that is under way; looks no more. */
  stop(): Promise<void>;
}

/** A watch over a site, which hands on what it saw when that is recorded. */
export function createWatch(site: ForeignSite, world: SiteWorld, onSeen: (survey: Survey) => void): Watch {
  return new WatchOf(site, world, onSeen);
}

class WatchOf implements Watch {
  readonly #site: ForeignSite;
  readonly #world: SiteWorld;
  readonly #onSeen: (survey: Survey) => void;
  #seenAtMs = Number.NEGATIVE_INFINITY;
  #waiting: { readonly atMs: number; readonly resolve: () => void }[] = [];
  #failures = 0;
  #cancelAlarm: () => void = () => undefined;
  #looking: Promise<void> = Promise.resolve();
  #isStopped = false;
  #areQueuesAsked = false;
  /** Jobs of the site that were found to be strays of jobs that are over. */
  readonly #strays = new Set<string>();

  constructor(site: ForeignSite, world: SiteWorld, onSeen: (survey: Survey) => void) {
    this.#site = site;
    this.#world = world;
    this.#onSeen = onSeen;
  }

  /** Starts with a delay: a site that is being added becomes known in between. */
  start(): void {
    this.#lookAt(this.#world.clock.nowMs());
  }

  askForQueues(): void {
    this.#areQueuesAsked = true;
  }

  seenAt(atMs: number): Promise<void> {
    if (this.#seenAtMs >= atMs) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ atMs, resolve }));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelAlarm();
    await this.#looking;
  }

  async #look(): Promise<void> {
    const { round, clock } = this.#world;
    const cancelPatience = clock.wakeAt(clock.nowMs() + PATIENCE_MS, () => {
      this.#trouble(`it has not answered for ${PATIENCE_MS / 1000} s`);
    });
    try {
      const { parked, unplaced } = round.projection;
      const areQueuesAsked = this.#areQueuesAsked || parked.size + unplaced.size > 0;
      this.#areQueuesAsked = false;
      const survey = await this.#site.survey({ areQueuesAsked });
      if (this.#isStopped) return;
      await round.survey({ site: this.#site.name, survey, patienceMs: this.#site.lostAfterMs });
      this.#world.predictions.surveyed(this.#site.name, survey);
      this.#failures = 0;
      this.#seen(survey.atMs);
      this.#onSeen(survey);
      await this.#tidyUp(survey);
    } catch (error) {
      this.#failures++;
      this.#trouble(messageOf(error));
    } finally {
      cancelPatience();
    }
    this.#again();
  }

  #again(): void {
    if (this.#isStopped) return;
    const { clock } = this.#world;
    const every = this.#site.surveyEveryMs;
    const nextMs = this.#site.nextSurveyMs?.() ?? every;
    const waitMs = Math.max(nextMs, Math.min(SELDOM_MS, every * 2 ** Math.min(this.#failures, 20)));
    this.#lookAt(clock.nowMs() + waitMs);
  }

  #lookAt(atMs: number): void {
    const { clock } = this.#world;
    this.#cancelAlarm = clock.wakeAt(atMs, () => {
      // Somebody may have asked the site for something meanwhile.
      const restMs = this.#site.nextSurveyMs?.() ?? 0;
      if (restMs > 0) this.#lookAt(clock.nowMs() + restMs);
      else this.#looking = this.#look();
    });
  }

  #trouble(sentence: string): void {
    const { round, warn } = this.#world;
    const known = round.projection.sites.get(this.#site.name)?.observation.trouble;
    if (known === undefined || known === sentence) return;
    round.trouble(this.#site.name, sentence);
    warn(`site ${this.#site.name}: ${sentence}`);
  }

  #seen(atMs: number): void {
    this.#seenAtMs = Math.max(this.#seenAtMs, atMs);
    const through = this.#waiting.filter((it) => it.atMs <= this.#seenAtMs);
    this.#waiting = this.#waiting.filter((it) => it.atMs > this.#seenAtMs);
    for (const { resolve } of through) resolve();
  }

  /** Lets the site forget the ends that are recorded, and finds what is left there of jobs that are over. */
  async #tidyUp({ ended, jobs }: Survey): Promise<void> {
    for (const { token } of ended) if (!this.#isLiving(token)) await this.#acknowledge(token);
    for (const { token, siteJob, state } of jobs) {
      if (token === null || this.#isLiving(token) || this.#strays.has(siteJob)) continue;
      // It may not be there at all.
      if (state === "unknown") continue;
      const [id, attempt] = token.split("/");
      const job = await this.#world.find(id);
      if (job === undefined || job.site !== this.#site.name || !isFinal(job.state)) continue;
      this.#strays.add(siteJob);
      await this.#world.round.stray(this.#site.name, { job: id, attempt: Number(attempt) }, siteJob);
    }
  }

  /** After a failure the site reports the end again, and it is acknowledged again. */
  async #acknowledge(token: string): Promise<void> {
    try {
      await this.#site.acknowledge(token);
    } catch (error) {
      this.#world.warn(
        `site ${this.#site.name}: the end of ${token} is not acknowledged: ${messageOf(error)}`,
      );
    }
  }

  #isLiving(token: string): boolean {
    const [id] = token.split("/");
    const job = this.#world.round.projection.jobs.get(id);
    return job !== undefined && attemptToken(id, job.attempt) === token;
  }
}
