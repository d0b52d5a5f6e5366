/** `stint workflow`: lists executed workflows, shows one, cancels it, or continues it after a failure. */
import { Command } from "commander";
import type { StintClient, WorkflowSummary, WorkflowView } from "../api/client/index.ts";
import type { CommandContext } from "./command-context.ts";
import { whenText } from "./instant-text.ts";
import { isForPeople, type Listing, type OutputForm, outputOption, writeItems } from "./output-forms.ts";
import { workflowLines } from "./workflow-lines.ts";

const EXAMPLES = `
Examples:
  $ stint workflow list
  $ stint workflow status w5k2
  $ stint workflow cancel w5k2
  $ stint workflow continue w5k2

stint plan FILE --execute starts a workflow. A workflow has failed if one of its
tasks failed for good; tasks that do not depend on that task have run. continue
runs the tasks that are not done, with a new plan; it does not repeat the
others.
`;

const LISTING: Listing<WorkflowSummary> = {
  columns: [
    { head: "ID", cell: ({ id }) => id },
    { head: "NAME", isFlexible: true, cell: ({ name }) => name },
    { head: "STATE", cell: ({ state }) => state },
    { head: "DONE", align: "right", cell: ({ counts }) => `${counts.done}/${totalOf(counts)}` },
    { head: "FAILED", align: "right", cell: ({ counts }) => String(counts.failed) },
    { head: "STARTED", cell: ({ startedAt }, nowMs) => whenText(startedAt, nowMs) },
    {
      head: "PROMISED",
      cell: ({ promisedEndAt }, nowMs) => (promisedEndAt === null ? "" : whenText(promisedEndAt, nowMs)),
    },
  ],
  fields: [
    ...["id", "name", "state", "owner", "consumer", "bestEffort", "startedAt", "endedAt", "counts"],
    ...["promisedEndAt", "promisedSu", "departures", "lostSu", "replans"],
  ],
  record: (summary) => ({ ...summary }),
  name: ({ id }) => id,
};

function totalOf({ waiting, ordered, running, done, failed }: WorkflowSummary["counts"]): number {
  return waiting + ordered + running + done + failed;
}

/** Command definition of `stint workflow`. */
export function workflowCommand(context: CommandContext): Command {
  return new Command("workflow")
    .summary("list, cancel and continue executed workflows")
    .description("Lists, cancels and continues workflows that the broker executes.")
    .addHelpText("after", EXAMPLES)
    .addCommand(listCommand(context))
    .addCommand(
      verbCommand(
        context,
        "status",
        "show the tasks of a workflow, and compare plan and execution",
        (client, id) => client.workflow(id),
      ),
    )
    .addCommand(
      verbCommand(context, "cancel", "cancel the jobs and reservations of a workflow", (client, id) =>
        client.cancelWorkflow(id),
      ),
    )
    .addCommand(
      verbCommand(context, "continue", "run the tasks that are not done, after a failure", (client, id) =>
        client.continueWorkflow(id),
      ),
    );
}

function listCommand({ client, terminal }: CommandContext): Command {
  return new Command("list")
    .summary("list workflows, newest first")
    .description("Lists workflows that the broker executes or has executed, newest first.")
    .addOption(outputOption())
    .action(async ({ output: form }: { readonly output: OutputForm }) => {
      const items = await (await client()).workflows();
      await writeItems({ items, form, none: "no workflows" }, LISTING, terminal);
    });
}

function verbCommand(
  { client, terminal }: CommandContext,
  verb: string,
  summary: string,
  ask: (client: StintClient, id: string) => Promise<WorkflowView>,
): Command {
  return new Command(verb)
    .summary(summary)
    .description(`${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`)
    .argument("<id>", "a workflow; a unique prefix of its id is enough")
    .addOption(outputOption())
    .action(async (id: string, { output }: { readonly output: OutputForm }) => {
      await showWorkflow(await ask(await client(), id), output, terminal);
    });
}

/** Writes one workflow: for people its tasks as a tree, else its record. */
export async function showWorkflow(
  view: WorkflowView,
  form: OutputForm,
  terminal: CommandContext["terminal"],
): Promise<void> {
  if (isForPeople(form)) terminal.writeResult(workflowLines(view, terminal.nowMs(), terminal.columns));
  else await writeItems({ items: [view], form, value: view }, LISTING, terminal);
}
