/**
 * `stint ticket key`: the keys that sign tickets, and whose are taken (rule CL-101).
 */
import { Command } from "commander";
import type { TicketKeyView } from "../api/client/index.ts";
import { type CommandContext, jsonText } from "./command-context.ts";
import { oneOf } from "./option-values.ts";
import { isForPeople, type Listing, type OutputForm, outputOption, writeItems } from "./output-forms.ts";

interface TrustOptions {
  readonly vo: string;
  readonly label?: string;
  readonly output: (typeof FORMS)[number];
}

const FORMS = ["table", "json"] as const;
const EXAMPLES = `
Examples:
  $ stint ticket key new vo0.key                      the VO makes its key, and keeps the file
  $ stint ticket key show vo0.key
  $ stint ticket key trust ed25519:… --vo vo0         an admin of the site takes what it signs
  $ stint ticket key list
  $ stint ticket key revoke 0123456789abcdef

The private key never leaves the VO: who has the file can issue tickets. The broker has the public one.
`;

const KEY_LISTING: Listing<TicketKeyView> = {
  columns: [
    { head: "KEY", cell: ({ id }) => id },
    { head: "VO", cell: ({ vo }) => vo },
    { head: "STATE", cell: ({ revokedAt }) => (revokedAt === null ? "trusted" : "revoked") },
    { head: "SINCE", cell: ({ trustedAt, revokedAt }) => (revokedAt ?? trustedAt).slice(0, 16) },
    { head: "LABEL", isFlexible: true, cell: ({ label }) => label },
    { head: "PUBLIC KEY", isWide: true, cell: ({ publicKey }) => publicKey },
    { head: "BY", isWide: true, cell: ({ trustedBy }) => trustedBy },
  ],
  fields: ["id", "vo", "publicKey", "label", "trustedBy", "trustedAt", "revokedAt"],
  record: (key) => ({ ...key }),
  name: ({ id }) => id,
};

/** The noun with its verbs. */
export function ticketKeyCommand(context: CommandContext): Command {
  return new Command("key")
    .summary("the keys that sign tickets")
    .description("Keys that sign tickets: making one, and saying whose tickets a broker takes.")
    .addHelpText("after", EXAMPLES)
    .addCommand(newCommand(context))
    .addCommand(showCommand(context))
    .addCommand(trustCommand(context))
    .addCommand(listCommand(context))
    .addCommand(revokeCommand(context));
}

function newCommand({ terminal }: CommandContext): Command {
  return new Command("new")
    .summary("make a key: the private one in a file, the public one printed")
    .description("Makes a pair of keys, writes the private one, and prints the public one.")
    .argument("<file>", "where the private key goes; there must be none yet")
    .addHelpText("after", "\nExamples:\n  $ stint ticket key new vo0.key\n")
    .action(async (file: string) => {
      const { newTicketKey, writeKeyFile } = await import("../formats/ticket/index.ts");
      const { privateText, publicText } = newTicketKey();
      await writeKeyFile(file, terminal.directory, privateText);
      terminal.writeResult(`${publicText}\n`);
      terminal.writeError(`stint: ${file} signs tickets: keep it to yourselves\n`);
    });
}

function showCommand({ terminal }: CommandContext): Command {
  return new Command("show")
    .summary("the public key that belongs to a private one")
    .description("Prints the public key of a private one, and its id.")
    .argument("<file>", "the private key")
    .option("-o, --output <format>", FORMS.join(", "), oneOf("-o", FORMS), "table")
    .addHelpText("after", "\nExamples:\n  $ stint ticket key show vo0.key\n")
    .action(async (file: string, { output }: Pick<TrustOptions, "output">) => {
      const tickets = await import("../formats/ticket/index.ts");
      const key = tickets.readPrivateKey(await tickets.readKeyFile(file, terminal.directory));
      const publicKey = tickets.publicTextOf(key);
      const id = tickets.ticketKeyId(publicKey);
      terminal.writeResult(output === "json" ? jsonText({ id, publicKey }) : `${publicKey}\n`);
    });
}

function trustCommand(context: CommandContext): Command {
  return new Command("trust")
    .summary("take the tickets that a key signs for a VO")
    .description("Has the broker take the tickets that a key has signed for a VO. For admins.")
    .argument("<key>", "the public key: ed25519:…")
    .requiredOption("--vo <name>", "whose tickets it signs")
    .option("--label <text>", "whose it is")
    .option("-o, --output <format>", FORMS.join(", "), oneOf("-o", FORMS), "table")
    .addHelpText("after", "\nExamples:\n  $ stint ticket key trust ed25519:… --vo vo0 --label 'ops desk'\n")
    .action(async (publicKey: string, { vo, label, output }: TrustOptions) => {
      const request = { publicKey, vo, ...(label === undefined ? {} : { label }) };
      const key = await (await context.client()).trustTicketKey(request);
      context.terminal.writeResult(output === "json" ? jsonText(key) : `${key.id}\n`);
    });
}

function listCommand(context: CommandContext): Command {
  return new Command("list")
    .summary("the keys that are trusted, or were")
    .description("Lists the keys whose tickets the broker takes, also those that were revoked.")
    .addOption(outputOption())
    .addHelpText("after", "\nExamples:\n  $ stint ticket key list\n  $ stint ticket key list -o json\n")
    .action(async ({ output: form }: { readonly output: OutputForm }) => {
      const { terminal } = context;
      const items = await (await context.client()).ticketKeys();
      await writeItems({ items, form, value: { items } }, KEY_LISTING, terminal);
      if (isForPeople(form) && items.length === 0) terminal.writeError("stint: no key is trusted\n");
    });
}

function revokeCommand(context: CommandContext): Command {
  return new Command("revoke")
    .summary("take no more tickets of a key")
    .description("Takes no more tickets of a key, for good. Jobs that were taken under them go on.")
    .argument("<id>", "as stint ticket key list shows it")
    .addHelpText("after", "\nExamples:\n  $ stint ticket key revoke 0123456789abcdef\n")
    .action(async (id: string) => {
      const { id: revoked } = await (await context.client()).revokeTicketKey(id);
      context.terminal.writeResult(`${revoked}\n`);
    });
}
