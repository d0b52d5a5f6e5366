/**
 * What slots would do to long queues, found out in a thread of its own, so that others are answered meanwhile
 * (rule BR-63).
 *
 * The thread is started by the first trial and ended when nobody asked for a while. It is handed a copy of
 * the queue, so it has nothing that could be lost: what it cannot do is done by whoever asked.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { SlotTrial } from "../../engine/index.ts";
import type { TriedReservations } from "../../queue/index.ts";
import type { AskedTrial, MadeTrial } from "./protocol.ts";

/** Trials of slots. */
export interface Trials {
  /** Undefined where whoever asks is to make it: it is short, or the thread cannot. */
  make(trial: SlotTrial): Promise<TriedReservations | undefined>;
  stop(): Promise<void>;
}

/** Starts × waiting jobs: what takes longer than handing it over does. */
const WORTH_A_THREAD = 50_000;
const REST_AFTER_MS = 60_000;

/** No thread yet. */
export function createTrials(restAfterMs = REST_AFTER_MS): Trials {
  return new TrialsOf(restAfterMs);
}

class TrialsOf implements Trials {
  readonly #restAfterMs: number;
  readonly #waiting = new Map<number, (outcome: TriedReservations | undefined) => void>();
  #worker: Worker | undefined;
  #restTimer: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor(restAfterMs: number) {
    this.#restAfterMs = restAfterMs;
  }

  async make({ tried, shape, startsMs, weights }: SlotTrial): Promise<TriedReservations | undefined> {
    const { saved, present, rules } = tried;
    if (startsMs.length * weights.length < WORTH_A_THREAD || rules.priority !== undefined) return undefined;
    this.#worker ??= this.#begin();
    this.#restLater();
    const id = ++this.#lastId;
    const { discipline } = rules;
    const asked: AskedTrial = { id, discipline, saved, present, shape, startsMs, weights };
    this.#worker.postMessage(asked);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  async stop(): Promise<void> {
    clearTimeout(this.#restTimer);
    const mine = this.#worker;
    if (mine !== undefined) this.#lose(mine);
    await mine?.terminate();
  }

  #begin(): Worker {
    const mine = new Worker(workerFile(), { execArgv: [], name: "stint trials" });
    mine.unref();
    mine.on("message", ({ id, outcome }: MadeTrial) => this.#tell(id, outcome));
    mine.on("error", () => this.#lose(mine));
    mine.on("exit", () => this.#lose(mine));
    return mine;
  }

  #tell(id: number, outcome: TriedReservations | undefined): void {
    this.#waiting.get(id)?.(outcome);
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
