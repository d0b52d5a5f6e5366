/**
 * The worker thread that owns a logbook's database.
 *
 * Takes turns: first all waiting commits, as one group, then other questions for a few milliseconds, then
 * new messages. While the disk syncs one group, the next one collects in the port; that is the whole group
 * commit.
 */
import { parentPort, workerData } from "node:worker_threads";
import { assert } from "../../base/index.ts";
import type { PreparedCommit } from "../prepare-commit.ts";
import { type Answered, type Asked, factsOf, type OpenOrder } from "./protocol.ts";
import { storeFault } from "./sqlite-fault.ts";
import { type OtherQuestion, openStore, type Store } from "./store.ts";

/** Largest group: a larger one would make its first member wait long. */
const largestGroup = 1000;
/** Longest time, in ms, for other questions while commits wait, plus the last question. */
const othersMs = 5;

assert(parentPort !== null, "worker.ts runs as a worker thread");
const port = parentPort;
const order: OpenOrder = workerData;
const opening = 0;

await openStore(order).then(serve, (error: unknown) => {
  port.postMessage([faultOf(opening, error)]);
});

function serve(store: Store): void {
  const commits: { id: number; commit: PreparedCommit }[] = [];
  const others: { id: number; question: OtherQuestion }[] = [];
  let closing: number | undefined;
  let hasTurn = false;

  port.on("message", ({ id, question }: Asked) => {
    if (question.kind === "commit") commits.push({ id, commit: question.asks });
    else if (question.kind === "close") closing = id;
    else others.push({ id, question });
    takeTurnSoon();
  });
  port.postMessage([{ id: opening, ok: true, value: store.opened }] satisfies Answered[]);

  function takeTurnSoon(): void {
    if (hasTurn) return;
    hasTurn = true;
    setImmediate(takeTurn);
  }
  function takeTurn(): void {
    hasTurn = false;
    if (commits.length > 0) port.postMessage(writeGroup(store, commits.splice(0, largestGroup)));
    const untilMs = performance.now() + othersMs;
    while (others.length > 0 && performance.now() < untilMs) {
      port.postMessage(others.splice(0, 1).map(({ id, question }) => answerOf(store, id, question)));
    }
    if (commits.length + others.length > 0) takeTurnSoon();
    else if (closing !== undefined) close(closing);
  }
  function close(id: number): void {
    port.postMessage([outcome(id, () => store.close())]);
    port.close();
  }
}

function writeGroup(store: Store, group: readonly { id: number; commit: PreparedCommit }[]): Answered[] {
  const outcomes = store.append(group.map(({ commit }) => commit));
  return outcomes.map((it, i) =>
    it.ok ? { id: group[i].id, ok: true, value: it.receipt } : faultOf(group[i].id, it.fault),
  );
}

function answerOf(store: Store, id: number, question: OtherQuestion): Answered {
  return outcome(id, () => store.answer(question));
}

function outcome(id: number, work: () => unknown): Answered {
  try {
    return { id, ok: true, value: work() };
  } catch (error) {
    return faultOf(id, error);
  }
}

function faultOf(id: number, error: unknown): Answered {
  return { id, ok: false, fault: factsOf(storeFault(error, "the logbook failed")) };
}
