/**
 * Tasks in threads of their own, one at a time, within bounds of time and memory: the broker answers other
 * requests meanwhile.
 */
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { parentPort, Worker, workerData } from "node:worker_threads";
import { assert, Fault } from "../base/index.ts";

/** Bounds of tasks of one kind. */
export interface ThreadLimits {
  /** Longest run of one, in ms. */
  readonly longestMs: number;
  /** Memory of its thread, in MiB. */
  readonly mostMib: number;
  /** Largest number that run or wait. */
  readonly mostAtOnce: number;
}

/** A kind of task. */
interface TaskKind {
  /** Compiled module in this folder that carries out one task and ends. */
  readonly file: URL;
  /** Name of the threads. */
  readonly name: string;
  readonly limits: ThreadLimits;
  /** Fault of a task that exceeds a bound: `60 s`, `1024 MiB of memory`. */
  readonly tooLong: (limit: string) => Fault;
  /** Fault of a task that comes while so many run or wait. */
  readonly tooMany: (waiting: number) => Fault;
}

type Answer<Found> =
  | { readonly found: Found }
  | { readonly fault: Pick<Fault, "kind" | "code" | "what" | "why" | "remedy"> };

/** Carries out tasks in the order in which they come. */
export function boundedThreads<Task, Found>(kind: TaskKind): (task: Task) => Promise<Found> {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async (task) => {
    if (waiting >= kind.limits.mostAtOnce) throw kind.tooMany(waiting);
    waiting++;
    const mine = last.then(() => runOne<Task, Found>(task, kind));
    last = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      waiting--;
    }
  };
}

async function runOne<Task, Found>(task: Task, { file, name, limits, tooLong }: TaskKind): Promise<Found> {
  const { longestMs, mostMib } = limits;
  const thread = new Worker(threadFile(file), {
    ...{ workerData: task, execArgv: [], name },
    resourceLimits: { maxOldGenerationSizeMb: mostMib },
  });
  thread.unref();
  let timer: NodeJS.Timeout | undefined;
  try {
    const answer = await new Promise<Answer<Found>>((resolve, reject) => {
      thread.on("message", resolve);
      thread.on("error", (error: Error & { readonly code?: string }) => {
        reject(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? tooLong(`${mostMib} MiB of memory`) : error);
      });
      thread.on("exit", () => reject(new Error(`the thread "${name}" ended without an answer`)));
      timer = setTimeout(() => reject(tooLong(`${longestMs / 1000} s`)), longestMs).unref();
    });
    if ("fault" in answer) throw new Fault(answer.fault);
    return answer.found;
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}

/** Threads run compiled code: as named, or in dist/ when this file itself runs as TypeScript. */
function threadFile(file: URL): URL {
  if (existsSync(fileURLToPath(file))) return file;
  return new URL(`../../dist/main/${basename(file.pathname)}`, import.meta.url);
}

/** Carries out the task of this thread: a fault is an answer, any other error ends the thread as a defect. */
export async function answerTask<Task, Found>(carryOut: (task: Task) => Promise<Found>): Promise<void> {
  const port = parentPort;
  assert(port !== null, "this runs in a worker thread");
  port.postMessage(await answerTo(carryOut));
}

async function answerTo<Task, Found>(carryOut: (task: Task) => Promise<Found>): Promise<Answer<Found>> {
  try {
    return { found: await carryOut(workerData as Task) };
  } catch (error) {
    const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
    if (!(first instanceof Fault)) throw error;
    const { kind, code, what, why, remedy } = first;
    return { fault: { kind, code, what, why, remedy } };
  }
}
