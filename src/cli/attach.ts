/** `stint attach ID`: types into the terminal of a job, or watches it. */
import { Command } from "commander";
import type { CommandContext } from "./command-context.ts";

interface AttachOptions {
  readonly watch: boolean;
  readonly take: boolean;
}

const EXAMPLES = `
Examples:
  $ stint attach 7f3a
  $ stint attach 7f3a --watch     only watches; several sessions may
  $ stint attach 7f3a --take      from a second terminal of yours, instead of the first

The job must have been submitted with a terminal: by stint run -i, or with interactive: true in its
description. The last part of its output is shown first. Only its owner can type, in one place at a time;
others who may read its output can watch. Standard input is read only if it is a terminal.

Return followed by ~. detaches and leaves the job running; ~~ types a tilde. Ctrl-C goes to the job; with
--watch it ends the watching.

Exit codes: the command's own as for stint run, and 0 after detaching.
`;

/** Command definition of `stint attach ID`. */
export function attachCommand(context: CommandContext): Command {
  return new Command("attach")
    .summary("use or watch the terminal of a running job")
    .description("Connects your terminal to the terminal of a job, until the job ends or you detach.")
    .argument("<id>", "a job; a unique prefix of its id is enough")
    .option("--watch", "only watch: show the output, send no input", false)
    .option("--take", "take over the input from the person who is typing now", false)
    .addHelpText("after", EXAMPLES)
    .action(async (given: string, { watch, take }: AttachOptions) => {
      const { terminal } = context;
      const client = await context.client();
      const job = await client.job(given);
      const keyboard = await terminal.keyboard();
      const leaving = new AbortController();
      const handBack = terminal.onEndRequest(() => leaving.abort());
      const typist = watch || !keyboard.isTerminal ? {} : { keyboard };
      const world = { client, terminal, id: job.id, ...typist, takes: take, leaving };
      try {
        const { sessionAt } = await import("./run-interactive.ts");
        context.endWith(await sessionAt(world));
      } finally {
        handBack();
      }
    });
}
