/**
 * Sends the audit to a syslog receiver (rule BR-290).
 *
 * It follows the log: a file holds the number of the last event that was sent, and unsent events are read
 * from the log again. An unreachable receiver therefore costs no memory and delays nothing. Each message has
 * the number of its event, by which a receiver recognises one that was sent twice.
 */
import { mkdir } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import type { AuditRecord } from "../../model/index.ts";
import type { BrokerApi, RecordedEvent } from "../../runtime/index.ts";
import { readKept, removeDrafts, writeKept } from "../kept-file.ts";
import { pause } from "../pause.ts";
import { auditMessage, isAudited } from "./audit-message.ts";
import { type SyslogTarget, syslogTarget } from "./syslog-target.ts";

/** Dependencies for sending the audit. */
export interface SyslogWorld {
  /** `udp://HOST:PORT` or `tcp://HOST:PORT`. */
  readonly address: string;
  /** Directory of the file with the number; created if it does not exist. */
  readonly directory: string;
  readonly brokerApi: Pick<BrokerApi, "events" | "query">;
  readonly warn: (message: string) => void;
  /** Interval between searches of the log for new events. */
  readonly pollMs?: number;
  readonly timeoutMs?: number;
}

const POLL_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
const PAGE = 200;

interface Kept {
  readonly throughSeq: number;
}

/** Starts sending the audit from where an earlier run ended; if there was none, from now on. */
export async function runSyslog(world: SyslogWorld): Promise<{ stop(): Promise<void> }> {
  const { address, directory, timeoutMs } = world;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await removeDrafts(directory);
  const kept = await keptBefore(world);
  const target = syslogTarget(address, timeoutMs);
  const ending = new AbortController();
  const done = follow(world, target, kept, ending.signal);
  return {
    async stop() {
      ending.abort();
      target.close();
      await done;
    },
  };
}

/** Sends page after page; warns once if the receiver cannot be reached, and pauses longer each time. */
async function follow(
  world: SyslogWorld,
  target: SyslogTarget,
  begun: Kept,
  signal: AbortSignal,
): Promise<void> {
  const { warn, pollMs = POLL_MS } = world;
  let kept = begun;
  let failures = 0;
  while (!signal.aborted) {
    const before = kept.throughSeq;
    try {
      kept = await sentPage(world, target, kept);
      if (failures > 0) warn("the audit is sent to syslog again");
      failures = 0;
    } catch (error) {
      failures++;
      if (failures === 1 && !signal.aborted) {
        warn(`the audit cannot be sent to ${world.address}: ${String(error)}; sending is retried`);
      }
    }
    const isBehind = failures === 0 && kept.throughSeq - before >= PAGE;
    if (!isBehind) await pause(Math.min(LONGEST_PAUSE_MS, pollMs * 2 ** Math.min(failures, 10)), signal);
  }
}

async function sentPage(world: SyslogWorld, target: SyslogTarget, kept: Kept): Promise<Kept> {
  const { brokerApi, directory, warn } = world;
  const page = await brokerApi.events({ isNewestFirst: false, after: kept.throughSeq, limit: PAGE });
  const [first] = page.items;
  const throughSeq = Math.max(kept.throughSeq, page.items.at(-1)?.seq ?? 0);
  if (first === undefined || throughSeq === kept.throughSeq) return kept;
  const archived = first.seq - kept.throughSeq - 1;
  if (archived > 0) warn(`${archived} events were archived before their audit messages were sent to syslog`);
  const sender = { hostName: hostname(), processId: process.pid };
  const messages = page.items.flatMap((recorded) => {
    if (!isAudited(recorded.event)) return [];
    const ended = endedRecord(brokerApi, recorded);
    // Only attempts with an audit record are part of the audit.
    if (recorded.event.kind === "attemptEnded" && ended === undefined) return [];
    return [auditMessage(recorded, ended, sender)];
  });
  if (messages.length > 0) await target.send(messages);
  const next = { throughSeq };
  await writeKept(fileOf(directory), next);
  return next;
}

/** The audit record of the attempt that an event ends; undefined if it has none. */
function endedRecord(brokerApi: Pick<BrokerApi, "query">, { event }: RecordedEvent): AuditRecord | undefined {
  if (event.kind !== "attemptEnded") return undefined;
  const records = brokerApi.query("audit", { job: event.job });
  return records.find(({ attempt, refusal }) => attempt === event.attempt && refusal === null);
}

async function keptBefore({ directory, brokerApi, warn }: SyslogWorld): Promise<Kept> {
  const file = fileOf(directory);
  const kept = await readKept<Kept>(file, ({ throughSeq }) => Number.isSafeInteger(throughSeq));
  if (kept !== undefined && kept !== "unreadable") return kept;
  if (kept === "unreadable")
    warn(`${file} has invalid content; only audit messages from now on are sent to syslog`);
  const { head } = await brokerApi.events({ isNewestFirst: true, limit: 1 });
  const now = { throughSeq: head };
  await writeKept(file, now);
  return now;
}

function fileOf(directory: string): string {
  return join(directory, "sent.json");
}
