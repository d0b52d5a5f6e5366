/** `stint report`: sums of jobs by user, site, month and so on; with ids the efficiency of jobs. */
import { Command } from "commander";
import { Fault } from "../base/index.ts";
import {
  isReportDimension,
  MOST_DIMENSIONS,
  REPORT_DIMENSIONS,
  type ReportDimension,
} from "../model/index.ts";
import type { CommandContext } from "./command-context.ts";
import { eachJob } from "./each-job.ts";
import { efficiencyDetails, efficiencyListing, efficiencyOf } from "./job-efficiency.ts";
import { conditionsOf, type JobFilterOptions, withJobFilter } from "./job-filter.ts";
import { type Choosing, listOf, sortValue } from "./option-values.ts";
import {
  demandColumnsShown,
  isForPeople,
  listValue,
  type OutputForm,
  outputOption,
  writeItems,
} from "./output-forms.ts";
import {
  REPORT_COLUMNS,
  type ReportColumn,
  type ReportSortWord,
  reportListing,
  sortedRows,
} from "./report-listing.ts";

interface ReportOptions extends JobFilterOptions {
  readonly by?: readonly ReportDimension[];
  readonly columns?: readonly ReportColumn[];
  readonly sort?: ReportSortWord;
  readonly output: OutputForm;
}

const EXAMPLES = `
Examples:
  $ stint report                                    all jobs that have ended, in one sum
  $ stint report --by user,month --since 2026-01-01
  $ stint report --by group,site --since 30d -o csv > use.csv
  $ stint report --by tag:project --vo physics --state done
  $ stint report --by user --columns used,wait,cost --sort -used
  $ stint report --time submitted --since 7d        also those that have not ended
  $ stint report 7f3a                               efficiency of one job

--by takes ${REPORT_DIMENSIONS.join(", ")},
and tag:KEY. user is the whole path vo/group/user that jobs count against, group the path above it. Days,
weeks and months are those of UTC in which jobs ended (with --time submitted: were submitted).

USED and REQUESTED are processor-hours: run time, and time limit, times processors. REQUESTED counts jobs
that started and have a time limit of their own, LIMIT% is the part of it that these used. CPU% is
processor time over run time times processors, if the site measured it. COST is what was charged for runs,
in SU, without the prices of reservations. Only jobs that stint list shows you are counted.

--columns and --sort take ${REPORT_COLUMNS.slice(0, 9).join(", ")},
${REPORT_COLUMNS.slice(9).join(", ")}; with - before it --sort is descending.
Without it groups are in the order of their names.
`;

/** Command definition of `stint report [ID…]`. */
export function reportCommand(context: CommandContext): Command {
  const command = new Command("report")
    .summary("sum use by user, site, month and so on; show the efficiency of jobs")
    .description("Sums use, waits, failures, efficiency and cost of jobs; with ids shows those of each job.")
    .argument("[id...]", "show the efficiency of these jobs; a unique prefix of an id is enough")
    .option(
      "--by <dimensions>",
      "group by user, group, site, month, tag:KEY, …, comma-separated",
      dimensionsValue,
    )
    .option(
      "--columns <names>",
      "show these columns, comma-separated, in this order",
      listOf("--columns", REPORT_COLUMNS),
    )
    .option(
      "--sort <column>",
      "sort by a column; -COLUMN sorts in descending order",
      sortValue("--sort", REPORT_COLUMNS),
    );
  return withJobFilter(command, context.terminal.nowMs, "ended")
    .addOption(outputOption())
    .addHelpText("after", EXAMPLES)
    .action(async (ids: readonly string[], options: ReportOptions) => {
      if (ids.length > 0) await reportJobs(ids, options, context);
      else await reportSums(options, context);
    });
}

async function reportSums(options: ReportOptions, { client, terminal }: CommandContext): Promise<void> {
  const { by = [], time, columns, sort, output: form, ...conditions } = options;
  demandColumnsShown({ columns, output: form });
  const report = await (await client()).report({
    ...conditionsOf(conditions),
    ...(by.length === 0 ? {} : { by }),
    ...(time === undefined ? {} : { time }),
  });
  const items = sort === undefined ? report.items : sortedRows(report.items, sort);
  await writeItems(
    { items, form, value: { ...report, items }, none: "no such jobs" },
    reportListing(by, columns),
    terminal,
  );
}

async function reportJobs(
  ids: readonly string[],
  options: ReportOptions,
  context: CommandContext,
): Promise<void> {
  const { output: form, ...others } = options;
  if (Object.keys(others).length > 0) throw notOfJobs();
  const { terminal } = context;
  const client = await context.client();
  const nowMs = terminal.nowMs();
  const items = await eachJob(ids, async (id) => efficiencyOf(await client.job(id), nowMs), context);
  const [only] = items;
  if (only !== undefined && ids.length === 1 && isForPeople(form))
    terminal.writeResult(efficiencyDetails(only));
  else {
    const value = ids.length === 1 && only !== undefined ? only : listValue(items);
    await writeItems({ items, form, value }, efficiencyListing, terminal);
  }
}

const dimensionsValue: ((text: string, before?: readonly ReportDimension[]) => ReportDimension[]) & Choosing =
  Object.assign(
    (text: string, before: readonly ReportDimension[] = []): ReportDimension[] => {
      const said = text.split(",").map((word) => word.trim());
      const all = [...new Set([...before, ...said.map(dimensionOf)])];
      if (all.length <= MOST_DIMENSIONS) return all;
      throw wrongDimension(`"${text}" are too many`, `a report is grouped by at most ${MOST_DIMENSIONS}`);
    },
    { words: REPORT_DIMENSIONS },
  );

function dimensionOf(word: string): ReportDimension {
  if (isReportDimension(word)) return word;
  const shown = word.length > 40 ? `${word.slice(0, 40)}…` : word;
  throw wrongDimension(`"${shown}" is unknown`, `it is one of ${REPORT_DIMENSIONS.join(", ")}, or tag:KEY`);
}

function wrongDimension(what: string, why: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "optionValueUnknown",
    what: `--by: ${what}`,
    why,
    remedy: "write for instance --by user,month",
  });
}

function notOfJobs(): Fault {
  return new Fault({
    kind: "badInput",
    code: "selectionBesideIds",
    what: "ids cannot be combined with conditions here",
    why: "with ids the report shows single jobs; conditions, --by, --columns and --sort apply to sums",
    remedy: "omit the ids, or all other options except -o",
  });
}
