/**
 * Passes on what the wrappers report, in order, and finds attempts whose wrapper is gone.
 *
 * An attempt is checked when its spool changes, when a wrapper started by this process ends, and in a
 * periodic check of all. The only state outside the files is how many reports were passed on in this life.
 */

import type { ChildProcess } from "node:child_process";
import { type FSWatcher, watch } from "node:fs";
import { readdir } from "node:fs/promises";
import { assert } from "../../base/index.ts";
import type { SiteReport } from "../../runtime/index.ts";
import { areReportsUnreadable, hasSpool, hasUnreadableStart, readReports } from "./attempt-record.ts";
import { endOrphan } from "./end-orphan.ts";
import { appendControl, type Claim, claimAttempt, readClaim, wakeWrapper } from "./job-files.ts";
import type { OperationQueues } from "./operation-queues.ts";
import { type AttemptPlaces, attemptPlaces, type SitePlaces, tokenOfSpool } from "./places.ts";
import { isAlive } from "./process-identity.ts";
import { hasEnded, type ReportLine, siteReport } from "./reports.ts";
import { lastWords } from "./start-wrapper.ts";

/** State of an attempt that is followed. */
interface Followed {
  /** Number of its reports that were passed on. */
  passedOn: number;
  isOver: boolean;
  /** Callers that wait for its first report. */
  readonly waiting: { resolve(report: SiteReport): void; reject(error: Error): void }[];
  /** True while a periodic check of the attempt is pending. */
  isPolled: boolean;
  /** State of a wrapper that this process started. */
  wrapper: "unknown" | "running" | "gone";
}

/** Parts and settings of an observer. */
export interface ObserverOptions {
  readonly places: SitePlaces;
  readonly operations: OperationQueues;
  readonly pollMs: number;
}

/** Follows attempts until it is closed. */
export class Observer {
  readonly #places: SitePlaces;
  readonly #operations: OperationQueues;
  readonly #followed = new Map<string, Followed>();
  readonly #listeners: ((report: SiteReport) => void)[] = [];
  readonly #closing = new AbortController();
  readonly #watch: SpoolWatch;

  constructor({ places, operations, pollMs }: ObserverOptions) {
    this.#places = places;
    this.#operations = operations;
    this.#watch = new SpoolWatch({
      spool: places.spool,
      pollMs,
      changed: (token) => ignoreFailure(this.#find(token)),
      poll: () => this.#lookAtAll(),
    });
  }

  /**
   * Adds a listener. The first one receives all unacknowledged reports from the beginning, all receive
   * later ones.
   */
  listen(listener: (report: SiteReport) => void): void {
    this.#listeners.push(listener);
    if (this.#listeners.length > 1) return;
    ignoreFailure(this.#findAll());
  }

  /** Follows an attempt; does nothing if it is followed already. */
  follow(token: string): void {
    if (this.#followed.has(token)) return;
    this.#followed.set(token, {
      passedOn: 0,
      isOver: false,
      waiting: [],
      isPolled: false,
      wrapper: "unknown",
    });
  }

  /** Watches a wrapper that this process started for a followed attempt. */
  watchWrapper(token: string, wrapper: ChildProcess): void {
    const followed = this.#followed.get(token);
    assert(followed !== undefined, "who starts a wrapper follows the attempt");
    followed.wrapper = "running";
    wrapper.once("exit", () => {
      followed.wrapper = "gone";
      ignoreFailure(this.check(token));
    });
  }

  /** True while a wrapper that this process started for the attempt still runs. */
  hasWrapper(token: string): boolean {
    return this.#followed.get(token)?.wrapper === "running";
  }

  /** Passes on a report that was found by other means than following. */
  passOn(report: SiteReport): void {
    for (const listener of this.#listeners) call(listener, report);
  }

  /** Stops following an attempt. Callers that wait for its first report receive `last`. */
  unfollow(token: string, last?: SiteReport): void {
    const waiting = this.#followed.get(token)?.waiting ?? [];
    this.#followed.delete(token);
    for (const { resolve, reject } of waiting.splice(0)) {
      if (last === undefined) reject(new Error("the attempt was removed"));
      else resolve(last);
    }
  }

  /** Checks a followed attempt now, in its queue. */
  check(token: string): Promise<void> {
    return this.#operations.run(token, () => this.#check(token));
  }

  /** End of a followed attempt, or the report that it runs; waits until there is one. */
  async standing(token: string): Promise<SiteReport> {
    const followed = this.#followed.get(token);
    assert(followed !== undefined, "who waits for an attempt follows it");
    const first = new Promise<SiteReport>((resolve, reject) => followed.waiting.push({ resolve, reject }));
    await Promise.race([first, this.check(token)]);
    return first;
  }

  /** Stops at once. Pending checks are made up for in the next life. */
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
      const done = this.check(token).finally(() => {
        followed.isPolled = false;
      });
      ignoreFailure(done);
    }
  }

  async #findAll(): Promise<void> {
    const tokens = (await readdir(this.#places.spool)).flatMap((name) => tokenOfSpool(name) ?? []);
    await Promise.all(tokens.map((token) => this.#find(token)));
  }

  async #find(token: string): Promise<void> {
    await this.#operations.run(token, async () => {
      if (this.#closing.signal.aborted) return;
      if (!this.#followed.has(token) && (await hasSpool(attemptPlaces(this.#places, token)))) {
        this.follow(token);
      }
      await this.#check(token);
    });
  }

  async #check(token: string): Promise<void> {
    const followed = this.#followed.get(token);
    if (followed === undefined || this.#closing.signal.aborted) return;
    const places = attemptPlaces(this.#places, token);
    let lines = await readReports(places);
    if (hasEnded(lines) && (await areReportsUnreadable(places))) this.#stop(places);
    if (!hasEnded(lines)) {
      const claim = this.#orphanClaim(token, followed);
      // Its wrapper may have written the end just before it was gone.
      if (claim !== undefined) lines = await readReports(places);
      if (claim !== undefined && !hasEnded(lines)) {
        await endOrphan(places, claim, this.#closing.signal);
        lines = await readReports(places);
      }
    }
    const isUnseen = !lines.some(({ kind }) => kind === "running") && (await hasUnreadableStart(places));
    this.#tell(token, followed, isUnseen ? [...runningBy(readClaim(places)), ...lines] : lines);
  }

  /** Asks a job whose files cannot be read, and which may run, to end. */
  #stop(places: AttemptPlaces): void {
    const claim = readClaim(places);
    if (claim?.by !== "wrapper" || !isAlive(claim)) return;
    appendControl(places, { verb: "cancel" });
    wakeWrapper(claim);
  }

  /** Claim of an orphaned attempt; undefined while a wrapper runs or may start. */
  #orphanClaim(token: string, { wrapper }: Followed): Claim | undefined {
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
    const fresh = this.#listeners.length === 0 ? [] : lines.slice(followed.passedOn);
    followed.passedOn += fresh.length;
    for (const line of fresh) this.passOn(siteReport(token, line));
    const standing = standingOf(lines);
    if (standing === undefined) return;
    for (const { resolve } of followed.waiting.splice(0)) resolve(siteReport(token, standing));
  }
}

/** Ignores a failed check (for example without a free file descriptor): the next one makes up for it. */
function ignoreFailure(check: Promise<void>): void {
  check.catch(() => undefined);
}

/** Report that the job runs, for a spool whose first line cannot be parsed: something was reported. */
function runningBy(claim: Claim | undefined): ReportLine[] {
  if (claim?.by !== "wrapper") return [];
  return [{ kind: "running", atMs: Date.now(), pid: claim.pid, mark: claim.mark }];
}

/**
 * Calls a listener. An exception of the listener is thrown to the process, and the other listeners are
 * still called.
 */
function call(listener: (report: SiteReport) => void, report: SiteReport): void {
  try {
    listener(report);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/** Report with the current state of an attempt: its end, or that it runs. */
export function standingOf(lines: readonly ReportLine[]): ReportLine | undefined {
  return hasEnded(lines) ? lines.at(-1) : lines.find(({ kind }) => kind === "running");
}

// Says which spool has changed: at once where the system tells, and all of them every so often.
//
// One watch for the whole site (inotify gives a user 128 of them by default). It can fail to be had and,
// under load, lose events; the slow look at everything makes up for both, and finds dead wrappers.

/** Callbacks of the watch. */
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

  /** Removes all callbacks. */
  close(): void {
    clearInterval(this.#timer);
    this.#watcher?.close();
  }
}
