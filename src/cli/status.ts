/**
 * `stint status [ID…]`: how jobs are.
 */
import { Command } from "commander";
import { isFinal, JOB_STATES } from "../model/index.ts";
import { type Daily, jsonText } from "./daily.ts";
import { eachJob } from "./each-job.ts";
import { collectJobs } from "./job-pages.ts";
import { jobDetails, jobTable } from "./job-table.ts";
import { oneOf } from "./option-values.ts";

interface StatusOptions {
  readonly output: "table" | "json";
}

const MOST_UNFINISHED = 1000;
const EXAMPLES = `
Examples:
  $ stint status                     the jobs that are not over
  $ stint status 7f3a                everything about one job
  $ stint status 7f3a 91bc -o json   an array; of one id, one object

An id may be abbreviated while it is unique. See also stint why ID, stint list.
`;

/** The command. */
export function statusCommand(daily: Daily): Command {
  return new Command("status")
    .summary("how jobs are; without ids, all that are not over")
    .description(
      "Shows how jobs are: one in detail, several in a table, without ids those that are not over.",
    )
    .argument("[id...]", "jobs; an id may be abbreviated while it is unique")
    .option("-o, --output <format>", "table or json", oneOf("-o", ["table", "json"] as const), "table")
    .addHelpText("after", EXAMPLES)
    .action(async (ids: readonly string[], options: StatusOptions) => {
      const [id] = ids;
      if (id === undefined) await unfinished(options, daily);
      else if (ids.length === 1) await one(id, options, daily);
      else await several(ids, options, daily);
    });
}

async function one(id: string, { output }: StatusOptions, { client, surface }: Daily): Promise<void> {
  const job = await (await client()).job(id);
  surface.writeResult(output === "json" ? jsonText(job) : jobDetails(job, surface.nowMs()));
}

async function several(ids: readonly string[], { output }: StatusOptions, daily: Daily): Promise<void> {
  const { surface } = daily;
  const client = await daily.client();
  const jobs = await eachJob(ids, (id) => client.job(id), daily);
  if (output === "json") surface.writeResult(jsonText(jobs));
  else if (jobs.length > 0) {
    surface.writeResult(jobTable(jobs, { columns: surface.columns, nowMs: surface.nowMs() }));
  }
}

async function unfinished({ output }: StatusOptions, { client, surface }: Daily): Promise<void> {
  const states = JOB_STATES.filter((state) => !isFinal(state));
  const list = await collectJobs(await client(), { states }, MOST_UNFINISHED);
  if (output === "json") surface.writeResult(jsonText(list));
  else if (list.items.length === 0) surface.writeError("stint: no job is waiting or running\n");
  else surface.writeResult(jobTable(list.items, { columns: surface.columns, nowMs: surface.nowMs() }));
  if (output !== "json" && list.next !== null) {
    surface.writeError(`stint: these are the newest ${MOST_UNFINISHED}; stint list --limit shows more\n`);
  }
}
