/**
 * One job from its start to its last report: the life that a wrapper leads.
 *
 * All that can stop, continue or end the job goes through here, so that one party keeps the clock and
 * knows the cause of the end. The first cause counts: a job cancelled while its limit's TERM is at work
 * ended by its limit.
 */

import type { ChildProcess } from "node:child_process";
import { closeSync, fsyncSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { EndCause } from "../../runtime/index.ts";
import { complain } from "./complain.ts";
import { insist } from "./insist.ts";
import { type JobOrder, readControl } from "./job-files.ts";
import { appendJsonLine } from "./json-lines.ts";
import { startPayload } from "./payload.ts";
import type { AttemptPlaces } from "./places.ts";
import { signalGroup, terminateGroup } from "./process-group.ts";
import { endedChildrenCpuMs, identify, isGroupAlive } from "./process-identity.ts";
import type { EndedLine, ReportLine } from "./reports.ts";

interface Payload {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly clock: LimitClock;
}

const GROUP_POLL_MS = 20;
/** How long a killed group may take to vanish; a process stuck in the kernel is left to it. */
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
  /** When those who were sent TERM are sent KILL. */
  #killAt = 0;
  #killTimer: NodeJS.Timeout | undefined;

  constructor(order: JobOrder, places: AttemptPlaces) {
    this.#order = order;
    this.#places = places;
    this.#reports = new ReportWriter(places.spool);
  }

  /** Starts the job and follows it; unless it was cancelled before that. */
  async start(): Promise<void> {
    const started = await insist("start the job", () =>
      readControl(this.#places).some(({ verb }) => verb === "cancel")
        ? undefined
        : startPayload(this.#order, this.#places.work),
    );
    if (started === undefined) return this.#end({ cause: "cancelled" });
    if ("failure" in started) return this.#end({ cause: "launchFailed", detail: started.failure });
    const { child, pid } = started;
    const mark = ifKnown(() => identify(pid)?.mark) ?? "";
    const clock = startLimitClock(this.#order.limitMs, () => this.#terminate("timeLimit"));
    this.#payload = { child, pid, clock };
    child.once("exit", (code, signal) => this.#exited(code, signal));
    this.#reports.write({ kind: "running", atMs: Date.now(), pid, mark });
    this.obey();
  }

  /** Does what the control lines ask for that was not done yet. Before the start it waits for that. */
  obey(): void {
    void insist("read what is asked for", () => this.#obey());
  }

  #obey(): void {
    if (this.#payload === undefined) return;
    const controls = readControl(this.#places);
    const news = controls.slice(this.#controlsObeyed);
    this.#controlsObeyed = controls.length;
    for (const control of news) {
      if (control.verb === "signal") this.#signal(control.name);
      else if (control.verb === "cancel") this.#terminate("cancelled");
      else if (control.verb === "suspend") this.#suspend();
      else this.#resume();
    }
  }

  /** STOP and CONT by name are suspensions too, or the clock would not know of them. */
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
    const { pid, clock } = this.#payload;
    this.#payload = undefined;
    clock.stop();
    clearTimeout(this.#killTimer);
    const cause = this.#cause ?? (signal === null ? "exited" : "signalled");
    const end = { cause, exitCode: code ?? undefined, signal: signal ?? undefined };
    this.#sweep(pid, () => this.#end({ ...end, cpuMs: ifKnown(endedChildrenCpuMs) }));
  }

  /**
   * Ends what the job left in its group, then goes on. After TERM the rest of the grace is theirs (a
   * batch script dies at once, the program it runs may be writing its state); else they are killed.
   */
  #sweep(pid: number, goOn: () => void): void {
    const forceAt = Math.max(this.#killAt, performance.now());
    const look = (): void => {
      const now = performance.now();
      const isThere = signalGroup(pid, now >= forceAt ? "SIGKILL" : 0);
      const isAlive = isThere && (ifKnown(() => isGroupAlive(pid)) ?? true);
      if (isAlive && now < forceAt + KILLED_GROUP_MS) setTimeout(look, GROUP_POLL_MS);
      else goOn();
    };
    look();
  }

  #end(facts: Omit<EndedLine, "kind" | "atMs">): void {
    this.#reports.write({ kind: "ended", atMs: Date.now(), ...facts });
  }
}

/** A system out of file descriptors may cost us a figure, not the job its wrapper. */
function ifKnown<Value>(ask: () => Value): Value | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}

// Counts the time a job has run, suspensions left out, and says when its limit is reached.
//
// By the monotonic clock: a corrected wall clock neither shortens nor prolongs a job.

/** The clock of one job, running from its creation. */
interface LimitClock {
  pause(): void;
  resume(): void;
  /** For good: the limit is no longer of interest. */
  stop(): void;
}

/** Timers hold at most 2^31 ms; a longer wait is taken in stages. */
const LONGEST_TIMER_MS = 86_400_000;

/** Starts a clock that calls `onLimit` once, when `limitMs` have run; null never comes. */
function startLimitClock(limitMs: number | null, onLimit: () => void): LimitClock {
  let leftMs = limitMs ?? Number.POSITIVE_INFINITY;
  let runningSince = performance.now();
  let isRunning = true;
  let timer: NodeJS.Timeout | undefined;

  function wait(): void {
    if (leftMs === Number.POSITIVE_INFINITY) return;
    timer = setTimeout(look, Math.min(Math.max(0, Math.ceil(leftMs)), LONGEST_TIMER_MS));
  }
  function count(): void {
    const now = performance.now();
    leftMs -= now - runningSince;
    runningSince = now;
  }
  function look(): void {
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
  #hasComplained = false;

  constructor(spool: string) {
    this.#spool = spool;
  }

  /** Writes at once when that is possible. The end is forced to the disk. */
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
      this.#hasComplained = false;
    } catch (error) {
      this.#isRetrying = true;
      setTimeout(() => this.#flush(), RETRY_MS);
      // Once: a full disk needs no more lines.
      if (!this.#hasComplained) complain(`cannot write to ${this.#spool}, trying again: ${error}`);
      this.#hasComplained = true;
    }
  }
}

/** A file's name is on the disk when its directory is; not every file system can do that. */
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
