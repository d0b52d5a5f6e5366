/** The thread that owns the samples; handles one request after the other. */
import { parentPort, workerData } from "node:worker_threads";
import { assert, Fault, messageOf } from "../../base/index.ts";
import type { Database } from "../sqlite/database.ts";
import { factsOf } from "../sqlite/protocol.ts";
import type { ThreadAnswer } from "../thread-link.ts";
import type { SampleQuestion, SamplesOrder } from "./protocol.ts";
import { type SampleBook, sampleBook } from "./sample-book.ts";
import { openSampleFile } from "./sample-tables.ts";

assert(parentPort !== null, "sample-thread.ts runs as a worker thread");
const port = parentPort;
const { file }: SamplesOrder = workerData;
const opening = 0;

await openSampleFile(file).then(
  ({ database, putAside }) => serve(database, putAside),
  (error: unknown) => port.postMessage([{ id: opening, ok: false, fault: factsOf(faultFor(error)) }]),
);

function serve(database: Database, putAside: string | null): void {
  const book = sampleBook(database);
  port.on("message", ({ id, question }: { readonly id: number; readonly question: SampleQuestion }) => {
    port.postMessage([answered(id, () => answer(book, database, question))]);
    if (question.kind === "close") port.close();
  });
  port.postMessage([{ id: opening, ok: true, value: { putAside } }] satisfies ThreadAnswer[]);
}

function answer(book: SampleBook, database: Database, question: SampleQuestion): unknown {
  switch (question.kind) {
    case "add":
      return book.add(question.batch);
    case "lastOf":
      return book.lastOf(question.source);
    case "course":
      return book.course(question.place, question.grid);
    case "notes":
      return book.notes(question.placePrefix);
    case "prune":
      return book.prune(question.nowMs);
    case "close":
      return database.close();
  }
}

function answered(id: number, work: () => unknown): ThreadAnswer {
  try {
    return { id, ok: true, value: work() };
  } catch (error) {
    return { id, ok: false, fault: factsOf(faultFor(error)) };
  }
}

function faultFor(error: unknown): Fault {
  if (error instanceof Fault) return error;
  const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
  return new Fault({
    kind: "failed",
    code: "samplesFailed",
    what: `usage samples cannot be written to or read from ${file}`,
    why: `${messageOf(error)}${code}`,
    remedy: "check the free space and the owner of the file; the broker continues without samples",
    cause: error,
  });
}
