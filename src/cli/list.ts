/** `stint list`: lists jobs that meet conditions, with chosen columns, in the order of one of them. */
import { Command } from "commander";
import type { JobFilter, JobList } from "../api/client/index.ts";
import { JOB_SORT_COLUMNS, type JobSortWord } from "../model/index.ts";
import { jobsAndArrays } from "./array-table.ts";
import type { CommandContext } from "./command-context.ts";
import { conditionsOf, type JobFilterOptions, withJobFilter } from "./job-filter.ts";
import { JOB_COLUMNS, type JobColumnName, jobListing } from "./job-listing.ts";
import { jobOverview } from "./job-overview.ts";
import { collectListed } from "./job-pages.ts";
import { listOf, positiveInteger, sortValue, wholeNumber } from "./option-values.ts";
import {
  demandColumnsShown,
  isForPeople,
  type OutputForm,
  outputOption,
  writeItems,
} from "./output-forms.ts";
import type { Terminal } from "./terminal.ts";

interface ListOptions extends JobFilterOptions {
  readonly columns?: readonly JobColumnName[];
  readonly sort?: JobSortWord;
  readonly array?: string;
  readonly exitCode?: number;
  readonly expand: boolean;
  readonly limit?: number;
  readonly cursor?: string;
  readonly output: OutputForm;
}

const USUAL_LIMIT = 100;
const EXAMPLES = `
Examples:
  $ stint list --state running,held
  $ stint list --name night --tag project=snow
  $ stint list --vo physics/theory --since 2d -o csv > jobs.csv
  $ stint list --time ended --since 2026-05-01 --until 2026-06-01 --limit 5000 -o json
  $ stint list --exit-code 137 --since 1d
  $ stint list --columns id,name,state,time,limit --sort -ended
  $ stint list -o name --state held | xargs stint release

Purged jobs are listed only with --state purged.

Jobs are listed newest first, or sorted by a column: --sort name, --sort -ended (descending). --columns
chooses the columns of a table or of -o csv:
${JOB_COLUMNS.slice(0, 10).join(", ")},
${JOB_COLUMNS.slice(10).join(", ")}. -o wide shows more of them, -o json (or yaml) everything, as
{items, next}; --cursor continues from next.

The table has one line for an array of jobs, with the number of its jobs in each state. --expand shows its
jobs, and so do --site, --sort, --exit-code, --time ended and every other form.
`;

/** Command definition of `stint list`. */
export function listCommand(context: CommandContext): Command {
  const command = new Command("list")
    .summary("list jobs by state, owner, organisation, site, name, tag and time")
    .description("Lists jobs, newest first; with several conditions, jobs that meet all of them.");
  return withJobFilter(command, context.terminal.nowMs, "submitted")
    .option(
      "--columns <names>",
      "show these columns, comma-separated, in this order",
      listOf("--columns", JOB_COLUMNS),
    )
    .option(
      "--sort <column>",
      "sort by a column; -COLUMN sorts in descending order",
      sortValue("--sort", JOB_SORT_COLUMNS),
    )
    .option("--array <id>", "only jobs of this array")
    .option("--exit-code <code>", "only jobs that ended with this exit code", wholeNumber("--exit-code"))
    .option("--expand", "list each job of an array on a line of its own", false)
    .option("--limit <n>", `list at most this many (default: ${USUAL_LIMIT})`, positiveInteger("--limit"))
    .option("--cursor <cursor>", "continue a listing: the value of `next` on its last page")
    .addOption(outputOption())
    .addHelpText("after", EXAMPLES)
    .action(async (options: ListOptions) => {
      demandColumnsShown(options);
      const client = await context.client();
      const limit = options.limit ?? USUAL_LIMIT;
      if (isOverview(options)) {
        await showOverview(await jobOverview(client, filterFrom(options), limit), options, context.terminal);
      } else await show(await collectListed(client, filterFrom(options), limit), options, context.terminal);
    });
}

/** One line stands for an array that is at no site, has no one end, and has no place in another order. */
function isOverview({ output, expand, array, site, sort, time, exitCode }: ListOptions): boolean {
  const isOfJobs = expand || [array, site, sort, exitCode].some((one) => one !== undefined);
  return isForPeople(output) && !isOfJobs && time !== "ended";
}

function filterFrom({ time, sort, cursor, array, exitCode, ...conditions }: ListOptions): JobFilter {
  return {
    ...conditionsOf(conditions),
    ...(time === undefined ? {} : { time }),
    ...(sort === undefined ? {} : { sort }),
    ...(array === undefined ? {} : { array }),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(cursor === undefined ? {} : { cursor }),
  };
}

async function showOverview(
  { items, hasMore }: Awaited<ReturnType<typeof jobOverview>>,
  { output, limit, columns }: ListOptions,
  terminal: Terminal,
): Promise<void> {
  const listing = jobsAndArrays(terminal.nowMs(), columns);
  await writeItems({ items, form: output }, listing, terminal);
  if (items.length === 0) terminal.writeError("stint: no such jobs\n");
  if (limit === undefined && hasMore) tellMore(terminal);
}

function tellMore(terminal: Terminal): void {
  terminal.writeError(`stint: there are more than ${USUAL_LIMIT}; --limit shows more\n`);
}

async function show(list: JobList, options: ListOptions, terminal: Terminal): Promise<void> {
  const { output, limit, columns } = options;
  const { items, next } = list;
  const listing = jobListing(terminal.nowMs(), columns);
  await writeItems({ items, form: output, value: list, none: "no such jobs" }, listing, terminal);
  // Whoever named a limit, or reads `next`, knows that there may be more.
  const isTold = output === "json" || output === "yaml" || limit !== undefined;
  if (!isTold && next !== null) tellMore(terminal);
}
