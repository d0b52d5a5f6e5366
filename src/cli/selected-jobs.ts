/** Jobs that a command is about: named by their ids, or by conditions that they meet. */
import type { Command } from "commander";
import type { JobFilter, JobView, StintClient } from "../api/client/index.ts";
import { counted, Fault } from "../base/index.ts";
import type { JobState } from "../model/index.ts";
import { jobOrArray, jobsOf } from "./job-or-array.ts";
import { collectJobs } from "./job-pages.ts";
import { isArray, isDag } from "./job-table.ts";
import { collected } from "./option-values.ts";
import { statesValue } from "./quantity-values.ts";
import type { Terminal } from "./terminal.ts";

/** Options that select jobs. */
export interface JobSelection {
  readonly name?: string;
  readonly tag?: readonly string[];
  readonly state?: readonly JobState[];
  readonly site?: string;
  readonly all?: true;
}

/** Adds the options to a command on jobs. */
export function withSelection(command: Command): Command {
  return command
    .option("--name <name>", "all your jobs of this name")
    .option(
      "--tag <tag>",
      "all your jobs with this tag, key=value or key; if repeated, with all of them",
      collected,
    )
    .option("--state <states>", "all in these states, comma-separated or repeated", statesValue("--state"))
    .option("--site <site>", "all at this site")
    .option("--all", "all jobs that stint list shows you");
}

/** Largest number of jobs that one selection names. */
const MOST_SELECTED = 100_000;

/** A selection, and the states of jobs that it means where --state does not say. */
export interface Selecting extends JobSelection {
  readonly usual?: readonly JobState[] | undefined;
}

/**
 * Jobs with these ids or of arrays with these ids, and those of the selection, each once, oldest first.
 *
 * @throws Fault `nothingSelected` where nothing was asked for, `noSuchJobs` where the selection matches none;
 * and for an unknown id
 */
export async function selectedJobs(
  client: Pick<StintClient, "job" | "jobs" | "array" | "dag">,
  ids: readonly string[],
  selecting: Selecting,
): Promise<readonly JobView[]> {
  const selected = await jobsOfSelection(client, ids, selecting);
  const jobs = new Map<string, JobView>();
  for (const id of ids) {
    const found = await jobOrArray(client, id);
    const isOne = !isArray(found) && !isDag(found);
    for (const job of isOne ? [found] : await jobsOf(client, found.id)) jobs.set(job.id, job);
  }
  for (const job of selected) jobs.set(job.id, job);
  return [...jobs.values()];
}

/**
 * Ids as they were given, and those of the selected jobs, oldest first: a given one that is unknown is for
 * the command to report, while it acts on the others. @throws Fault as `selectedJobs`
 */
export async function selectedIds(
  client: Pick<StintClient, "jobs">,
  ids: readonly string[],
  selecting: Selecting,
): Promise<readonly string[]> {
  const found = await jobsOfSelection(client, ids, selecting);
  const others = found.filter(({ id }) => !ids.some((given) => id.startsWith(given)));
  return [...ids, ...others.map(({ id }) => id)];
}

/** Ids as of `selectedIds`, with the ids of all jobs of an array or a DAG in place of its own. */
export async function selectedMemberIds(
  client: Pick<StintClient, "job" | "jobs" | "array" | "dag">,
  ids: readonly string[],
  selecting: Selecting,
): Promise<readonly string[]> {
  const all: string[] = [];
  for (const id of await selectedIds(client, ids, selecting)) {
    if (ids.includes(id)) all.push(...(await membersOf(client, id)));
    else all.push(id);
  }
  return [...new Set(all)];
}

/** The jobs of an array or of a DAG; another id is returned as it is, also if it is unknown. */
async function membersOf(
  client: Pick<StintClient, "job" | "jobs" | "array" | "dag">,
  id: string,
): Promise<readonly string[]> {
  const found = await jobOrArray(client, id).catch((error: unknown) => {
    if (!(error instanceof Fault)) throw error;
  });
  if (found === undefined || (!isArray(found) && !isDag(found))) return [id];
  return (await jobsOf(client, found.id)).map((job) => job.id);
}

/** True where the options select jobs. */
export function isSelecting({ name, tag, state, site, all }: JobSelection): boolean {
  return [name, tag, state, site, all].some((value) => value !== undefined);
}

async function jobsOfSelection(
  client: Pick<StintClient, "jobs">,
  ids: readonly string[],
  selecting: Selecting,
): Promise<readonly JobView[]> {
  if (!isSelecting(selecting)) {
    if (ids.length === 0) throw nothingSelected();
    return [];
  }
  const { items } = await collectJobs(client, filterOf(selecting), MOST_SELECTED);
  if (items.length === 0) throw noSuchJobs(selecting);
  return items.toReversed();
}

function filterOf({ name, tag, site, state, usual }: Selecting): JobFilter {
  const states = state ?? usual;
  return {
    ...(name === undefined ? {} : { name }),
    ...(tag === undefined ? {} : { tag }),
    ...(site === undefined ? {} : { site }),
    ...(states === undefined ? {} : { state: states }),
  };
}

/**
 * Asks at a terminal before something is done to more than one selected job; in a pipe, with `yes`, and for
 * jobs that are named, there is nothing to ask. @param what `Cancel`
 */
export async function isAgreed(
  terminal: Pick<Terminal, "askPerson" | "writeError">,
  what: string,
  { jobs, yes }: { readonly jobs: number; readonly yes: boolean },
): Promise<boolean> {
  if (yes || jobs < 2 || terminal.askPerson === undefined) return true;
  if (await terminal.askPerson(`${what} ${counted(jobs, "job")}?`)) return true;
  terminal.writeError("stint: nothing was done; --yes does it without a question\n");
  return false;
}

function nothingSelected(): Fault {
  return new Fault({
    kind: "badInput",
    code: "nothingSelected",
    what: "no job is specified",
    why: "jobs are selected by their ids, or by --name, --tag, --state, --site or --all",
    remedy: "write an id that stint list shows, or for instance --name night",
  });
}

function noSuchJobs({ name, tag = [], state, site, usual }: Selecting): Fault {
  const asked = [
    ...(name === undefined ? [] : [`the name ${name}`]),
    ...tag.map((one) => `the tag ${one}`),
    ...(site === undefined ? [] : [`the site ${site}`]),
  ];
  const states = state ?? usual;
  const within = states === undefined ? "" : ` in the state ${states.join(", ")}`;
  const having = asked.length === 0 ? "" : ` with ${asked.join(" and ")}`;
  return new Fault({
    kind: "notFound",
    code: "noSuchJobs",
    what: `there is no job${having}${within}`,
    why: "no job that you may see matches",
    remedy: "see stint list for the jobs, and stint status ID for the tags of one",
  });
}
