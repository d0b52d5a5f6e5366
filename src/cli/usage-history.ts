/** `stint usage --since`: shows the use of a site over a period. */
import type { LevelHistoryView, StepView, UsageHistoryView } from "../api/client/index.ts";
import { formatDuration, formatSize, ppmPercent } from "../base/index.ts";
import { instantText } from "./instant-text.ts";
import { type Listing, type OutputForm, tableText, writeItems } from "./output-forms.ts";
import { sparkline } from "./sparkline.ts";
import type { Terminal } from "./terminal.ts";
import { printable } from "./text-table.ts";

/** Largest number of bars in a row. */
const BARS = 48;

/** A row of the table: a level, or a resource of the whole site, over the period. */
interface SeriesRow {
  readonly site: string;
  /** Consumer of the level; empty for the whole site. */
  readonly consumer: string;
  readonly resource: string;
  readonly inUse: readonly StepView[];
  readonly epochPpm: number | null;
  readonly burstPpm: number | null;
  readonly usedPpm: number | null;
  readonly capacity: number;
}

/** A row of the CSV: a level, or a resource of the site, in one step. */
type StepRow = Readonly<Record<string, string | number | null>>;

const COURSES: Listing<SeriesRow> = {
  columns: [
    { head: "CONSUMER", isFlexible: true, cell: ({ consumer }) => consumer || "(all)" },
    { head: "RESOURCE", cell: ({ resource }) => resource },
    { head: "IN USE", cell: (row) => sparkline(row.inUse.map(meanOf), topOf(row), BARS) },
    { head: "MEAN", align: "right", cell: (row) => amountText(row, overall(row.inUse)?.mean) },
    { head: "MAX", align: "right", cell: (row) => amountText(row, overall(row.inUse)?.max) },
    { head: "USED%", align: "right", cell: ({ usedPpm }) => ppmPercent(usedPpm) },
    { head: "EPOCH%", align: "right", cell: ({ epochPpm }) => ppmPercent(epochPpm) },
    { head: "BURST%", align: "right", cell: ({ burstPpm }) => ppmPercent(burstPpm) },
  ],
  fields: [],
  record: () => ({}),
  name: ({ site, consumer, resource }) => `${site} ${consumer} ${resource}`,
};

const STEP_FIELDS = [
  ...["site", "consumer", "resource", "from", "everySec", "sampledSec"],
  ...["inUse", "inUseMin", "inUseMax", "waiting", "jobsRunning", "jobsWaiting"],
  ...["usedPpm", "epochPpm", "burstPpm", "free", "capacity"],
];

const STEPS: Listing<StepRow> = {
  columns: STEP_FIELDS.map((field) => ({ head: field, cell: (row) => String(row[field] ?? "") })),
  fields: STEP_FIELDS,
  record: (row) => row,
  name: ({ site, consumer, resource, from }) => `${site} ${consumer} ${resource} ${from}`,
};

/** Prints the histories of sites; `value` is the JSON. */
export async function writeHistories(
  histories: readonly UsageHistoryView[],
  { form, value }: { readonly form: OutputForm; readonly value: unknown },
  terminal: Terminal,
): Promise<void> {
  if (form === "table") {
    const tables = histories.map(
      (history) => `${headLine(history)}\n${tableText(courseRows(history), COURSES, form, terminal)}`,
    );
    terminal.writeResult(tables.join("\n"));
  } else if (form === "name") {
    await writeItems({ items: histories.flatMap(courseRows), form, value }, COURSES, terminal);
  } else await writeItems({ items: histories.flatMap(stepRows), form, value }, STEPS, terminal);
}

/** Heading: `here from … until …, in steps of 5m; sampled 83% of it`. */
function headLine({ site, since, until, everySec, sampledSec }: UsageHistoryView): string {
  const allSec = sampledSec.length * everySec;
  const part = Math.floor((sampledSec.reduce((sum, sec) => sum + sec, 0) * 100) / allSec);
  const steps = `in steps of ${formatDuration(everySec * 1000)}`;
  return printable(
    `${site} from ${instantText(since)} until ${instantText(until)}, ${steps}; sampled ${part}% of it`,
  );
}

function courseRows({ site, resources, levels }: UsageHistoryView): readonly SeriesRow[] {
  const capacities = new Map(resources.map(({ resource, capacity }) => [resource, lastOf(capacity) ?? 0]));
  const whole = resources
    .filter(({ resource }) => (capacities.get(resource) ?? 0) > 0)
    .map(({ resource, inUse }): SeriesRow => {
      const none = { epochPpm: null, burstPpm: null, usedPpm: null };
      return { site, consumer: "", resource, inUse, ...none, capacity: capacities.get(resource) ?? 0 };
    });
  const each = levels.map(({ resource, consumer, inUse, usedPpm, epochPpm, burstPpm }): SeriesRow => {
    const limits = { epochPpm: lastOf(epochPpm), burstPpm: lastOf(burstPpm) };
    const used = lastOf(usedPpm.map(meanOf));
    return {
      ...{ site, consumer, resource, inUse, ...limits },
      ...{ usedPpm: used, capacity: capacities.get(resource) ?? 0 },
    };
  });
  return [...whole, ...each];
}

/** Top of the bars: the burst limit, or the largest use where that was more. */
function topOf({ capacity, burstPpm, inUse }: SeriesRow): number {
  return Math.max((capacity * (burstPpm ?? 1_000_000)) / 1_000_000, overall(inUse)?.max ?? 0);
}

function stepRows({ site, since, everySec, sampledSec, resources, levels }: UsageHistoryView): StepRow[] {
  const fromMs = Date.parse(since);
  return sampledSec.flatMap((sampled, step) => {
    const begin = new Date(fromMs + step * everySec * 1000).toISOString();
    const common = { site, from: begin, everySec, sampledSec: sampled };
    const whole = resources.map(({ resource, inUse, free, capacity }) => ({
      ...{ ...common, consumer: "", resource, ...amounts(inUse[step] ?? null) },
      ...{ free: meanOf(free[step] ?? null), capacity: capacity[step] ?? null },
    }));
    return [...whole, ...levels.map((level) => ({ ...common, ...levelStep(level, step) }))];
  });
}

function levelStep(level: LevelHistoryView, step: number) {
  const mean = (parts: readonly StepView[]) => meanOf(parts[step] ?? null);
  return {
    ...{ consumer: level.consumer, resource: level.resource, ...amounts(level.inUse[step] ?? null) },
    ...{ waiting: mean(level.waiting), jobsRunning: mean(level.jobsRunning) },
    ...{ jobsWaiting: mean(level.jobsWaiting), usedPpm: mean(level.usedPpm) },
    ...{ epochPpm: level.epochPpm[step] ?? null, burstPpm: level.burstPpm[step] ?? null },
  };
}

function amounts(part: StepView) {
  return { inUse: meanOf(part), inUseMin: part?.min ?? null, inUseMax: part?.max ?? null };
}

function meanOf(part: StepView): number | null {
  return part?.mean ?? null;
}

/** Mean over the steps with known values, all of equal weight. */
function overall(parts: readonly StepView[]): StepView {
  const known = parts.filter((part) => part !== null);
  if (known.length === 0) return null;
  return {
    mean: known.reduce((sum, { mean }) => sum + mean, 0) / known.length,
    min: Math.min(...known.map(({ min }) => min)),
    max: Math.max(...known.map(({ max }) => max)),
  };
}

function lastOf(values: readonly (number | null)[]): number | null {
  return values.findLast((value) => value !== null) ?? null;
}

function amountText({ resource }: Pick<SeriesRow, "resource">, amount: number | undefined): string {
  if (amount === undefined) return "-";
  const isInBytes = resource === "memory" || resource === "storage" || resource === "network";
  return isInBytes ? formatSize(Math.round(amount)) : String(Math.round(amount * 100) / 100);
}
