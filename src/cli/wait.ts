/** `stint wait ID…`: waits until jobs have ended, and says by its exit code how. */
import { Command } from "commander";
import type { JobView, StintClient } from "../api/client/index.ts";
import { counted, Fault, formatDuration } from "../base/index.ts";
import { isFinal, JOB_STATES } from "../model/index.ts";
import { type CommandContext, jsonText } from "./command-context.ts";
import { stateText } from "./job-table.ts";
import { oneOf } from "./option-values.ts";
import { delayValue } from "./quantity-values.ts";
import { EXIT_CODES } from "./report-fault.ts";
import { type JobSelection, selectedJobs, withSelection } from "./selected-jobs.ts";
import { TIMED_OUT, waitForWholes, wholesAmong } from "./wait-for-wholes.ts";

interface WaitOptions extends JobSelection {
  readonly any: boolean;
  /** ms */
  readonly timeout?: number;
  readonly output: "table" | "json" | "name";
}

const FORMATS = ["table", "json", "name"] as const;
/** Number of jobs that are watched at once, each over a connection of its own. */
const WATCHED_AT_ONCE = 8;
/** Longest delay of a timer; after 24 days nobody waits for a timeout. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** Most jobs of which the first end can be waited for. */
const MOST_ANY = 100;
const EXAMPLES = `
Examples:
  $ stint wait 7f3a 91bc
  $ stint wait --name night --timeout 8h && ./evaluate
  $ id=$(stint submit -- ./simulate); stint wait $id; stint output $id
  $ stint wait --any --tag project=snow -o name

Prints each job as it ends. With --any the command ends as soon as one job has
ended. An array's id selects all its jobs; a DAG or a selection ends with its
last job. Jobs that have already ended count, except with --all; a selection
includes only jobs that exist when the command begins. The jobs continue if the
command is interrupted or times out.

Exit codes: 0 all (with --any: the first) succeeded, with exit code 0; 1 one failed, was cancelled or
could not be run; 3 there is no such job; 124 the timeout expired first.
`;

/** Command definition of `stint wait ID…`. */
export function waitCommand(context: CommandContext): Command {
  const command = new Command("wait")
    .summary("wait until jobs have ended; the exit code shows whether all succeeded")
    .description("Waits until jobs have ended, and exits with 0 if all of them succeeded.")
    .argument("[id...]", "jobs; a unique prefix of an id is enough");
  return withSelection(command)
    .option("--any", "end as soon as one of the jobs has ended", false)
    .option(
      "--timeout <time>",
      "maximum time to wait: 90s, 1h30m; 0 checks once, without waiting",
      delayValue("--timeout"),
    )
    .option("-o, --output <format>", FORMATS.join(", "), oneOf("-o", FORMATS), "table")
    .addHelpText("after", EXAMPLES)
    .action(async (ids: readonly string[], options: WaitOptions) => {
      const client = await context.client();
      const { all, state } = options;
      const usual = all && state === undefined ? JOB_STATES.filter((one) => !isFinal(one)) : undefined;
      const wholes = await wholesAmong(client, ids);
      if (wholes.length > 0) {
        if (options.any || wholes.length < ids.length) throw onlyWholes();
        return waitForWholes(client, wholes, options, context);
      }
      const jobs = await selectedJobs(client, ids, { ...options, usual });
      if (options.any && jobs.length > MOST_ANY) throw tooManyForAny(jobs.length);
      await wait(client, jobs, options, context);
    });
}

async function wait(
  client: StintClient,
  jobs: readonly JobView[],
  options: WaitOptions,
  { terminal, endWith }: CommandContext,
): Promise<void> {
  const ended: JobView[] = [];
  const isTimedOut = await untilEnded(client, jobs, options, (job) => {
    ended.push(job);
    if (options.output === "table") terminal.writeResult(`${job.id}  ${stateText(job)}\n`);
    if (options.output === "name") terminal.writeResult(`${job.id}\n`);
  });
  if (options.output === "json") terminal.writeResult(jsonText({ items: ended }));
  if (!ended.every(isOk)) endWith(EXIT_CODES.failed);
  if (!isTimedOut) return;
  const left = counted(jobs.length - ended.length, "job");
  terminal.writeError(`stint: ${left} had not ended after ${formatDuration(options.timeout ?? 0)}\n`);
  endWith(TIMED_OUT);
}

function onlyWholes(): Fault {
  return new Fault({
    kind: "badInput",
    code: "onlyDags",
    what: "a DAG or a search cannot be combined with other ids, or with --any",
    why: "its jobs are created over time, so it can only be waited for as a whole",
    remedy: "use separate commands for DAGs or searches and for other jobs",
  });
}

/** True for a job that ended as it should. */
function isOk({ state, endState, result }: JobView): boolean {
  return (endState ?? state) === "DONE" && result !== "failed";
}

/** Reports each job once it has ended. @returns true where the timeout expired first */
async function untilEnded(
  client: Pick<StintClient, "watch">,
  jobs: readonly JobView[],
  { any, timeout = Number.POSITIVE_INFINITY }: Pick<WaitOptions, "any" | "timeout">,
  ended: (job: JobView) => void,
): Promise<boolean> {
  const over = jobs.filter(({ state }) => isFinal(state));
  for (const job of any ? over.slice(0, 1) : over) ended(job);
  const underWay = jobs.filter(({ state }) => !isFinal(state));
  if (underWay.length === 0 || (any && over.length > 0)) return false;
  if (timeout === 0) return true;
  return watchUntilEnded(client, underWay, { any, timeout, ended });
}

interface Watching extends Pick<WaitOptions, "any"> {
  readonly timeout: number;
  readonly ended: (job: JobView) => void;
}

async function watchUntilEnded(
  client: Pick<StintClient, "watch">,
  jobs: readonly JobView[],
  { any, timeout, ended }: Watching,
): Promise<boolean> {
  const stop = new AbortController();
  let isTimedOut = false;
  const giveUp = (): void => {
    isTimedOut = true;
    stop.abort();
  };
  const timer = timeout > LONGEST_TIMER_MS ? undefined : setTimeout(giveUp, timeout);
  const queue = jobs.values();
  const watchInTurn = async (): Promise<void> => {
    for (const { id } of queue) {
      const job = await client.watch(id, () => undefined, stop.signal);
      if (stop.signal.aborted) return;
      ended(job);
      if (any) stop.abort();
    }
  };
  const lanes = Array.from({ length: any ? jobs.length : WATCHED_AT_ONCE }, watchInTurn);
  try {
    await Promise.all(lanes);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
    stop.abort();
    await Promise.allSettled(lanes);
  }
  return isTimedOut;
}

function tooManyForAny(jobs: number): Fault {
  return new Fault({
    kind: "badInput",
    code: "tooManyToWatch",
    what: `--any cannot watch ${jobs} jobs`,
    why: `each job is watched over its own connection, and the limit is ${MOST_ANY}`,
    remedy: "name fewer, or wait for all of them without --any",
  });
}
