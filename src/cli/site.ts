/** `stint site`: adds, lists, tests, drains and removes sites, and sets their notes. */
import { Command } from "commander";
import type { SiteView } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import type { Capabilities } from "./capabilities.ts";
import type { CommandContext } from "./command-context.ts";
import { eachJob } from "./each-job.ts";
import { instantText } from "./instant-text.ts";
import { isForPeople, type OutputForm, outputOption, writeItems } from "./output-forms.ts";
import { peerLines } from "./peer-lines.ts";
import { instantAheadValue } from "./quantity-values.ts";
import { siteAddCommand } from "./site-add.ts";
import { siteConnectCommand } from "./site-connect.ts";
import { healthLines, nodeHealthLines } from "./site-health-lines.ts";
import { SITE_LISTING } from "./site-listing.ts";
import { siteRemoveCommand } from "./site-remove.ts";
import { siteShowCommand } from "./site-show.ts";
import { siteTestCommand } from "./site-test.ts";
import { siteWhoCommand } from "./site-who.ts";
import { printable } from "./text-table.ts";

const EXAMPLES = `
Examples:
  $ stint site list
  $ stint site add far --type simulated --procs 128
  $ stint site test far
  $ stint site drain far
  $ stint site remove far
`;
const LIST_EXAMPLES = `
Examples:
  $ stint site list
  $ stint site list -o wide
  $ stint site list -o json

STATE is one of: open; draining (no new jobs are sent there); read-only (it is
only observed); trouble (it cannot be reached or used; -o wide shows why). For
sites other than this machine, BUSY, RUNNING and WAITING include the jobs of
other users, and are as old as the last poll (SEEN). RESPONSE (-o wide) is the
predicted wait of a job with one processor, the method of the prediction, and
how many of its 95 % predictions came true there. Below the table are the jobs
that other brokers have submitted to these sites and that the sites do not show
yet, and the age of that information (stint peer).
`;
const NOTE_EXAMPLES = `
Examples:
  $ stint site note far "new disks on Monday from 8 on" --until 2026-11-23T18:00
  $ stint site note far --clear

stint site list shows the note to everybody; stint why shows it for jobs that
wait at the site. A site has one note; a new note replaces it. Administrators,
operators and administrators of the site may set one.
`;
const DRAIN_EXAMPLES = `
Examples:
  $ stint site drain far
  $ stint site drain --undo far here

Jobs that already run or wait there are not affected.
`;

/** The command with its verbs; some need what only a program with sites can do. */
export function siteCommand(
  context: CommandContext,
  { connectSite: connect, testAdapter }: Pick<Capabilities, "connectSite" | "testAdapter"> = {},
): Command {
  const command = new Command("site")
    .summary("manage the sites that run jobs")
    .description("Manages the sites that run jobs.")
    .addHelpText("after", EXAMPLES)
    .addCommand(siteListCommand(context))
    .addCommand(siteShowCommand(context))
    .addCommand(siteWhoCommand(context))
    .addCommand(siteAddCommand(context))
    .addCommand(siteTestCommand(context, testAdapter))
    .addCommand(siteDrainCommand(context))
    .addCommand(siteNoteCommand(context))
    .addCommand(siteRemoveCommand(context));
  return connect === undefined ? command : command.addCommand(siteConnectCommand(context, connect));
}

function siteListCommand(context: CommandContext): Command {
  return new Command("list")
    .summary("list sites and their load")
    .description("Lists sites: their resources, how much of them is in use, and how many jobs run and wait.")
    .addOption(outputOption())
    .addHelpText("after", LIST_EXAMPLES)
    .action(async ({ output: form }: { readonly output: OutputForm }) => {
      const { terminal } = context;
      const items = await (await context.client()).sites();
      await writeItems({ items, form, none: "the broker has no sites" }, SITE_LISTING, terminal);
      if (isForPeople(form)) terminal.writeResult(noteLines(items));
      if (isForPeople(form)) terminal.writeResult(healthLines(items) + nodeHealthLines(items));
      if (isForPeople(form)) terminal.writeResult(peerLines(items, ({ name }) => name));
    });
}

function siteDrainCommand(context: CommandContext): Command {
  return new Command("drain")
    .summary("drain sites: start no new jobs there; --undo reopens them")
    .description("Drains sites, so that no new job starts there; with --undo reopens them.")
    .argument("<name...>", "sites, as stint site list shows them")
    .option("--undo", "reopen them", false)
    .addHelpText("after", DRAIN_EXAMPLES)
    .action(async (names: readonly string[], { undo }: { readonly undo: boolean }) => {
      const client = await context.client();
      const one = async (name: string): Promise<void> => {
        const { state } = await (undo ? client.reopenSite(name) : client.drainSite(name));
        context.terminal.writeResult(`${name}: ${state}\n`);
      };
      await eachJob(names, one, context);
    });
}

interface NoteOptions {
  readonly until?: number;
  readonly clear: boolean;
}

function siteNoteCommand(context: CommandContext): Command {
  const { terminal } = context;
  return new Command("note")
    .summary("set the note of a site; --clear removes it")
    .description("Sets the note of a site, in place of an earlier one; with --clear removes it.")
    .argument("<name>", "the site")
    .argument("[text]", "the note, in one line")
    .option(
      "--until <instant>",
      "time until which the note is shown (default: until removed)",
      instantAheadValue("--until", terminal.nowMs),
    )
    .option("--clear", "remove the note", false)
    .addHelpText("after", NOTE_EXAMPLES)
    .action(async (name: string, text: string | undefined, { until, clear }: NoteOptions) => {
      if ((text === undefined) !== clear) throw noteOrClear;
      const { call } = await context.client();
      const params = { name };
      const ending = until === undefined ? {} : { until: new Date(until).toISOString() };
      const site = await (text === undefined
        ? call("clearSiteNote", { params })
        : call("noteSite", { params, body: { text, ...ending } }));
      terminal.writeResult(noteLines([site]) || `${printable(site.name)}: no note\n`);
    });
}

const noteOrClear = new Fault({
  kind: "badInput",
  code: "noteOrClear",
  what: "the note cannot be set",
  why: "give either a text or --clear",
  remedy: 'write for instance stint site note far "new disks on Monday"',
});

/** Notes of sites, a line each. */
function noteLines(sites: readonly SiteView[]): string {
  const lines = sites.flatMap(({ name, note }) => {
    if (note === undefined) return [];
    const until = note.until === null ? "" : `, until ${instantText(note.until)}`;
    return `${printable(`${name}: ${note.text} (${note.by}${until})`)}\n`;
  });
  return lines.join("");
}
