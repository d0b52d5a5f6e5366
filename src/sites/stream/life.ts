/**
 * Lives of the application: starts it, hands over blocks in order, and starts it again after a crash.
 *
 * An end before everything is acknowledged is a crash, whatever its code: taken for an end, it would lose
 * data. The block that was first in line at two crashes is set aside.
 */
import { Fault } from "../../base/index.ts";
import { type Application, type ApplicationEnd, type Program, startApplication } from "./application.ts";
import { type Backoff, createBackoff } from "./backoff.ts";
import type { Block, BlockState } from "./block-book.ts";
import type { Acknowledge, HandedBlock } from "./delivery.ts";
import type { StreamOrder } from "./stream-order.ts";

/** Unit of delivery: a block of the stream, or the output of a pipeline stage for one. */
export interface Deliverable {
  readonly seq: number;
  state: BlockState;
  /** True once the application that runs now has it. */
  isOffered: boolean;
}

/** The stream that an application processes. */
export interface ProcessedStream<Item extends Deliverable = Block> {
  readonly order: StreamOrder;
  readonly program: Program;
  readonly signal: AbortSignal;
  /** Whole blocks that are not acknowledged, in order, up to the first that is missing. */
  readonly deliverable: () => readonly Item[];
  /** Facts of a block that is to be handed over, when it is verified. */
  readonly handed: (block: Item) => Promise<HandedBlock>;
  /** True when no further block will come after those that are deliverable. */
  readonly isComplete: () => boolean;
  readonly acknowledge: Acknowledge;
  /** False while unsent results leave no room for those of a further block. */
  readonly mayHandOver: () => boolean;
  /** Resolves when the results of all acknowledged blocks are confirmed. */
  readonly settled: () => Promise<void>;
  readonly setAside: (block: Item) => Promise<void>;
  /** @param stage number of the stage in its pipeline, from 0 */
  readonly noteStart: (pid: number, stage?: number) => void;
  readonly print: (line: string) => void;
}

/** A series of lives. */
export interface Lives {
  /** Hands over what has become deliverable. */
  readonly pump: () => void;
  readonly crashes: () => number;
  readonly isOver: () => boolean;
  /** Resolves when the application has acknowledged everything and ended. */
  readonly over: Promise<void>;
}

/** Time that the application has after TERM. */
const GRACE_MS = 5000;

/** Starts the first life. `over` rejects where it cannot be started or crashes too often. */
export function beginLives<Item extends Deliverable>(
  stream: ProcessedStream<Item>,
  backoff: Backoff = createBackoff(),
): Lives {
  const crashesAt = new Map<number, number>();
  let total = 0;
  let sinceProgress = 0;
  let pumpNow = (): void => undefined;
  const live = async (): Promise<ApplicationEnd> => {
    const application = startApplication(stream.order, stream.program, {
      print: stream.print,
      acknowledge: (seq, results) => {
        sinceProgress = 0;
        backoff.reset();
        stream.acknowledge(seq, results);
      },
    });
    if (application.pid !== undefined) stream.noteStart(application.pid);
    const end = endOnAbort(application, stream.signal);
    const hand = createHand(stream, application);
    pumpNow = hand.pump;
    hand.pump();
    try {
      return await Promise.race([application.ended, hand.failed]);
    } catch (cause) {
      // A block that cannot be handed over ends the stream, and so the application, which waits for it.
      application.signal("SIGKILL");
      await application.ended;
      throw cause;
    } finally {
      hand.stop();
      end();
    }
  };
  const lives = async (): Promise<void> => {
    for (;;) {
      const end = await live();
      await stream.settled();
      if (stream.signal.aborted) return;
      const [culprit] = stream.deliverable();
      if (culprit === undefined && stream.isComplete()) {
        if (end.code === 0) return;
        throw applicationFault(stream, end, "after it had acknowledged the last block");
      }
      total++;
      sinceProgress++;
      if (end.problem !== undefined) throw applicationFault(stream, end, "and could not be started");
      if (sinceProgress > stream.order.application.restarts) {
        throw applicationFault(stream, end, `${sinceProgress} times without an acknowledgement between`);
      }
      if (culprit?.isOffered) await judge(culprit);
      for (const block of stream.deliverable()) Object.assign(block, { state: "whole", isOffered: false });
      await backoff.wait(stream.signal).catch(() => undefined);
      if (stream.signal.aborted) return;
    }
  };
  const judge = async (culprit: Item): Promise<void> => {
    const times = (crashesAt.get(culprit.seq) ?? 0) + 1;
    crashesAt.set(culprit.seq, times);
    if (times >= 2) await stream.setAside(culprit);
  };
  let isOver = false;
  const over = lives().finally(() => {
    isOver = true;
  });
  return { pump: () => pumpNow(), crashes: () => total, over, isOver: () => isOver };
}

/** Hands over blocks one after the other; verifying one may take a moment. */
function createHand<Item extends Deliverable>(
  { deliverable, handed, isComplete, mayHandOver }: ProcessedStream<Item>,
  application: Application,
): { readonly pump: () => void; readonly stop: () => void; readonly failed: Promise<never> } {
  let isBusy = false;
  let isOver = false;
  let isEnded = false;
  let fail: (cause: unknown) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const run = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    for (;;) {
      const block = mayHandOver() ? deliverable().find(({ state }) => state === "whole") : undefined;
      if (block === undefined) break;
      block.state = "handed";
      const facts = await handed(block);
      if (isOver) return;
      block.isOffered = true;
      application.offer(facts);
    }
    isBusy = false;
    if (!isEnded && isComplete() && !deliverable().some(({ state }) => state === "whole")) {
      isEnded = true;
      application.end();
    }
  };
  const stop = (): void => {
    isOver = true;
  };
  return { pump: () => void (isOver || run().catch(fail)), stop, failed };
}

/** Ends the application when the stream is stopped: TERM, then KILL. Returns what ends the watch. */
function endOnAbort(application: Application, signal: AbortSignal): () => void {
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    application.signal("SIGTERM");
    timer = setTimeout(() => application.signal("SIGKILL"), GRACE_MS);
  };
  if (signal.aborted) end();
  signal.addEventListener("abort", end);
  return () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  };
}

function applicationFault(
  { order: { stream }, program }: Pick<ProcessedStream, "order" | "program">,
  end: ApplicationEnd,
  when: string,
): Fault {
  const how = end.signal === null ? `code ${end.code}` : `signal ${end.signal}`;
  return new Fault({
    kind: "failed",
    code: "applicationFailed",
    what: `the application of stream ${stream} failed`,
    why: `${program.command[0]} ended with ${end.problem ?? how} ${when}`,
    remedy: "check its messages, correct the application, and submit the stream again",
  });
}
