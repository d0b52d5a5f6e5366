/**
 * Sends mail about jobs by the system's `sendmail` (rules BR-270 to BR-272).
 *
 * Mail follows the log. One file has all unsent messages and the number of the last event that was read. A
 * message is recorded in it before it is sent, and marked while it is passed to `sendmail`. So after a crash
 * no message is lost, and one that `sendmail` may have accepted is not sent twice.
 */
import { constants } from "node:fs";
import { access, mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import type { BrokerApi } from "../../runtime/index.ts";
import { readKept, removeDrafts, writeKept } from "../kept-file.ts";
import { pause } from "../pause.ts";
import { type Addressing, type Letter, letterAbout } from "./letters.ts";
import { handOver } from "./send-mail.ts";

/** Settings of mail. */
interface MailSettings extends Addressing {
  /** Absolute path of `sendmail`. */
  readonly sendmail: string;
}

/** Dependencies of mail on the broker. */
export interface MailWorld {
  readonly settings: MailSettings;
  /** Directory of the file with unsent messages; created if it does not exist. */
  readonly directory: string;
  readonly brokerApi: Pick<BrokerApi, "job" | "array" | "events">;
  readonly nowMs: () => number;
  readonly warn: (message: string) => void;
  /** Pauses between tries, in ms; there is one more try than pauses. */
  readonly pausesMs?: readonly number[];
  readonly timeoutMs?: number;
  /** Interval of looking for new events in the log. */
  readonly pollMs?: number;
}

/** Pauses between attempts to send a message: five hours in total. */
const PAUSES_MS = [60_000, 300_000, 1_800_000, 3_600_000, 12_600_000];
const TIMEOUT_MS = 60_000;
const POLL_MS = 2000;
const PAGE = 200;
/** Number of unsent messages from which on no more of the log is read. */
const MOST_WAITING = 1000;
/** Age beyond which events cause no mail, for instance after mail or the broker was switched off. */
const STALE_MS = 24 * 3_600_000;
/** Number of arrays for which it is remembered that mail was sent. */
const MOST_TOLD = 2000;

interface Waiting extends Letter {
  readonly tries: number;
  readonly nextAtMs: number;
  /** True while the message is passed to `sendmail`: it is not known whether it was accepted. */
  readonly isUnderWay?: true;
}

interface Kept {
  readonly throughSeq: number;
  readonly waiting: readonly Waiting[];
  readonly told: readonly string[];
}

/** Reads the unsent messages and starts sending mail. @returns a function that stops it */
export async function runMail(world: MailWorld): Promise<{ stop(): Promise<void> }> {
  const { directory, warn } = world;
  await warnOfSettings(world);
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

/** Warns of settings with which no message can be sent. */
async function warnOfSettings({ settings: { sendmail, domains }, warn }: MailWorld): Promise<void> {
  if (domains.length === 0) {
    warn("no mail is sent, since server.mail.domains is empty; list the domains to which mail may be sent");
  }
  await access(sendmail, constants.X_OK).catch(({ code }: NodeJS.ErrnoException) => {
    const why = code === "ENOENT" ? "there is no such file" : "it is not executable";
    warn(`no mail is sent: ${sendmail}: ${why}; install it, or set server.mail.sendmail`);
  });
}

async function headOf(brokerApi: Pick<BrokerApi, "events">): Promise<number> {
  const { head } = await brokerApi.events({ isNewestFirst: true, limit: 1 });
  return head;
}

/** Unsent messages, in memory and in the file. */
interface State {
  kept: Kept;
  /** False if the file does not have the latest state yet. */
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
      now = `mail is delayed: ${String(error)}`;
      if (now !== trouble && !signal.aborted) warn(now);
    }
    trouble = now;
    const isBehind = state.kept.throughSeq - before >= PAGE;
    if (!isBehind || now !== "") await pause(pollMs, signal);
  }
}

/** Reads new events, and sends the messages that are due. */
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
    // A message that was passed to sendmail is not sent again, even if that cannot be recorded.
    state.kept = await sent(world, state.kept, letter);
    state.isSaved = false;
    await saved();
  }
}

/** Adds the messages about the next events of the log. */
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

/** Sends one message; if it is refused, it waits for the next attempt or is dropped. */
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
    warn(`job ${job}: mail to ${to} ${isRepeated ? "will be tried again" : "is dropped"}: ${result.why}`);
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
