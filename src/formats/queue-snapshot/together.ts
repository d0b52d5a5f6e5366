/**
 * Consistency of a snapshot: nothing is wider than the machine, ids are unique, and running jobs and
 * reservations fit together.
 */
import type { QueueSnapshot } from "../../model/index.ts";
import type { Words } from "../yaml/index.ts";

/** Reports a problem of an item of a list. */
export type TellWrong = (list: ListName, at: number, words: Words) => void;

const LISTS = ["running", "queued", "reservations"] as const;
type ListName = (typeof LISTS)[number];

/** Reports all inconsistencies. */
export function checkConsistency(snapshot: QueueSnapshot, tell: TellWrong): void {
  const { procs } = snapshot;
  for (const list of LISTS) {
    const seen = new Set<string>();
    snapshot[list].forEach((item, at) => {
      if (item.procs > procs) tell(list, at, tooWide(item, procs));
      if (seen.has(item.id)) tell(list, at, twice(item.id));
      seen.add(item.id);
    });
  }
  checkRoom(snapshot, tell);
}

/** Books running jobs, then reservations; reports the first that does not fit. */
function checkRoom({ nowMs, procs, running, reservations }: QueueSnapshot, tell: TellWrong): void {
  const fixed = [
    ...running.map(({ id, procs: width, endMs }, at) => ({
      list: "running" as const,
      at,
      id,
      width,
      fromMs: nowMs,
      endMs,
    })),
    ...reservations.map(({ id, procs: width, startMs, durationMs }, at) => ({
      ...{ list: "reservations" as const, at, id, width },
      fromMs: Math.max(nowMs, startMs),
      endMs: startMs + durationMs,
    })),
  ].filter(({ fromMs, endMs }) => endMs > fromMs);
  const changes = fixed.flatMap((it) => [
    { atMs: it.fromMs, width: it.width, of: it },
    { atMs: it.endMs, width: -it.width, of: it },
  ]);
  changes.sort((a, b) => a.atMs - b.atMs || a.width - b.width || fixed.indexOf(a.of) - fixed.indexOf(b.of));
  let used = 0;
  for (const { atMs, width, of } of changes) {
    used += width;
    if (used <= procs) continue;
    tell(of.list, of.at, noRoom(of.id, { atMs, used, procs }));
    return;
  }
}

function tooWide(
  { id, procs: width }: { readonly id: string; readonly procs: number },
  procs: number,
): Words {
  return {
    code: "widerThanMachine",
    what: `${JSON.stringify(id)} has ${width} processors`,
    why: `the machine has ${procs}`,
    remedy: "correct one of the two",
  };
}

function twice(id: string): Words {
  return {
    code: "idTwice",
    what: `the id ${JSON.stringify(id)} appears twice`,
    why: "ids must be unique",
    remedy: "give each one its own id",
  };
}

function noRoom(id: string, { atMs, used, procs }: { atMs: number; used: number; procs: number }): Words {
  return {
    code: "noRoom",
    what: `${JSON.stringify(id)} does not fit at ${atMs / 1000} s`,
    why: `with it, running jobs and reservations would use ${used} of ${procs} processors`,
    remedy: "correct the processors, the ends or the reservations",
  };
}
