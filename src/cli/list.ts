/**
 * `stint list`: jobs by state, owner, organisation, site and time of submission; newest first.
 */
import { Command } from "commander";
import type { JobFilter, JobList } from "../api/client/index.ts";
import type { JobState } from "../model/index.ts";
import { type Daily, jsonText } from "./daily.ts";
import { collectJobs } from "./job-pages.ts";
import { jobTable } from "./job-table.ts";
import { oneOf, positiveInteger } from "./option-values.ts";
import { sinceValue, statesValue } from "./quantity-values.ts";
import type { Surface } from "./surface.ts";

interface ListOptions {
  readonly state?: readonly JobState[];
  readonly owner?: string;
  readonly vo?: string;
  readonly site?: string;
  readonly since?: number;
  readonly limit?: number;
  readonly cursor?: string;
  readonly output: "table" | "json" | "name" | "csv";
}

const USUAL_LIMIT = 100;
const FORMATS = ["table", "json", "name", "csv"] as const;
const EXAMPLES = `
Examples:
  $ stint list --state running,held
  $ stint list --vo physics/theory --since 2d -o csv > jobs.csv
  $ stint list --since 2026-05-31 --limit 5000 -o json
  $ stint list -o name --state held | xargs stint release

Newest first. -o json is {items, next}; --cursor goes on from next.
`;

/** The command. */
export function listCommand(daily: Daily): Command {
  const since = sinceValue("--since", daily.surface.nowMs);
  return new Command("list")
    .summary("jobs by state, owner, organisation, site and time")
    .description("Lists jobs, newest first; all conditions hold.")
    .option("--state <states>", "only in these states, with commas or repeated", statesValue("--state"))
    .option("--owner <owner>", "only of this owner")
    .option("--vo <path>", "only of this organisation, group or user, or below: vo/group/user")
    .option("--site <site>", "only at this site")
    .option("--since <when>", "only submitted since: a time before now (2d) or a date", since)
    .option("--limit <n>", `at most so many (default: ${USUAL_LIMIT})`, positiveInteger("--limit"))
    .option("--cursor <cursor>", "go on after a list's `next`")
    .option("-o, --output <format>", FORMATS.join(", "), oneOf("-o", FORMATS), "table")
    .addHelpText("after", EXAMPLES)
    .action(async (options: ListOptions) => {
      const list = await collectJobs(await daily.client(), filterFrom(options), options.limit ?? USUAL_LIMIT);
      await show(list, options, daily.surface);
    });
}

function filterFrom({ state, owner, vo, site, since, cursor }: ListOptions): JobFilter {
  return {
    ...(state === undefined ? {} : { states: state }),
    ...(owner === undefined ? {} : { owner }),
    ...(vo === undefined ? {} : { consumer: vo }),
    ...(site === undefined ? {} : { site }),
    ...(since === undefined ? {} : { sinceMs: since }),
    ...(cursor === undefined ? {} : { cursor }),
  };
}

async function show(list: JobList, { output, limit }: ListOptions, surface: Surface): Promise<void> {
  const { items, next } = list;
  if (output === "json") surface.writeResult(jsonText(list));
  else if (output === "name") surface.writeResult(items.map(({ id }) => `${id}\n`).join(""));
  else if (output === "csv") surface.writeResult((await import("./job-csv.ts")).jobCsv(items));
  else if (items.length === 0) surface.writeError("stint: no such jobs\n");
  else surface.writeResult(jobTable(items, { columns: surface.columns, nowMs: surface.nowMs() }));
  // Whoever named a limit knows that there may be more.
  if (output !== "json" && limit === undefined && next !== null) {
    surface.writeError(`stint: there are more than ${USUAL_LIMIT}; --limit shows more\n`);
  }
}
