/** Summary of a workload, for a terminal. */
import { lengthText, percentText } from "../base/index.ts";
import type { OwnerShares, Spread, WorkloadDescription } from "../model/index.ts";
import { outColours } from "./colours.ts";
import { type Column, printable, textTable } from "./text-table.ts";

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const BAR_COLUMNS = 30;
const FIGURES = ["mean", "min", "p5", "p25", "median", "p75", "p95", "p99", "max"] as const;
/** Largest number of users, groups and queues in the table; the JSON has ten. */
const OWNERS_SHOWN = 5;

/** The summary in sections; `columns` is the width of the terminal, undefined off one. */
export function workloadTable(description: WorkloadDescription, columns: number | undefined): string {
  const sections = [
    summary(description),
    spreads(description, columns),
    sizeClasses(description),
    estimates(description),
    arrivals(description),
    owners(description),
  ];
  return sections.filter((section) => section !== "").join("\n");
}

function summary(description: WorkloadDescription): string {
  const { machine, jobs, statuses, load, recordedUtilisation } = description;
  const procs =
    machine.procs === null
      ? "a machine of unknown size"
      : `${machine.procs} processors (${machine.procsFrom})`;
  const name = [machine.computer, machine.installation].filter((text) => text !== null).join(", ");
  const ends = Object.entries(statuses).filter(([, count]) => count > 0);
  const lines = [
    `${outColours.bold(printable(description.trace))} on ${procs}`,
    name === "" ? undefined : `  ${printable(name)}`,
    `  ${dates(description)}`,
    `  ${jobs} jobs; ${skipped(description)}`,
    `  ended: ${ends.map(([status, count]) => `${count} ${status}`).join(", ")}`,
    `  work ${Math.round(description.workProcSec / 3600)} SU, ` +
      `load ${load === null ? "unknown" : percentText(load)}` +
      (recordedUtilisation === null ? "" : `, recorded utilisation ${percentText(recordedUtilisation)}`),
    outColours.dim(`  sha256 ${description.traceSha256}`),
  ];
  return `${lines.filter((line) => line !== undefined).join("\n")}\n`;
}

function dates({ firstSubmitAt, lastSubmitAt, spanSec }: WorkloadDescription): string {
  const length = `${lengthText(spanSec)} of submissions`;
  if (firstSubmitAt === null || lastSubmitAt === null) return length;
  return `${length}, ${firstSubmitAt.slice(0, 10)} to ${lastSubmitAt.slice(0, 10)}`;
}

function skipped({ skipped: counts, unsorted }: WorkloadDescription): string {
  const reasons = [
    [counts.noProcs, "without processors"],
    [counts.noRuntime, "without a runtime"],
    [counts.widerThanMachine, "wider than the machine"],
    [counts.malformed, "malformed lines"],
  ] as const;
  const said = reasons.filter(([count]) => count > 0).map(([count, reason]) => `${count} ${reason}`);
  const parts = [said.length === 0 ? "none skipped" : `skipped ${said.join(", ")}`];
  if (unsorted > 0) parts.push(`${unsorted} out of order`);
  return parts.join("; ");
}

function spreads(
  { sizes, runtimesSec, arrivals: { gapsSec }, estimates: { accuracy } }: WorkloadDescription,
  terminalColumns: number | undefined,
): string {
  const columns: Column[] = [
    { head: "" },
    ...FIGURES.map(
      (figure): Column => ({
        head: figure.toUpperCase(),
        align: "right",
        isOptional: /^p\d/.test(figure),
      }),
    ),
  ];
  const row = (name: string, spread: Spread | null, shown: (value: number) => string): string[][] =>
    spread === null ? [] : [[name, ...FIGURES.map((figure) => shown(spread[figure]))]];
  return textTable(
    columns,
    [
      ...row("processors", sizes, (value) => String(Number(value.toFixed(1)))),
      ...row("runtime", runtimesSec, lengthText),
      ...row("runtime/requested", accuracy, (value) => value.toFixed(2)),
      ...row("between submissions", gapsSec, lengthText),
    ],
    terminalColumns,
  );
}

function sizeClasses({ sizes }: WorkloadDescription): string {
  const columns: Column[] = [
    { head: "PROCESSORS", align: "right" },
    { head: "JOBS", align: "right" },
    { head: "WORK", align: "right" },
    { head: "" },
  ];
  const most = Math.max(...sizes.classes.map(({ jobShare }) => jobShare));
  const rows = sizes.classes.map(({ from, to, jobShare, workShare }) => [
    from === to ? String(from) : `${from}-${to}`,
    percentText(jobShare),
    percentText(workShare),
    bar(jobShare, most),
  ]);
  const [serial, powersOfTwo] = [sizes.serialShare, sizes.powerOfTwoShare].map((share) => percentText(share));
  const shares = `${serial} serial, ${powersOfTwo} powers of two`;
  return `${textTable(columns, rows, undefined)}${shares} (the serial ones included)\n`;
}

function estimates({ jobs, estimates: given }: WorkloadDescription): string {
  if (given.jobs === 0) return "requested times: none are known\n";
  const columns: Column[] = [
    { head: "RUNTIME/REQUESTED", align: "right" },
    { head: "JOBS", align: "right" },
    { head: "" },
  ];
  const most = Math.max(...given.byTenth, given.underestimatedShare);
  const rows = given.byTenth.map((share, at) => [`to 0.${at + 1}`, percentText(share), bar(share, most)]);
  rows[9][0] = "to 1";
  rows.push(["above 1", percentText(given.underestimatedShare), bar(given.underestimatedShare, most)]);
  const popular = given.popular
    .slice(0, OWNERS_SHOWN)
    .map(({ requestedSec, jobShare }) => `${lengthText(requestedSec)} (${percentText(jobShare)})`);
  return (
    textTable(columns, rows, undefined) +
    `${percentText(given.jobs / jobs)} of the jobs have a requested time, ` +
    `${percentText(given.exactShare)} of these ran exactly so long\n` +
    `${given.values} different requests, most often ${popular.join(", ")}\n`
  );
}

function arrivals({ arrivals: { byHour, byWeekday, gapVariation }, machine }: WorkloadDescription): string {
  const variation =
    gapVariation === null
      ? ""
      : `times between submissions vary by ${gapVariation.toFixed(2)} of their mean (Poisson: 1)\n`;
  if (byHour === null || byWeekday === null) {
    return `${variation}hours and weekdays are not known: the header has no UnixStartTime\n`;
  }
  const table = (head: string, names: readonly string[], counts: readonly number[]): string => {
    const total = counts.reduce((sum, count) => sum + count, 0);
    const most = Math.max(...counts);
    const rows = counts.map((count, at) => [names[at], percentText(count / total), bar(count, most)]);
    return textTable([{ head }, { head: "JOBS", align: "right" }, { head: "" }], rows, undefined);
  };
  const hours = byHour.map((_, hour) => `${String(hour).padStart(2, "0")}:00`);
  return (
    `${table("HOUR", hours, byHour)}\n${table("DAY", WEEKDAYS, byWeekday)}` +
    `${variation}hours are those of ${printable(machine.timeZone ?? "UTC")}\n`
  );
}

function owners({ users, groups, queues }: WorkloadDescription): string {
  const kinds = [
    ["users", users],
    ["groups", groups],
    ["queues", queues],
  ] as const;
  return kinds.map(([kind, shares]) => `${ownerLine(kind, shares)}\n`).join("");
}

function ownerLine(kind: string, { count, top, unknownShare }: OwnerShares): string {
  if (count === 0) return `${kind}: none are known`;
  const most = top.slice(0, OWNERS_SHOWN).map(({ id, name, workShare }) => {
    const called = name === null ? "" : ` ${printable(name)}`;
    return `${id}${called} (${percentText(workShare)})`;
  });
  const unknown = unknownShare === 0 ? "" : `; ${percentText(unknownShare)} of the jobs unknown`;
  return `${count} ${kind}, most of the work: ${most.join(", ")}${unknown}`;
}

function bar(share: number, most: number): string {
  return most === 0 ? "" : "█".repeat(Math.round((share / most) * BAR_COLUMNS));
}
