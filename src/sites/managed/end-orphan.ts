/**
 * Ends an orphaned attempt: its wrapper was killed, or the machine was restarted.
 *
 * Without its wrapper a job has no time limit and its exit code is lost, and a retry must not meet it. So
 * its processes get TERM and then KILL, and only when none runs any more is the attempt reported as lost. A
 * lost attempt may therefore be repeated safely.
 */
import { setTimeout as delay } from "node:timers/promises";
import { type LossReason, readReports } from "./attempt-record.ts";
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
/** Time between TERM and KILL, in ms, if the order with the job's own value cannot be read. */
const GRACE_MS = 10_000;
/**
 * Longest wait after KILL, in ms. A process that is stuck in the kernel for longer does no more harm than a
 * zombie.
 */
const KILLED_MS = 5000;

/** Ends the processes of an orphaned attempt and writes its last report; writes none if aborted. */
export async function endOrphan(places: AttemptPlaces, claim: Claim, abort: AbortSignal): Promise<void> {
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
  /** Environment entry (`NAME=value`) that all processes of the attempt have. */
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

/** Sends a signal to the process group and to processes that left it; false if there was none. */
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

function verdict(places: AttemptPlaces, claim: Claim): LossReason {
  if (claim.by === "site") return { cause: claim.cause, detail: claim.detail };
  if (readControl(places).some(({ verb }) => verb === "cancel")) {
    return { cause: "cancelled", detail: undefined };
  }
  const detail = isOfThisBoot(claim.mark)
    ? "The wrapper of the job was killed, so how the job went is not known; what was left of it was ended."
    : "The machine was restarted while the job ran.";
  return { cause: "lost", detail };
}
