/** `stint status [ID…]`: shows the state of jobs, once or until they end. */
import { Command } from "commander";
import type { JobList, StintClient } from "../api/client/index.ts";
import { counted, some } from "../base/index.ts";
import { isFinal, JOB_STATES } from "../model/index.ts";
import { arrayDetails, arrayListing, jobsAndArrays } from "./array-table.ts";
import type { CommandContext } from "./command-context.ts";
import { dagDetails, dagListing } from "./dag-details.ts";
import { eachJob } from "./each-job.ts";
import { jobListing } from "./job-listing.ts";
import { isOfWorkflow, jobOrArray } from "./job-or-array.ts";
import { jobOverview } from "./job-overview.ts";
import { collectJobs } from "./job-pages.ts";
import { isArray, isDag, jobDetails } from "./job-table.ts";
import { isForPeople, type OutputForm, outputOption, writeItems } from "./output-forms.ts";
import { printable } from "./text-table.ts";

interface StatusOptions {
  readonly output: OutputForm;
  readonly watch: boolean;
}

const MOST_UNFINISHED = 1000;
/** Largest number of watched jobs, each over a connection of its own. */
const MOST_WATCHED = 100;
const EXAMPLES = `
Examples:
  $ stint status                     the jobs that have not ended
  $ stint status 7f3a                everything about one job
  $ stint status 7f3a 91bc -o json   {items, next}; of one id, the job itself
  $ stint status 7f3a --watch        until it ends

A unique prefix of an id is enough. An array is shown as the number of
its jobs in each state, a DAG as a tree of its nodes; stint list --array ID
lists the jobs of either. On a terminal --watch redraws the table; elsewhere it
prints a line for each change, with -o json a job. It ends when all jobs have
ended, or with Ctrl-C.
See also stint why ID, stint list.
`;

/** Command definition of `stint status [ID…]`. */
export function statusCommand(context: CommandContext): Command {
  return new Command("status")
    .summary("show the state of jobs (default: all active ones)")
    .description(
      "Shows the state of jobs: a single job in detail, several in a table. Without ids, lists all jobs " +
        "that have not ended.",
    )
    .argument("[id...]", "jobs; a unique prefix of an id is enough")
    .option("-w, --watch", "print every change until the jobs have ended", false)
    .addOption(outputOption())
    .addHelpText("after", EXAMPLES)
    .action(async (ids: readonly string[], { output, watch }: StatusOptions) => {
      const [id] = ids;
      if (watch) await watched(ids, output, context);
      else if (id === undefined) await unfinished(output, context);
      else if (ids.length === 1) await one(id, output, context);
      else await several(ids, output, context);
    });
}

async function one(id: string, form: OutputForm, context: CommandContext): Promise<void> {
  try {
    await oneJob(id, form, context);
  } catch (error) {
    if (!isOfWorkflow(error)) throw error;
    const { showWorkflow } = await import("./workflow.ts");
    await showWorkflow(await (await context.client()).workflow(id), form, context.terminal);
  }
}

async function oneJob(id: string, form: OutputForm, { client, terminal }: CommandContext): Promise<void> {
  const job = await jobOrArray(await client(), id);
  const nowMs = terminal.nowMs();
  if (isDag(job)) {
    if (isForPeople(form)) terminal.writeResult(dagDetails(job, nowMs));
    else await writeItems({ items: [job], form, value: job }, dagListing(nowMs), terminal);
  } else if (isArray(job)) {
    if (isForPeople(form)) terminal.writeResult(arrayDetails(job, nowMs));
    else await writeItems({ items: [job], form, value: job }, arrayListing(nowMs), terminal);
  } else if (isForPeople(form)) {
    terminal.writeResult(jobDetails(job, nowMs));
    if (job.result === "failed" || job.state === "ABORTED")
      await tellOwnFault(job.id, await client(), terminal);
  } else await writeItems({ items: [job], form, value: job }, jobListing(terminal.nowMs()), terminal);
}

/** That what the job runs fails at every site, where it does so. */
async function tellOwnFault(
  id: string,
  client: Pick<StintClient, "why">,
  terminal: CommandContext["terminal"],
): Promise<void> {
  const { causes } = await client.why(id);
  const fault = causes.find((cause) => cause.kind === "failsEverywhere");
  if (fault === undefined) return;
  const { sites, times } = fault;
  const text = `the same program failed ${counted(times, "time")} in the last hour, at ${some(sites)}`;
  terminal.writeResult(`${"at fault".padEnd(12)}${printable(`its description: ${text}`)}\n`);
}

async function several(ids: readonly string[], form: OutputForm, context: CommandContext): Promise<void> {
  const { terminal } = context;
  const client = await context.client();
  const items = await eachJob(ids, (id) => jobOrArray(client, id), context);
  await writeItems({ items, form }, jobsAndArrays(terminal.nowMs()), terminal);
}

async function unfinished(form: OutputForm, context: CommandContext): Promise<void> {
  const { terminal } = context;
  if (isForPeople(form)) return unfinishedAtAGlance(form, context);
  const list = await unfinishedJobs(context, MOST_UNFINISHED);
  await writeItems({ items: list.items, form, value: list }, jobListing(terminal.nowMs()), terminal);
  if (form !== "json" && form !== "yaml" && list.next !== null) terminal.writeError(NEWEST);
}

/** One line for each array. */
async function unfinishedAtAGlance(form: OutputForm, { client, terminal }: CommandContext): Promise<void> {
  const state = JOB_STATES.filter((one) => !isFinal(one));
  const { items, hasMore } = await jobOverview(await client(), { state }, MOST_UNFINISHED);
  await writeItems({ items, form }, jobsAndArrays(terminal.nowMs()), terminal);
  if (items.length === 0) terminal.writeError(NONE);
  if (hasMore) terminal.writeError(NEWEST);
}

const NEWEST = `stint: these are the newest ${MOST_UNFINISHED}; stint list --limit shows more\n`;

async function watched(given: readonly string[], form: OutputForm, context: CommandContext): Promise<void> {
  const { terminal } = context;
  const { watchJobs } = await import("./watch-jobs.ts");
  if (given.length > 0) return watchJobs(given, form, context);
  const { items, next } = await unfinishedJobs(context, MOST_WATCHED);
  if (items.length === 0) terminal.writeError(NONE);
  if (next !== null) terminal.writeError(`stint: these are the newest ${MOST_WATCHED}\n`);
  return watchJobs(
    items.map(({ id }) => id),
    form,
    context,
  );
}

const NONE = "stint: no job is waiting or running\n";

async function unfinishedJobs({ client }: CommandContext, limit: number): Promise<JobList> {
  const state = JOB_STATES.filter((one) => !isFinal(one));
  return collectJobs(await client(), { state }, limit);
}
