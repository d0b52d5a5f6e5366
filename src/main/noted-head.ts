/**
 * The head of the log, stored beside it at intervals: the log alone cannot show that its end is missing.
 *
 * `log.head` in the state directory has number and hash of a durable event, so a log that does not contain
 * it has lost its end, or is another log.
 */
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logbook, LoggedEvent, Receipt } from "../runtime/index.ts";
import { emptyHead, verifyChain } from "../store/index.ts";

const EVERY_MS = 2000;
/** Number of events that are verified before other work runs. */
const SLICE = 50;

/** The stored head; undefined if there is none or it cannot be parsed. */
export async function notedHead(stateDirectory: string): Promise<Receipt | undefined> {
  const text = await readFile(fileOf(stateDirectory), "utf8").catch(() => "");
  const [, seq, hash] = /^(\d{1,15}) ([0-9a-f]{64})\n$/.exec(text) ?? [];
  return seq === undefined ? undefined : { seq: Number(seq), hash };
}

/** Text of a stored head. */
export function headText({ seq, hash }: Receipt): string {
  return `${seq} ${hash}\n`;
}

/** Stores the head now and after every change. @returns stops that, after storing it once more */
export function noteHeads(stateDirectory: string, logbook: Pick<Logbook, "head">): () => Promise<void> {
  let noted = -1;
  const note = async (): Promise<void> => {
    const { seq, hash } = await logbook.head();
    if (seq === noted) return;
    noted = seq;
    const file = fileOf(stateDirectory);
    await writeFile(`${file}.new`, headText({ seq, hash }), { mode: 0o600 });
    await rename(`${file}.new`, file);
  };
  // A note that cannot be written is made up for by the next.
  let last = note().catch(() => undefined);
  const again = (): void => {
    last = last.then(note).catch(() => undefined);
  };
  const noting = setInterval(again, EVERY_MS);
  noting.unref();
  return async () => {
    clearInterval(noting);
    again();
    await last;
  };
}

/**
 * Problem of a log behind its archives, to its last event and to the stored head, in one sentence; undefined
 * if there is none. Other work runs in between. Archives were verified before their events left the log, and
 * are verified again by `stint archive verify`.
 */
export async function troubleOfLog(
  logbook: Pick<Logbook, "head" | "events" | "archives">,
  noted: Receipt | undefined,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const head = await logbook.head();
  const lost = endLost(head, noted);
  if (lost !== undefined) return lost;
  const after = (await logbook.archives()).at(-1)?.through ?? emptyHead;
  const through = noted === undefined || noted.seq < after.seq ? head : noted;
  const verdict = await verifyChain(slowly(logbook.events(after.seq + 1), signal), { after, through });
  if (verdict.kind === "intact" || signal?.aborted === true) return undefined;
  return `event ${verdict.seq} is ${verdict.kind}; what follows it cannot be trusted`;
}

/** Problem of a log that ends before the stored head. */
export function endLost(head: Receipt, noted: Receipt | undefined): string | undefined {
  if (noted === undefined || noted.seq <= head.seq) return undefined;
  return (
    `the end of the log is lost: it has ${head.seq} events, and ${noted.seq} were recorded; its journal ` +
    "(logbook.sqlite-wal) was removed or damaged, or the log was replaced by an older copy"
  );
}

async function* slowly(
  events: AsyncIterable<LoggedEvent>,
  signal: AbortSignal | undefined,
): AsyncIterable<LoggedEvent> {
  let checked = 0;
  for await (const event of events) {
    if (signal?.aborted === true) return;
    yield event;
    checked++;
    if (checked % SLICE === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

function fileOf(stateDirectory: string): string {
  return join(stateDirectory, "log.head");
}
