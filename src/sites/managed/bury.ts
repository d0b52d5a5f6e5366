/**
 * Brings an attempt to its end that nobody answers for: its wrapper was killed, or the machine went down.
 *
 * A process that nobody keeps the time of, and whose exit code nobody will learn, is worth nothing to a
 * batch system and stands in the way of the next attempt. So it is ended, TERM and then KILL, and only when
 * nothing of it runs any more is it reported lost: an attempt said to be over is over, and may be repeated.
 */
import { setTimeout as delay } from "node:timers/promises";
import { readReports, type Verdict } from "./attempt-record.ts";
import { type Claim, DIRECTORY_VARIABLE, readableOrder, readControl } from "./job-files.ts";
import { appendJsonLine } from "./json-lines.ts";
import type { AttemptPlaces } from "./places.ts";
import { signalGroup } from "./process-group.ts";
import {
  findByEnvironment,
  groupOf,
  isAlive,
  isOfThisBoot,
  type ProcessIdentity,
} from "./process-identity.ts";
import type { EndedLine } from "./reports.ts";

const POLL_MS = 20;
/** Between TERM and KILL where the order that says it cannot be read. */
const GRACE_MS = 10_000;
/** After KILL. What is stuck in the kernel for longer can do no more harm than any other zombie. */
const KILLED_MS = 5000;

/** Ends what is left of the attempt and writes its last report; given up without one when aborted. */
export async function bury(places: AttemptPlaces, claim: Claim, abort: AbortSignal): Promise<void> {
  const isUnread = claim.by === "site" && claim.mayRun === true;
  // Said first, since a wrapper that is still there would have the last word on what is ended here.
  if (isUnread) appendJsonLine(places.spool, endOf(places, claim), true);
  const mayRun = isUnread || (claim.by === "wrapper" && isOfThisBoot(claim.mark));
  if (mayRun) {
    const reports = await readReports(places);
    const payload = reports.find((line) => line.kind === "running");
    const entry = `${DIRECTORY_VARIABLE}=${places.work}`;
    const graceMs = readableOrder(places)?.graceMs ?? GRACE_MS;
    await endLeftovers({ payload, entry, graceMs, abort });
  }
  if (!abort.aborted && !isUnread) appendJsonLine(places.spool, endOf(places, claim), true);
}

function endOf(places: AttemptPlaces, claim: Claim): EndedLine {
  return { kind: "ended", atMs: Date.now(), ...verdict(places, claim) };
}

interface Leftovers {
  readonly payload: ProcessIdentity | undefined;
  /** What all its processes have in their environment. */
  readonly entry: string;
  readonly graceMs: number;
  readonly abort: AbortSignal;
}

async function endLeftovers(leftovers: Leftovers): Promise<void> {
  const termAt = performance.now();
  const killAt = termAt + leftovers.graceMs;
  let sent: NodeJS.Signals | undefined;
  while (!leftovers.abort.aborted) {
    const now = performance.now();
    const due = now >= killAt ? "SIGKILL" : "SIGTERM";
    // TERM once; KILL again and again, for a process may have been born in between.
    const isThere = signalAll(leftovers, due === sent && due === "SIGTERM" ? 0 : due);
    if (!isThere || now > killAt + KILLED_MS) return;
    sent = due;
    await delay(POLL_MS);
  }
}

/** Signals the group and whatever left it; false when nothing was there. */
function signalAll({ payload, entry }: Leftovers, signal: NodeJS.Signals | 0): boolean {
  const leader = payload !== undefined && isAlive(payload) ? payload.pid : undefined;
  const duplicates = findByEnvironment(entry).filter(
    (pid) => leader === undefined || groupOf(pid) !== leader,
  );
  // A stopped process would not hear TERM.
  for (const each of signal === "SIGTERM" ? ([signal, "SIGCONT"] as const) : [signal]) {
    if (leader !== undefined) signalGroup(leader, each);
    for (const pid of duplicates) signalOne(pid, each);
  }
  return leader !== undefined || duplicates.length > 0;
}

function signalOne(pid: number, signal: NodeJS.Signals | 0): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone in the meantime, which is what was wanted.
  }
}

function verdict(places: AttemptPlaces, claim: Claim): Verdict {
  if (claim.by === "site") return { cause: claim.cause, detail: claim.detail };
  if (readControl(places).some(({ verb }) => verb === "cancel")) {
    return { cause: "cancelled", detail: undefined };
  }
  const detail = isOfThisBoot(claim.mark)
    ? "The wrapper of the job was killed, so how the job went is not known; what was left of it was ended."
    : "The machine was restarted while the job ran.";
  return { cause: "lost", detail };
}
