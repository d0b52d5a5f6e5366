/** `stint output ID…`: downloads the output of jobs. */
import { join } from "node:path";
import { Command } from "commander";
import type { ArrayView, DagView, JobView, StintClient, WorkflowView } from "../api/client/index.ts";
import { counted, Fault } from "../base/index.ts";
import { isFinal, LISTING_LIMITS, RUN_STATES } from "../model/index.ts";
import type { CommandContext } from "./command-context.ts";
import { eachJob } from "./each-job.ts";
import { filesWanted } from "./job-files.ts";
import { isOfWorkflow, jobOrArray, jobsOf } from "./job-or-array.ts";
import { isArray, isDag, statesText } from "./job-table.ts";
import { type JobSelection, selectedIds, withSelection } from "./selected-jobs.ts";
import type { Terminal } from "./terminal.ts";

interface OutputOptions extends JobSelection {
  readonly to?: string;
  readonly force: boolean;
}

const { mostFiles, deepest } = LISTING_LIMITS;

const EXAMPLES = `
Examples:
  $ stint output 7f3a                  into ./ID, with the whole id
  $ stint output 7f3a --to results
  $ stint output 7f3a --to . --force
  $ stint output --tag sweep=1 --to results    each job into results/ID

The files of each job of an array go into a directory named after its index: ID/0, ID/1, …

Downloads the job's stdout and stderr, and the files and directories that its outputSandbox names or
matches, into the same tree. Existing files are not overwritten without --force, and each file appears
when it is complete. At most ${mostFiles} files of a job are listed, up to ${deepest} directories deep;
links are not followed. For a job that has not ended, see stint logs. With
several jobs, each has a directory of its own; the failure of one is reported on
stderr, and the exit code is the highest of all.

For a workflow, its results are downloaded: files that no task reads, and those listed under results.
`;

/** Command definition of `stint output ID…`. */
export function outputCommand(context: CommandContext): Command {
  const command = new Command("output")
    .summary("download the output of jobs")
    .description("Downloads stdout, stderr and output sandbox of jobs, and prints the paths of the files.")
    .argument("[id...]", "jobs that have ended; a unique prefix of an id is enough");
  return withSelection(command)
    .option("--to <directory>", "directory for the files, created if missing (default: ./ID)")
    .option("--force", "overwrite existing files", false)
    .addHelpText("after", EXAMPLES)
    .action(async (ids: readonly string[], options: OutputOptions) => {
      const { to } = options;
      const client = await context.client();
      const all = await selectedIds(client, ids, {
        ...options,
        usual: [...RUN_STATES.filter(isFinal), "CLEARED"],
      });
      if (ids.length === 1 && all.length === 1) {
        return output(all[0] ?? "", (id) => to ?? id, { options, context });
      }
      const one = (id: string) => output(id, (whole) => join(to ?? ".", whole), { options, context });
      const { length } = await eachJob(all, one, context);
      context.terminal.writeError(`stint: output of ${length} of ${counted(all.length, "job")}\n`);
    });
}

interface Fetching {
  readonly options: Pick<OutputOptions, "force">;
  readonly context: CommandContext;
}

/** @param folderOf directory of a job or an array by its whole id */
async function output(
  id: string,
  folderOf: (id: string) => string,
  { options: { force }, context: { client: open, terminal } }: Fetching,
): Promise<void> {
  const client = await open();
  const found = await jobOrArray(client, id).catch((error: unknown) => {
    if (!isOfWorkflow(error)) throw error;
  });
  if (found === undefined) {
    const workflow = await client.workflow(id);
    return bringResults(workflow, { directory: folderOf(workflow.id), force, client, terminal });
  }
  const folder = folderOf(found.id);
  const bring = (job: JobView, directory: string) => bringJob(job, { directory, force, client, terminal });
  if (!isArray(found) && !isDag(found)) return bring(found, folder);
  if (found.endedAt === null) throw isDag(found) ? dagNotOver(found) : arrayNotOver(found);
  const nodes = new Set<string>();
  for (const job of (await jobsOf(client, found.id)).toReversed()) {
    if (job.node === undefined) await bring(job, join(folder, String(job.array?.index)));
    // Of a node that ran several times the last job counts.
    else if (!nodes.has(job.node.name)) {
      nodes.add(job.node.name);
      await bring(job, join(folder, encodeURIComponent(job.node.name).replace(/^\.+$/, "_")));
    }
  }
}

interface Bringing {
  readonly directory: string;
  readonly force: boolean;
  readonly client: Pick<StintClient, "files" | "readFile" | "readWorkflowFile">;
  readonly terminal: Terminal;
}

/** Downloads the results of a workflow that the broker has; the workflow may still be running. */
async function bringResults(
  { id, state, files }: WorkflowView,
  { directory, force, client, terminal }: Bringing,
): Promise<void> {
  const results = files.filter(({ result }) => result);
  const stored = results.flatMap(({ name, bytes, state: its }) =>
    its === "STORED" ? [{ name, sizeBytes: bytes ?? 0 }] : [],
  );
  const { downloadOutput } = await import("./download-output.ts");
  await downloadOutput(stored, {
    directory,
    startingFrom: terminal.directory,
    isOverwriting: force,
    read: (name) => client.readWorkflowFile(id, name),
    brought: (path) => terminal.writeResult(`${path}\n`),
  });
  // The broker says why it does not have one that is too large.
  for (const { name } of results.filter((one) => one.state === "TOO_LARGE")) {
    for await (const _ of client.readWorkflowFile(id, name)) break;
  }
  if (stored.length === results.length && results.length > 0) return;
  const what =
    results.length === 0
      ? "it has no results"
      : `${stored.length} of ${counted(results.length, "result")} downloaded`;
  terminal.writeError(`stint: workflow ${id} is ${state}; ${what}\n`);
}

async function bringJob(job: JobView, { directory, force, client, terminal }: Bringing): Promise<void> {
  if (!isFinal(job.state)) throw notOver(job);
  const files = await client.files(job.id);
  const { wanted, missing } = filesWanted(job, files);
  const { downloadOutput } = await import("./download-output.ts");
  await downloadOutput(wanted, {
    directory,
    startingFrom: terminal.directory,
    isOverwriting: force,
    read: (name) => client.readFile(job.id, name),
    brought: (path) => terminal.writeResult(`${path}\n`),
  });
  if (files.length >= mostFiles) terminal.writeError(tooMany(job));
  for (const name of missing) terminal.writeError(`stint: the job left no ${JSON.stringify(name)}\n`);
  if (wanted.length === 0) terminal.writeError(`stint: job ${job.id} left no files\n`);
}

function tooMany({ id }: JobView): string {
  const what = `job ${id} has ${mostFiles} files or more, of which only so many are listed`;
  return `stint: ${what}; let the job pack them with tar\n`;
}

function dagNotOver({ id, state }: DagView): Fault {
  return new Fault({
    kind: "refused",
    code: "notOver",
    what: `the DAG ${id} is ${state}`,
    why: "the output of a DAG is complete only when all of its nodes have ended",
    remedy: `wait for it (stint wait ${id}), or download that of one job: stint status ${id} shows them`,
  });
}

function arrayNotOver({ id, states, failed }: ArrayView): Fault {
  return new Fault({
    kind: "refused",
    code: "jobNotOver",
    what: `array ${id} has not ended`,
    why: `its jobs are ${statesText({ states, failed })}`,
    remedy: `wait for all of them with stint wait ${id}, or fetch one: stint output ${id}-INDEX`,
  });
}

function notOver({ id, state }: JobView): Fault {
  return new Fault({
    kind: "refused",
    code: "jobNotOver",
    what: `job ${id} has not ended`,
    why: `it is ${state}, and its files may still change`,
    remedy: `follow its output with stint logs ${id} -f, or wait for its end`,
  });
}
