/** Report of a simulation, for a terminal. */
import { formatSize, lengthText, MS_PER_SECOND, percentText } from "../base/index.ts";
import type { SimulatedPool, SimulationOutcome, SimulationReport, WorkloadFacts } from "../model/index.ts";
import { outColours } from "./colours.ts";

/** Settings and counts, then the metrics in a table. */
export function simulationTable({ report, malformedMessages }: SimulationOutcome): string {
  const lines = [
    `${outColours.bold(traceName(report))} on ${report.procs} processors (${sizeSource(report)})`,
    `  discipline ${report.discipline}, ${priority(report)}${report.estimates} estimates, ` +
      `overrun ${report.overrun}` +
      (report.reservations > 0 ? `, ${report.reservations} reservations` : ""),
    `  sha256 ${report.traceSha256}`,
    `  ${counts(report)}`,
    ...(report.workload === undefined ? [] : workloadFactsLines(report.workload).map((line) => `  ${line}`)),
    ...malformedMessages.map((message) => `  skipped ${message}`),
    "",
    row("", "mean", "median", "p95", "p99", "max"),
    row("wait", ...lengths(report, "wait")),
    row("response", ...lengths(report, "response")),
    row("bounded slowdown", ...slowdowns(report)),
    "",
    `  utilisation ${percentText(report.utilisation, 2)}, ` +
      `makespan ${lengthText(report.makespanSec)}, ${report.backfilled} jobs backfilled`,
    ...slots(report),
    ...enforcing(report),
    ...energy(report),
    outColours.dim(
      `  simulated in ${report.simulationMs} ms, read in ${report.readMs} ms, stint ${report.version}`,
    ),
  ];
  return `${lines.join("\n")}\n`;
}

function energy({ energy: used }: SimulationReport): string[] {
  if (used === undefined) return [];
  const { totalKwh, busyKwh, idleKwh, offKwh, bootKwh, boots, kwhPerProcHour } = used;
  const kwh = (value: number): string => value.toFixed(1);
  const off = boots + offKwh === 0 ? "" : `, ${kwh(offKwh)} off, ${kwh(bootKwh)} in ${boots} boots`;
  return [
    `  energy ${kwh(totalKwh)} kWh: ${kwh(busyKwh)} busy, ${kwh(idleKwh)} idle${off}; ` +
      `${kwhPerProcHour.toFixed(3)} kWh a busy processor-hour`,
  ];
}

function traceName({ trace }: SimulationReport): string {
  return trace === "-" ? "standard input" : trace;
}

function slots({ slots: seen }: SimulationReport): string[] {
  if (seen === undefined) return [];
  const { count, procs, durationSec, samples, everySec } = seen;
  return [
    `  slots: mean ${count.mean.toFixed(1)}, median ${count.median}, at most ${count.max}, ` +
      `in ${samples} samples every ${lengthText(everySec)}`,
    `  of ${procs.median} processors for ${lengthText(durationSec.median)} in the median`,
  ];
}

function enforcing({ enforcing: did }: SimulationReport): string[] {
  if (did === undefined) return [];
  const never =
    did.neverStarted === 0 ? "" : `; ${did.neverStarted} jobs are wider than their policies allow`;
  const form = did.form === "literal" ? ", literal" : "";
  return [
    `  policies of ${did.site}${form}: ${did.stops} suspensions of ${did.stoppedJobs} jobs, ` +
      `${did.looks} looks${never}`,
  ];
}

function sizeSource({ procsFrom }: SimulationReport): string {
  if (procsFrom === "workload") return "as the workload describes them";
  return procsFrom === "option" ? "as asked" : `from the trace's ${procsFrom}; --procs says otherwise`;
}

/** Rules in short; the JSON has all of them. */
function priority({ priority: rules }: SimulationReport): string {
  if (rules === undefined) return "";
  switch (rules.kind) {
    case "slurm": {
      const { weights, fairShare } = rules;
      const said = Object.entries(weights).map(([factor, weight]) => `${factor} ${weight}`);
      return `priority slurm (${fairShare}; ${said.join(", ")}), `;
    }
    case "maui":
      return `priority maui (${rules.depth} windows of ${lengthText(rules.intervalMs / MS_PER_SECOND)}), `;
    case "condor":
      return `priority condor (half-life ${lengthText(rules.halfLifeMs / MS_PER_SECOND)}), `;
    default:
      return `priority ${rules.kind} (${rules.favour} first), `;
  }
}

function counts(report: SimulationReport): string {
  const { skipped } = report;
  const reasons = [
    [skipped.noProcs, "without processors"],
    [skipped.noRuntime, "without a runtime"],
    [skipped.widerThanMachine, "wider than the machine"],
    [skipped.malformed, "malformed lines"],
  ] as const;
  const said = reasons.filter(([count]) => count > 0).map(([count, reason]) => `${count} ${reason}`);
  const parts = [`${report.jobs} jobs`, said.length === 0 ? "none skipped" : `skipped ${said.join(", ")}`];
  if (report.unsorted > 0) parts.push(`${report.unsorted} out of order, sorted`);
  if (report.killed > 0) parts.push(`${report.killed} cut at their request`);
  return parts.join("; ");
}

type Measure = "wait" | "response";

function lengths(report: SimulationReport, measure: Measure): string[] {
  return [
    report[`${measure}MeanSec`],
    report[`${measure}MedianSec`],
    report[`${measure}P95Sec`],
    report[`${measure}P99Sec`],
    report[`${measure}MaxSec`],
  ].map(lengthText);
}

function slowdowns(report: SimulationReport): string[] {
  return [
    report.boundedSlowdownMean,
    report.boundedSlowdownMedian,
    report.boundedSlowdownP95,
    report.boundedSlowdownP99,
    report.boundedSlowdownMax,
  ].map((value) => value.toFixed(2));
}

function row(name: string, ...cells: string[]): string {
  return `  ${name.padEnd(18)}${cells.map((cell) => cell.padStart(10)).join("")}`;
}

/** Largest number of short reservations that are listed one by one. */
const MOST_MISSING = 3;

/** Pools, jobs that fit nowhere, and events beside arrivals and ends. */
function workloadFactsLines(facts: WorkloadFacts): readonly string[] {
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

/** Effect of outages on reservations: missing processors, as far as there is room. */
function changesLine({ reservationChanges = [] }: WorkloadFacts): string {
  const moved = reservationChanges.filter(({ movedProcs }) => movedProcs > 0).length;
  const short = reservationChanges.filter(({ missingProcs }) => missingProcs > 0);
  const missing = short.slice(0, MOST_MISSING).map(({ reservation, missingProcs, ...change }) => {
    const { missingFromSec, missingUntilSec } = change;
    const times = [missingFromSec ?? 0, missingUntilSec ?? 0].map(lengthText);
    return `${reservation} is short of ${missingProcs} processors from ${times.join(" to ")}`;
  });
  if (short.length > MOST_MISSING) missing.push(`${short.length - MOST_MISSING} more in -o json`);
  const parts = [...(moved === 0 ? [] : [`${moved} moved to other nodes`]), ...missing];
  return parts.length === 0 ? "" : `reservations: ${parts.join("; ")}`;
}

function wasteLine({ wastedProcSec, downProcSec }: WorkloadFacts): string {
  if (wastedProcSec + downProcSec === 0) return "";
  const [wasted, down] = [lengthText(wastedProcSec), lengthText(downProcSec)];
  return `processor time: ${wasted} of jobs that did not end, ${down} down`;
}
