/**
 * `stint ticket issue`: a VO promises somebody a part of what it was given (rule CL-102).
 */
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

The ticket is printed as one line, which whoever it is for gives to stint run --ticket. No broker is needed:
the site checks the signature, and what is left of it, by itself. Its VO is the first name of the consumer.

--amount is SU (processors times hours: 100SU, or a plain 100), a length of time of one processor (36h), or so
much for so long: 64x4h processors, 64Gx8h of memory, 50Gx7d of storage, 100Mbit/sx2h of network.
--from and --until are the window in which it may be used; from then on, or from --expires on, no job is taken
under it. --ask asks the broker first, and issues nothing that it would not take.
`;

/** The command. */
export function ticketIssueCommand(context: CommandContext): Command {
  const { nowMs } = context.terminal;
  return new Command("issue")
    .summary("make a ticket and sign it; prints its line")
    .description("Makes a ticket, signs it, and prints it. Needs the VO's private key, and no broker.")
    .requiredOption("--key <file>", "the VO's private key")
    .requiredOption("--site <site>", "the site at which it is used")
    .requiredOption("--consumer <path>", "who may use it: a path, and whoever is below it")
    .option("--resource <name>", TICKET_RESOURCES.join(", "), oneOf("--resource", TICKET_RESOURCES), "cpu")
    .requiredOption(
      "--amount <amount>",
      "how much: 100SU, 36h of one processor, 64x4h, 50Gx7d",
      ticketAmountValue("--amount"),
    )
    .option("--from <time>", "may be used from then on (default: now)", instantAheadValue("--from", nowMs))
    .requiredOption("--until <time>", "until then: 7d, or a date", instantAheadValue("--until", nowMs))
    .option(
      "--expires <time>",
      "no job is taken later (default: --until)",
      instantAheadValue("--expires", nowMs),
    )
    .option("--id <name>", "its name within the VO (default: one that is drawn)")
    .option("--ask", "ask the broker whether it would take it, and issue nothing else")
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
    what: "the ticket is not issued: the broker would not take it",
    why: why.text,
    remedy: why.remedy,
  });
}

function ticketFault(why: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "ticketWrong",
    what: "there is no such ticket",
    why,
    remedy: "see `stint ticket issue --help` for what one says",
  });
}
