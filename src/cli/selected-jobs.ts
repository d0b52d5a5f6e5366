/** Jobs that a command is about: named by their ids, or by the name and tags that their users gave them. */
import type { Command } from "commander";
import type { JobView, StintClient } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import { collected } from "./job-options.ts";
import { jobOrArray, jobsOf } from "./job-or-array.ts";
import { collectJobs } from "./job-pages.ts";
import { isArray } from "./job-table.ts";

/** Options that select jobs. */
export interface JobSelection {
  readonly name?: string;
  readonly tag?: readonly string[];
}

/** Adds the options to a command on jobs. */
export function withSelection(command: Command): Command {
  return command
    .option("--name <name>", "all your jobs of this name")
    .option(
      "--tag <tag>",
      "all your jobs with this tag, key=value or key; repeated: with all of them",
      collected,
    );
}

/** Largest number of jobs that one selection names. */
const MOST_SELECTED = 100_000;

/**
 * Jobs with these ids or of arrays with these ids, and those of the selection, each once, oldest first.
 *
 * @throws Fault `nothingSelected` where nothing was asked for, `noSuchJobs` where the selection matches none;
 * and for an unknown id
 */
export async function selectedJobs(
  client: Pick<StintClient, "job" | "jobs" | "array">,
  ids: readonly string[],
  { name, tag }: JobSelection,
): Promise<readonly JobView[]> {
  const hasSelection = name !== undefined || tag !== undefined;
  if (ids.length === 0 && !hasSelection) throw nothingSelected();
  const jobs = new Map<string, JobView>();
  for (const id of ids) {
    const found = await jobOrArray(client, id);
    for (const job of isArray(found) ? await jobsOf(client, found.id) : [found]) jobs.set(job.id, job);
  }
  if (!hasSelection) return [...jobs.values()];
  const filter = { ...(name === undefined ? {} : { name }), ...(tag === undefined ? {} : { tag }) };
  const { items } = await collectJobs(client, filter, MOST_SELECTED);
  if (items.length === 0) throw noSuchJobs({ name, tag });
  for (const job of items.toReversed()) jobs.set(job.id, job);
  return [...jobs.values()];
}

function nothingSelected(): Fault {
  return new Fault({
    kind: "badInput",
    code: "nothingSelected",
    what: "no job is named",
    why: "jobs are named by their ids, or by --name or --tag",
    remedy: "write an id that stint list shows, or for instance --name night",
  });
}

function noSuchJobs({
  name,
  tag = [],
}: {
  readonly name?: string | undefined;
  readonly tag?: readonly string[] | undefined;
}): Fault {
  const asked = [...(name === undefined ? [] : [`the name ${name}`]), ...tag.map((one) => `the tag ${one}`)];
  return new Fault({
    kind: "notFound",
    code: "noSuchJobs",
    what: `there is no job with ${asked.join(" and ")}`,
    why: "none of the jobs that you may see has it",
    remedy: "see stint list for the jobs, and stint status ID for the tags of one",
  });
}
