/**
 * The head of the log, noted beside it again and again: the log alone cannot show that its end is missing.
 *
 * `log.head` in the state directory holds the number and the hash of an event that was durable when it was
 * written, so a log that does not lead there has lost its end, or is another one.
 */
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logbook, LoggedEvent, Receipt } from "../runtime/index.ts";
import { verifyChain } from "../store/index.ts";

const EVERY_MS = 2000;
/** So many events are checked before others have their turn. */
const SLICE = 50;

/** The head that was noted last; undefined where none was, or it cannot be understood. */
export async function notedHead(stateDirectory: string): Promise<Receipt | undefined> {
  const text = await readFile(fileOf(stateDirectory), "utf8").catch(() => "");
  const [, seq, hash] = /^(\d{1,15}) ([0-9a-f]{64})\n$/.exec(text) ?? [];
  return seq === undefined ? undefined : { seq: Number(seq), hash };
}

/** Notes the head now and whenever it has moved. @returns ends that, with a last note */
export function noteHeads(stateDirectory: string, logbook: Pick<Logbook, "head">): () => Promise<void> {
  let noted = -1;
  const note = async (): Promise<void> => {
    const { seq, hash } = await logbook.head();
    if (seq === noted) return;
    noted = seq;
    const file = fileOf(stateDirectory);
    await writeFile(`${file}.new`, `${seq} ${hash}\n`, { mode: 0o600 });
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
 * What is wrong with a log, from its first event to its last and to the head that was noted, in one
 * sentence; undefined where all is in order. Others have their turn meanwhile.
 */
export async function troubleOfLog(
  logbook: Pick<Logbook, "head" | "events">,
  noted: Receipt | undefined,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const head = await logbook.head();
  const lost = endLost(head, noted);
  if (lost !== undefined) return lost;
  const verdict = await verifyChain(slowly(logbook.events(1), signal), { through: noted ?? head });
  if (verdict.kind === "intact" || signal?.aborted === true) return undefined;
  return `event ${verdict.seq} is ${verdict.kind}; what follows it cannot be trusted`;
}

/** Said where the log ends before the head that was noted. */
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
