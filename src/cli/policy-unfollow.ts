/** `stint policy unfollow`: forgets a broker that copies the policies of this one. */
import { Command } from "commander";
import type { CommandContext } from "./command-context.ts";
import { printable } from "./text-table.ts";

const EXAMPLES = `
Examples:
  $ stint policy unfollow west

What it has taken over goes on holding there; its sites can be no providers of new versions here. It is
known again as soon as it asks again: revoke its token to keep it away.
`;

/** Command definition of `stint policy unfollow`. */
export function policyUnfollowCommand(context: CommandContext): Command {
  return new Command("unfollow")
    .summary("forget a broker that copies the policies")
    .description("Forgets another broker that copies the policies of this one.")
    .argument("<name>", "name of the copying broker, as stint policy show lists it")
    .addHelpText("after", EXAMPLES)
    .action(async (name: string) => {
      await (await context.client()).unfollowPolicies(name);
      context.terminal.writeResult(`${printable(name)}: forgotten\n`);
    });
}
