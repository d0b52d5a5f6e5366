/**
 * One job from its start to its last report: the life that a wrapper leads.
 *
 * All that can stop, continue or end the job goes through here, so that one party keeps the clock and
 * knows the cause of the end. The first cause counts: a job cancelled while its limit's TERM is at work
 * ended by its limit.
 */
import type { ChildProcess } from "node:child_process";
import type { EndCause } from "../../runtime/index.ts";
import { insist } from "./insist.ts";
import { type JobOrder, readControl } from "./job-files.ts";
import { type LimitClock, startLimitClock } from "./limit-clock.ts";
import { startPayload } from "./payload.ts";
import type { AttemptPlaces } from "./places.ts";
import { signalGroup, terminateGroup } from "./process-group.ts";
import { endedChildrenCpuMs, identify, isGroupAlive } from "./process-identity.ts";
import { ReportWriter } from "./report-writer.ts";
import type { EndedLine } from "./reports.ts";

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
