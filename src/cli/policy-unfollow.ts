/** `stint policy unfollow`: forgets a broker that copies the policies of this one. */
import { Command } from "commander";
import type { CommandContext } from "./command-context.ts";
import { printable } from "./text-table.ts";

const EXAMPLES = `
Examples:
  $ stint policy unfollow west

The policies that it has copied stay in force there. New versions here can no
longer name its sites as providers. It is listed again when it polls the next
time: revoke its token to prevent that.
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
