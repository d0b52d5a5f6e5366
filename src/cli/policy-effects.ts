/**
 * Whom a change of policies affects, in a table and in a sentence.
 */
import type { AffectedConsumer, PolicyEffects, TriedRecord } from "../model/index.ts";
import type { Listing } from "./output-forms.ts";
import { printable } from "./text-table.ts";
import { formatSeconds } from "./times.ts";

/** The table: mean waits as they were recorded, as today's rules explain them, and under the change. */
export const AFFECTED_LISTING: Listing<AffectedConsumer> = {
  columns: [
    { head: "CONSUMER", isFlexible: true, cell: ({ consumer }) => consumer },
    { head: "JOBS", align: "right", cell: ({ jobs }) => String(jobs) },
    { head: "RECORDED", align: "right", cell: ({ waitRecordedMs }) => lengthText(waitRecordedMs) },
    { head: "TODAY", align: "right", cell: ({ waitTodayMs }) => lengthText(waitTodayMs) },
    { head: "CHANGED", align: "right", cell: ({ waitChangedMs }) => lengthText(waitChangedMs) },
    { head: "EFFECT", align: "right", cell: effectText },
    {
      head: "NEVER",
      align: "right",
      cell: ({ neverStarted }) => (neverStarted === 0 ? "" : String(neverStarted)),
    },
  ],
  fields: ["consumer", "jobs", "neverStarted", "waitRecordedMs", "waitTodayMs", "waitChangedMs"],
  record: (row) => ({ ...row }),
  name: ({ consumer }) => consumer,
};

/** How well today is explained, which says how much the rest is worth. */
export function effectLines({ jobs, procs, baseline, consumers, pools }: PolicyEffects): string {
  const { medianErrorMs, p95ErrorMs } = baseline;
  const largest = Math.max(0, ...consumers.map((row) => Math.abs(row.waitChangedMs - row.waitTodayMs)));
  const error = `${lengthText(medianErrorMs)} in the median, ${lengthText(p95ErrorMs)} for 95 %`;
  const site = `${procs} processors${poolsText(pools)}`;
  const lines = [`${jobs} jobs on ${site}: starts under today's rules are off those recorded by ${error}`];
  if (medianErrorMs > largest) {
    lines.push("that is more than any effect: these say nothing, for today is not explained well enough");
  }
  return lines.map((line) => `${printable(line)}\n`).join("");
}

/** ` of cpu, gpu (4 GPUs)`; nothing where the record has no pools. */
function poolsText(pools: PolicyEffects["pools"] = []): string {
  if (pools.length === 0) return "";
  const names = pools.map(({ name, gpus = 0 }) => (gpus > 0 ? `${name} (${gpus} GPUs)` : name));
  return ` of ${names.join(", ")}`;
}

/** What is to be known of the record, a line each. */
export function recordLines({ record }: PolicyEffects): string {
  if (record === undefined) return "";
  return notesOf(record)
    .map((note) => `note: ${printable(note)}\n`)
    .join("");
}

function notesOf({ running, notCompared, skipped, warnings }: TriedRecord): readonly string[] {
  const counts = [
    [running, "ran when the record begins, and run on"],
    [notCompared, "were played and not compared: taken away, or without a recorded start"],
    [skipped, "were left out: without a run time, or wider than the site"],
  ] as const;
  const told = counts.filter(([count]) => count > 0).map(([count, words]) => `${count} jobs ${words}`);
  return [...told, ...warnings];
}

function effectText({ waitTodayMs, waitChangedMs }: AffectedConsumer): string {
  const change = waitChangedMs - waitTodayMs;
  if (change === 0) return "none";
  return change > 0 ? `waits ${lengthText(change)} longer` : `gains ${lengthText(-change)}`;
}

function lengthText(ms: number): string {
  return formatSeconds(Math.round(ms / 1000));
}
