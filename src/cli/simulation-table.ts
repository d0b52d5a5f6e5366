/**
 * A simulation's report as a person reads it on a terminal.
 */
import { MS_PER_SECOND, percentText } from "../base/index.ts";
import type { SimulationOutcome, SimulationReport } from "../model/index.ts";
import { outColours } from "./colours.ts";
import { formatSeconds } from "./times.ts";
import { workloadFactsLines } from "./workload-facts-lines.ts";

/** What was run, the counts, then the metrics in a table. */
export function simulationTable({ report, malformedMessages }: SimulationOutcome): string {
  const lines = [
    `${outColours.bold(report.trace)} on ${report.procs} processors (${sizeSource(report)})`,
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
      `makespan ${formatSeconds(report.makespanSec)}, ${report.backfilled} jobs backfilled`,
    ...slots(report),
    ...enforcing(report),
    outColours.dim(
      `  simulated in ${report.simulationMs} ms, read in ${report.readMs} ms, stint ${report.version}`,
    ),
  ];
  return `${lines.join("\n")}\n`;
}

function slots({ slots: seen }: SimulationReport): string[] {
  if (seen === undefined) return [];
  const { count, procs, durationSec, samples, everySec } = seen;
  return [
    `  slots: mean ${count.mean.toFixed(1)}, median ${count.median}, at most ${count.max}, ` +
      `in ${samples} samples every ${formatSeconds(everySec)}`,
    `  of ${procs.median} processors for ${formatSeconds(durationSec.median)} in the median`,
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

/** The rules in short; all of them are in the JSON. */
function priority({ priority: rules }: SimulationReport): string {
  if (rules === undefined) return "";
  switch (rules.kind) {
    case "slurm": {
      const { weights, fairShare } = rules;
      const said = Object.entries(weights).map(([factor, weight]) => `${factor} ${weight}`);
      return `priority slurm (${fairShare}; ${said.join(", ")}), `;
    }
    case "maui":
      return `priority maui (${rules.depth} windows of ${formatSeconds(rules.intervalMs / MS_PER_SECOND)}), `;
    case "condor":
      return `priority condor (half-life ${formatSeconds(rules.halfLifeMs / MS_PER_SECOND)}), `;
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
  ].map(formatSeconds);
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
