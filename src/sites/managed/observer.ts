/**
 * Tells what the wrappers report, in order, and finds the attempts that no wrapper answers for any more.
 *
 * An attempt is looked at when its spool changes, when a wrapper that we started ends, and in the slow
 * look at all. Nothing is remembered that is not in the files, but for how much was told in this life.
 */

import type { ChildProcess } from "node:child_process";
import { type FSWatcher, watch } from "node:fs";
import { readdir } from "node:fs/promises";
import { assert } from "../../base/index.ts";
import type { SiteReport } from "../../runtime/index.ts";
import { areReportsUnreadable, beginsGarbled, hasSpool, readReports } from "./attempt-record.ts";
import { bury } from "./bury.ts";
import { appendControl, type Claim, claimAttempt, readClaim, wakeWrapper } from "./job-files.ts";
import type { Lanes } from "./lanes.ts";
import { type AttemptPlaces, attemptPlaces, type SitePlaces, tokenOfSpool } from "./places.ts";
import { isAlive } from "./process-identity.ts";
import { hasEnded, type ReportLine, siteReport } from "./reports.ts";
import { lastWords } from "./start-wrapper.ts";

/** An attempt that is followed. */
interface Followed {
  /** How many of its reports were told. */
  told: number;
  isOver: boolean;
  /** Those who wait for its first report. */
  readonly waiting: { resolve(report: SiteReport): void; reject(error: Error): void }[];
  /** Whether the slow look at it is still to come or going on. */
  isPolled: boolean;
  /** A wrapper that we started: on its way or at work, or gone. */
  wrapper: "unknown" | "running" | "gone";
}

/** What an observer works with. */
export interface ObserverOptions {
  readonly places: SitePlaces;
  readonly lanes: Lanes;
  readonly pollMs: number;
}

/** Follows attempts until it is closed. */
export class Observer {
  readonly #places: SitePlaces;
  readonly #lanes: Lanes;
  readonly #followed = new Map<string, Followed>();
  readonly #listeners: ((report: SiteReport) => void)[] = [];
  readonly #closing = new AbortController();
  readonly #watch: SpoolWatch;

  constructor({ places, lanes, pollMs }: ObserverOptions) {
    this.#places = places;
    this.#lanes = lanes;
    this.#watch = new SpoolWatch({
      spool: places.spool,
      pollMs,
      changed: (token) => quietly(this.#find(token)),
      poll: () => this.#lookAtAll(),
    });
  }

  /** The first listener hears what was not acknowledged from its beginning, all hear what follows. */
  listen(listener: (report: SiteReport) => void): void {
    this.#listeners.push(listener);
    if (this.#listeners.length > 1) return;
    quietly(this.#findAll());
  }

  /** Follows an attempt from now on, if it is not followed yet. */
  follow(token: string): void {
    if (this.#followed.has(token)) return;
    this.#followed.set(token, { told: 0, isOver: false, waiting: [], isPolled: false, wrapper: "unknown" });
  }

  /** Keeps an eye on a wrapper that we have started for a followed attempt. */
  attend(token: string, wrapper: ChildProcess): void {
    const followed = this.#followed.get(token);
    assert(followed !== undefined, "who starts a wrapper follows the attempt");
    followed.wrapper = "running";
    wrapper.once("exit", () => {
      followed.wrapper = "gone";
      quietly(this.look(token));
    });
  }

  /** Whether a wrapper that we started for it is still there. */
  hasWrapper(token: string): boolean {
    return this.#followed.get(token)?.wrapper === "running";
  }

  /** Tells what was found out by other means than by following. */
  announce(report: SiteReport): void {
    for (const listener of this.#listeners) call(listener, report);
  }

  /** Nothing is told of it any more; whoever waits for it at this moment is told how it stood. */
  forget(token: string, last?: SiteReport): void {
    const waiting = this.#followed.get(token)?.waiting ?? [];
    this.#followed.delete(token);
    for (const { resolve, reject } of waiting.splice(0)) {
      if (last === undefined) reject(new Error("the attempt was removed"));
      else resolve(last);
    }
  }

  /** Looks at a followed attempt now, in its lane. */
  look(token: string): Promise<void> {
    return this.#lanes.run(token, () => this.#look(token));
  }

  /** The end of a followed attempt, or that it runs; waits for the one or the other. */
  async standing(token: string): Promise<SiteReport> {
    const followed = this.#followed.get(token);
    assert(followed !== undefined, "who waits for an attempt follows it");
    const first = new Promise<SiteReport>((resolve, reject) => followed.waiting.push({ resolve, reject }));
    await Promise.race([first, this.look(token)]);
    return first;
  }

  /** Stops at once; what it was about to find is found in the next life. */
  close(): void {
    this.#closing.abort();
    this.#watch.close();
    for (const { waiting } of this.#followed.values()) {
      for (const { reject } of waiting.splice(0)) reject(new Error("the site was closed"));
    }
  }

  #lookAtAll(): void {
    for (const [token, followed] of this.#followed) {
      if (followed.isOver || followed.isPolled) continue;
      followed.isPolled = true;
      const done = this.look(token).finally(() => {
        followed.isPolled = false;
      });
      quietly(done);
    }
  }

  async #findAll(): Promise<void> {
    const tokens = (await readdir(this.#places.spool)).flatMap((name) => tokenOfSpool(name) ?? []);
    await Promise.all(tokens.map((token) => this.#find(token)));
  }

  async #find(token: string): Promise<void> {
    await this.#lanes.run(token, async () => {
      if (this.#closing.signal.aborted) return;
      if (!this.#followed.has(token) && (await hasSpool(attemptPlaces(this.#places, token)))) {
        this.follow(token);
      }
      await this.#look(token);
    });
  }

  async #look(token: string): Promise<void> {
    const followed = this.#followed.get(token);
    if (followed === undefined || this.#closing.signal.aborted) return;
    const places = attemptPlaces(this.#places, token);
    let lines = await readReports(places);
    if (hasEnded(lines) && (await areReportsUnreadable(places))) this.#stop(places);
    if (!hasEnded(lines)) {
      const claim = this.#abandoned(token, followed);
      // Its wrapper may have written the end just before it was gone.
      if (claim !== undefined) lines = await readReports(places);
      if (claim !== undefined && !hasEnded(lines)) {
        await bury(places, claim, this.#closing.signal);
        lines = await readReports(places);
      }
    }
    const isUnseen = !lines.some(({ kind }) => kind === "running") && (await beginsGarbled(places));
    this.#tell(token, followed, isUnseen ? [...runningBy(readClaim(places)), ...lines] : lines);
  }

  /** What runs there although nothing of it can be read is asked to end. */
  #stop(places: AttemptPlaces): void {
    const claim = readClaim(places);
    if (claim?.by !== "wrapper" || !isAlive(claim)) return;
    appendControl(places, { verb: "cancel" });
    wakeWrapper(claim);
  }

  /** The claim of an attempt that nobody answers for (any more); undefined while somebody does or may. */
  #abandoned(token: string, { wrapper }: Followed): Claim | undefined {
    const places = attemptPlaces(this.#places, token);
    const claim = readClaim(places);
    if (claim === undefined) {
      if (wrapper !== "gone") return undefined;
      const detail = `The job's wrapper ended before the job was begun${lastWords(places)}.`;
      const closed: Claim = { by: "site", cause: "lost", detail };
      return claimAttempt(places, closed) ? closed : undefined;
    }
    return claim.by === "site" || !isAlive(claim) ? claim : undefined;
  }

  #tell(token: string, followed: Followed, lines: readonly ReportLine[]): void {
    if (this.#closing.signal.aborted) return;
    followed.isOver = hasEnded(lines);
    const news = this.#listeners.length === 0 ? [] : lines.slice(followed.told);
    followed.told += news.length;
    for (const line of news) this.announce(siteReport(token, line));
    const standing = standingOf(lines);
    if (standing === undefined) return;
    for (const { resolve } of followed.waiting.splice(0)) resolve(siteReport(token, standing));
  }
}

/** A look that fails (no file descriptor left, …) is made good by the next one. */
function quietly(look: Promise<void>): void {
  look.catch(() => undefined);
}

/** It began, since something was reported; what was cannot be understood. */
function runningBy(claim: Claim | undefined): ReportLine[] {
  if (claim?.by !== "wrapper") return [];
  return [{ kind: "running", atMs: Date.now(), pid: claim.pid, mark: claim.mark }];
}

/** A listener's own mistake is the listener's: it reaches the process, and the others hear the report. */
function call(listener: (report: SiteReport) => void, report: SiteReport): void {
  try {
    listener(report);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/** The report that says where an attempt stands: its end, or that it runs. */
export function standingOf(lines: readonly ReportLine[]): ReportLine | undefined {
  return hasEnded(lines) ? lines.at(-1) : lines.find(({ kind }) => kind === "running");
}

// Says which spool has changed: at once where the system tells, and all of them every so often.
//
// One watch for the whole site (inotify gives a user 128 of them by default). It can fail to be had and,
// under load, lose events; the slow look at everything makes up for both, and finds dead wrappers.

/** What a watch calls. */
interface SpoolWatchOptions {
  readonly spool: string;
  readonly pollMs: number;
  changed(token: string): void;
  poll(): void;
}

/** Watches until it is closed; keeps the process alive as long. */
class SpoolWatch {
  readonly #timer: NodeJS.Timeout;
  #watcher: FSWatcher | undefined;

  constructor({ spool, pollMs, changed, poll }: SpoolWatchOptions) {
    this.#timer = setInterval(poll, pollMs);
    try {
      this.#watcher = watch(spool, (_, name) => {
        const token = name === null ? undefined : tokenOfSpool(name);
        if (token !== undefined) changed(token);
      });
      this.#watcher.on("error", () => this.#watcher?.close());
    } catch {
      // No watch to be had (ENOSPC, EMFILE): reports come with the slow look.
    }
  }

  /** Calls nobody any more. */
  close(): void {
    clearInterval(this.#timer);
    this.#watcher?.close();
  }
}
