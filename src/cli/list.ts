/** `stint list`: lists jobs by state, owner, organisation, site and time of submission, newest first. */
import { Command } from "commander";
import type { JobFilter, JobList } from "../api/client/index.ts";
import type { JobState } from "../model/index.ts";
import type { CommandContext } from "./command-context.ts";
import { collected } from "./job-options.ts";
import { collectJobs } from "./job-pages.ts";
import { jobListing } from "./job-table.ts";
import { positiveInteger } from "./option-values.ts";
import { isForPeople, type OutputForm, outputOption, writeItems } from "./output-forms.ts";
import { sinceValue, statesValue } from "./quantity-values.ts";
import type { Terminal } from "./terminal.ts";

interface ListOptions {
  readonly state?: readonly JobState[];
  readonly owner?: string;
  readonly vo?: string;
  readonly site?: string;
  readonly name?: string;
  readonly tag?: readonly string[];
  readonly since?: number;
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
  $ stint list --since 2026-05-31 --limit 5000 -o json
  $ stint list -o name --state held | xargs stint release

Newest first. -o json (or yaml) is {items, next}; --cursor goes on from next. -o wide shows everything.
`;

/** Command definition of `stint list`. */
export function listCommand(context: CommandContext): Command {
  const since = sinceValue("--since", context.terminal.nowMs);
  return new Command("list")
    .summary("list jobs by state, owner, organisation, site, name, tag and time")
    .description("Lists jobs, newest first; with several conditions, jobs that meet all of them.")
    .option("--state <states>", "only in these states, comma-separated or repeated", statesValue("--state"))
    .option("--owner <owner>", "only of this owner")
    .option("--vo <path>", "only of this organisation, group or user, and those below: vo/group/user")
    .option("--site <site>", "only at this site")
    .option("--name <name>", "only of this name")
    .option("--tag <tag>", "only with this tag, key=value or key; repeated: with all of them", collected)
    .option("--since <when>", "only submitted since then: a length of time ago (2d) or a date", since)
    .option("--limit <n>", `at most so many (default: ${USUAL_LIMIT})`, positiveInteger("--limit"))
    .option("--cursor <cursor>", "continue from the `next` of an earlier list")
    .addOption(outputOption())
    .addHelpText("after", EXAMPLES)
    .action(async (options: ListOptions) => {
      const list = await collectJobs(
        await context.client(),
        filterFrom(options),
        options.limit ?? USUAL_LIMIT,
      );
      await show(list, options, context.terminal);
    });
}

function filterFrom({ state, owner, vo, site, name, tag, since, cursor }: ListOptions): JobFilter {
  return {
    ...(state === undefined ? {} : { state }),
    ...(owner === undefined ? {} : { owner }),
    ...(vo === undefined ? {} : { consumer: vo }),
    ...(site === undefined ? {} : { site }),
    ...(name === undefined ? {} : { name }),
    ...(tag === undefined ? {} : { tag }),
    ...(since === undefined ? {} : { since: new Date(since).toISOString() }),
    ...(cursor === undefined ? {} : { cursor }),
  };
}

async function show(list: JobList, { output, limit }: ListOptions, terminal: Terminal): Promise<void> {
  const { items, next } = list;
  await writeItems({ items, form: output, value: list }, jobListing(terminal.nowMs()), terminal);
  if (isForPeople(output) && items.length === 0) terminal.writeError("stint: no such jobs\n");
  // Whoever named a limit, or reads `next`, knows that there may be more.
  const isTold = output === "json" || output === "yaml" || limit !== undefined;
  if (!isTold && next !== null) {
    terminal.writeError(`stint: there are more than ${USUAL_LIMIT}; --limit shows more\n`);
  }
}
