/** `stint edit ID`: changes a job that waits. */
import { setTimeout } from "node:timers/promises";
import { Command } from "commander";
import type { JobEditRequest, JobView, StintClient } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import type { CommandContext } from "./command-context.ts";
import { jobDetails } from "./job-table.ts";
import { positiveInteger } from "./option-values.ts";
import { durationValue, sizeValue, tagsValue } from "./quantity-values.ts";
import type { Terminal } from "./terminal.ts";

/** So long the command waits for a cluster, and so often it asks. */
const PATIENCE_MS = 60_000;
const ASK_EVERY_MS = 300;

interface EditOptions {
  readonly procs?: number;
  /** ms */
  readonly time?: number;
  /** Bytes. */
  readonly mem?: number;
  readonly site?: string;
  readonly anySite: boolean;
  readonly name?: string;
  readonly tag?: Readonly<Record<string, string>>;
  readonly priority?: number;
}

const EXAMPLES = `
Examples:
  $ stint edit 7f3a -t 4h
  $ stint edit 7f3a -n 8 --mem 16G --site elm
  $ stint edit 7f3a --any-site --tag urgent
  $ stint edit 7f3a --priority 1000

Options that are not given leave their values unchanged. A job with another size, time limit, memory or
site leaves its queue, and a site is chosen for it as for a new job; other names and tags leave it where
it is. A cluster has to remove the job from its queue first: the command waits for that, up to a minute.
If the job starts there before that, it keeps its old values, and the exit code is 5.

--priority needs a site whose queue has priorities (Slurm), and is given alone or with
--name and --tag. Users may lower the priority of their jobs, to put one behind another of their own;
administrators and operators may raise it. stint events ID shows who changed what.
`;

/** Command definition of `stint edit ID`. */
export function editCommand(context: CommandContext): Command {
  return new Command("edit")
    .summary("change the size, limit, memory, site, name, tags or priority of a waiting job")
    .description("Changes a job that has not started, and shows it.")
    .argument("<id>", "a waiting job; a unique prefix of its id is enough")
    .option("-n, --procs <n>", "processors", positiveInteger("-n"))
    .option("-t, --time <time>", "time limit: 1h30m, 01:30:00", durationValue("-t"))
    .option("--mem <size>", "total memory: 512M, 4G", sizeValue("--mem"))
    .option("--site <site>", "site of the job")
    .option("--any-site", "have the broker choose the site", false)
    .option("--name <name>", "name of the job, for listings and searches")
    .option("--tag <tag>", "add this tag, key=value or a word; may be repeated", tagsValue("--tag"))
    .option(
      "--priority <n>",
      "priority in the queue of its cluster; a higher priority starts sooner",
      positiveInteger("--priority"),
    )
    .addHelpText("after", EXAMPLES)
    .action(async (id: string, options: EditOptions) => {
      const change = changeOf(options);
      if (Object.keys(change).length === 0) throw nothingToChange();
      const client = await context.client();
      const job = await untilMoved(client, await client.edit(id, change), context.terminal);
      context.terminal.writeResult(jobDetails(job, context.terminal.nowMs()));
      if (job.pendingChange !== undefined) context.terminal.writeError(stillPending(job));
    });
}

function changeOf({ procs, time, mem, site, anySite, name, tag, priority }: EditOptions): JobEditRequest {
  if (anySite && site !== undefined) throw siteTwice(site);
  return {
    ...(procs === undefined ? {} : { procs }),
    ...(time === undefined ? {} : { wallTimeSec: time / 1000 }),
    ...(mem === undefined ? {} : { memoryBytes: mem }),
    ...(site === undefined ? {} : { site }),
    ...(anySite ? { site: null } : {}),
    ...(name === undefined ? {} : { name }),
    ...(tag === undefined ? {} : { userTags: tag }),
    ...(priority === undefined ? {} : { priority }),
  };
}

/**
 * The job once the cluster in whose queue it is has removed it, or still waiting there after a minute.
 *
 * @throws Fault `startedMeanwhile`
 */
async function untilMoved(
  client: Pick<StintClient, "job">,
  edited: JobView,
  { nowMs, writeError, onEndRequest }: Terminal,
): Promise<JobView> {
  const { pendingChange, attempt } = edited;
  if (pendingChange === undefined) return edited;
  const { site } = edited;
  writeError(`stint: the change is recorded; waiting until ${site} has removed the job from its queue\n`);
  const ending = new AbortController();
  const giveBack = onEndRequest(() => ending.abort());
  const untilMs = nowMs() + PATIENCE_MS;
  let job = edited;
  try {
    while (job.pendingChange !== undefined && nowMs() < untilMs && !ending.signal.aborted) {
      await setTimeout(ASK_EVERY_MS);
      job = await client.job(edited.id);
    }
  } finally {
    giveBack();
  }
  if (job.pendingChange !== undefined || job.state === "WAITING" || job.attempt > attempt) return job;
  if (isAsRequested(job, pendingChange)) return job;
  throw startedMeanwhile(job);
}

function isAsRequested(job: JobView, { site: _, ...values }: NonNullable<JobView["pendingChange"]>): boolean {
  const now: Readonly<Record<string, unknown>> = job;
  const entries = Object.entries(values);
  return job.startedAt === null && entries.every(([name, value]) => now[name] === value);
}

function stillPending({ id, site }: JobView): string {
  return (
    `stint: ${site} still has the job in its queue; the change takes effect once it is removed there, ` +
    `unless it starts first: stint status ${id}\n`
  );
}

function startedMeanwhile({ id, site, state }: JobView): Fault {
  return new Fault({
    kind: "refused",
    code: "startedMeanwhile",
    what: `job ${id} was not changed`,
    why: `it is ${state}: ${site} started it, or it ended, before it could be removed from the queue there`,
    remedy: "cancel it if it still runs, and submit it again with the new values",
  });
}

function nothingToChange(): Fault {
  return new Fault({
    kind: "badInput",
    code: "nothingToChange",
    what: "no change is given",
    why: "an option is needed for each value to change",
    remedy: "give for instance -t 4h, -n 8, --mem 16G, --site elm, --name, --tag or --priority 1000",
  });
}

function siteTwice(site: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "siteTwice",
    what: `--site ${site} and --any-site contradict each other`,
    why: "--site sets the site, --any-site has the broker choose it",
    remedy: "leave one of them out",
  });
}
