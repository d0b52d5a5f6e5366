/** `stint pilot`: lists, shows and drains pilots, the jobs in a cluster's queue that run jobs of Stint. */
import { Command } from "commander";
import type { PilotView } from "../api/client/index.ts";
import { counted, formatSize } from "../base/index.ts";
import type { CommandContext } from "./command-context.ts";
import { instantText } from "./instant-text.ts";
import { type Listing, type OutputForm, outputOption, writeItems } from "./output-forms.ts";

const EXAMPLES = `
Examples:
  $ stint pilot list --site west
  $ stint pilot show pilot-west-17
  $ stint pilot drain pilot-west-17

A pilot is a job in the queue of a cluster. While it runs, the broker assigns
jobs to it that fit into its free processors and memory and its remaining time.
A site has pilots if its entry in stint.yaml has the key pilots.
`;

const LISTING: Listing<PilotView> = {
  columns: [
    { head: "PILOT", cell: ({ id }) => id },
    { head: "SITE", cell: ({ site }) => site },
    { head: "STATE", cell: ({ state }) => state },
    { head: "BUSY", align: "right", cell: ({ procs, procsBusy }) => `${procsBusy}/${procs}` },
    { head: "UNTIL", cell: ({ until }) => timeText(until) },
    { head: "TAKEN", align: "right", cell: ({ taken }) => String(taken) },
    { head: "NODE", isFlexible: true, cell: ({ node }) => node ?? "-" },
  ],
  fields: ["id", "site", "state", "procs", "procsBusy", "until", "taken", "node", "jobs"],
  record: (pilot) => ({ ...pilot }),
  name: ({ id }) => id,
};

/** Command definition of `stint pilot`. */
export function pilotCommand(context: CommandContext): Command {
  return new Command("pilot")
    .summary("list, show and drain pilots")
    .description("Lists, shows and drains pilots: jobs in a cluster's queue that run jobs of Stint.")
    .addHelpText("after", EXAMPLES)
    .addCommand(listCommand(context))
    .addCommand(showCommand(context))
    .addCommand(drainCommand(context));
}

interface ListOptions {
  readonly site?: string;
  readonly output: OutputForm;
}

function listCommand(context: CommandContext): Command {
  return new Command("list")
    .summary("list pilots")
    .description("Lists pilots that are queued or running, or that ended within the last day.")
    .option("--site <name>", "only pilots of this site")
    .addOption(outputOption())
    .action(async ({ site, output: form }: ListOptions) => {
      const query = site === undefined ? {} : { site };
      const { items } = await (await context.client()).call("listPilots", { query });
      await writeItems({ items, form, none: "there are no pilots" }, LISTING, context.terminal);
    });
}

function showCommand(context: CommandContext): Command {
  return new Command("show")
    .summary("show a pilot with its jobs")
    .description("Shows the resources of a pilot, and the jobs that it runs.")
    .argument("<pilot>", "id of a pilot")
    .action(async (id: string) => {
      const pilot = await (await context.client()).call("getPilot", { params: { id } });
      context.terminal.writeResult(detailsOf(pilot));
    });
}

function drainCommand(context: CommandContext): Command {
  return new Command("drain")
    .summary("drain a pilot: it accepts no more jobs")
    .description("Drains a pilot: it accepts no more jobs, and ends when those that it runs have ended.")
    .argument("<pilot>", "id of a pilot")
    .action(async (id: string) => {
      const { state, jobs } = await (await context.client()).call("drainPilot", { params: { id } });
      context.terminal.writeResult(`${id}: ${state}, ${counted(jobs.length, "job")} left\n`);
    });
}

const DRAINED = { idle: "it was idle", signal: "it received a signal", request: "on request" } as const;

function detailsOf(pilot: PilotView): string {
  const { procs, procsBusy, memoryBytes, gpus, drained } = pilot;
  const rows: readonly (readonly [string, string])[] = [
    ["pilot", pilot.id],
    ["site", pilot.node === null ? pilot.site : `${pilot.site}, node ${pilot.node}`],
    ["state", drained === null ? pilot.state : `${pilot.state} (${DRAINED[drained]})`],
    ["processors", `${procsBusy} of ${procs} in use`],
    ...(memoryBytes === 0 ? [] : [["memory", formatSize(memoryBytes)] as const]),
    ...(gpus === 0 ? [] : [["GPUs", String(gpus)] as const]),
    ...(pilot.claimed === null ? [] : [["claimed", claimText(pilot.claimed)] as const]),
    ["submitted", timeText(pilot.submittedAt)],
    ["until", timeText(pilot.until)],
    ["jobs taken", String(pilot.taken)],
    ["jobs now", pilot.jobs.length === 0 ? "none" : pilot.jobs.join(", ")],
  ];
  return rows.map(([name, value]) => `${name.padEnd(12)}${value}\n`).join("");
}

/** A claim that exceeds the request, in words. */
function claimText({ procs, memoryBytes, gpus }: NonNullable<PilotView["claimed"]>): string {
  const size = [counted(procs, "processor"), formatSize(memoryBytes), counted(gpus, "GPU")].join(", ");
  return `${size} (more than requested; the excess is not used)`;
}

function timeText(instant: string | null): string {
  return instant === null ? "-" : instantText(instant);
}
