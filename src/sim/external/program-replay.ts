/**
 * A replay whose starts a program decides, instant by instant (rules SI-20, SI-21).
 *
 * The site machine keeps the truth: it is told what happens, the program is told the same, and what the
 * program answers is carried out on the machine, which refuses what cannot be. The first refusal ends
 * the run, because from there on the program's picture of the site is another than the site.
 */
import {
  createReplay,
  type Machine,
  type Replay,
  type ReplayListener,
  type ReplayOperation,
  type StartRefusal,
  start,
} from "../../queue/index.ts";
import type { TraceJob } from "../trace-job.ts";
import { beginProgram, type Program, type ProgramOrder } from "./program.ts";
import { idInUse, jobsLeft, noAnswer, wrongDecision } from "./program-fault.ts";
import {
  goodbyeLine,
  helloLine,
  instantLine,
  readAnswer,
  readHelloAnswer,
  type SiteEvent,
  type SiteFacts,
  secondsOf,
} from "./protocol.ts";
import { operated, submitted } from "./site-events.ts";

/** How often a program may be woken in a row, starting nothing, when nothing else will ever happen. */
const MAX_IDLE_WAKES = 10_000;

/** What a replay by a program is begun with. */
export interface ProgramReplayOrder {
  readonly program: ProgramOrder;
  readonly site: SiteFacts;
  /** Its discipline is `external`. */
  readonly machine: Machine;
  readonly listener: ReplayListener<TraceJob>;
  readonly operations: readonly ReplayOperation[];
}

/** Begins the program, exchanges hellos, and begins the replay. */
export async function beginProgramReplay(order: ProgramReplayOrder): Promise<ProgramReplay> {
  const program = await beginProgram(order.program);
  const where = `${order.program.command}: answer 1, to the hello`;
  try {
    const said = await program.ask(helloLine(order.site), where);
    const hello = readHelloAnswer(said);
    if (!hello.ok) throw noAnswer(where, said, hello.refusal);
  } catch (error) {
    await program.stop();
    throw error;
  }
  return new ProgramReplay(order, program);
}

/** The replay under way. As `Replay`, but every step may wait for the program. */
export class ProgramReplay {
  readonly #command: string;
  readonly #program: Program;
  readonly #replay: Replay<TraceJob>;
  /** The jobs at the site, by their ids. */
  readonly #handles = new Map<number, number>();
  #events: SiteEvent[] = [];
  #wakeAtMs = Number.POSITIVE_INFINITY;
  #answers = 1;
  #idleWakes = 0;

  constructor(order: ProgramReplayOrder, program: Program) {
    this.#command = order.program.command;
    this.#program = program;
    this.#replay = createReplay(order.machine, this.#listening(order.listener), order.operations);
  }

  /** Hands over the next jobs, in order of submission; plays what comes before them. */
  async offer(jobs: readonly TraceJob[]): Promise<void> {
    for (const job of jobs) {
      if (this.#nextInstantMs() < job.submitMs) await this.#playUntil(job.submitMs);
      this.#replay.steps.expect(job);
    }
  }

  /** Plays everything to the last end, and says goodbye. */
  async finish(): Promise<void> {
    await this.#playUntil(Number.POSITIVE_INFINITY);
    const [firstId] = this.#handles.keys();
    if (firstId !== undefined) throw jobsLeft(this.#command, this.#handles.size, firstId);
    await this.#program.leave(goodbyeLine());
  }

  /** Ends the program; nothing is played any more. */
  stop(): Promise<void> {
    return this.#program.stop();
  }

  #listening(listener: ReplayListener<TraceJob>): ReplayListener<TraceJob> {
    return {
      ...listener,
      finished: (finished) => {
        this.#handles.delete(finished.job.id);
        this.#events.push({ kind: "ended", id: finished.job.id });
        listener.finished(finished);
      },
      arrived: (job, handle) => {
        if (this.#handles.has(job.id)) throw idInUse(this.#command, job.id);
        this.#handles.set(job.id, handle);
        this.#events.push(submitted(job));
      },
      operated: (operation) => this.#operated(operation),
    };
  }

  #operated(operation: ReplayOperation): void {
    const handle = "job" in operation ? this.#handles.get(operation.job) : undefined;
    const restMs = handle === undefined ? 0 : this.#replay.machine.jobs.estimateMs[handle];
    this.#events.push(operated(operation, restMs));
    if (operation.kind === "cancel") this.#handles.delete(operation.job);
  }

  #nextInstantMs(): number {
    return Math.min(this.#replay.steps.nextInstantMs(), this.#wakeAtMs);
  }

  async #playUntil(untilMs: number): Promise<void> {
    for (;;) {
      const atMs = this.#nextInstantMs();
      const isLast = untilMs === Number.POSITIVE_INFINITY && this.#isIdle(atMs);
      if (atMs >= untilMs || isLast) return;
      await this.#play(atMs);
    }
  }

  /** Whether nothing will come of an instant: nobody is there, or the program only ever wakes itself. */
  #isIdle(atMs: number): boolean {
    if (this.#replay.steps.nextInstantMs() <= atMs) return false;
    return this.#handles.size === 0 || this.#idleWakes > MAX_IDLE_WAKES;
  }

  async #play(atMs: number): Promise<void> {
    const { steps } = this.#replay;
    this.#events = [];
    steps.happen(atMs);
    const where = `${this.#command}: answer ${++this.#answers}, at ${secondsOf(atMs)} s`;
    const said = await this.#program.ask(instantLine(atMs, this.#events), where);
    const answer = readAnswer(said);
    if (!answer.ok) throw noAnswer(where, said, answer.refusal);
    const { startIds, wakeAtMs = Number.POSITIVE_INFINITY } = answer.value;
    for (const id of startIds) this.#start(id, atMs, where);
    if (wakeAtMs <= atMs) {
      const why = "an instant to be woken at comes after the instant of the answer";
      throw wrongDecision(where, `it wants to be woken at ${secondsOf(wakeAtMs)} s`, why);
    }
    this.#wakeAtMs = wakeAtMs;
    const isIdle = startIds.length === 0 && steps.nextInstantMs() === Number.POSITIVE_INFINITY;
    this.#idleWakes = isIdle ? this.#idleWakes + 1 : 0;
    steps.settle(atMs);
  }

  #start(id: number, atMs: number, where: string): void {
    const handle = this.#handles.get(id);
    if (handle === undefined) {
      const why = "no such job is at the site: it has not been submitted yet, or has ended";
      throw wrongDecision(where, `job ${id} cannot start`, why);
    }
    const refusal = start(this.#replay.machine, handle, atMs);
    if (refusal === undefined) return;
    throw wrongDecision(where, `job ${id} cannot start`, whyNot(refusal, atMs));
  }
}

function whyNot(refusal: StartRefusal, atMs: number): string {
  if (refusal.kind === "wrongState") {
    return refusal.state === "running" ? "it runs already" : `it does not wait: it is ${refusal.state}`;
  }
  const { need, shortage } = refusal;
  const missing = `it needs ${need[0]} processors, and ${shortage.missing[0]} of them are not free`;
  return shortage.atMs === atMs
    ? `${missing} now`
    : `${missing} at ${secondsOf(shortage.atMs)} s, before its estimated end`;
}
