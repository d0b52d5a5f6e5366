/**
 * All commands with their groups in `stint --help`, each loaded when it is typed, so that starting one does
 * not load forty others.
 */
import { Command, Help } from "commander";
import type { Capabilities } from "./capabilities.ts";
import type { CommandContext } from "./command-context.ts";
import { WORDS_COMMAND } from "./completion-kinds.ts";
import type { Terminal } from "./terminal.ts";

/** Dependencies of the commands. */
export interface CommandWorld {
  readonly capabilities: Capabilities;
  readonly context: CommandContext;
  readonly terminal: Terminal;
  readonly endWith: (exitCode: number) => void;
  /** All words after `stint`. */
  readonly words: readonly string[];
}

/** A command in the list of `stint --help`; a test compares it with the command itself. */
interface Row {
  readonly name: string;
  /** Name with options and arguments, as in `run [options] <command...>`. */
  readonly term: string;
  readonly summary: string;
  /** Returns undefined where the program lacks the capability. */
  readonly load: (world: CommandWorld) => Promise<Command | undefined>;
  /** Capability without which the command is not listed. */
  readonly needs?: keyof Capabilities;
  readonly isHidden?: true;
}

function row(term: string, summary: string, load: Row["load"], needs?: keyof Capabilities): Row {
  return { name: term.split(" ")[0], term, summary, load, ...(needs === undefined ? {} : { needs }) };
}

/** A command that is started by what Stint has written, and that help does not list. */
function hidden(term: string, summary: string, load: Row["load"]): Row {
  return { ...row(term, summary, load), isHidden: true };
}

const ROWS: readonly Row[] = [
  row(
    "up [options]",
    "start a broker on this machine",
    async ({ capabilities: { up }, terminal }) => up && (await import("./up.ts")).upCommand(up, terminal),
    "up",
  ),
  row(
    "down [options]",
    "stop the broker; its jobs continue",
    async ({ capabilities: { down }, terminal }) =>
      down && (await import("./down.ts")).downCommand(down, terminal),
    "down",
  ),
  row(
    "demo [options] [trace] [procs]",
    "run jobs on three sites and compare three disciplines",
    async ({ capabilities: { demo }, terminal }) =>
      demo && (await import("./demo.ts")).demoCommand(demo, terminal),
    "demo",
  ),
  row("run [options] <command...>", "run a command as a job and wait for its end", async ({ context }) =>
    (await import("./run.ts")).runCommand(context),
  ),
  row(
    "submit [options] [words...]",
    "submit a command, a script, or described jobs; prints their ids",
    async ({ context, words }) => (await import("./submit.ts")).submitCommand(context, words),
  ),
  row("status [options] [id...]", "show the state of jobs (default: all active ones)", async ({ context }) =>
    (await import("./status.ts")).statusCommand(context),
  ),
  row(
    "list [options]",
    "list jobs by state, owner, organisation, site, name, tag and time",
    async ({ context }) => (await import("./list.ts")).listCommand(context),
  ),
  row(
    "report [options] [id...]",
    "sum use by user, site, month and so on; show the efficiency of jobs",
    async ({ context }) => (await import("./report.ts")).reportCommand(context),
  ),
  row(
    "wait [options] [id...]",
    "wait until jobs have ended; the exit code shows whether all succeeded",
    async ({ context }) => (await import("./wait.ts")).waitCommand(context),
  ),
  row("why [options] <id>", "explain the state of a job, and what would change it", async ({ context }) =>
    (await import("./why.ts")).whyCommand(context),
  ),
  row(
    "events [options] [id]",
    "list the events of a job, or of all jobs: when, what, by whom",
    async ({ context }) => (await import("./events.ts")).eventsCommand(context),
  ),
  row("provenance [options] <id>", "show where the result of a job came from", async ({ context }) =>
    (await import("./provenance.ts")).provenanceCommand(context),
  ),
  row("rerun [options] <id>", "submit a job again; lists what cannot be reproduced", async ({ context }) =>
    (await import("./provenance.ts")).rerunCommand(context),
  ),
  row("when [options] [file]", "predict where and when a job would start", async ({ context }) =>
    (await import("./when.ts")).whenCommand(context),
  ),
  row(
    "bids [options] [file]",
    "request bids on a job from all sites, without submitting it",
    async ({ context }) => (await import("./bids.ts")).bidsCommand(context),
  ),
  row(
    "match [options] <file>",
    "show which sites match a job, clause by clause",
    async ({ context, endWith }) => (await import("./match.ts")).matchCommand(context, endWith),
  ),
  row("logs [options] [id...]", "print the output of jobs so far", async ({ context }) =>
    (await import("./logs.ts")).logsCommand(context),
  ),
  row("attach [options] <id>", "use or watch the terminal of a running job", async ({ context }) =>
    (await import("./attach.ts")).attachCommand(context),
  ),
  row("output [options] [id...]", "download the output of jobs", async ({ context }) =>
    (await import("./output.ts")).outputCommand(context),
  ),
  row(
    "purge [options] [id...]",
    "remove the files of ended jobs, and mark the jobs as PURGED",
    async ({ context }) => (await import("./ended-job-verbs.ts")).endedJobCommand(context, "purge"),
  ),
  row("clear [options] [id...]", "remove the files of ended jobs at their sites", async ({ context }) =>
    (await import("./ended-job-verbs.ts")).endedJobCommand(context, "clear"),
  ),
  row(
    "edit [options] <id>",
    "change the size, limit, memory, site, name, tags or priority of a waiting job",
    async ({ context }) => (await import("./edit.ts")).editCommand(context),
  ),
  row(
    "scouts [options] <id>",
    "show or apply the limits that the first jobs of a sweep propose",
    async ({ context }) => (await import("./scouts.ts")).scoutsCommand(context),
  ),
  row("cancel [options] [id...]", "cancel waiting and running jobs", async ({ context }) =>
    (await import("./job-verbs.ts")).jobVerbCommand("cancel", context),
  ),
  row("hold [options] [id...]", "hold waiting jobs, so that they do not start", async ({ context }) =>
    (await import("./job-verbs.ts")).jobVerbCommand("hold", context),
  ),
  row("release [options] [id...]", "release held jobs", async ({ context }) =>
    (await import("./job-verbs.ts")).jobVerbCommand("release", context),
  ),
  row("suspend [options] [id...]", "suspend running jobs", async ({ context }) =>
    (await import("./job-verbs.ts")).jobVerbCommand("suspend", context),
  ),
  row("resume [options] [id...]", "resume suspended jobs", async ({ context }) =>
    (await import("./job-verbs.ts")).jobVerbCommand("resume", context),
  ),
  row("retry <id...>", "rerun the nodes of a DAG that did not succeed", async ({ context }) =>
    (await import("./job-verbs.ts")).retryCommand(context),
  ),
  row("stream", "run applications that receive their data while they compute", async ({ context }) =>
    (await import("./stream.ts")).streamCommand(context),
  ),
  row("site", "manage the sites that run jobs", async ({ capabilities, context }) =>
    (await import("./site.ts")).siteCommand(context, capabilities),
  ),
  row("webhook", "manage webhooks: addresses to which events are posted", async ({ context }) =>
    (await import("./webhook.ts")).webhookCommand(context),
  ),
  row("token", "manage API tokens", async ({ context }) =>
    (await import("./token.ts")).tokenCommand(context),
  ),
  row("slots [options] [site...]", "list free slots", async ({ context }) =>
    (await import("./slots.ts")).slotsCommand(context),
  ),
  row(
    "reservation",
    "quote, create, list, extend, release and cancel reservations",
    async ({ capabilities, context }) =>
      (await import("./reservation.ts")).reservationCommand(capabilities.quote, context),
  ),
  row("quote [options]", "show the price of a slot", async ({ capabilities, context }) =>
    (await import("./quote.ts")).quoteCommand(capabilities.quote, context),
  ),
  row("reserve [options] [words...]", "reserve a slot, or accept an offer", async ({ context }) =>
    (await import("./reserve.ts")).reserveCommand(context),
  ),
  row("reservations [options] [id]", "list your offers and reservations", async ({ context }) =>
    (await import("./reservations.ts")).reservationsCommand(context),
  ),
  row("unreserve <id...>", "withdraw offers and cancel future reservations", async ({ context }) =>
    (await import("./release-reservation.ts")).unreserveCommand(context),
  ),
  row("relinquish <id>", "end an active reservation and refund the rest", async ({ context }) =>
    (await import("./release-reservation.ts")).relinquishCommand(context),
  ),
  row("extend [options] <id>", "extend a reservation", async ({ context }) =>
    (await import("./extend.ts")).extendCommand(context),
  ),
  row(
    "account [options] [consumer]",
    "show the balances and payments of consumers, in SU",
    async ({ context }) => (await import("./account.ts")).accountCommand(context),
  ),
  row(
    "check [options] <files...>",
    "check job descriptions and show how they are read",
    async ({ capabilities, endWith, terminal }) =>
      (await import("./check.ts")).checkCommand(capabilities.checkFile, { ...terminal, endWith }),
  ),
  row("policy", "manage usage policies: who may use how much of what", async ({ capabilities, context }) =>
    (await import("./policy.ts")).policyCommand(capabilities.policies, capabilities.verify, context),
  ),
  row(
    "usage [options] [site]",
    "show current and past use of sites against shares",
    async ({ capabilities, context }) =>
      (await import("./usage.ts")).usageCommand(context, capabilities.usageReport),
  ),
  row(
    "pause [options] <site...>",
    "pause enforcement at sites; --continue resumes it",
    async ({ capabilities, context }) =>
      (await import("./pause.ts")).pauseCommand(capabilities.leftPauses, context),
  ),
  row("undo <id...>", "undo the actions of an enforcer on jobs", async ({ context }) =>
    (await import("./undo.ts")).undoCommand(context),
  ),
  row("vo", "manage how the jobs of organisations are placed", async ({ context }) =>
    (await import("./vo.ts")).voCommand(context),
  ),
  row("audit [options]", "list the jobs that pilots ran, with node, time and account", async ({ context }) =>
    (await import("./audit.ts")).auditCommand(context),
  ),
  row("pilot", "list, show and drain pilots", async ({ context }) =>
    (await import("./pilot.ts")).pilotCommand(context),
  ),
  row("replica", "record which sites have copies of files", async ({ context }) =>
    (await import("./replica.ts")).replicaCommand(context),
  ),
  row("checkpoint", "list and download the checkpoints of jobs", async ({ context }) =>
    (await import("./checkpoint.ts")).checkpointCommand(context),
  ),
  row("peer", "manage other brokers that use the same clusters", async ({ context }) =>
    (await import("./peer.ts")).peerCommand(context),
  ),
  row("ticket", "manage tickets: signed promises of a VO's share", async ({ context }) =>
    (await import("./ticket.ts")).ticketCommand(context),
  ),
  row(
    "sensor [options]",
    "report the resource use of jobs on this host to the broker",
    async ({ capabilities: { sensor }, context }) =>
      sensor && (await import("./sensor.ts")).sensorCommand(sensor, context),
    "sensor",
  ),
  row(
    "classad",
    "evaluate and match ClassAds",
    async ({ capabilities: { classAds }, context }) =>
      classAds && (await import("./classad.ts")).classAdCommand(classAds, context),
    "classAds",
  ),
  row(
    "plan [options] <files...>",
    "plan a workflow on several sites",
    async ({ capabilities: { planWorkflow }, context }) =>
      planWorkflow && (await import("./plan.ts")).planCommand(planWorkflow, context),
    "planWorkflow",
  ),
  row("workflow", "list, cancel and continue executed workflows", async ({ context }) =>
    (await import("./workflow.ts")).workflowCommand(context),
  ),
  row(
    "sim [options] [trace]",
    "simulate a recorded workload under a queue discipline",
    async ({ capabilities, endWith, terminal }) =>
      (await import("./simulate.ts")).simulateCommand(capabilities, { ...terminal, endWith }),
  ),
  row("import", "convert the records of a batch system to a workload", async ({ terminal }) =>
    (await import("./import.ts")).importCommand(terminal),
  ),
  row(
    "doctor [options]",
    "check this installation, its state directory, and its log",
    async ({ capabilities: { doctor }, terminal, endWith }) =>
      doctor && (await import("./doctor.ts")).doctorCommand(doctor, { ...terminal, endWith }),
    "doctor",
  ),
  row(
    "backup [options] <file>",
    "copy the log and the files of the broker into one file",
    async ({ capabilities: { backUp }, terminal }) =>
      backUp && (await import("./backup.ts")).backupCommand(backUp, terminal),
    "backUp",
  ),
  row(
    "restore [options] <file>",
    "restore a backup into an empty state directory",
    async ({ capabilities: { restore }, terminal }) =>
      restore && (await import("./backup.ts")).restoreCommand(restore, terminal),
    "restore",
  ),
  row(
    "archive [options]",
    "move old log events to archive files, and verify the files",
    async ({ capabilities: { archives }, context: { client }, terminal, endWith }) =>
      archives && (await import("./archive.ts")).archiveCommand(archives, { ...terminal, endWith, client }),
    "archives",
  ),
  row(
    "service",
    "run the broker as a service of this machine",
    async ({ capabilities: { service }, terminal }) =>
      service && (await import("./service.ts")).serviceCommand(service, terminal),
    "service",
  ),
  row(
    "config",
    "show the settings and where each comes from",
    async ({ capabilities: { config }, terminal }) =>
      config && (await import("./config.ts")).configCommand(config, terminal),
    "config",
  ),
  hidden(
    "stream-wrapper <order>",
    "pull the data of a stream next to its application",
    async ({ capabilities: { streamWrapper }, terminal, endWith }) =>
      streamWrapper &&
      (await import("./stream-wrapper.ts")).streamWrapperCommand(streamWrapper, { terminal, endWith }),
  ),
  hidden(`${WORDS_COMMAND} <kind>`, "print words for completion", async ({ context }) =>
    (await import("./completion-words.ts")).wordsCommand(context),
  ),
  row("completion <shell>", "print a completion script for your shell", async ({ terminal }) =>
    (await import("./completion.ts")).completionCommand(terminal),
  ),
];

/** Headings of `stint --help`, each with its commands in their order. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  "Jobs:": [
    ...["run", "submit", "check", "plan", "match", "when", "bids", "status", "list", "report", "why", "wait"],
    "workflow",
    ...["events", "logs", "attach", "output", "checkpoint", "clear", "purge", "provenance", "rerun"],
    ...["edit", "scouts", "cancel", "hold", "release", "suspend", "resume", "retry", "stream", "classad"],
  ],
  "Sites:": ["site", "slots", "pilot", "audit", "replica", "sensor", "peer"],
  "Reservations:": [
    ...["reservation", "quote", "reserve", "reservations", "extend", "relinquish", "unreserve", "account"],
  ],
  "Policies:": ["policy", "usage", "pause", "undo", "vo", "ticket"],
  "Simulator:": ["sim", "import", "demo"],
  "Administration:": [
    ...["up", "down", "service", "backup", "restore", "archive", "webhook", "token", "doctor"],
    ...["config", "completion"],
  ],
};

/** Heading of what is in no group. */
export const OTHER_COMMANDS = "Other commands:";

const HEADINGS = new Map(
  Object.entries(GROUPS).flatMap(([heading, names]) => names.map((name) => [name, heading])),
);
const PLACES = new Map([...HEADINGS.keys()].map((name, place) => [name, place]));

/** Commands for which all others are loaded: they print the whole tree. */
const OF_ALL = ["completion"];

/** Commands of the program: the one typed is complete, the others have only a name and a summary. */
export async function commandsFor(
  words: readonly string[],
  world: CommandWorld,
): Promise<readonly Command[]> {
  const typed = words.filter((word) => !word.startsWith("-"));
  const isWhole = (name: string) => typed.slice(0, 2).some((word) => word === name || OF_ALL.includes(word));
  const there = ROWS.filter(({ needs }) => needs === undefined || world.capabilities[needs] !== undefined);
  const made = there.map(async ({ name, summary, load }) =>
    isWhole(name) ? load(world) : new Command(name).summary(summary),
  );
  const commands = (await Promise.all(made)).flatMap((command) => command ?? []);
  for (const command of commands) command.helpGroup(HEADINGS.get(command.name()) ?? OTHER_COMMANDS);
  const placeOf = (command: Command): number => PLACES.get(command.name()) ?? PLACES.size;
  return commands.sort((one, other) => placeOf(one) - placeOf(other));
}

/** True for a command that help and completion do not list. */
export function isHidden(name: string): boolean {
  return ROWS.some((it) => it.name === name && it.isHidden === true);
}

/** Term of a command in the list, which shows options and arguments without loading the command. */
export function subcommandTerm(this: Help, command: Command): string {
  return TERMS.get(command.name()) ?? Help.prototype.subcommandTerm.call(this, command);
}

const TERMS = new Map(ROWS.map(({ name, term }) => [name, term]));
