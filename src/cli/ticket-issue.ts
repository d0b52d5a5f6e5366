/** `stint ticket issue`: signs a part of a VO's share away. */
import { randomBytes } from "node:crypto";
import { Command } from "commander";
import { Fault } from "../base/index.ts";
import { isConsumerPath, TICKET_RESOURCES, type Ticket, type TicketResource, voOf } from "../model/index.ts";
import { type CommandContext, jsonText } from "./command-context.ts";
import { oneOf } from "./option-values.ts";
import { instantAheadValue } from "./quantity-values.ts";
import { type TicketAmount, ticketAmountMs, ticketAmountValue } from "./ticket-amount.ts";

interface IssueOptions {
  readonly key: string;
  readonly site: string;
  readonly consumer: string;
  readonly resource: TicketResource;
  readonly amount: TicketAmount;
  readonly from?: number;
  readonly until: number;
  readonly expires?: number;
  readonly id?: string;
  readonly ask?: boolean;
  readonly output: (typeof FORMS)[number];
}

const FORMS = ["line", "json"] as const;
const EXAMPLES = `
Examples:
  $ stint ticket issue --key vo0.key --site site1 --consumer vo0/physics/anna --amount 100SU --until 7d
  $ stint ticket issue --key vo0.key --site site1 --consumer vo0/ann --amount 36h --until 2026-12-24 --ask
  $ stint ticket issue --key vo0.key --site site1 --consumer vo0 --resource gpu --amount 9h --until 1d > t.txt
  $ stint ticket issue --key vo0.key --site site1 --consumer vo0 --resource storage --amount 50Gx7d --until 7d

The ticket is printed as one line, for its consumer to pass to stint run
--ticket. No broker is needed: the site checks the signature and the remaining
amount itself. The VO of the ticket is the first name of the consumer path.

--amount is in SU (processors times hours: 100SU, or just 100), a duration of
one processor (36h), or an amount for a duration: 64x4h processors, 64Gx8h of
memory, 50Gx7d of storage, 100Mbit/sx2h of network. The ticket may be used from
--from until --until; after that, or after --expires, no job is accepted under
it. With --ask the broker is asked first, and the ticket is issued only if the broker would accept it.
`;

/** Command definition of `stint ticket issue`. */
export function ticketIssueCommand(context: CommandContext): Command {
  const { nowMs } = context.terminal;
  return new Command("issue")
    .summary("issue a signed ticket and print its line")
    .description("Makes a ticket, signs it, and prints it. Needs the VO's private key, but no broker.")
    .requiredOption("--key <file>", "the VO's private key")
    .requiredOption("--site <site>", "site of the ticket")
    .requiredOption("--consumer <path>", "consumer that may use it: a path, with all below it")
    .option("--resource <name>", TICKET_RESOURCES.join(", "), oneOf("--resource", TICKET_RESOURCES), "cpu")
    .requiredOption(
      "--amount <amount>",
      "amount: 100SU, 36h of one processor, 64x4h, 50Gx7d",
      ticketAmountValue("--amount"),
    )
    .option("--from <time>", "start of its validity (default: now)", instantAheadValue("--from", nowMs))
    .requiredOption(
      "--until <time>",
      "end of its validity: 7d from now, or a date",
      instantAheadValue("--until", nowMs),
    )
    .option(
      "--expires <time>",
      "last instant at which jobs are accepted under it (default: --until)",
      instantAheadValue("--expires", nowMs),
    )
    .option("--id <name>", "name of the ticket within the VO (default: a random one)")
    .option("--ask", "ask the broker first; issue the ticket only if the broker would accept it")
    .option("-o, --output <format>", FORMS.join(", "), oneOf("-o", FORMS), "line")
    .addHelpText("after", EXAMPLES)
    .action(async (options: IssueOptions) => {
      const { readKeyFile, readPrivateKey, readTicket, signTicket } = await import(
        "../formats/ticket/index.ts"
      );
      const { terminal } = context;
      const key = readPrivateKey(await readKeyFile(options.key, terminal.directory));
      const ticket = ticketFrom(options, nowMs());
      const line = signTicket(ticket, key);
      const read = readTicket(line);
      if (!read.ok) throw ticketFault(read.refusal);
      if (options.ask === true) await askFirst(context, line);
      terminal.writeResult(options.output === "json" ? jsonText({ ticket, line }) : `${line}\n`);
    });
}

function ticketFrom(options: IssueOptions, nowMs: number): Ticket {
  const { site, consumer, resource, amount, from = nowMs, until, expires = until, id } = options;
  if (!isConsumerPath(consumer)) throw ticketFault("its consumer is no path like vo0/physics/anna");
  const ticket = {
    ...{ id: id ?? randomBytes(8).toString("hex"), vo: voOf(consumer), site, consumer, resource },
    ...{
      amountMs: ticketAmountMs(resource, amount),
      fromMs: from,
      untilMs: until,
      issuedAtMs: nowMs,
      expiresAtMs: expires,
    },
  };
  if (from >= until) throw ticketFault("its window ends before it begins");
  if (expires <= nowMs) throw ticketFault("it expires before it is issued");
  return ticket;
}

async function askFirst(context: CommandContext, line: string): Promise<void> {
  const { why } = await (await context.client()).checkTicket(line);
  // One whose window is to come is good for nothing yet, and yet what was wanted.
  if (why === null || why.kind === "windowAhead") return;
  throw new Fault({
    kind: "refused",
    code: "ticketRefused",
    what: "the ticket was not issued: the broker would not accept it",
    why: why.text,
    remedy: why.remedy,
  });
}

function ticketFault(why: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "ticketWrong",
    what: "a ticket with these values cannot be issued",
    why,
    remedy: "see `stint ticket issue --help` for the contents of a ticket",
  });
}
