/**
 * `stint site list`: the sites, and how busy they are.
 */
import { Command } from "commander";
import { type Daily, jsonText } from "./daily.ts";
import { oneOf } from "./option-values.ts";
import { type Column, textTable } from "./text-table.ts";

interface SiteListOptions {
  readonly output: "table" | "json" | "name";
}

const FORMATS = ["table", "json", "name"] as const;
const COLUMNS: readonly Column[] = [
  { head: "SITE" },
  { head: "TYPE", isOptional: true },
  { head: "PROCS", align: "right" },
  { head: "BUSY", align: "right" },
  { head: "MEMORY", align: "right", isOptional: true },
  { head: "RUNNING", align: "right" },
  { head: "WAITING", align: "right" },
  { head: "DISCIPLINE", isOptional: true },
];
const EXAMPLES = `
Examples:
  $ stint site list
  $ stint site list -o json
`;

/** The command with its verbs. */
export function siteCommand(daily: Daily): Command {
  return new Command("site")
    .summary("the sites that work can go to")
    .description("The sites that work can go to.")
    .addHelpText("after", EXAMPLES)
    .addCommand(siteListCommand(daily));
}

function siteListCommand(daily: Daily): Command {
  return new Command("list")
    .summary("the sites, and how busy they are")
    .description("Lists the sites: what they have, how much of it is busy, and how many jobs run and wait.")
    .option("-o, --output <format>", FORMATS.join(", "), oneOf("-o", FORMATS), "table")
    .addHelpText("after", EXAMPLES)
    .action(async ({ output }: SiteListOptions) => {
      const { surface } = daily;
      const sites = await (await daily.client()).sites();
      if (output === "json") surface.writeResult(jsonText({ items: sites, next: null }));
      else if (output === "name") surface.writeResult(sites.map(({ name }) => `${name}\n`).join(""));
      else if (sites.length === 0) surface.writeError("stint: the broker has no sites\n");
      else {
        const rows = sites.map(({ name, spec, running, waiting, procsBusy }) => [
          name,
          spec.type,
          String(spec.procs),
          String(procsBusy),
          gibibytes(spec.memoryBytes),
          String(running),
          String(waiting),
          spec.discipline,
        ]);
        surface.writeResult(textTable(COLUMNS, rows, surface.columns));
      }
    });
}

/** To a tenth, which is what one compares; the JSON is exact. */
function gibibytes(bytes: number): string {
  return `${Number((bytes / 1024 ** 3).toFixed(1))}G`;
}
