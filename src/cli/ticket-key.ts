/** `stint ticket key`: makes, trusts, lists and revokes the keys that sign tickets. */
import { Command } from "commander";
import type { TicketKeyView } from "../api/client/index.ts";
import { stateColour } from "./colours.ts";
import { type CommandContext, jsonText } from "./command-context.ts";
import { whenText } from "./instant-text.ts";
import { oneOf } from "./option-values.ts";
import { type Listing, type OutputForm, outputOption, writeItems } from "./output-forms.ts";

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
  $ stint ticket key trust ed25519:… --vo vo0         an administrator of the site trusts it
  $ stint ticket key list
  $ stint ticket key revoke 0123456789abcdef

The private key never leaves the VO: anybody who has its file can issue tickets. The
broker has only the public key.
`;

const KEY_LISTING: Listing<TicketKeyView> = {
  columns: [
    { head: "KEY", cell: ({ id }) => id },
    { head: "VO", cell: ({ vo }) => vo },
    {
      head: "STATE",
      paint: stateColour,
      cell: ({ revokedAt }) => (revokedAt === null ? "trusted" : "revoked"),
    },
    { head: "SINCE", cell: ({ trustedAt, revokedAt }, nowMs) => whenText(revokedAt ?? trustedAt, nowMs) },
    { head: "LABEL", isFlexible: true, cell: ({ label }) => label },
    { head: "PUBLIC KEY", isWide: true, cell: ({ publicKey }) => publicKey },
    { head: "BY", isWide: true, cell: ({ trustedBy }) => trustedBy },
  ],
  fields: ["id", "vo", "publicKey", "label", "trustedBy", "trustedAt", "revokedAt"],
  record: (key) => ({ ...key }),
  name: ({ id }) => id,
};

/** Command definition of `stint ticket key`. */
export function ticketKeyCommand(context: CommandContext): Command {
  return new Command("key")
    .summary("manage the keys that sign tickets")
    .description("Makes keys that sign tickets, and manages those that the broker trusts.")
    .addHelpText("after", EXAMPLES)
    .addCommand(newCommand(context))
    .addCommand(showCommand(context))
    .addCommand(trustCommand(context))
    .addCommand(listCommand(context))
    .addCommand(revokeCommand(context));
}

function newCommand({ terminal }: CommandContext): Command {
  return new Command("new")
    .summary("make a key pair: write the private key, print the public one")
    .description("Makes a key pair, writes the private key to a new file, and prints the public key.")
    .argument("<file>", "new file for the private key")
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
    .summary("print the public key of a private key")
    .description("Prints the public key of a private key, and its id.")
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
    .summary("trust a key to sign tickets for a VO")
    .description("Trusts a key: the broker accepts tickets that it has signed for a VO. For admins.")
    .argument("<key>", "the public key: ed25519:…")
    .requiredOption("--vo <name>", "VO whose tickets it signs")
    .option("--label <text>", "note on its owner")
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
    .summary("list trusted and revoked keys")
    .description("Lists the keys whose tickets the broker accepts, and those that were revoked.")
    .addOption(outputOption())
    .addHelpText("after", "\nExamples:\n  $ stint ticket key list\n  $ stint ticket key list -o json\n")
    .action(async ({ output: form }: { readonly output: OutputForm }) => {
      const { terminal } = context;
      const items = await (await context.client()).ticketKeys();
      await writeItems({ items, form, none: "no key is trusted" }, KEY_LISTING, terminal);
    });
}

function revokeCommand(context: CommandContext): Command {
  return new Command("revoke")
    .summary("revoke a key")
    .description(
      "Revokes a key for good: its tickets are no longer accepted. Jobs accepted under them continue.",
    )
    .argument("<id>", "id of the key, from stint ticket key list")
    .addHelpText("after", "\nExamples:\n  $ stint ticket key revoke 0123456789abcdef\n")
    .action(async (id: string) => {
      const { id: revoked } = await (await context.client()).revokeTicketKey(id);
      context.terminal.writeResult(`${revoked}\n`);
    });
}
