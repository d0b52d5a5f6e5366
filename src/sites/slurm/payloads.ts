/**
 * Jobs that run in pilots of the broker. They have directories, scripts and reports like its other jobs, but
 * their scripts are started by a pilot, on an order in its directory, and not by sbatch. Their states are
 * read from these files; one command reads those of many jobs.
 */
import { posix } from "node:path";
import { type AttemptEnd, SWITCH_HELPER } from "../../model/index.ts";
import type { PilotQuestion, PilotSight, PlacedAttempt, SiteVerb, SubmitOrder } from "../../runtime/index.ts";
import { endOfAttempt, readReports, rowOfReport } from "./ends.ts";
import type { AttemptFiles } from "./site-files.ts";
import { begin, type Submitting, sharedOf } from "./submit-attempts.ts";
import { payloadScript } from "./wrapper-script.ts";

/** Maximum number of pilots and payloads whose states one command reads. */
const MOST_AT_ONCE = 100;

/** Prepares a job for a pilot, except the order to run it. @returns the job's id here @throws Fault */
export async function submitPayload(
  parts: Submitting,
  order: SubmitOrder,
  pilot: PlacedAttempt,
): Promise<string> {
  const { files, graceMs } = parts;
  const directory = files.placeOf(order.token);
  const siteJob = `${pilot.siteJob}.${posix.basename(directory)}`;
  await begin(parts, order);
  const { mode, helper = SWITCH_HELPER, rules = [] } = parts.spec.pilots?.identity ?? {};
  const { account } = order;
  const isPooled = account !== undefined && rules.some(({ pool = [] }) => pool.includes(account));
  const switching = { isPooled, ...(mode === "sudo" ? { helper } : {}) };
  const place = { directory, graceMs, shared: sharedOf(parts, order), ...switching };
  await files.write(order.token, "script", payloadScript(order, place, siteJob));
  return siteJob;
}

/**
 * Orders a pilot to begin one of its jobs, to end, suspend or resume it, or never to begin it. The clock of a
 * job, which counts its time limit, stands still while the file `suspended` is in its directory.
 */
export async function orderPayload(
  files: AttemptFiles,
  verb: SiteVerb,
  attempt: PlacedAttempt,
  nowMs: number,
): Promise<void> {
  const { token, pilot } = attempt;
  if (pilot === undefined) return;
  const directory = files.placeOf(token);
  const name = posix.basename(directory);
  switch (verb) {
    case "release":
      await files.add(pilot.token, `order.${name}.1`, bytesOf(`payload ${word(name)} ${word(directory)}\n`));
      return;
    case "hold":
      await files.fence(attempt, "cancelled", nowMs);
      return;
    case "cancel":
      if (await files.fence(attempt, "cancelled", nowMs)) return;
      await files.write(token, "stop", "");
      await files.add(pilot.token, `order.${name}.2`, bytesOf(`signal ${word(name)} TERM\n`));
      return;
    case "suspend":
      await files.write(token, "suspended", "");
      await signalPayload(files, attempt, { signal: "SIGSTOP", id: String(nowMs) });
      return;
    case "resume":
      // While the file is there the job counts as suspended, and the order is given again.
      await signalPayload(files, attempt, { signal: "SIGCONT", id: String(nowMs) });
      await files.drop(token, "suspended");
  }
}

/** Passes a signal on to a job that a pilot runs. */
export async function signalPayload(
  files: AttemptFiles,
  { token, pilot }: PlacedAttempt,
  { signal, id }: { readonly signal: string; readonly id: string },
): Promise<void> {
  if (pilot === undefined) return;
  const name = posix.basename(files.placeOf(token));
  await files.addSignal(token, signal);
  await files.add(pilot.token, `order.${name}.3.${id}`, bytesOf(`signal ${word(name)} USR1\n`));
}

/** Looks at pilots and their jobs. @throws Fault */
export async function lookAtPilots(
  files: AttemptFiles,
  { pilots, payloads }: PilotQuestion,
): Promise<PilotSight> {
  const seenPilots: PilotSight["pilots"][number][] = [];
  const seenPayloads: PilotSight["payloads"][number][] = [];
  for (let at = 0; at < Math.max(pilots.length, payloads.length); at += MOST_AT_ONCE) {
    const some = pilots.slice(at, at + MOST_AT_ONCE);
    const jobs = payloads.slice(at, at + MOST_AT_ONCE);
    const words = [
      ...some.flatMap(({ token }) => ["pilot", token, files.placeOf(token)]),
      ...jobs.flatMap(({ token, siteJob, pilot, isOrphan }) => [
        ...[isOrphan ? "orphan" : "job", token, files.placeOf(token), siteJob],
        posix.join(files.placeOf(pilot.token), "work", `pid.${posix.basename(files.placeOf(token))}`),
      ]),
    ];
    for (const line of (await files.look(LOOK, words)).split("\n")) {
      const [kind, token, ...rest] = line.split(" ");
      const text = rest.join(" ");
      if (kind === "pilot") seenPilots.push(pilotOf(token, text));
      else if (kind === "job") seenPayloads.push(...payloadOf(token, text));
    }
  }
  return { pilots: seenPilots, payloads: seenPayloads };
}

/**
 * Script that prints a line for each pilot or job. `mkdir claim` succeeds only if no wrapper has begun the
 * job, and then none ever will. If a job has replaced one of the files by something else, nothing is read.
 */
const LOOK = `while [ $# -gt 0 ]; do
  if [ "$1" = pilot ]; then
    draining=0
    [ -e "$3/work/draining" ] && draining=1
    [ -f "$3/work/allocation" ] && echo "pilot $2 $draining $(head -c 400 "$3/work/allocation" | head -n 1)"
    shift 3
    continue
  fi
  hash=
  [ -f "$3/program" ] && hash=$(head -c 64 "$3/program" 2>/dev/null)
  [ \${#hash} = 64 ] || hash=-
  if [ -f "$3/report.$4" ]; then
    echo "job $2 $hash $(head -n 1 "$3/report.$4")"
  elif [ -d "$3/claim" ]; then
    state=running
    [ -e "$3/suspended" ] && state=suspended
    [ -e "$5" ] || state=gone
    echo "job $2 $hash $state $(stat -c %Y "$3/claim")"
  elif [ "$1" = orphan ] && mkdir "$3/claim" 2>/dev/null; then
    echo "job $2 $hash never"
  else
    echo "job $2 $hash waiting"
  fi
  shift 5
done`;

/** Advertised resources: processors, bytes, GPUs, node. Anything else counts as not advertised. */
const ALLOCATION = /^([01]) (\d{1,7}) (\d{1,15}) (\d{1,5}) ([A-Za-z0-9._-]{1,255})$/;

const HASH = /^[0-9a-f]{64}$/;

function pilotOf(token: string, text: string): PilotSight["pilots"][number] {
  const [, draining = text[0], procs, memoryBytes, gpus, node] = ALLOCATION.exec(text) ?? [];
  const isDraining = draining === "1";
  if (node === undefined) return { token, isDraining, allocation: null };
  const size = { procs: Number(procs), memoryBytes: Number(memoryBytes), gpus: Number(gpus) };
  return { token, isDraining, allocation: { ...size, node } };
}

function payloadOf(token: string, text: string): PilotSight["payloads"] {
  const [hash, kind, since] = text.split(" ");
  const sha256 = HASH.test(hash) ? hash : null;
  if (kind === "waiting" || kind === "never" || kind === "gone") return [{ token, sha256, state: { kind } }];
  if (kind === "running" || kind === "suspended") {
    return [{ token, sha256, state: { kind, startedAtMs: Number(since) * 1000 } }];
  }
  const reports = readReports(text.slice(hash.length + 1));
  return reports.flatMap((report): PilotSight["payloads"][number][] => {
    if (report.token !== token) return [];
    const { startedAtMs, endedAtMs, end } = endOfAttempt(token, rowOfReport(report), report);
    const lost = report.cause === "pilotGone" ? PILOT_GONE : end;
    return [{ token, sha256, state: { kind: "ended", startedAtMs, endedAtMs, end: lost } }];
  });
}

const PILOT_GONE: AttemptEnd = {
  ...{ cause: "lost", exitCode: null, signal: null, cpuMs: null },
  detail: "the pilot that ran it was ended",
};

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** A text in single quotes, in which a shell changes nothing. */
function word(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
