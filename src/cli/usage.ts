/** `stint usage`: shows current and past use of sites against shares, and the use on hosts. */
import { Command } from "commander";
import type { LevelUsageView, PeriodRequest, SiteUsageView, UsageHistoryView } from "../api/client/index.ts";
import { Fault, formatDuration, formatSize, MS_PER_SECOND, ppmPercent } from "../base/index.ts";
import { isWithin } from "../model/index.ts";
import type { CommandContext } from "./command-context.ts";
import { instantText } from "./instant-text.ts";
import { meaningless } from "./meaningless-option.ts";
import {
  isForPeople,
  type Listing,
  listValue,
  type OutputForm,
  outputOption,
  tableText,
  writeItems,
} from "./output-forms.ts";
import { durationValue, sinceValue } from "./quantity-values.ts";
import { gibibytes } from "./site-listing.ts";
import { printable } from "./text-table.ts";
import { usageExportCommand } from "./usage-export.ts";
import { writeHistories } from "./usage-history.ts";
import { type SiteHosts, writeHosts } from "./usage-hosts.ts";

/** Use of a site over a period, from the API. */
export type UsageHistory = UsageHistoryView;

/** Writes the history of a site as an HTML page. */
export type WriteUsageReport = (history: UsageHistoryView, file: string) => Promise<void>;

const EXAMPLES = `
Examples:
  $ stint usage
  $ stint usage here
  $ stint usage here -o json
  $ stint usage here --since 1d --every 1h
  $ stint usage here --since 7d --consumer cms --report march.html
  $ stint usage here --since 2h -o csv > use.csv
  $ stint usage here --hosts

One row per level of a consumer path that a policy names: what it has in use,
what its waiting and stopped jobs request, what it has used over its window
(USED), and its shares, on average over the window (EPOCH) and at any instant
(BURST). All are in percent of the site's capacity. Consumers that you may not
see have no rows.

With --since a row shows the whole period: bars up to the burst limit, and a dot
if there is no sample. -o wide, csv and json include every step. Ten-second
samples are kept for a day, five-minute samples for a month, hourly samples
indefinitely. --hosts shows what stint sensor reports about the processes of
jobs.
`;

/** A level with its site. */
interface UsageRow extends LevelUsageView {
  readonly site: string;
}

const LISTING: Listing<UsageRow> = {
  columns: [
    { head: "CONSUMER", isFlexible: true, cell: ({ consumer }) => consumer },
    { head: "RESOURCE", cell: ({ resource }) => resource },
    { head: "IN-USE", align: "right", cell: (row) => amountText(row, row.inUse) },
    { head: "WAITING", align: "right", cell: (row) => amountText(row, row.waiting) },
    { head: "USED%", align: "right", cell: ({ usedPpm }) => ppmPercent(usedPpm) },
    { head: "EPOCH%", align: "right", cell: ({ epochPpm }) => ppmPercent(epochPpm) },
    { head: "BURST%", align: "right", cell: ({ burstPpm }) => ppmPercent(burstPpm) },
    { head: "RUNNING", align: "right", isWide: true, cell: ({ jobsRunning }) => String(jobsRunning) },
    { head: "QUEUED", align: "right", isWide: true, cell: ({ jobsWaiting }) => String(jobsWaiting) },
    { head: "WINDOW", isWide: true, cell: ({ window }) => windowText(window) },
    { head: "RULE", isOptional: true, cell: ({ rule }) => rule },
    { head: "MODE", isOptional: true, cell: ({ mode }) => mode },
  ],
  fields: [
    ...["site", "consumer", "resource", "inUse", "waiting", "jobsRunning", "jobsWaiting"],
    ...["usedPpm", "epochPpm", "burstPpm"],
    ...["window", "rule", "mode"],
  ],
  record: (row) => ({ ...row }),
  name: ({ site, consumer, resource }) => `${site} ${consumer} ${resource}`,
};

interface Options {
  readonly output: OutputForm;
  readonly since?: number;
  readonly until?: number;
  readonly every?: number;
  readonly consumer?: string;
  readonly hosts: boolean;
  readonly report?: string;
}

/** The command. @param report writes pages; absent where this program writes none */
export function usageCommand(context: CommandContext, report?: () => Promise<WriteUsageReport>): Command {
  const since = (option: string) => sinceValue(option, context.terminal.nowMs);
  return new Command("usage")
    .summary("show current and past use of sites against shares")
    .description("Shows the use of sites by consumers, now or over a period, against their shares.")
    .argument("[site]", "only at this site (default: at all)")
    .option("--since <time>", "start of the period: 2h for two hours ago, or an instant", since("--since"))
    .option(
      "--until <time>",
      "end of the period: 1h for an hour ago, or an instant (default: now)",
      since("--until"),
    )
    .option(
      "--every <time>",
      "length of a step (default: depends on the length of the period)",
      durationValue("--every"),
    )
    .option("--consumer <path>", "only this consumer and those below it")
    .option("--hosts", "show the use of jobs on each host, as sensors report it", false)
    .option("--report <file>", "write an HTML page with charts of the period")
    .addOption(outputOption())
    .addHelpText("after", EXAMPLES)
    .enablePositionalOptions()
    .addCommand(usageExportCommand(context))
    .action(async (site: string | undefined, options: Options) => {
      const client = await context.client();
      const names = site === undefined ? (await client.sites()).map(({ name }) => name) : [site];
      const asked: Asked = { names, isAlone: site !== undefined, options };
      if (options.hosts) await showHosts(asked, context);
      else if (options.since !== undefined) await showHistories(asked, context, report);
      else await showNow(asked, context);
    });
}

interface Asked {
  readonly names: readonly string[];
  /** JSON of one site where one was named, else of all. */
  readonly isAlone: boolean;
  readonly options: Options;
}

async function showNow({ names, isAlone, options }: Asked, context: CommandContext): Promise<void> {
  const { terminal } = context;
  for (const option of ["until", "every", "report"] as const) {
    if (options[option] !== undefined) throw meaningless(`--${option}`, "--since 1h");
  }
  const client = await context.client();
  const usages: SiteUsageView[] = [];
  for (const name of names) usages.push(ofConsumer(await client.siteUsage(name), options.consumer));
  const { output: form } = options;
  if (isForPeople(form)) tell(usages, form, context);
  else {
    const value = isAlone ? usages[0] : listValue(usages);
    await writeItems({ items: usages.flatMap(rowsOf), form, value }, LISTING, terminal);
  }
}

function ofConsumer(usage: SiteUsageView, consumer: string | undefined): SiteUsageView {
  if (consumer === undefined) return usage;
  return { ...usage, levels: usage.levels.filter((level) => isWithin(level.consumer, consumer)) };
}

async function showHistories(
  { names, isAlone, options }: Asked,
  context: CommandContext,
  report: (() => Promise<WriteUsageReport>) | undefined,
): Promise<void> {
  const client = await context.client();
  const { consumer, output: form, report: file } = options;
  const asked = { ...periodOf(options), ...(consumer !== undefined && { consumer }) };
  const histories: UsageHistoryView[] = [];
  for (const name of names) histories.push(await client.usageHistory(name, asked));
  const value = isAlone ? histories[0] : listValue(histories);
  if (file === undefined) {
    await writeHistories(histories, { form, value }, context.terminal);
    return;
  }
  const [history, ...others] = histories;
  if (history === undefined || others.length > 0 || report === undefined) throw notOneSite();
  await (await report())(history, file);
  context.terminal.writeError(`stint: ${printable(file)} written\n`);
}

async function showHosts({ names, options }: Asked, context: CommandContext): Promise<void> {
  const client = await context.client();
  const period = options.since === undefined ? undefined : periodOf(options);
  const all: SiteHosts[] = [];
  for (const site of names) all.push({ site, items: await client.hosts(site, period) });
  const value = listValue(all.flatMap(({ site, items }) => items.map((host) => ({ site, ...host }))));
  await writeHosts(all, { form: options.output, value }, context.terminal);
}

function periodOf({ since, until, every }: Options): PeriodRequest {
  return {
    ...(since !== undefined && { since: new Date(since).toISOString() }),
    ...(until !== undefined && { until: new Date(until).toISOString() }),
    ...(every !== undefined && { everySec: Math.max(10, Math.round(every / 1000)) }),
  };
}

function notOneSite(): Fault {
  return new Fault({
    kind: "badInput",
    code: "reportOfSeveralSites",
    what: "--report writes a page about one site",
    why: "no site was named, and the broker has more or less than one",
    remedy: "name it: stint usage here --since 7d --report use.html",
  });
}

function tell(usages: readonly SiteUsageView[], form: "table" | "wide", { terminal }: CommandContext): void {
  const tables = usages.flatMap((usage) => {
    if (usage.levels.length === 0) return [];
    return [`${headLine(usage)}\n${tableText(rowsOf(usage), LISTING, form, terminal)}`];
  });
  terminal.writeResult(tables.join("\n"));
  for (const { site, levels } of usages) {
    if (levels.length > 0) continue;
    terminal.writeError(`stint: no policy names a consumer of yours at ${printable(site)}\n`);
  }
}

/** Heading: `here at 2026-11-20 09:00:00: 3 of 8 processors and 2G of 16G free`. */
function headLine({ site, at, capacity, free, jobsRunning, jobsWaiting }: SiteUsageView): string {
  const memory = `${gibibytes(free.memoryBytes)} of ${gibibytes(capacity.memoryBytes)}`;
  const gpus = capacity.gpus === 0 ? "" : `, ${free.gpus} of ${capacity.gpus} GPUs`;
  const said = `${free.procs} of ${capacity.procs} processors, ${memory} of memory${gpus} free`;
  const jobs = `jobs: ${jobsRunning} running, ${jobsWaiting} waiting`;
  return printable(`${site} at ${instantText(at)}: ${said}; ${jobs}`);
}

function rowsOf({ site, levels }: SiteUsageView): readonly UsageRow[] {
  return levels.map((level) => ({ site, ...level }));
}

function amountText({ resource }: UsageRow, amount: number): string {
  const isInBytes = resource === "memory" || resource === "storage" || resource === "network";
  return isInBytes ? formatSize(amount) : String(amount);
}

function windowText(window: LevelUsageView["window"]): string {
  return window.kind === "sliding"
    ? formatDuration(Math.round(window.lengthSec * MS_PER_SECOND))
    : `the ${window.unit}`;
}
