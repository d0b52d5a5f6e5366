/**
 * This machine as a managed site.
 *
 * The site decides nothing: it takes orders in, wrappers carry them out, and their reports are passed on.
 * All state is in files, so that a restarted broker continues where the last one stopped.
 */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as setTimer } from "node:timers";
import { setTimeout } from "node:timers/promises";
import { assert, Fault } from "../../base/index.ts";
import {
  type AppendedPart,
  attemptNotEnded,
  type FilePart,
  type LaunchOrder,
  type ManagedSite,
  type SiteCapacity,
  type SiteReport,
} from "../../runtime/index.ts";
import { archiveReports, isArchived, isArchivedBefore, isKnown, readReports } from "./attempt-record.ts";
import { checkedSignal, checkOrder, checkToken } from "./check-order.ts";
import { appendPart, listWork, readPart, removePart, sizeOfWork } from "./job-directory.ts";
import {
  appendControl,
  type Control,
  claimAttempt,
  readableOrder,
  readClaim,
  wakeWrapper,
} from "./job-files.ts";
import { Observer, standingOf } from "./observer.ts";
import { OperationQueues } from "./operation-queues.ts";
import { type AttemptPlaces, attemptPlaces, isBaseName, placesIn, type SitePlaces } from "./places.ts";
import { takeIn, takeInAsLost } from "./prepare.ts";
import { bootMark, isAlive } from "./process-identity.ts";
import { hasEnded, siteReport } from "./reports.ts";
import { isMissing, siteFault } from "./site-fault.ts";
import { startWrapper } from "./start-wrapper.ts";
import { isLasting, isShortage, unreadableDetail } from "./unreadable.ts";

/** Configuration of a site, complete with all defaults. */
export interface LocalSiteFacts {
  readonly name: string;
  readonly places: SitePlaces;
  readonly capacity: SiteCapacity;
  /** Base environment of jobs. */
  readonly environment: Readonly<Record<string, string>>;
  readonly graceMs: number;
  readonly pollMs: number;
}

/** Longest wait, in ms, for the state of one attempt in an inventory. */
const STATE_WAIT_MS = 10_000;
/** Interval, in ms, between attempts to find out the state of an attempt. */
const RETRY_MS = 1000;
/** Number of attempts that an inventory looks up in parallel. */
const INVENTORY_BREADTH = 64;

/** A site whose jobs are processes of this machine. */
export class LocalSite implements ManagedSite {
  readonly name: string;
  readonly #facts: LocalSiteFacts;
  readonly #operations = new OperationQueues();
  readonly #observer: Observer;
  readonly #openedAtMs = Date.now();
  #isClosed = false;

  constructor(facts: LocalSiteFacts) {
    this.name = facts.name;
    this.#facts = facts;
    this.#observer = new Observer({
      places: facts.places,
      operations: this.#operations,
      pollMs: facts.pollMs,
    });
  }

  async capacity(): Promise<SiteCapacity> {
    return this.#facts.capacity;
  }

  async launch(order: LaunchOrder): Promise<void> {
    checkOrder(order);
    const { places: site, environment, graceMs } = this.#facts;
    await this.#inOrder(order.token, `cannot launch ${order.token}`, async (places) => {
      if (await isArchived(places)) {
        if (await isArchivedBefore(places, this.#openedAtMs)) await this.#tellAgain(order.token, places);
        return;
      }
      if (!(await isKnown(places))) await takeIn(order, places, { site, environment, graceMs });
      try {
        await this.#begin(order.token, places);
      } catch (error) {
        if (isShortage(error)) await this.#withdraw(order.token, places);
        throw error;
      }
    });
  }

  cancel(token: string): Promise<void> {
    return this.#control(token, { verb: "cancel" });
  }

  suspend(token: string): Promise<void> {
    return this.#control(token, { verb: "suspend" });
  }

  resume(token: string): Promise<void> {
    return this.#control(token, { verb: "resume" });
  }

  async signal(token: string, name: string): Promise<void> {
    await this.#control(token, { verb: "signal", name: checkedSignal(name) });
  }

  async inventory(tokens: readonly string[]): Promise<readonly SiteReport[]> {
    const reports: SiteReport[] = [];
    for (let at = 0; at < tokens.length; at += INVENTORY_BREADTH) {
      const some = tokens.slice(at, at + INVENTORY_BREADTH);
      const found = await Promise.all(some.map((token) => this.#stateInTime(token)));
      reports.push(...found.filter((report) => report !== undefined));
    }
    return reports;
  }

  onReport(listener: (report: SiteReport) => void): void {
    this.#observer.listen(listener);
  }

  async acknowledge(token: string): Promise<void> {
    await this.#inOrder(token, `cannot acknowledge the end of ${token}`, async (places) => {
      const lines = await readReports(places);
      if (!hasEnded(lines)) return;
      await archiveReports(places);
      const standing = standingOf(lines);
      this.#observer.unfollow(token, standing && siteReport(token, standing));
    });
  }

  async readFile(token: string, name: string, from: number, most: number): Promise<FilePart | undefined> {
    assert(Number.isSafeInteger(from) && from >= 0, "a file is read from a byte of it");
    assert(Number.isSafeInteger(most) && most >= 0, "a number of bytes is read");
    checkToken(token);
    return readPart(attemptPlaces(this.#facts.places, token).work, name, from, most);
  }

  async addFile(token: string, name: string, bytes: Uint8Array): Promise<void> {
    checkToken(token);
    assert(isBaseName(name), "a file is added to the job's directory itself");
    const { work, temporary } = attemptPlaces(this.#facts.places, token);
    const draft = join(temporary, `${name}.${randomBytes(4).toString("hex")}`);
    try {
      await writeFile(draft, bytes, { flag: "wx", mode: 0o600 });
      await rename(draft, join(work, name));
    } catch (error) {
      throw siteFault(error, `cannot add ${name} to ${token}`);
    }
  }

  async appendFile(token: string, name: string, part: AppendedPart): Promise<number | undefined> {
    checkToken(token);
    try {
      return await appendPart(attemptPlaces(this.#facts.places, token).work, name, part);
    } catch (error) {
      throw siteFault(error, `cannot append to ${name} of ${token}`);
    }
  }

  async removeFile(token: string, name: string): Promise<void> {
    checkToken(token);
    try {
      await removePart(attemptPlaces(this.#facts.places, token).work, name);
    } catch (error) {
      throw siteFault(error, `cannot remove ${name} of ${token}`);
    }
  }

  async listFiles(token: string): Promise<readonly { readonly name: string; readonly sizeBytes: number }[]> {
    checkToken(token);
    return listWork(attemptPlaces(this.#facts.places, token).work);
  }

  async sizeOfFiles(token: string): Promise<number> {
    checkToken(token);
    return sizeOfWork(attemptPlaces(this.#facts.places, token).work);
  }

  async purge(token: string): Promise<void> {
    const what = `cannot remove ${token}`;
    await this.#inOrder(token, what, async (places) => {
      if (!(await isKnown(places))) return;
      if (!hasEnded(await readReports(places))) throw attemptNotEnded(token);
      this.#observer.unfollow(token);
      const waste = join(this.#facts.places.trash, randomBytes(8).toString("hex"));
      await rename(places.directory, waste).catch((error) => {
        if (!isMissing(error)) throw error;
      });
      await rm(places.spool, { force: true });
      await rm(waste, { recursive: true, force: true });
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#observer.close();
    await this.#operations.idle();
  }

  /** Runs an operation after the earlier ones of its attempt, and turns errors into faults. */
  #inOrder<Value>(
    token: string,
    what: string,
    operation: (places: AttemptPlaces) => Promise<Value>,
  ): Promise<Value> {
    assert(!this.#isClosed, "a closed site is not used");
    checkToken(token);
    return this.#operations.run(token, async () => {
      try {
        return await operation(attemptPlaces(this.#facts.places, token));
      } catch (error) {
        throw siteFault(error, what);
      }
    });
  }

  /** Reports an end anew: a log restored from a backup may be older than the files, and not know it. */
  async #tellAgain(token: string, places: AttemptPlaces): Promise<void> {
    for (const line of await readReports(places)) this.#observer.passOn(siteReport(token, line));
  }

  /** Starts a wrapper for an attempt that was taken in and has none. */
  async #begin(token: string, places: AttemptPlaces): Promise<void> {
    this.#observer.follow(token);
    if (readClaim(places) === undefined && !this.#observer.hasWrapper(token)) {
      const order = readableOrder(places);
      if (order?.bootMark === bootMark()) {
        this.#observer.watchWrapper(token, await startWrapper(places));
      } else {
        const detail =
          order === undefined
            ? `The job was not begun: its order (${places.order}) cannot be read.`
            : "The machine was restarted before the job was begun.";
        claimAttempt(places, { by: "site", cause: "lost", detail });
      }
    }
    // A claim of the site's own has no wrapper to report its end.
    if (readClaim(places)?.by === "site") void this.#observer.check(token).catch(() => undefined);
  }

  /** Removes an attempt that nothing has begun; a claimed one stays. */
  async #withdraw(token: string, places: AttemptPlaces): Promise<void> {
    if (readClaim(places) !== undefined) return;
    const waste = join(this.#facts.places.trash, randomBytes(8).toString("hex"));
    await rename(places.directory, waste);
    // A wrapper that was still on its way may have claimed it meanwhile.
    if (existsSync(placesIn(waste, places.spool).claim)) return rename(waste, places.directory);
    this.#observer.unfollow(token);
    await rm(waste, { recursive: true, force: true });
  }

  async #control(token: string, control: Control): Promise<void> {
    await this.#inOrder(token, `cannot ${control.verb} ${token}`, async (places) => {
      if (!(await isKnown(places)) || hasEnded(await readReports(places))) return;
      appendControl(places, control);
      // Without a claim there is nobody to wake: a wrapper reads the lines after it has made one.
      const claim = readClaim(places);
      if (claim === undefined) await this.#begin(token, places);
      else if (claim.by === "wrapper" && isAlive(claim)) wakeWrapper(claim);
    });
  }

  /**
   * State of an attempt, or undefined if it takes longer than `STATE_WAIT_MS`; the report follows when there
   * is one.
   */
  async #stateInTime(token: string): Promise<SiteReport | undefined> {
    const late = new AbortController();
    try {
      return await Promise.race([
        this.#account(token),
        setTimeout(STATE_WAIT_MS, undefined, { signal: late.signal }),
      ]);
    } catch (error) {
      if (error instanceof Fault && error.code === "siteShort") {
        this.#reportLater(token);
        return undefined;
      }
      const isOfFiles = error instanceof Fault && error.code === "siteFailed" && isLasting(error.cause);
      if (!isOfFiles) throw error;
      const detail = unreadableDetail("what the site has of it", this.#facts.places.jobs, error);
      return siteReport(token, { kind: "ended", atMs: Date.now(), cause: "lost", detail });
    } finally {
      late.abort();
    }
  }

  /** Retries until the state is known, then reports it. A shortage of the machine is the usual cause. */
  #reportLater(token: string): void {
    const timer = setTimer(async () => {
      if (this.#isClosed) return;
      const report = await this.#stateInTime(token).catch(() => undefined);
      if (report !== undefined) this.#observer.passOn(report);
    }, RETRY_MS);
    timer.unref();
  }

  async #account(token: string): Promise<SiteReport> {
    const { places: site } = this.#facts;
    const archived = await this.#inOrder(token, `cannot find out about ${token}`, async (places) => {
      if (await isArchived(places)) return standingOf(await readReports(places));
      if (!(await isKnown(places))) await takeInAsLost(places, site);
      await this.#begin(token, places);
      return undefined;
    });
    return archived === undefined ? this.#observer.standing(token) : siteReport(token, archived);
  }
}
