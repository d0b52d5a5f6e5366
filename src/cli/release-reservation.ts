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

Withdrawing an offer costs nothing. Cancelling a reservation costs a fraction of
its fixed price (a tenth, unless the site sets another); the rest is refunded,
and waiting jobs can start earlier. Jobs that were submitted into the
reservation wait in the queue instead. Reservations for which this fails are
reported on stderr; the others are still processed. The exit code is the highest
of all.
`;
const RELINQUISH_EXAMPLES = `
Examples:
  $ stint relinquish 7f3a

The base price of the remaining time is refunded, less the site's penalty. The
fixed price is not refunded: the jobs for whose delays it paid have already
waited. Jobs that run in the reservation are ended: TERM, then KILL.
`;

/** Command definition of `stint unreserve`. */
export function unreserveCommand(context: CommandContext): Command {
  return new Command("unreserve")
    .summary("withdraw offers and cancel future reservations")
    .description(
      "Withdraws offers, and cancels reservations that have not started; cancelling costs a penalty.",
    )
    .argument("<id...>", "offers or reservations; a unique prefix of an id is enough")
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
    .description("Ends an active reservation now, and refunds its remaining time less the penalty.")
    .argument("<id>", "an active reservation; a unique prefix of its id is enough")
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
