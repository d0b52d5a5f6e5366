/**
 * Long computations on queues in a thread of their own, so that other requests are served meanwhile (rule
 * BR-63): effects of slots, starts of jobs, and free slots.
 *
 * The thread starts with the first task and ends when idle. It has copies of queues, so it has no state to
 * lose: a failed task is done by the caller.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { SlotTrial } from "../../engine/index.ts";
import type { Profile } from "../../profile/index.ts";
import type { PlanTask, TriedReservations } from "../../queue/index.ts";
import type { AskedOfThread, FoundOf, SlotColumns, ThreadAnswer, TrialTask } from "./protocol.ts";

/** Tasks for the thread; undefined where the thread cannot do one, and the caller has to. */
export interface Trials {
  /** Effects of slots; undefined also for a trial so short that the caller does it faster. */
  make(trial: SlotTrial): Promise<TriedReservations | undefined>;
  /** Planned starts of waiting jobs, by handle. */
  plan(task: PlanTask): Promise<Float64Array | undefined>;
  leftFree(task: PlanTask, startMs: Float64Array): Promise<Profile | undefined>;
  slots(profile: Profile): Promise<SlotColumns | undefined>;
  stop(): Promise<void>;
}

/** Product of starts and waiting jobs from which a trial takes longer than sending it to the thread. */
const WORTH_A_THREAD = 50_000;
const REST_AFTER_MS = 600_000;

/** No thread yet. */
export function createTrials(restAfterMs = REST_AFTER_MS): Trials {
  return new TrialsOf(restAfterMs);
}

class TrialsOf implements Trials {
  readonly #restAfterMs: number;
  readonly #waiting = new Map<number, (found: ThreadAnswer["found"]) => void>();
  #worker: Worker | undefined;
  #restTimer: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor(restAfterMs: number) {
    this.#restAfterMs = restAfterMs;
  }

  async make({ tried, shape, startsMs, weights }: SlotTrial): Promise<TriedReservations | undefined> {
    const { saved, present, rules } = tried;
    if (startsMs.length * weights.length < WORTH_A_THREAD || rules.priority !== undefined) return undefined;
    const { discipline } = rules;
    return this.#ask({ kind: "trial", discipline, saved, present, shape, startsMs, weights });
  }

  plan(task: PlanTask): Promise<Float64Array | undefined> {
    return this.#ask({ kind: "plan", task });
  }

  leftFree(task: PlanTask, startMs: Float64Array): Promise<Profile | undefined> {
    return this.#ask({ kind: "leftFree", task, startMs });
  }

  slots(profile: Profile): Promise<SlotColumns | undefined> {
    return this.#ask({ kind: "slots", profile });
  }

  async stop(): Promise<void> {
    clearTimeout(this.#restTimer);
    const mine = this.#worker;
    if (mine !== undefined) this.#lose(mine);
    await mine?.terminate();
  }

  #ask<Kind extends TrialTask["kind"]>(
    task: Extract<TrialTask, { kind: Kind }>,
  ): Promise<FoundOf[Kind] | undefined> {
    this.#worker ??= this.#begin();
    this.#restLater();
    const id = ++this.#lastId;
    this.#worker.postMessage({ id, task } satisfies AskedOfThread);
    // What comes back is of the kind that was asked for.
    return new Promise((resolve) => this.#waiting.set(id, (found) => resolve(found as FoundOf[Kind])));
  }

  #begin(): Worker {
    const mine = new Worker(workerFile(), { execArgv: [], name: "stint trials" });
    mine.unref();
    mine.on("message", ({ id, found }: ThreadAnswer) => this.#tell(id, found));
    mine.on("error", () => this.#lose(mine));
    mine.on("exit", () => this.#lose(mine));
    return mine;
  }

  #tell(id: number, found: ThreadAnswer["found"]): void {
    this.#waiting.get(id)?.(found);
    this.#waiting.delete(id);
  }

  #lose(mine: Worker): void {
    if (this.#worker !== mine) return;
    this.#worker = undefined;
    for (const id of [...this.#waiting.keys()]) this.#tell(id, undefined);
  }

  #restLater(): void {
    clearTimeout(this.#restTimer);
    this.#restTimer = setTimeout(() => {
      if (this.#waiting.size > 0) this.#restLater();
      else void this.stop();
    }, this.#restAfterMs).unref();
  }
}

/** Threads run compiled code: beside this file, or in dist/ when this file itself runs as TypeScript. */
function workerFile(): URL {
  const beside = new URL("./worker.js", import.meta.url);
  if (existsSync(fileURLToPath(beside))) return beside;
  return new URL("../../../dist/broker/trials/worker.js", import.meta.url);
}
