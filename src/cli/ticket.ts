/** `stint ticket`: issues, checks and lists tickets. */
import { Command } from "commander";
import type { TicketCheckView, TicketView } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import { type Ticket, ticketAmountText, ticketName } from "../model/index.ts";
import { type CommandContext, jsonText } from "./command-context.ts";
import { instantText, localTimes, whenText } from "./instant-text.ts";
import { oneOf } from "./option-values.ts";
import { type Listing, type OutputForm, outputOption, writeItems } from "./output-forms.ts";
import { EXIT_CODES } from "./report-fault.ts";
import { printable } from "./text-table.ts";
import { ticketIssueCommand } from "./ticket-issue.ts";
import { ticketKeyCommand } from "./ticket-key.ts";

interface CheckOptions {
  readonly key?: string;
  readonly ask?: boolean;
  readonly output: (typeof FORMS)[number];
}

/** Results of checking a ticket; null for checks that were not made. */
interface Checked {
  readonly ticket: Ticket;
  readonly isSigned: boolean | null;
  readonly isExpired: boolean;
  readonly broker: TicketCheckView | null;
}

const FORMS = ["table", "json"] as const;
const EXAMPLES = `
Examples:
  $ stint ticket key new vo0.key
  $ stint ticket issue --key vo0.key --site site1 --consumer vo0/ann --amount 100SU --until 7d > t.txt
  $ stint ticket check t.txt --key ed25519:…
  $ stint run --ticket t.txt -n 4 -t 1h -- ./simulate
  $ stint reserve --ticket t.txt -n 16 -t 2h --yes
  $ stint ticket show
`;
const CHECK_EXAMPLES = `
Examples:
  $ stint ticket check t.txt --key ed25519:…
  $ stint ticket check t.txt --ask -o json
  $ cat t.txt | stint ticket check -

Without --ask no broker is needed. The exit code is 5 if the ticket was not
signed by --key, has expired, or would not be accepted.
`;

const TICKET_LISTING: Listing<TicketView> = {
  columns: [
    { head: "TICKET", cell: ({ name }) => name },
    { head: "SITE", cell: ({ site }) => site },
    { head: "CONSUMER", isFlexible: true, cell: ({ consumer }) => consumer },
    { head: "AMOUNT", align: "right", cell: ({ resource, amountSec }) => amountText(resource, amountSec) },
    { head: "HELD", align: "right", cell: ({ resource, heldSec }) => amountText(resource, heldSec) },
    { head: "USED", align: "right", cell: ({ resource, debitedSec }) => amountText(resource, debitedSec) },
    { head: "LEFT", align: "right", cell: ({ resource, leftSec }) => amountText(resource, leftSec) },
    { head: "UNTIL", cell: ({ window }, nowMs) => whenText(window.until, nowMs) },
    { head: "JOBS", isWide: true, align: "right", cell: ({ jobs }) => String(jobs) },
    { head: "RESERVATIONS", isWide: true, align: "right", cell: (it) => String(it.reservations) },
    { head: "EXPIRES", isWide: true, cell: ({ expiresAt }, nowMs) => whenText(expiresAt, nowMs) },
    { head: "KEY", isWide: true, cell: ({ key }) => key },
  ],
  fields: [
    ...["name", "site", "consumer", "resource", "amountSec", "heldSec", "debitedSec", "leftSec"],
    ...["from", "until", "issuedAt", "expiresAt", "key", "presentedAt", "jobs", "reservations"],
  ],
  record: ({ window, vo: _, ...same }) => ({ ...same, ...window }),
  name: ({ name }) => name,
};

/** Command definition of `stint ticket`. */
export function ticketCommand(context: CommandContext): Command {
  return new Command("ticket")
    .summary("manage tickets: signed promises of a VO's share")
    .description(
      "Issues, checks and lists tickets. A ticket, signed by a VO, grants a part of the VO's share at a " +
        "site; the site honours it without asking the VO.",
    )
    .addHelpText("after", EXAMPLES)
    .addCommand(ticketIssueCommand(context))
    .addCommand(checkCommand(context))
    .addCommand(showCommand(context))
    .addCommand(ticketKeyCommand(context));
}

function checkCommand(context: CommandContext): Command {
  return new Command("check")
    .summary("show a ticket and check its signature")
    .description(
      "Shows the content of a ticket. Checks its signature with --key, and asks the broker with --ask " +
        "whether it would accept the ticket.",
    )
    .argument("<ticket>", "file of the ticket, its line, or - for stdin")
    .option("--key <key>", "the VO's public key: ed25519:…")
    .option("--ask", "also ask the broker")
    .option("-o, --output <format>", FORMS.join(", "), oneOf("-o", FORMS), "table")
    .addHelpText("after", CHECK_EXAMPLES)
    .action(async (given: string, { key, ask = false, output }: CheckOptions) => {
      const { terminal, endWith } = context;
      const { isSignedBy, readPublicKey, readTicket, readTicketInput } = await import(
        "../formats/ticket/index.ts"
      );
      const line = await readTicketInput(given, terminal.directory);
      const read = readTicket(line);
      if (!read.ok) throw unreadable(read.refusal);
      const { ticket } = read.value;
      const isSigned = key === undefined ? null : isSignedBy(read.value, readPublicKey(key));
      const broker = ask ? await (await context.client()).checkTicket(line) : null;
      const checked = { ticket, isSigned, isExpired: terminal.nowMs() >= ticket.expiresAtMs, broker };
      terminal.writeResult(output === "json" ? jsonText(checked) : checkedText(checked));
      if (isSigned === false || checked.isExpired || broker?.isTaken === false) endWith(EXIT_CODES.refused);
    });
}

function showCommand(context: CommandContext): Command {
  return new Command("show")
    .summary("show the remaining amounts of tickets at the broker")
    .description("Shows the tickets that jobs and reservations use, and their remaining amounts.")
    .argument("[ticket]", "its id, or vo/id (default: all that you may see)")
    .addOption(outputOption())
    .addHelpText("after", "\nExamples:\n  $ stint ticket show\n  $ stint ticket show spring-1 -o json\n")
    .action(async (given: string | undefined, { output: form }: { readonly output: OutputForm }) => {
      const { terminal } = context;
      const all = await (await context.client()).tickets();
      const items = all.filter(
        ({ name }) => given === undefined || name === given || name.endsWith(`/${given}`),
      );
      if (given !== undefined && items.length === 0) throw unknownTicket(given);
      await writeItems({ items, form, none: "nothing has come with a ticket yet" }, TICKET_LISTING, terminal);
    });
}

/** A ticket with the results of its checks, a line each. */
function checkedText({ ticket, isSigned, isExpired, broker }: Checked): string {
  const { site, consumer, resource, amountMs, fromMs, untilMs, expiresAtMs } = ticket;
  const text = (atMs: number): string => instantText(new Date(atMs).toISOString());
  const lines = [
    ["ticket", ticketName(ticket)],
    ["site", site],
    ["consumer", consumer],
    ["amount", ticketAmountText(resource, amountMs)],
    ["window", `${text(fromMs)} until ${text(untilMs)}`],
    ["expires", `${text(expiresAtMs)}${isExpired ? ", expired" : ""}`],
    ...(isSigned === null ? [] : [["signature", isSigned ? "good" : "not by this key, or altered"]]),
    ...(broker === null ? [] : brokerLines(ticket, broker)),
  ];
  return lines.map(([name = "", said = ""]) => `${name.padEnd(10)} ${printable(said)}\n`).join("");
}

function brokerLines(
  { resource }: Ticket,
  { why, leftSec }: TicketCheckView,
): readonly (readonly string[])[] {
  const left = leftSec === null ? [] : [["left", amountText(resource, leftSec)]];
  return [
    [
      "broker",
      why === null
        ? "would take it"
        : `would not take it: ${localTimes(why.text)}; ${localTimes(why.remedy)}`,
    ],
    ...left,
  ];
}

function amountText(resource: Ticket["resource"], seconds: number): string {
  return ticketAmountText(resource, Math.round(seconds * 1000));
}

function unreadable(why: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "ticketUnreadable",
    what: "this is not a ticket",
    why,
    remedy: "copy the whole line, beginning with stint-ticket.v1., and nothing else",
  });
}

function unknownTicket(given: string): Fault {
  return new Fault({
    kind: "notFound",
    code: "unknownTicket",
    what: `there is no ticket ${printable(given)}`,
    why: "no job or reservation that you may see uses a ticket of that name",
    remedy: "see `stint ticket show` for the known ones, or `stint ticket check FILE --ask`",
  });
}
