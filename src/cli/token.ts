/** `stint token`: makes, lists and revokes tokens. */
import { Command } from "commander";
import type { TokenRequest, TokenView } from "../api/client/index.ts";
import { ROLES, type Role, SCOPES, type Scope } from "../model/index.ts";
import { stateColour } from "./colours.ts";
import { type CommandContext, jsonText } from "./command-context.ts";
import { instantText, whenText } from "./instant-text.ts";
import { oneOf } from "./option-values.ts";
import { type Listing, type OutputForm, outputOption, writeItems } from "./output-forms.ts";
import { durationValue } from "./quantity-values.ts";

interface CreateOptions {
  readonly role: Role;
  readonly vo?: string;
  readonly site?: string;
  readonly scope?: readonly Scope[];
  readonly expires?: number;
  readonly label?: string;
  readonly output: "token" | "json";
}

interface ListOptions {
  readonly output: OutputForm;
}

/** The last day of the year 9999: written instants have four digits for a year. */
const LATEST_MS = Date.UTC(9999, 11, 31);
const CREATE_FORMATS = ["token", "json"] as const;
const TOKEN_LISTING: Listing<TokenView> = {
  columns: [
    { head: "TOKEN", cell: ({ id }) => id },
    { head: "STATE", paint: stateColour, cell: ({ state }) => state },
    { head: "ROLE", cell: ({ role }) => role },
    { head: "CONSUMER", cell: ({ consumer }) => consumer },
    { head: "SITE", isOptional: true, cell: ({ site }) => site ?? "" },
    { head: "EXPIRES", cell: ({ expiresAt }, nowMs) => whenText(expiresAt, nowMs) },
    { head: "LABEL", isFlexible: true, cell: ({ label }) => label },
    { head: "SCOPES", isOptional: true, cell: narrowedTo },
    { head: "CREATED", isWide: true, cell: ({ createdAt }, nowMs) => whenText(createdAt, nowMs) },
    { head: "CREATED BY", isWide: true, cell: ({ createdBy }) => createdBy },
  ],
  fields: [
    "id",
    "state",
    "role",
    "consumer",
    "site",
    "scopes",
    "label",
    "createdBy",
    "createdAt",
    "expiresAt",
    "revokedAt",
  ],
  record: (token) => ({ ...token }),
  name: ({ id }) => id,
};
const CREATE_EXAMPLES = `
Examples:
  $ stint token create --role user --vo cms/higgs/ann --label "Ann's laptop" > ann.token
  $ stint token create --role auditor --vo local/audit --expires 7d
  $ stint token create --role user --vo cms/robot --scope compute.read --scope compute.create

The token is printed once and not stored; the broker keeps only its hash. Its
holder sets STINT_URL and STINT_TOKEN. Jobs count against the path of --vo, and
are visible to all holders of a token with the same path.

Roles: ${ROLES.join(", ")}.
Jobs at the site of this machine run as the user who runs the broker, whoever submits them: give roles that
submit (admin, voAdmin, user) to those whom that user trusts.
`;
const LIST_EXAMPLES = `
Examples:
  $ stint token list
  $ stint token list -o json
`;

/** Command definition of `stint token`. */
export function tokenCommand(context: CommandContext): Command {
  return new Command("token")
    .summary("manage API tokens")
    .description("Manages API tokens: who may use the broker, in which role, and until when.")
    .addHelpText("after", CREATE_EXAMPLES)
    .addCommand(createCommand(context))
    .addCommand(listCommand(context))
    .addCommand(revokeCommand(context));
}

function createCommand(context: CommandContext): Command {
  const { terminal } = context;
  return new Command("create")
    .summary("make a token, and print it once")
    .description("Makes a token and prints it, once.")
    .requiredOption("--role <role>", ROLES.join(", "), oneOf("--role", ROLES))
    .option("--vo <path>", "consumer of its jobs: vo/group/user (default: yours)")
    .option("--site <site>", "site of a siteAdmin or a sensor")
    .option(
      "--scope <scope>",
      `only these scopes, may be repeated: ${SCOPES.join(", ")}`,
      scopesValue("--scope"),
    )
    .option("--expires <time>", "valid for: 7d, 12h (default: 30d)", durationValue("--expires"))
    .option("--label <text>", "note on its purpose")
    .option("-o, --output <format>", CREATE_FORMATS.join(", "), oneOf("-o", CREATE_FORMATS), "token")
    .addHelpText("after", CREATE_EXAMPLES)
    .action(async (options: CreateOptions) => {
      const client = await context.client();
      const made = await client.createToken(requestFrom(options, terminal.nowMs()));
      terminal.writeResult(options.output === "json" ? jsonText(made) : `${made.token}\n`);
      terminal.writeError(
        `stint: token ${made.id}: ${made.role} ${made.consumer}, good until ${instantText(made.expiresAt)}\n`,
      );
    });
}

function listCommand(context: CommandContext): Command {
  return new Command("list")
    .summary("list tokens, also expired and revoked ones")
    .description("Lists the tokens that you may see, oldest first; never their secrets.")
    .addOption(outputOption())
    .addHelpText("after", LIST_EXAMPLES)
    .action(async ({ output: form }: ListOptions) => {
      const { terminal } = context;
      const items = await (await context.client()).tokens();
      await writeItems({ items, form, none: "there are no tokens" }, TOKEN_LISTING, terminal);
    });
}

function revokeCommand(context: CommandContext): Command {
  return new Command("revoke")
    .summary("revoke a token")
    .description("Revokes a token: it is no longer accepted. The jobs of its holder continue.")
    .argument("<id>", "id of the token, from stint token list; a unique prefix is enough")
    .addHelpText("after", "\nExamples:\n  $ stint token revoke 7f3a\n")
    .action(async (id: string) => {
      const revoked = await (await context.client()).revokeToken(id);
      context.terminal.writeResult(`${revoked.id}\n`);
    });
}

function requestFrom({ role, vo, site, scope, expires, label }: CreateOptions, nowMs: number): TokenRequest {
  return {
    role,
    ...(vo === undefined ? {} : { consumer: vo }),
    ...(site === undefined ? {} : { site }),
    ...(scope === undefined ? {} : { scopes: scope }),
    ...(label === undefined ? {} : { label }),
    ...(expires === undefined
      ? {}
      : { expiresAt: new Date(Math.min(nowMs + expires, LATEST_MS)).toISOString() }),
  };
}

/** Collects repeated scopes. */
function scopesValue(option: string): (text: string, before?: readonly Scope[]) => Scope[] {
  const scope = oneOf(option, SCOPES);
  return (text, before = []) => [...before, scope(text)];
}

function narrowedTo({ scopes }: TokenView): string {
  return scopes.length === SCOPES.length ? "" : scopes.join(" ");
}
