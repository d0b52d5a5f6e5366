/**
 * `stint cancel`, `hold`, `release`, `suspend`, `resume`: act on jobs in turn, named or selected; `retry`
 * runs again what did not succeed of DAGs.
 */
import { Command } from "commander";
import type { StintClient } from "../api/client/index.ts";
import { counted } from "../base/index.ts";
import type { JobState, JobVerb } from "../model/index.ts";
import type { CommandContext } from "./command-context.ts";
import { eachJob } from "./each-job.ts";
import { isOfDag, isOfWorkflow, ofJobOrArray } from "./job-or-array.ts";
import { isAgreed, isSelecting, type JobSelection, selectedIds, withSelection } from "./selected-jobs.ts";

interface VerbWords {
  readonly summary: string;
  readonly description: string;
  /** Result printed for each job. */
  readonly done: string;
  /** States of the jobs that a selection means. */
  readonly states: readonly JobState[];
}

const VERBS: Readonly<Record<JobVerb, VerbWords>> = {
  cancel: {
    summary: "cancel waiting and running jobs",
    description:
      "Removes waiting jobs from the queue and ends running ones: TERM to all their processes, KILL " +
      "if they do not end. They end as CANCELLED.",
    done: "cancel requested",
    states: ["WAITING", "READY", "SCHEDULED", "RUNNING", "HELD", "SUSPENDED"],
  },
  hold: {
    summary: "hold waiting jobs, so that they do not start",
    description: "Holds waiting jobs: they do not start until they are released.",
    done: "held",
    states: ["WAITING", "READY", "SCHEDULED"],
  },
  release: {
    summary: "release held jobs",
    description: "Releases held jobs, which then wait in the queue again.",
    done: "released",
    states: ["HELD"],
  },
  suspend: {
    summary: "suspend running jobs",
    description:
      "Suspends the processes of running jobs and frees their processors for others. Suspended " +
      "time does not count against the time limit.",
    done: "suspended",
    states: ["RUNNING"],
  },
  resume: {
    summary: "resume suspended jobs",
    description: "Resumes suspended jobs as soon as their processors are free again.",
    done: "resumed",
    states: ["SUSPENDED"],
  },
};

interface VerbOptions extends JobSelection {
  readonly yes: boolean;
}

/** Command definition of a verb, such as `stint cancel`. */
export function jobVerbCommand(verb: JobVerb, context: CommandContext): Command {
  const { summary, description } = VERBS[verb];
  const command = new Command(verb)
    .summary(summary)
    .description(description)
    .argument("[id...]", "jobs; a unique prefix of an id is enough");
  return withSelection(command)
    .option("-y, --yes", yesText(verb), false)
    .addHelpText("after", examples(verb))
    .action(
      async (ids: readonly string[], options: VerbOptions) => await act(verb, { ids, options }, context),
    );
}

async function act(
  verb: JobVerb,
  { ids, options }: { readonly ids: readonly string[]; readonly options: VerbOptions },
  context: CommandContext,
): Promise<void> {
  const { terminal } = context;
  const { done, states } = VERBS[verb];
  const client = await context.client();
  const all = await selectedIds(client, ids, { ...options, usual: states });
  const isAsked = verb === "cancel" && isSelecting(options);
  const { yes } = options;
  if (isAsked && !(await isAgreed(terminal, "Cancel", { jobs: all.length, yes }))) return;
  const one = async (id: string): Promise<void> => {
    const changed = await acted(client, id, verb);
    const of = typeof changed === "number" ? ` (${counted(changed, "job")})` : "";
    terminal.writeResult(`${id}: ${done}${of}\n`);
  };
  const { length } = await eachJob(all, one, context);
  if (isSelecting(options))
    terminal.writeError(`stint: ${length} of ${counted(all.length, "job")}: ${done}\n`);
}

/**
 * Acts on a job, an array, a DAG, or with `DAG:NODE` on a node; cancels a workflow.
 *
 * @returns number of jobs of an array
 */
async function acted(client: StintClient, id: string, verb: JobVerb): Promise<number | undefined> {
  const [dag = "", ...node] = id.split(":");
  if (node.length > 0) {
    await client.actOnDag(dag, verb, [node.join(":")]);
    return undefined;
  }
  try {
    return await ofJobOrArray(
      async () => {
        await client.act(id, verb);
        return undefined;
      },
      async () => (await client.actOnArray(id, verb)).changed,
    );
  } catch (error) {
    if (isOfDag(error)) await client.actOnDag(id, verb);
    else if (verb === "cancel" && isOfWorkflow(error)) await client.cancelWorkflow(id);
    else throw error;
    return undefined;
  }
}

const CANCEL_QUESTION = `
At a terminal you are asked before several selected jobs are cancelled; --yes
cancels them without asking.
`;

/** Only cancel asks; the other verbs accept the option for scripts. */
function yesText(verb: JobVerb): string {
  return verb === "cancel"
    ? "do not ask before several selected jobs are cancelled"
    : `accepted without effect: ${verb} never asks`;
}

function examples(verb: JobVerb): string {
  return `
Examples:
  $ stint ${verb} 7f3a
  $ stint ${verb} --tag sweep=1
  $ stint ${verb} --name night --site here
  $ stint ${verb} --all

--name, --tag, --state and --site select the jobs that meet all of them. Without
--state only jobs are selected that are in a state to which ${verb} applies.
${verb === "cancel" ? CANCEL_QUESTION : ""}
An array's id selects all its jobs that are in such a state, a DAG's id all its
nodes; DAG:NODE is one node.

Jobs for which this fails are reported on stderr; the others are still
processed. The exit code is the highest of all.
`;
}

const RETRY_EXAMPLES = `
Examples:
  $ stint retry 7f3a              all nodes that failed, were cancelled or were skipped
  $ stint retry 7f3a:solve        one node, and the nodes skipped because of it

Nodes that succeeded are not run again. Each of the others gets a new job and all
its retries; a DAG that had ended runs again. Input files are copied again from
their original places.
`;

/** Command definition of `stint retry ID…`. */
export function retryCommand(context: CommandContext): Command {
  return new Command("retry")
    .summary("rerun the nodes of a DAG that did not succeed")
    .description(
      "Reruns the nodes of DAGs that failed, were cancelled, or were skipped because others failed.",
    )
    .argument("<id...>", "DAGs, or nodes as DAG:NODE; a unique prefix of an id is enough")
    .addHelpText("after", RETRY_EXAMPLES)
    .action(async (ids: readonly string[]) => {
      const client = await context.client();
      const one = async (given: string): Promise<void> => {
        const [id = "", ...node] = given.split(":");
        const nodes = node.length === 0 ? undefined : [node.join(":")];
        const { changed = 0 } = await client.actOnDag(id, "retry", nodes);
        context.terminal.writeResult(`${given}: ${counted(changed, "node")} to run again\n`);
      };
      await eachJob(ids, one, context);
    });
}
