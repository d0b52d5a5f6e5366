/**
 * A site's use over time as one HTML file: no scripts, no external resources, a table for every chart.
 */
import { ppmPercent } from "../base/index.ts";
import type { UsageHistory, WriteUsageReport } from "../cli/index.ts";
import { writeSafeFile } from "../formats/index.ts";
import type { Stretch } from "../policy/index.ts";
import {
  type Cell,
  escaped,
  figure,
  htmlPage,
  htmlTable,
  numberCell,
  paragraph,
  section,
  tableBehind,
} from "../report/index.ts";
import { type UsePanel, useChart } from "./use-panels.ts";

type Level = UsageHistory["levels"][number];

/** Largest number of rows in the table of a chart. */
const ROWS = 40;

/** Writes the page, which appears under its name when it is complete. */
export const writeUsageReport: WriteUsageReport = (history, file) => writeSafeFile(file, usagePage(history));

/** HTML text of the page. */
export function usagePage(history: UsageHistory): string {
  const title = `Use of ${history.site}`;
  const gaps = gapsOf(history);
  const parts = history.levels.map((level) => levelPart(level, history, gaps));
  const nobody = paragraph("No policy named a consumer in this period.");
  return htmlPage(title, [opening(title, history, gaps), ...(parts.length === 0 ? [nobody] : parts)]);
}

function opening(title: string, { since, until, everySec }: UsageHistory, gaps: readonly Stretch[]): string {
  const items = gaps.map((gap) => `<li>Gap: nothing was sampled ${escaped(stretchText(gap))}.</li>`);
  const whole = paragraph("Something was sampled in every step of this period.");
  return (
    `<header><h1>${escaped(title)}</h1>\n<p class="faint">From ${since} until ${until}, in steps of ` +
    `${everySec} s; parts of the capacity as it stood.</p></header>\n` +
    (items.length === 0 ? whole : `<ul>${items.join("\n")}</ul>\n`)
  );
}

function levelPart(level: Level, history: UsageHistory, gaps: readonly Stretch[]): string {
  const { resource, consumer } = level;
  const chart = useChart(
    {
      title: `Use of ${resource} by ${consumer} against its limits`,
      description: "Above: in use and the burst line; below: used over the epoch and the epoch line.",
    },
    panelsOf(level, history),
    { period: periodOf(history), partMs: history.everySec * 1000, gaps },
  );
  const caption =
    "Hatched: nothing was sampled. Marked below each panel: steps in which the line was passed.";
  return section(`${consumer}, ${resource}`, [
    figure("Against its limits", chart, caption),
    factsTable(level),
    stepsTable(level, history),
  ]);
}

/** Panels of a level: peak use against the burst limit, and use at the end against the epoch's limit. */
function panelsOf(level: Level, history: UsageHistory): readonly UsePanel[] {
  const capacity = history.resources.find(({ resource }) => resource === level.resource)?.capacity ?? [];
  const inUse = level.inUse.map((part, step) => {
    const whole = capacity[step] ?? null;
    return part === null || whole === null || whole === 0 ? 0 : part.max / whole;
  });
  const used = level.usedPpm.map((part) => (part?.max ?? 0) / 1_000_000);
  const [burst, epoch] = [level.burstPpm, level.epochPpm].map((limits) => limits.map(shareOf));
  return [
    panelOf(["most in use", "burst"], inUse, burst ?? [], history),
    panelOf(["used over the epoch", "epoch"], used, epoch ?? [], history),
  ];
}

function panelOf(
  [name, lineName]: readonly [string, string],
  values: readonly number[],
  limit: readonly (number | null)[],
  { since, everySec }: UsageHistory,
): UsePanel {
  const stepMs = everySec * 1000;
  const marks = values.flatMap((value, step) => {
    const line = limit[step] ?? null;
    const fromMs = Date.parse(since) + step * stepMs;
    return line === null || value <= line ? [] : [{ fromMs, toMs: fromMs + stepMs }];
  });
  return { name, lineName, values, limit, marks };
}

function shareOf(ppm: number | null): number | null {
  return ppm === null ? null : ppm / 1_000_000;
}

function factsTable({ inUse, waiting, jobsRunning, jobsWaiting, epochPpm, burstPpm }: Level): string {
  const heads = [{ text: "" }, ...["least", "mean", "most"].map((text) => numberCell(text))];
  const row = (name: string, parts: Level["inUse"]): Cell[] => {
    const known = parts.filter((part) => part !== null);
    if (known.length === 0) return [{ text: name }, ...["", "", ""].map((text) => numberCell(text))];
    const mean = known.reduce((sum, part) => sum + part.mean, 0) / known.length;
    const least = Math.min(...known.map(({ min }) => min));
    const most = Math.max(...known.map(({ max }) => max));
    return [{ text: name }, ...[least, mean, most].map((value) => numberCell(rounded(value)))];
  };
  const last = (limits: readonly (number | null)[]) => limits.findLast((limit) => limit !== null);
  const shares = [epochPpm, burstPpm].map((limits) => withSign(last(limits)));
  const caption = `At last ${shares[0]} of the capacity on average, ${shares[1]} at any instant`;
  const rows = [
    row("in use", inUse),
    row("asked for by jobs that wait", waiting),
    row("jobs that run", jobsRunning),
    row("jobs that wait", jobsWaiting),
  ];
  return htmlTable(caption, heads, rows);
}

function stepsTable(level: Level, { since, everySec, sampledSec }: UsageHistory): string {
  const each = Math.max(1, Math.ceil(sampledSec.length / ROWS));
  const words = ["sampled (s)", "in use", "burst line", "used over the epoch", "epoch line"];
  const heads = [{ text: "from" }, ...words.map((text) => numberCell(text))];
  const starts = sampledSec.flatMap((_, step) => (step % each === 0 ? [step] : []));
  const rows = starts.map((step): Cell[] => {
    const some = level.inUse.slice(step, step + each).filter((part) => part !== null);
    const mean = some.length === 0 ? "" : rounded(some.reduce((sum, it) => sum + it.mean, 0) / some.length);
    const last = Math.min(step + each, sampledSec.length) - 1;
    const sampled = sampledSec.slice(step, step + each).reduce((sum, sec) => sum + sec, 0);
    const values = [
      ...[String(sampled), mean, withSign(level.burstPpm[last])],
      ...[withSign(level.usedPpm[last]?.max), withSign(level.epochPpm[last])],
    ];
    const begins = new Date(Date.parse(since) + step * everySec * 1000).toISOString();
    return [{ text: begins }, ...values.map((value) => numberCell(value))];
  });
  return tableBehind("Means over what was sampled; limits and use over the epoch at the end", heads, rows);
}

/** Steps without samples, adjacent ones joined. */
function gapsOf({ since, everySec, sampledSec }: UsageHistory): readonly Stretch[] {
  const gaps: Stretch[] = [];
  for (const [step, sampled] of sampledSec.entries()) {
    if (sampled > 0) continue;
    const fromMs = Date.parse(since) + step * everySec * 1000;
    const toMs = fromMs + everySec * 1000;
    const last = gaps.at(-1);
    if (last?.toMs === fromMs) gaps[gaps.length - 1] = { fromMs: last.fromMs, toMs };
    else gaps.push({ fromMs, toMs });
  }
  return gaps;
}

function periodOf({ since, until }: UsageHistory): Stretch {
  return { fromMs: Date.parse(since), toMs: Date.parse(until) };
}

function stretchText({ fromMs, toMs }: Stretch): string {
  return `from ${new Date(fromMs).toISOString()} until ${new Date(toMs).toISOString()}`;
}

function withSign(ppm: number | null | undefined): string {
  return ppm == null ? "" : `${ppmPercent(ppm)}%`;
}

function rounded(value: number): string {
  return String(Math.round(value * 100) / 100);
}
