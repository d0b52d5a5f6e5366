/**
 * Sends mail about jobs by the system's `sendmail` (rules BR-270 to BR-272).
 *
 * It follows the log. What is to be sent is in one file, with the number of the event up to which the log was
 * read: a letter is recorded before it is sent, and marked while it is handed over. So after a crash none is
 * lost, and one that may have been taken is not sent twice.
 */
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import type { BrokerApi } from "../../runtime/index.ts";
import { readKept, removeDrafts, writeKept } from "../kept-file.ts";
import { pause } from "../pause.ts";
import { type Addressing, type Letter, letterAbout } from "./letters.ts";
import { handOver } from "./send-mail.ts";

/** Settings of mail. */
interface MailSettings extends Addressing {
  /** Absolute path of the program. */
  readonly sendmail: string;
}

/** Surroundings of mail. */
export interface MailWorld {
  readonly settings: MailSettings;
  /** Directory of the file, made where it is missing. */
  readonly directory: string;
  readonly brokerApi: Pick<BrokerApi, "job" | "array" | "events">;
  readonly nowMs: () => number;
  readonly warn: (message: string) => void;
  /** Pauses between tries, in ms; there is one more try than pauses. */
  readonly pausesMs?: readonly number[];
  readonly timeoutMs?: number;
  /** How often the log is looked at for new events. */
  readonly pollMs?: number;
}

/** Pauses between tries of a letter: five hours in all. */
const PAUSES_MS = [60_000, 300_000, 1_800_000, 3_600_000, 12_600_000];
const TIMEOUT_MS = 60_000;
const POLL_MS = 2000;
const PAGE = 200;
/** Number of unsent letters at which the log is read no further. */
const MOST_WAITING = 1000;
/** Age from which an event causes no mail any more, as after a time in which mail or the broker was off. */
const STALE_MS = 24 * 3_600_000;
/** Number of arrays for which it is remembered that mail was sent. */
const MOST_TOLD = 2000;

interface Waiting extends Letter {
  readonly tries: number;
  readonly nextAtMs: number;
  /** True while it is handed over: nobody knows whether it was taken. */
  readonly isUnderWay?: true;
}

interface Kept {
  readonly throughSeq: number;
  readonly waiting: readonly Waiting[];
  readonly told: readonly string[];
}

/** Reads what is still to be sent, and begins. @returns what ends it */
export async function runMail(world: MailWorld): Promise<{ stop(): Promise<void> }> {
  const { directory, warn } = world;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await removeDrafts(directory);
  const kept = await keptBefore(world);
  for (const { job, isUnderWay } of kept.waiting) {
    if (isUnderWay) warn(`job ${job}: mail may have been sent before the broker ended; it is not sent again`);
  }
  const waiting = kept.waiting.filter(({ isUnderWay }) => isUnderWay !== true);
  const ending = new AbortController();
  const done = follow(world, { ...kept, waiting }, ending.signal);
  return {
    async stop() {
      ending.abort();
      await done;
    },
  };
}

async function headOf(brokerApi: Pick<BrokerApi, "events">): Promise<number> {
  const { head } = await brokerApi.events({ isNewestFirst: true, limit: 1 });
  return head;
}

/** What is known, in memory and in the file. */
interface State {
  kept: Kept;
  /** False where the file is behind. */
  isSaved: boolean;
}

/**
 * Follows the log and sends mail. If the log cannot be read or the file not written, it tries again, with one
 * warning.
 */
async function follow(world: MailWorld, begun: Kept, signal: AbortSignal): Promise<void> {
  const { pollMs = POLL_MS, warn } = world;
  const state: State = { kept: begun, isSaved: false };
  let trouble = "";
  while (!signal.aborted) {
    const before = state.kept.throughSeq;
    let now = "";
    try {
      await goOn(world, state, signal);
    } catch (error) {
      now = `mail is sent later: ${String(error)}`;
      if (now !== trouble && !signal.aborted) warn(now);
    }
    trouble = now;
    const isBehind = state.kept.throughSeq - before >= PAGE;
    if (!isBehind || now !== "") await pause(pollMs, signal);
  }
}

/** Reads on, and hands over what is due. */
async function goOn(world: MailWorld, state: State, signal: AbortSignal): Promise<void> {
  const { directory, nowMs } = world;
  const saved = async (): Promise<void> => {
    await writeKept(fileOf(directory), state.kept);
    state.isSaved = true;
  };
  if (!state.isSaved) await saved();
  const next = state.kept.waiting.length < MOST_WAITING ? await readOn(world, state.kept) : state.kept;
  if (next !== state.kept) await writeKept(fileOf(directory), next);
  state.kept = next;
  for (const letter of next.waiting.filter(({ nextAtMs }) => nextAtMs <= nowMs())) {
    if (signal.aborted) return;
    // What was handed over is not handed over again, though that could not be written.
    state.kept = await sent(world, state.kept, letter);
    state.isSaved = false;
    await saved();
  }
}

/** Letters that the next events of the log call for. */
async function readOn(world: MailWorld, kept: Kept): Promise<Kept> {
  const { brokerApi, nowMs, settings, warn } = world;
  const page = await brokerApi.events({ isNewestFirst: false, after: kept.throughSeq, limit: PAGE });
  const told = new Set(kept.told);
  const isFirst = (subject: string): boolean => {
    const isNew = !told.has(subject);
    told.add(subject);
    return isNew;
  };
  const found: Waiting[] = [];
  for (const recorded of page.items) {
    if (nowMs() - recorded.event.atMs > STALE_MS) continue;
    const letter = await letterAbout({ ...settings, brokerApi, warn, isFirst }, recorded);
    if (letter !== undefined) found.push({ ...letter, tries: 0, nextAtMs: 0 });
  }
  const last = page.items.at(-1)?.seq ?? 0;
  const throughSeq = Math.max(kept.throughSeq, last, page.next ?? 0);
  if (throughSeq === kept.throughSeq) return kept;
  return { throughSeq, waiting: [...kept.waiting, ...found], told: [...told].slice(-MOST_TOLD) };
}

/** Hands one letter over; one that was not taken waits for its next try, or is given up. */
async function sent(world: MailWorld, kept: Kept, letter: Waiting): Promise<Kept> {
  const { directory, settings, nowMs, warn, pausesMs = PAUSES_MS, timeoutMs = TIMEOUT_MS } = world;
  const others = kept.waiting.filter(({ seq }) => seq !== letter.seq);
  await writeKept(fileOf(directory), { ...kept, waiting: [...others, { ...letter, isUnderWay: true }] });
  const { sendmail, from } = settings;
  const { job, to, message } = letter;
  const result = await handOver({ sendmail, from, to, message, timeoutMs });
  const tries = letter.tries + 1;
  const pauseMs = pausesMs[tries - 1];
  const isRepeated = result.kind === "refused" && pauseMs !== undefined;
  if (result.kind !== "taken" && (tries === 1 || !isRepeated)) {
    warn(`job ${job}: mail to ${to} ${isRepeated ? "is tried again" : "was given up"}: ${result.why}`);
  }
  const again = isRepeated ? [{ ...letter, tries, nextAtMs: nowMs() + pauseMs }] : [];
  return { ...kept, waiting: [...others, ...again] };
}

/** True for the content of a whole file. */
function isWhole({ throughSeq, waiting, told }: Partial<Kept>): boolean {
  return Number.isSafeInteger(throughSeq) && Array.isArray(waiting) && Array.isArray(told);
}

/** What is kept; a file that cannot be understood is put aside, since letters may be in it. */
async function keptBefore({ directory, brokerApi, warn }: MailWorld): Promise<Kept> {
  const file = fileOf(directory);
  const kept = await readKept<Kept>(file, isWhole);
  if (kept !== undefined && kept !== "unreadable") return kept;
  if (kept === "unreadable") {
    await rename(file, `${file}.unreadable`);
    warn(`mail: ${file} cannot be understood; messages in it are not sent. It is kept as ${file}.unreadable`);
  }
  return { throughSeq: await headOf(brokerApi), waiting: [], told: [] };
}

function fileOf(directory: string): string {
  return join(directory, "queue.json");
}
