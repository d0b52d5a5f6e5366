/**
 * What the report of a workload in JSON lines says beside that of a trace, as lines for a person.
 */
import { formatSize } from "../base/index.ts";
import type { SimulatedPool, WorkloadFacts } from "../model/index.ts";
import { formatSeconds } from "./times.ts";

/** So many reservations that are short of processors are told one by one. */
const MOST_MISSING = 3;

/** The pools, what fitted nowhere, and what happened beside arrivals and ends. */
export function workloadFactsLines(facts: WorkloadFacts): readonly string[] {
  const { fitNowhere, cancelled, outages, stopped, brokenReservations, startedLate } = facts;
  const lines = [
    `pools ${facts.pools.map(poolText).join("; ")}`,
    counted("fit nowhere", [
      [fitNowhere.unknownPool, "name no pool of the site"],
      [fitNowhere.procs, "for processors"],
      [fitNowhere.memory, "for memory"],
      [fitNowhere.gpus, "for GPUs"],
      [fitNowhere.together, "for all together"],
    ]),
    counted("cancelled", [
      [cancelled.waiting, "waiting"],
      [cancelled.running, "running"],
      [cancelled.ended, "too late"],
    ]),
    counted("down", [
      [outages, "outages"],
      [stopped, "jobs stopped"],
      [facts.requeued, "of them queued again"],
      [facts.lost, "of them lost"],
      [brokenReservations, "reservations given up"],
      [startedLate, "jobs started after their promise"],
    ]),
    changesLine(facts),
    wasteLine(facts),
  ];
  return lines.filter((line) => line !== "");
}

function poolText({ name, nodes, procs, memoryBytes, gpus }: SimulatedPool): string {
  const amounts = [
    `${procs} processors`,
    ...(memoryBytes === undefined ? [] : [formatSize(memoryBytes)]),
    ...(gpus === undefined ? [] : [`${gpus} GPUs`]),
  ].join(", ");
  return nodes === undefined ? `${name} (${amounts})` : `${name} (${nodes} nodes of ${amounts})`;
}

function counted(what: string, counts: readonly (readonly [number, string])[]): string {
  const said = counts.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
  return said.length === 0 ? "" : `${what}: ${said.join(", ")}`;
}

/** What outages did to reservations on nodes: all that is missing, as far as there is room. */
function changesLine({ reservationChanges = [] }: WorkloadFacts): string {
  const moved = reservationChanges.filter(({ movedProcs }) => movedProcs > 0).length;
  const short = reservationChanges.filter(({ missingProcs }) => missingProcs > 0);
  const missing = short.slice(0, MOST_MISSING).map(({ reservation, missingProcs, ...change }) => {
    const { missingFromSec, missingUntilSec } = change;
    const times = [missingFromSec ?? 0, missingUntilSec ?? 0].map(formatSeconds);
    return `${reservation} is short of ${missingProcs} processors from ${times.join(" to ")}`;
  });
  if (short.length > MOST_MISSING) missing.push(`${short.length - MOST_MISSING} more in -o json`);
  const parts = [...(moved === 0 ? [] : [`${moved} moved to other nodes`]), ...missing];
  return parts.length === 0 ? "" : `reservations: ${parts.join("; ")}`;
}

function wasteLine({ wastedProcSec, downProcSec }: WorkloadFacts): string {
  if (wastedProcSec + downProcSec === 0) return "";
  const [wasted, down] = [formatSeconds(wastedProcSec), formatSeconds(downProcSec)];
  return `processor time: ${wasted} of jobs that did not end, ${down} down`;
}
