/**
 * What the report of a workload in JSON lines says beside that of a trace, as lines for a person.
 */
import { formatSize } from "../base/index.ts";
import type { SimulatedPool, WorkloadFacts } from "../model/index.ts";
import { formatSeconds } from "./times.ts";

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

function wasteLine({ wastedProcSec, downProcSec }: WorkloadFacts): string {
  if (wastedProcSec + downProcSec === 0) return "";
  const [wasted, down] = [formatSeconds(wastedProcSec), formatSeconds(downProcSec)];
  return `processor time: ${wasted} of jobs that did not end, ${down} down`;
}
