/**
 * A stream wrapper: pulls blocks, hands them to the application, removes what it acknowledges [STREAM] 3.5.
 *
 * Everything happens in one process next to the application. What must survive it is in the stream's
 * directory; started again on the same directory, it goes on at the first block that is not acknowledged.
 */
import { join } from "node:path";
import { Fault, messageOf } from "../../base/index.ts";
import { openBlockFiles } from "./block-files.ts";
import { type ControlState, watchControl } from "./control.ts";
import { pipeBytes } from "./deliver-bytes.ts";
import { beginLives, type Lives } from "./life.ts";
import { takeOwnership } from "./owner.ts";
import { beginStages, checkStages, prepareStages, type StageFigures } from "./pipeline.ts";
import { firstPosition, readPosition } from "./position.ts";
import { createPull, type Pull } from "./pull.ts";
import { RESULTS } from "./sink.ts";
import { SourceProblem } from "./source-problem.ts";
import type { StreamOrder } from "./stream-order.ts";
import { type StreamFigures, startReporter, type WrapperState } from "./stream-report.ts";
import { beginTrial, type TrialFigures } from "./trial.ts";

/** Surroundings of a wrapper. */
export interface WrapperWorld {
  /** Aborts to stop the stream; it can be continued later. */
  readonly signal: AbortSignal;
  /** Takes lines of the application's own output. */
  readonly print: (line: string) => void;
}

/** Ways in which a wrapper ends without a fault. */
export type WrapperEnd = "done" | "stopped";

/** State that changes while a wrapper runs, apart from the blocks. */
interface Standing {
  state: WrapperState | undefined;
  told: ControlState;
  failure: StreamFigures["failure"];
  crashes: () => number;
  stages: () => readonly StageFigures[] | undefined;
  trial?: (() => TrialFigures) | undefined;
}

/** Runs a stream to its end. @throws Fault where it cannot go on */
export async function runStream(order: StreamOrder, world: WrapperWorld): Promise<WrapperEnd> {
  checkStages(order);
  checkOrder(order);
  const { directory } = order;
  const files = await openBlockFiles(directory);
  const ownership = await takeOwnership(directory);
  try {
    const stored = await readPosition(directory);
    if (stored?.isDone === true) return "done";
    const position = stored ?? firstPosition(order.blockBytes);
    const pull = await createPull({ order, files, ownership, position });
    return await runPull(pull, order, { ...world, noteApplication: ownership.noteApplication });
  } finally {
    ownership.release();
  }
}

async function runPull(
  pull: Pull,
  order: StreamOrder,
  world: WrapperWorld & { readonly noteApplication: (pid: number, stage?: number) => Promise<void> },
): Promise<WrapperEnd> {
  const { directory, rate, leaseMs } = order;
  const stop = (): void => pull.stop();
  if (world.signal.aborted) stop();
  world.signal.addEventListener("abort", stop);
  const first = rate.first ?? rate.least;
  const standing: Standing = {
    ...{ state: undefined, failure: null, crashes: () => 0, stages: () => undefined },
    told: { rate: first, control: undefined, isLeased: true },
  };
  await watchControl({ directory, least: rate.least, first, leaseMs }, pull.signal, (told) => {
    standing.told = told;
    obey(pull, told);
  });
  const reporter = startReporter(directory, () => figuresOf(pull, order, standing));
  try {
    await prepareStages(order);
    const trial = order.trial === undefined ? undefined : beginTrial(order.trial, () => pull.drain());
    standing.trial = trial?.figures;
    const lives = beginApplication(pull, order, {
      ...{ ...world, processed: trial === undefined ? pull.processed : trial.observed(pull.processed) },
      noteApplication: (pid, stage) => {
        trial?.noteProcess(pid);
        return world.noteApplication(pid, stage);
      },
    });
    standing.crashes = lives.crashes;
    standing.stages = lives.figures;
    pull.begin(lives.pump);
    await Promise.race([lives.over, pull.failed]).catch(async (cause) => {
      pull.stop();
      await lives.over.catch(() => undefined);
      throw cause;
    });
    const isTried = trial !== undefined && !pull.signal.aborted;
    const end = await pull.finish();
    standing.state = end;
    return isTried ? "done" : end;
  } catch (cause) {
    const fault = asFault(cause, order);
    standing.state = "failed";
    standing.failure = { code: fault.code, what: fault.what, why: fault.why };
    throw fault;
  } finally {
    pull.stop();
    world.signal.removeEventListener("abort", stop);
    await reporter.stop();
  }
}

/** Starts the application, or the stages of a pipeline. */
function beginApplication(
  pull: Pull,
  order: StreamOrder,
  world: WrapperWorld & {
    readonly noteApplication: (pid: number, stage?: number) => Promise<void>;
    readonly processed: Pull["processed"];
  },
): Lives & { readonly figures: Standing["stages"] } {
  const { directory, sink, application } = order;
  const results = sink === undefined ? {} : { results: join(directory, RESULTS) };
  const processed = {
    ...world.processed,
    ...{ order, signal: pull.signal, print: world.print },
    program: { command: application.command, inbox: join(directory, "inbox"), ...results },
    noteStart: (pid: number, stage?: number) => void world.noteApplication(pid, stage),
  };
  if (application.next.length > 0) return beginStages(processed, () => pull.stop());
  return { ...beginLives(processed), figures: () => undefined };
}

function obey(pull: Pull, { rate, control }: ControlState): void {
  pull.changeRate(rate, control?.isPaused === true);
  if (control?.quotaBytes !== undefined) pull.changeQuota(control.quotaBytes);
  if (control?.end === "drain") pull.drain();
  if (control?.end === "stop") pull.stop();
}

function figuresOf(pull: Pull, { stream }: StreamOrder, standing: Standing): StreamFigures {
  const { told, failure, crashes, stages } = standing;
  const inStages = stages();
  const trial = standing.trial?.();
  return {
    ...pull.figures(),
    ...(trial === undefined ? {} : { trial }),
    ...(inStages === undefined ? {} : { stages: inStages }),
    stream,
    state: standing.state ?? pull.state(),
    allocatedBytesPerSec: told.rate,
    isLeased: told.isLeased,
    control: told.control?.serial ?? null,
    crashes: crashes(),
    failure,
  };
}

function checkOrder({ stream, quotaBytes, blockBytes, connections, application }: StreamOrder): void {
  if (blockBytes <= 0 || blockBytes > quotaBytes) {
    throw new Fault({
      kind: "badInput",
      code: "blockAboveQuota",
      what: `stream ${stream} cannot hold a block`,
      why: `a block has ${blockBytes} bytes and the quota ${quotaBytes}`,
      remedy: "write a smaller block size, above 0, or a larger quota",
    });
  }
  const needed = pipeBytes() + (connections + 1) * blockBytes;
  if (application.delivery !== "bytes" || quotaBytes >= needed) return;
  throw new Fault({
    kind: "badInput",
    code: "quotaBelowPipe",
    what: `stream ${stream} has too small a quota for a filter`,
    why: `data in the pipe are stored until the filter has read them, which needs ${needed} bytes`,
    remedy: `write a quota of at least ${needed}, smaller blocks, or another delivery`,
  });
}

function asFault(cause: unknown, { stream }: StreamOrder): Fault {
  if (cause instanceof Fault) return cause;
  const why = messageOf(cause);
  if (cause instanceof SourceProblem && cause.kind === "changed") {
    const remedy = "start the stream anew on data that stay the same, or restore the earlier version";
    return new Fault({
      ...{ kind: "failed", code: "sourceChanged", what: `a source of stream ${stream} changed` },
      ...{ why, remedy, cause },
    });
  }
  return new Fault({
    kind: "failed",
    code: cause instanceof SourceProblem ? "sourceRefused" : "streamFailed",
    what: `stream ${stream} cannot go on`,
    ...{ why, cause },
    remedy: "correct this, and submit the stream again",
  });
}
