/** `stint reservation`: all that is done with reservations; each has a short form of one word. */
import { Command } from "commander";
import type { Capabilities } from "./capabilities.ts";
import type { CommandContext } from "./command-context.ts";
import { extendCommand } from "./extend.ts";
import { quoteCommand } from "./quote.ts";
import { relinquishCommand, unreserveCommand } from "./release-reservation.ts";
import { reservationsCommand } from "./reservations.ts";
import { reserveCommand } from "./reserve.ts";

const EXAMPLES = `
Examples:
  $ stint reservation quote -n 8 -t 2h
  $ stint reservation create -n 8 -t 2h --site far --most 20
  $ stint reservation list --all
  $ stint reservation extend 7f3a -t 30m
  $ stint reservation release 7f3a
  $ stint reservation cancel 7f3a

In short: stint quote, reserve, reservations, extend, relinquish and unreserve.
`;

/** Command definition of `stint reservation`. */
export function reservationCommand(quote: Capabilities["quote"], context: CommandContext): Command {
  return new Command("reservation")
    .summary("quote, create, list, extend, release and cancel reservations")
    .description("Quotes, creates, lists, extends, releases and cancels reservations of slots at sites.")
    .addHelpText("after", EXAMPLES)
    .addCommand(named("quote", quoteCommand(quote, context)))
    .addCommand(named("create", reserveCommand(context)))
    .addCommand(named("list", reservationsCommand(context)))
    .addCommand(named("extend", extendCommand(context)))
    .addCommand(named("release", relinquishCommand(context)))
    .addCommand(named("cancel", unreserveCommand(context)));
}

/** A command of one word under its name in the group; its help says both. */
function named(name: string, command: Command): Command {
  const short = command.name();
  return command.name(name).addHelpText("after", `stint ${short} is the short form.\n`);
}
