/**
 * Supervises one job from its start to its last report; the main part of a wrapper.
 *
 * Whatever stops, continues or ends the job goes through here, so that one place keeps the clock and knows
 * the cause of the end. The first cause counts: a job cancelled after the TERM of its limit ended by its
 * limit.
 */

import type { ChildProcess } from "node:child_process";
import { closeSync, fsyncSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { EndCause } from "../../runtime/index.ts";
import { type JobOrder, readControl } from "./job-files.ts";
import { appendJsonLine } from "./json-lines.ts";
import { startPayload } from "./payload.ts";
import type { AttemptPlaces } from "./places.ts";
import { signalGroup, terminateGroup } from "./process-group.ts";
import { endedChildrenCpuMs, identify, isGroupAlive } from "./process-identity.ts";
import type { EndedLine, ReportLine } from "./reports.ts";
import { failedStage, type ResourceUse, watchResources } from "./resource-use.ts";
import { logProblem, retryWhileShort } from "./retry-shortage.ts";

interface Payload {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly clock: LimitClock;
  readonly use: ResourceUse;
}

const GROUP_POLL_MS = 20;
/** Longest wait for a killed group to end, in ms; a process stuck in the kernel is left behind. */
const KILLED_GROUP_MS = 1000;

/** Runs one job. */
export class Supervisor {
  readonly #order: JobOrder;
  readonly #places: AttemptPlaces;
  readonly #reports: ReportWriter;
  #payload: Payload | undefined;
  #controlsObeyed = 0;
  #isSuspended = false;
  #cause: EndCause | undefined;
  /** Instant of KILL for processes that were sent TERM. */
  #killAt = 0;
  #killTimer: NodeJS.Timeout | undefined;

  constructor(order: JobOrder, places: AttemptPlaces) {
    this.#order = order;
    this.#places = places;
    this.#reports = new ReportWriter(places.spool);
  }

  /** Starts the job and follows it, unless it was cancelled before. */
  async start(): Promise<void> {
    const started = await retryWhileShort("start the job", () =>
      readControl(this.#places).some(({ verb }) => verb === "cancel")
        ? undefined
        : startPayload(this.#order, this.#places.work),
    );
    if (started === undefined) return this.#end({ cause: "cancelled" });
    if ("failure" in started) {
      const facts = { failedStage: "program" } as const;
      return this.#end({ cause: "launchFailed", detail: started.failure, facts });
    }
    const { child, pid } = started;
    const mark = ifAvailable(() => identify(pid)?.mark) ?? "";
    // Looking at the process takes some time, and its limit counts from here.
    const atMs = Date.now();
    const clock = startLimitClock(this.#order.limitMs, () => this.#terminate("timeLimit"));
    this.#payload = { child, pid, clock, use: watchResources(pid) };
    child.once("exit", (code, signal) => this.#exited(code, signal));
    this.#reports.write({ kind: "running", atMs, pid, mark });
    this.obey();
  }

  /** Carries out new control lines; waits for the start of the job first. */
  obey(): void {
    void retryWhileShort("read what is asked for", () => this.#obey());
  }

  #obey(): void {
    if (this.#payload === undefined) return;
    const controls = readControl(this.#places);
    const fresh = controls.slice(this.#controlsObeyed);
    this.#controlsObeyed = controls.length;
    for (const control of fresh) {
      if (control.verb === "signal") this.#signal(control.name);
      else if (control.verb === "cancel") this.#terminate("cancelled");
      else if (control.verb === "suspend") this.#suspend();
      else this.#resume();
    }
  }

  /**
   * Sends a signal. STOP and CONT count as suspension and resumption, so that the clock of the limit stops
   * too.
   */
  #signal(name: NodeJS.Signals): void {
    if (name === "SIGSTOP") this.#suspend();
    else if (name === "SIGCONT") this.#resume();
    else if (this.#payload !== undefined) signalGroup(this.#payload.pid, name);
  }

  #suspend(): void {
    if (this.#payload === undefined || this.#cause !== undefined || this.#isSuspended) return;
    signalGroup(this.#payload.pid, "SIGSTOP");
    this.#payload.clock.pause();
    this.#isSuspended = true;
    this.#reports.write({ kind: "suspended", atMs: Date.now() });
  }

  #resume(): void {
    if (this.#payload === undefined || this.#cause !== undefined || !this.#isSuspended) return;
    this.#payload.clock.resume();
    signalGroup(this.#payload.pid, "SIGCONT");
    this.#isSuspended = false;
    this.#reports.write({ kind: "resumed", atMs: Date.now() });
  }

  #terminate(cause: EndCause): void {
    if (this.#payload === undefined || this.#cause !== undefined) return;
    const { pid, clock } = this.#payload;
    this.#cause = cause;
    clock.stop();
    terminateGroup(pid);
    this.#killAt = performance.now() + this.#order.graceMs;
    this.#killTimer = setTimeout(() => signalGroup(pid, "SIGKILL"), this.#order.graceMs);
  }

  #exited(code: number | null, signal: NodeJS.Signals | null): void {
    if (this.#payload === undefined) return;
    const { pid, clock, use } = this.#payload;
    this.#payload = undefined;
    clock.stop();
    clearTimeout(this.#killTimer);
    const cause = this.#cause ?? (signal === null ? "exited" : "signalled");
    const end = { cause, exitCode: code ?? undefined, signal: signal ?? undefined };
    this.#sweep(pid, () => {
      const facts = { ...ifAvailable(() => failedStage(this.#places)), ...ifAvailable(use) };
      this.#end({ ...end, cpuMs: ifAvailable(endedChildrenCpuMs), facts });
    });
  }

  /**
   * Ends the rest of the job's group, then continues. After TERM the processes have the rest of the grace
   * period (a batch script dies at once, its program may still write its state); otherwise they are killed.
   */
  #sweep(pid: number, goOn: () => void): void {
    const forceAt = Math.max(this.#killAt, performance.now());
    const check = (): void => {
      const now = performance.now();
      const isThere = signalGroup(pid, now >= forceAt ? "SIGKILL" : 0);
      const isAlive = isThere && (ifAvailable(() => isGroupAlive(pid)) ?? true);
      if (isAlive && now < forceAt + KILLED_GROUP_MS) setTimeout(check, GROUP_POLL_MS);
      else goOn();
    };
    check();
  }

  #end(facts: Omit<EndedLine, "kind" | "atMs">): void {
    this.#reports.write({ kind: "ended", atMs: Date.now(), ...facts });
  }
}

/**
 * Result of `ask`, or undefined if it fails: without free file descriptors a figure is lost, not the
 * wrapper.
 */
function ifAvailable<Value>(ask: () => Value): Value | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}

// Counts the time a job has run, suspensions left out, and says when its limit is reached.
//
// By the monotonic clock: a corrected wall clock neither shortens nor prolongs a job.

/** Clock of one job's time limit, running from its creation. */
interface LimitClock {
  pause(): void;
  resume(): void;
  /** Stops the clock for good. */
  stop(): void;
}

/** Longest timer, in ms: Node's timers hold at most 2^31 ms, so longer waits have several stages. */
const LONGEST_TIMER_MS = 86_400_000;

/** Starts a clock that calls `onLimit` once, after `limitMs` of running time; null: never. */
function startLimitClock(limitMs: number | null, onLimit: () => void): LimitClock {
  let leftMs = limitMs ?? Number.POSITIVE_INFINITY;
  let runningSince = performance.now();
  let isRunning = true;
  let timer: NodeJS.Timeout | undefined;

  function wait(): void {
    if (leftMs === Number.POSITIVE_INFINITY) return;
    timer = setTimeout(check, Math.min(Math.max(0, Math.ceil(leftMs)), LONGEST_TIMER_MS));
  }
  function count(): void {
    const now = performance.now();
    leftMs -= now - runningSince;
    runningSince = now;
  }
  function check(): void {
    count();
    if (leftMs > 0) wait();
    else onLimit();
  }
  function pause(): void {
    if (!isRunning) return;
    isRunning = false;
    clearTimeout(timer);
    count();
  }

  wait();
  return {
    pause,
    resume() {
      if (isRunning) return;
      isRunning = true;
      runningSince = performance.now();
      wait();
    },
    stop() {
      pause();
      leftMs = Number.POSITIVE_INFINITY;
    },
  };
}

// The wrapper's pen: writes reports in order, and keeps trying when the disk is full.
//
// A job that has ended is told about when there is room again; until then its wrapper waits.

const RETRY_MS = 1000;

/** Writes the lines of one spool. */
export class ReportWriter {
  readonly #spool: string;
  readonly #waiting: ReportLine[] = [];
  #isRetrying = false;
  #isLogged = false;

  constructor(spool: string) {
    this.#spool = spool;
  }

  /** Writes a line at once if possible, else retries. The end is forced to the disk. */
  write(line: ReportLine): void {
    this.#waiting.push(line);
    if (!this.#isRetrying) this.#flush();
  }

  #flush(): void {
    this.#isRetrying = false;
    try {
      for (let line = this.#waiting[0]; line !== undefined; line = this.#waiting[0]) {
        appendJsonLine(this.#spool, line, line.kind === "ended");
        if (line.kind === "ended") syncDirectory(dirname(this.#spool));
        this.#waiting.shift();
      }
      this.#isLogged = false;
    } catch (error) {
      this.#isRetrying = true;
      setTimeout(() => this.#flush(), RETRY_MS);
      // Once: a full disk needs no more lines.
      if (!this.#isLogged) logProblem(`cannot write to ${this.#spool}, trying again: ${error}`);
      this.#isLogged = true;
    }
  }
}

/** Forces a directory, and with it the names of its files, to the disk; not every file system can. */
function syncDirectory(path: string): void {
  const directory = openSync(path, "r");
  try {
    fsyncSync(directory);
  } catch {
    // The file itself was forced to the disk; more cannot be had here.
  } finally {
    closeSync(directory);
  }
}
