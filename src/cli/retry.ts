/** `stint retry ID…`: runs again what did not succeed of DAGs, or named nodes of them. */
import { Command } from "commander";
import { counted } from "../base/index.ts";
import type { CommandContext } from "./command-context.ts";
import { eachJob } from "./each-job.ts";

const EXAMPLES = `
Examples:
  $ stint retry 7f3a              all nodes that failed, were cancelled or were left out
  $ stint retry 7f3a:solve        one node, and what was left out because of it

Nodes that are done stay done. Each of the others has all its retries again, and a new job; the DAG goes on,
or begins again where it was over. Input files are copied anew from where they were.
`;

/** Command definition of `stint retry ID…`. */
export function retryCommand(context: CommandContext): Command {
  return new Command("retry")
    .summary("run again what did not succeed of a DAG")
    .description(
      "Runs the nodes of DAGs again that failed, were cancelled, or were left out because of others.",
    )
    .argument("<id...>", "DAGs, or nodes as DAG:NODE; an id may be abbreviated while it is unique")
    .addHelpText("after", EXAMPLES)
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
