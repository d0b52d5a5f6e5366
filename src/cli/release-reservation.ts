/** `stint unreserve` and `stint relinquish`: release a reservation before its begin, and after. */
import { Command } from "commander";
import type { ReservationView } from "../api/client/index.ts";
import { suText } from "../base/index.ts";
import type { CommandContext } from "./command-context.ts";
import { eachJob } from "./each-job.ts";

const UNRESERVE_EXAMPLES = `
Examples:
  $ stint unreserve 7f3a
  $ stint reservations -o name | xargs stint unreserve

An offer costs nothing. Cancelling a reservation costs a part of its fixed price (a tenth, unless the site
says otherwise); the rest is given back, and the queue moves up. Jobs that wait for it wait in the queue no
more. One that cannot be given up is told on stderr, the others go on; the exit code is that of the worst.
`;
const RELINQUISH_EXAMPLES = `
Examples:
  $ stint relinquish 7f3a

The base price of the time that is left is given back, less the site's penalty; the fixed price is not: those
who waited have waited. What runs in it is ended: TERM, then KILL.
`;

/** Command definition of `stint unreserve`. */
export function unreserveCommand(context: CommandContext): Command {
  return new Command("unreserve")
    .summary("withdraw offers and cancel future reservations")
    .description("Withdraws offers, and cancels reservations that have not begun for their penalty.")
    .argument("<id...>", "offers or reservations; an id may be abbreviated while it is unique")
    .addHelpText("after", UNRESERVE_EXAMPLES)
    .action(async (ids: readonly string[]) => {
      const client = await context.client();
      const one = async (id: string): Promise<void> => {
        context.terminal.writeResult(`${outcomeText(await client.cancelReservation(id))}\n`);
      };
      await eachJob(ids, one, context);
    });
}

/** Command definition of `stint unreserve`. */
export function relinquishCommand(context: CommandContext): Command {
  return new Command("relinquish")
    .summary("end an active reservation and refund the rest")
    .description("Ends an active reservation now, and refunds what is left of it less the penalty.")
    .argument("<id>", "an active reservation; its id may be abbreviated while it is unique")
    .addHelpText("after", RELINQUISH_EXAMPLES)
    .action(async (id: string) => {
      const given = await (await context.client()).relinquish(id);
      context.terminal.writeResult(`${outcomeText(given)}\n`);
    });
}

function outcomeText({ id, state, penaltyProcMs, refundProcMs }: ReservationView): string {
  const penalty = penaltyProcMs === 0 ? "" : `, penalty ${suText(penaltyProcMs)}`;
  const refund = refundProcMs === 0 ? "" : `, ${suText(refundProcMs)} given back`;
  return `${id}: ${state}${penalty}${refund}`;
}
