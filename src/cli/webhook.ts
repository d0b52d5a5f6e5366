/** `stint webhook`: makes, lists and removes webhooks, and sends once more what was given up. */
import { Command } from "commander";
import type { WebhookView } from "../api/client/index.ts";
import { counted } from "../base/index.ts";
import { type CommandContext, jsonText } from "./command-context.ts";
import { oneOf } from "./option-values.ts";
import { type Listing, type OutputForm, outputOption, writeItems } from "./output-forms.ts";

const EXAMPLES = `
Examples:
  $ stint webhook add https://hooks.example.org/stint --event attemptEnded --event siteAdded
  $ stint webhook add http://localhost:8080/ --allow-private
  $ stint webhook list
  $ stint webhook redeliver 4f1c
  $ stint webhook remove 4f1c

Every event from now on is posted as JSON: {"webhook": "4f1c…", "event": {"seq":
812, "kind": …}}. The header stint-signature is t=SECONDS,v1=HEX; HEX is the
HMAC-SHA256 of the seconds, a full stop and the body, with the secret that add
prints once. A receiver verifies it, rejects old timestamps, and ignores events
whose seq it already has. If the response is not 2xx within 10 seconds, the event
is sent again, 7 times within 36 minutes, while later events wait; then it is
abandoned (DEAD) and the next one is sent. Only administrators may manage
webhooks. An address of the broker's machine or of a private network is allowed
only with --allow-private.
`;

const LISTING: Listing<WebhookView> = {
  columns: [
    { head: "WEBHOOK", cell: ({ id }) => id },
    { head: "URL", isFlexible: true, cell: ({ url }) => url },
    { head: "EVENTS", cell: ({ kinds }) => (kinds.length === 0 ? "all" : kinds.join(",")) },
    { head: "THROUGH", align: "right", cell: ({ throughSeq }) => String(throughSeq) },
    { head: "DEAD", align: "right", cell: ({ dead }) => String(dead.length) },
    { head: "TROUBLE", isOptional: true, cell: ({ failing, dead }) => (failing ?? dead.at(-1))?.why ?? "-" },
  ],
  fields: ["id", "url", "kinds", "allowPrivate", "createdBy", "createdAt", "throughSeq", "failing", "dead"],
  record: (webhook) => ({ ...webhook }),
  name: ({ id }) => id,
};

interface AddOptions {
  readonly event?: readonly string[];
  readonly allowPrivate: boolean;
  readonly output: (typeof ADD_FORMS)[number];
}

const ADD_FORMS = ["secret", "json"] as const;

/** Command definition of `stint webhook`. */
export function webhookCommand(context: CommandContext): Command {
  return new Command("webhook")
    .summary("manage webhooks: addresses to which events are posted")
    .description("Manages webhooks: addresses to which the broker posts events, signed and retried.")
    .addHelpText("after", EXAMPLES)
    .addCommand(addCommand(context))
    .addCommand(listCommand(context))
    .addCommand(actCommand(context, "redeliver"))
    .addCommand(actCommand(context, "remove"));
}

function addCommand(context: CommandContext): Command {
  return new Command("add")
    .summary("make a webhook, and print its secret once")
    .description("Makes a webhook and prints its secret, once.")
    .argument("<url>", "http or https address")
    .option(
      "--event <kind>",
      "only events of this kind, as stint events -o wide shows it; may be repeated",
      (kind: string, before: readonly string[] = []) => [...before, kind],
    )
    .option("--allow-private", "allow an address of the broker's machine or a private network", false)
    .option("-o, --output <format>", ADD_FORMS.join(", "), oneOf("-o", ADD_FORMS), "secret" as const)
    .action(async (url: string, { event, allowPrivate, output }: AddOptions) => {
      const body = { url, allowPrivate, ...(event === undefined ? {} : { kinds: event }) };
      const made = await (await context.client()).call("createWebhook", { body });
      context.terminal.writeResult(output === "json" ? jsonText(made) : `${made.secret}\n`);
      context.terminal.writeError(`stint: webhook ${made.id}\n`);
    });
}

function listCommand(context: CommandContext): Command {
  return new Command("list")
    .summary("list webhooks, their progress, and abandoned events")
    .description("Lists webhooks, their progress, and abandoned events.")
    .addOption(outputOption())
    .action(async ({ output: form }: { readonly output: OutputForm }) => {
      const { items } = await (await context.client()).call("listWebhooks");
      await writeItems({ items, form, none: "no webhooks" }, LISTING, context.terminal);
    });
}

const ACTS = {
  redeliver: ["redeliverWebhook", "send abandoned events once more"],
  remove: ["removeWebhook", "remove a webhook"],
} as const;

function actCommand(context: CommandContext, verb: keyof typeof ACTS): Command {
  const [operation, summary] = ACTS[verb];
  return new Command(verb)
    .summary(summary)
    .description(`${summary[0]?.toUpperCase()}${summary.slice(1)}.`)
    .argument("<id>", "a webhook; a unique prefix of its id is enough")
    .action(async (id: string) => {
      const client = await context.client();
      const before = (await client.call("listWebhooks")).items.find((one) => one.id.startsWith(id));
      const { id: whole } = await client.call(operation, { params: { id } });
      const sent = verb === "remove" ? "removed" : `${counted(before?.dead.length ?? 0, "event")} sent again`;
      context.terminal.writeError(`stint: webhook ${whole}: ${sent}\n`);
    });
}
