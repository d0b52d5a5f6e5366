/**
 * Gives tasks to worker threads and collects their results.
 *
 * Tasks are independent and their results ordered by place, so the number of threads changes only the time
 * (rule SI-7). A stop is a shared flag that threads check between jobs: they remove their files themselves.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { Fault } from "../../base/index.ts";
import type { StopSignal } from "../../model/index.ts";
import { signalGroup } from "../external/program.ts";
import type { Task, TaskAnswer, WorkerOrder } from "./protocol.ts";
import type { SiteOutcome } from "./site-outcome.ts";

/** A task that was done. */
export interface DoneTask {
  readonly task: Task;
  readonly sites: readonly SiteOutcome[];
}

/** Options of the threads. */
export interface Workshop {
  readonly order: Omit<WorkerOrder, "stopped" | "program">;
  /** ≥ 1. */
  readonly workers: number;
  readonly stop?: StopSignal;
  readonly onDone?: (done: number) => void;
}

/**
 * The tasks that were done, in their order: all of them unless it was stopped.
 *
 * @throws Fault of the first task, in their order, that failed
 */
export async function workInThreads(tasks: readonly Task[], shop: Workshop): Promise<readonly DoneTask[]> {
  const stopped = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const flag = new Int32Array(stopped);
  const { stop } = shop;
  const onStop = (): void => void Atomics.store(flag, 0, 1);
  if (stop?.aborted === true) onStop();
  stop?.addEventListener("abort", onStop);
  const count = Math.min(shop.workers, tasks.length);
  const bench = new Bench(tasks, shop, flag);
  // However this process ends, no program stays behind.
  const onExit = (): void => bench.endPrograms();
  process.once("exit", onExit);
  try {
    const threads = Array.from({ length: count }, () => bench.work({ ...shop.order, stopped }));
    const ends = await Promise.allSettled(threads);
    const broken = ends.find(({ status }) => status === "rejected");
    if (broken?.status === "rejected") throw broken.reason;
  } finally {
    process.off("exit", onExit);
    stop?.removeEventListener("abort", onStop);
  }
  return bench.results();
}

/** The tasks that are left, and what came of the others. */
class Bench {
  readonly #tasks: readonly Task[];
  readonly #shop: Workshop;
  readonly #flag: Int32Array;
  readonly #answers: (TaskAnswer | undefined)[] = [];
  /** One for each thread: the process group of its program. */
  readonly #programs: Int32Array[] = [];
  #next = 0;
  #done = 0;
  #hasFailed = false;

  constructor(tasks: readonly Task[], shop: Workshop, flag: Int32Array) {
    this.#tasks = tasks;
    this.#shop = shop;
    this.#flag = flag;
  }

  /** One thread, until nothing is left for it. */
  work(order: Omit<WorkerOrder, "program">): Promise<void> {
    const program = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    const group = new Int32Array(program);
    this.#programs.push(group);
    const workerData: WorkerOrder = { ...order, program };
    const worker = new Worker(workerFile(), { workerData, execArgv: [], name: "stint scenario" });
    return new Promise<void>((resolve, reject) => {
      const giveNext = (): void => {
        const task = this.#take();
        if (task === undefined) void worker.terminate().then(() => resolve());
        else worker.postMessage(task);
      };
      worker.on("message", (answer: TaskAnswer) => {
        this.#note(answer);
        giveNext();
      });
      worker.on("error", (error) => {
        this.#hasFailed = true;
        endProgram(group);
        reject(threadEnded(error));
      });
      giveNext();
    });
  }

  /** Ends what threads have begun and cannot end themselves any more. */
  endPrograms(): void {
    for (const group of this.#programs) endProgram(group);
  }

  results(): readonly DoneTask[] {
    const failed = this.#answers.find((answer) => answer?.kind === "failed");
    if (failed?.kind === "failed") throw new Fault(failed.fault);
    return this.#answers.flatMap((answer, index): DoneTask[] =>
      answer?.kind === "done" ? [{ task: this.#tasks[index], sites: answer.sites }] : [],
    );
  }

  /** The next task; none after a failure, for all before it are under way. */
  #take(): Task | undefined {
    if (this.#hasFailed || Atomics.load(this.#flag, 0) !== 0) return undefined;
    return this.#tasks[this.#next++];
  }

  #note(answer: TaskAnswer): void {
    this.#answers[answer.index] = answer;
    if (answer.kind === "failed") this.#hasFailed = true;
    if (answer.kind === "done") this.#shop.onDone?.(++this.#done);
  }
}

function endProgram(group: Int32Array): void {
  const running = Atomics.exchange(group, 0, 0);
  if (running !== 0) signalGroup(running, "SIGKILL");
}

/** Threads run compiled code: beside this file, or in dist/ when this file itself runs as TypeScript. */
function workerFile(): URL {
  const beside = new URL("./worker.js", import.meta.url);
  if (existsSync(fileURLToPath(beside))) return beside;
  return new URL("../../../dist/sim/scenario/worker.js", import.meta.url);
}

function threadEnded(error: Error): Fault {
  return new Fault({
    kind: "failed",
    code: "threadEnded",
    what: "a simulation thread has ended unexpectedly",
    why: error.message,
    remedy: "if the machine ran out of memory, use fewer --workers, or a shorter workload",
    cause: error,
  });
}
