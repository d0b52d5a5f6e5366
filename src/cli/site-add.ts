/** `stint site add NAME`: adds a simulated site, or a cluster under Slurm. */
import { randomUUID } from "node:crypto";
import { Command } from "commander";
import type { CommandContext } from "./command-context.ts";
import { addSpecOptions, type SpecOptions, specFrom } from "./site-spec-options.ts";

const EXAMPLES = `
Examples:
  $ stint site add far --type simulated --procs 128
  $ stint site add busy --type simulated --procs 430 --background trace.swf.gz --skip 2d --speed-up 60
  $ stint site add cluster --type slurm
  $ stint site add far --type slurm --ssh-host login.example.org --no-read-only --submit-directory /data/stint
  $ stint site add shared --type simulated --procs 64 --reservations '{ consumers: [cms], unitPrice: 1.5 }'
  $ stint site add ruled --type simulated --procs 64 --enforce hold,suspend
  $ stint site add data --type simulated --procs 64 --stores '{ scratch: { size: 200G } }' \\
      --links '{ uplink: { rate: 1Gbit/s } }'
  $ stint site add shaky --type simulated --procs 64 --order-delay 200ms --lose-doubtful 0.01

A simulated site simulates a cluster in real time, with a queue of its own. With
--jobs imitate (default) no program is run: a job takes the time that it sets in
STINT_IMITATED_RUNTIME, or half its limit, and only jobs that name the site are
sent there. With --jobs run its program runs on the broker's machine when the
queue starts it. Jobs of other users are read from a trace (--background), which
is repeated; its file must be on the broker's machine.

A site of type slurm is a cluster under Slurm. An ordinary account is enough;
Slurm's commands are run on the broker's machine or through ssh. Without
--no-read-only the cluster is only observed. Its size is read from Slurm.

The broker's own machine cannot be added with this command: list it in
stint.yaml with type: managed.
`;

/** Command definition of `stint site add NAME`. */
export function siteAddCommand(context: CommandContext): Command {
  const command = new Command("add")
    .summary("add a site")
    .description("Adds a site: a cluster under Slurm, or a simulated one.")
    .argument("<name>", "name of the site: letters, digits and . _ -")
    .addHelpText("after", EXAMPLES)
    .action(async (name: string, options: SpecOptions) => {
      const spec = await specFrom(options, context.terminal.directory);
      const client = await context.client();
      const made = await client.addSite({ name, spec }, { idempotencyKey: randomUUID() });
      context.terminal.writeResult(`${made.name}\n`);
    });
  addSpecOptions(command, true);
  return command;
}
