/**
 * Delivers events of the log to webhooks: each in order, one request at a time, tried again with growing
 * pauses, and given up after the last try. A webhook that never answers delays no other, and no round.
 *
 * What was delivered is kept in a file for each webhook, of mode 0600 since its secret is in it: a signature
 * needs the secret itself, so a hash would not do. After a crash the event that was under way is sent again;
 * receivers know it by its number.
 */
import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { eventSummary, jobNamedBy, siteNamedBy } from "../../model/index.ts";
import type {
  EventSearch,
  RecordedEvent,
  RecordedPage,
  Webhook,
  WebhookRequest,
  Webhooks,
} from "../../runtime/index.ts";
import { readKept, removeDrafts, writeKept } from "../kept-file.ts";
import { pause } from "../pause.ts";
import { send } from "./send.ts";

/** Surroundings of webhooks. */
export interface WebhookWorld {
  /** Directory of the files, made where it is missing. */
  readonly directory: string;
  readonly events: (search: EventSearch) => Promise<RecordedPage>;
  readonly nowMs: () => number;
  readonly warn: (message: string) => void;
  /** Pauses between tries, in ms; there is one more try than pauses. */
  readonly pausesMs?: readonly number[];
  readonly timeoutMs?: number;
  /** Interval between polls of the log for new events. */
  readonly pollMs?: number;
}

/** Webhooks at work. */
export interface RunningWebhooks extends Webhooks {
  stop(): Promise<void>;
}

/** A minute in all, then 5 and 30 minutes: long enough for a restart of the receiver. */
const PAUSES_MS = [1000, 4000, 15_000, 40_000, 300_000, 1_800_000];
const TIMEOUT_MS = 10_000;
const POLL_MS = 1000;
const PAGE = 200;
const MOST_DEAD = 1000;

interface Kept extends Webhook {
  readonly secret: string;
}

interface Running {
  kept: Kept;
  readonly ending: AbortController;
  done: Promise<void>;
}

/** Reads the webhooks of a directory and begins to deliver. */
export async function runWebhooks(world: WebhookWorld): Promise<RunningWebhooks> {
  const { directory, events, nowMs, warn } = world;
  const running = new Map<string, Running>();
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await removeDrafts(directory);
  for (const name of await readdir(directory)) {
    if (!name.endsWith(".json")) continue;
    const kept = await readKept<Kept>(join(directory, name), isWhole);
    if (kept === undefined || kept === "unreadable")
      warn(`webhook ${name}: its file cannot be read; it is left out`);
    else begin(kept);
  }

  function begin(kept: Kept): void {
    const one: Running = { kept, ending: new AbortController(), done: Promise.resolve() };
    running.set(kept.id, one);
    one.done = deliverAll(world, one).catch((error: unknown) => {
      if (!one.ending.signal.aborted) warn(`webhook ${kept.id}: ${String(error)}`);
    });
  }
  async function end(one: Running): Promise<void> {
    one.ending.abort();
    await one.done;
  }
  return {
    list: () => [...running.values()].map(({ kept }) => shown(kept)),
    async add(request: WebhookRequest) {
      const secret = `whsec_${randomBytes(32).toString("base64url")}`;
      const { head } = await events({ isNewestFirst: true, limit: 1 });
      const kept: Kept = {
        ...{ ...request, id: randomBytes(6).toString("hex"), secret, createdAtMs: nowMs() },
        ...{ throughSeq: head, failing: null, dead: [] },
      };
      await writeKept(fileOf(directory, kept.id), kept);
      begin(kept);
      return { webhook: shown(kept), secret };
    },
    async remove(id) {
      const one = running.get(id);
      if (one === undefined) return undefined;
      running.delete(id);
      await end(one);
      await rm(fileOf(directory, id), { force: true });
      return shown(one.kept);
    },
    async redeliver(id) {
      const one = running.get(id);
      if (one === undefined) return undefined;
      await end(one);
      const { dead } = one.kept;
      const first = dead.map(({ seq }) => seq);
      const kept = { ...one.kept, dead: [], failing: null };
      await writeKept(fileOf(directory, kept.id), kept);
      running.delete(id);
      begin(kept);
      const again = running.get(id);
      if (again !== undefined)
        again.done = Promise.all([again.done, resend(world, again, first)]).then(() => {});
      return shown(kept);
    },
    async stop() {
      await Promise.all([...running.values()].map(end));
    },
  };
}

/** Follows the log until the webhook ends. */
async function deliverAll(world: WebhookWorld, one: Running): Promise<void> {
  const { events, pollMs = POLL_MS } = world;
  const { signal } = one.ending;
  while (!signal.aborted) {
    const { throughSeq } = one.kept;
    const page = await events({ isNewestFirst: false, after: throughSeq, limit: PAGE });
    for (const recorded of page.items) {
      if (isAskedFor(one.kept, recorded)) await deliver(world, one, recorded);
      if (signal.aborted) return;
      one.kept = { ...one.kept, throughSeq: recorded.seq };
    }
    const through = page.next ?? page.head;
    one.kept = {
      ...one.kept,
      throughSeq: Math.max(one.kept.throughSeq, page.next === undefined ? 0 : through),
    };
    if (one.kept.throughSeq !== throughSeq) await writeKept(fileOf(world.directory, one.kept.id), one.kept);
    if (page.next === undefined) await pause(pollMs, signal);
  }
}

/** Sends events of these numbers once more. */
async function resend(world: WebhookWorld, one: Running, numbers: readonly number[]): Promise<void> {
  for (const seq of numbers) {
    const { items } = await world.events({ isNewestFirst: false, after: seq - 1, limit: 1 });
    const [recorded] = items;
    if (recorded?.seq === seq) await deliver(world, one, recorded);
    if (one.ending.signal.aborted) return;
  }
}

/** Delivers one event, or gives it up. */
async function deliver(world: WebhookWorld, one: Running, recorded: RecordedEvent): Promise<void> {
  const { nowMs, pausesMs = PAUSES_MS, timeoutMs = TIMEOUT_MS, directory } = world;
  const { signal } = one.ending;
  const body = bodyOf(one.kept, recorded);
  const { seq, event } = recorded;
  for (let tries = 1; ; tries++) {
    const { url, secret, isPrivateAllowed } = one.kept;
    const why = await send({ url, secret, body, nowMs: nowMs(), timeoutMs, isPrivateAllowed, signal });
    if (signal.aborted) return;
    if (why === undefined) {
      one.kept = { ...one.kept, failing: null };
      return;
    }
    const pauseMs = pausesMs[tries - 1];
    if (pauseMs === undefined) {
      const letter = { seq, kind: event.kind, atMs: event.atMs, why };
      one.kept = { ...one.kept, failing: null, dead: [...one.kept.dead, letter].slice(-MOST_DEAD) };
      await writeKept(fileOf(directory, one.kept.id), one.kept);
      return;
    }
    one.kept = { ...one.kept, failing: { seq, tries, why } };
    await pause(pauseMs, signal);
    if (signal.aborted) return;
  }
}

function isAskedFor({ kinds }: Kept, { event }: RecordedEvent): boolean {
  return kinds.length === 0 || kinds.includes(event.kind);
}

function bodyOf({ id }: Kept, { seq, event }: RecordedEvent): string {
  const { text, by, state } = eventSummary(event);
  const job = jobNamedBy(event);
  const at = new Date(event.atMs).toISOString();
  return JSON.stringify({
    webhook: id,
    event: { seq, at, kind: event.kind, job, site: siteNamedBy(event), by, state, text },
  });
}

function shown({ secret: _, ...webhook }: Kept): Webhook {
  return webhook;
}

function fileOf(directory: string, id: string): string {
  return join(directory, `${id}.json`);
}

/** True for the content of a whole file. */
function isWhole({ secret, throughSeq, dead, kinds }: Partial<Kept>): boolean {
  const isBegun = typeof secret === "string" && Number.isSafeInteger(throughSeq);
  return isBegun && Array.isArray(dead) && Array.isArray(kinds);
}
