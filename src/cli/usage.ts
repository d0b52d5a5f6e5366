/**
 * `stint usage`: what consumers use at sites, against what they may.
 */
import { Command } from "commander";
import type { LevelUsageView, SiteUsageView } from "../api/client/index.ts";
import { formatDuration, formatSize } from "../base/index.ts";
import type { Daily } from "./daily.ts";
import { instantText } from "./job-table.ts";
import {
  isForPeople,
  type Listing,
  type OutputForm,
  outputOption,
  tableText,
  writeItems,
} from "./output-forms.ts";
import { gibibytes } from "./site-listing.ts";
import { printable } from "./text-table.ts";

const EXAMPLES = `
Examples:
  $ stint usage
  $ stint usage here
  $ stint usage here -o json

A row for each level of a consumer that a policy names: what it has in use, what its jobs that wait or are
stopped ask for, what it has used over its window (USED), and its shares, all in percent of the site's
capacity: on average over the window (EPOCH) and at any instant (BURST). Of consumers that are not yours to
see there are no rows.
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
    { head: "USED%", align: "right", cell: ({ usedPpm }) => percentText(usedPpm) },
    { head: "EPOCH%", align: "right", cell: ({ epochPpm }) => percentText(epochPpm) },
    { head: "BURST%", align: "right", cell: ({ burstPpm }) => percentText(burstPpm) },
    { head: "WINDOW", isWide: true, cell: ({ window }) => windowText(window) },
    { head: "RULE", isOptional: true, cell: ({ rule }) => rule },
    { head: "MODE", isOptional: true, cell: ({ mode }) => mode },
  ],
  fields: [
    ...["site", "consumer", "resource", "inUse", "waiting", "usedPpm", "epochPpm", "burstPpm"],
    ...["window", "rule", "mode"],
  ],
  record: (row) => ({ ...row }),
  name: ({ site, consumer, resource }) => `${site} ${consumer} ${resource}`,
};

/** The command. */
export function usageCommand(daily: Daily): Command {
  return new Command("usage")
    .summary("what consumers use at sites, against what they may")
    .description("Shows what consumers use at sites, against the shares that policies give them.")
    .argument("[site]", "at this site alone (default: at all)")
    .addOption(outputOption())
    .addHelpText("after", EXAMPLES)
    .action(async (site: string | undefined, { output: form }: { readonly output: OutputForm }) => {
      const { surface } = daily;
      const client = await daily.client();
      const names = site === undefined ? (await client.sites()).map(({ name }) => name) : [site];
      const usages: SiteUsageView[] = [];
      for (const name of names) usages.push(await client.siteUsage(name));
      if (isForPeople(form)) {
        tell(usages, form, daily);
        return;
      }
      const value = site === undefined ? { items: usages } : usages[0];
      await writeItems({ items: usages.flatMap(rowsOf), form, value }, LISTING, surface);
    });
}

function tell(usages: readonly SiteUsageView[], form: "table" | "wide", { surface }: Daily): void {
  const tables = usages.flatMap((usage) => {
    if (usage.levels.length === 0) return [];
    return [`${headLine(usage)}\n${tableText(rowsOf(usage), LISTING, form, surface.columns)}`];
  });
  surface.writeResult(tables.join("\n"));
  for (const { site, levels } of usages) {
    if (levels.length > 0) continue;
    surface.writeError(`stint: no policy names a consumer of yours at ${printable(site)}\n`);
  }
}

/** `here at 2026-11-20 09:00:00: 3 of 8 processors and 2G of 16G free`. */
function headLine({ site, at, capacity, free }: SiteUsageView): string {
  const memory = `${gibibytes(free.memory)} of ${gibibytes(capacity.memory)}`;
  const gpus = capacity.gpu === 0 ? "" : `, ${free.gpu} of ${capacity.gpu} GPUs`;
  const said = `${free.cpu} of ${capacity.cpu} processors, ${memory} of memory${gpus} free`;
  return printable(`${site} at ${instantText(at)}: ${said}`);
}

function rowsOf({ site, levels }: SiteUsageView): readonly UsageRow[] {
  return levels.map((level) => ({ site, ...level }));
}

function amountText({ resource }: UsageRow, amount: number): string {
  const isInBytes = resource === "memory" || resource === "storage" || resource === "network";
  return isInBytes ? formatSize(amount) : String(amount);
}

/** Two decimals are enough to look at; all are in JSON. */
function percentText(ppm: number): string {
  return (ppm / 10_000).toFixed(2).replace(/\.?0+$/, "");
}

function windowText(window: LevelUsageView["window"]): string {
  return window.kind === "sliding" ? formatDuration(window.lengthMs) : `the ${window.unit}`;
}
