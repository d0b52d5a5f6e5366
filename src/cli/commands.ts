/**
 * All commands in the order of `stint --help`, each loaded when it is typed, so that it costs its own start
 * and not that of forty others.
 */
import { Command, Help } from "commander";
import type { Capabilities } from "./capabilities.ts";
import type { CommandContext } from "./command-context.ts";
import type { Terminal } from "./terminal.ts";

/** What commands are made with. */
export interface CommandWorld {
  readonly capabilities: Capabilities;
  readonly context: CommandContext;
  readonly terminal: Terminal;
  readonly endWith: (exitCode: number) => void;
}

/** A command as the list of all shows it; a test holds it against the command itself. */
interface Row {
  readonly name: string;
  /** The name, and what follows it. */
  readonly term: string;
  readonly summary: string;
  /** Undefined where the program lacks what the command needs. */
  readonly load: (world: CommandWorld) => Promise<Command | undefined>;
  /** What the program must have for it. */
  readonly needs?: keyof Capabilities;
}

function row(term: string, summary: string, load: Row["load"], needs?: keyof Capabilities): Row {
  return { name: term.split(" ")[0], term, summary, load, ...(needs === undefined ? {} : { needs }) };
}

const ROWS: readonly Row[] = [
  row(
    "up [options]",
    "start a broker here",
    async ({ capabilities: { up }, terminal }) => up && (await import("./up.ts")).upCommand(up, terminal),
    "up",
  ),
  row(
    "demo [trace] [procs]",
    "see jobs placed on three sites, and three disciplines compared",
    async ({ capabilities: { demo }, terminal }) =>
      demo && (await import("./demo.ts")).demoCommand(demo, terminal),
    "demo",
  ),
  row("run [options] <command...>", "run a command as a job, and follow it to its end", async ({ context }) =>
    (await import("./run.ts")).runCommand(context),
  ),
  row("submit [options] <file...>", "submit jobs from descriptions; prints their ids", async ({ context }) =>
    (await import("./submit.ts")).submitCommand(context),
  ),
  row("status [options] [id...]", "how jobs are; without ids, all that are not over", async ({ context }) =>
    (await import("./status.ts")).statusCommand(context),
  ),
  row("list [options]", "jobs by state, owner, organisation, site and time", async ({ context }) =>
    (await import("./list.ts")).listCommand(context),
  ),
  row("why [options] <id>", "why a job is where it is, and what would change it", async ({ context }) =>
    (await import("./why.ts")).whyCommand(context),
  ),
  row("when [options] [file]", "where a job would start, when, and how surely", async ({ context }) =>
    (await import("./when.ts")).whenCommand(context),
  ),
  row("logs [options] <id>", "what a job has written so far", async ({ context }) =>
    (await import("./logs.ts")).logsCommand(context),
  ),
  row("output [options] <id>", "bring home what a job has left", async ({ context }) =>
    (await import("./output.ts")).outputCommand(context),
  ),
  row("clear [options] <id...>", "remove what jobs have left at their sites", async ({ context }) =>
    (await import("./clear.ts")).clearCommand(context),
  ),
  row("cancel <id...>", "end jobs, whether they wait or run", async ({ context }) =>
    (await import("./job-verbs.ts")).jobVerbCommand("cancel", context),
  ),
  row("hold <id...>", "keep waiting jobs from starting", async ({ context }) =>
    (await import("./job-verbs.ts")).jobVerbCommand("hold", context),
  ),
  row("release <id...>", "let held jobs start again", async ({ context }) =>
    (await import("./job-verbs.ts")).jobVerbCommand("release", context),
  ),
  row("suspend <id...>", "stop running jobs for a while", async ({ context }) =>
    (await import("./job-verbs.ts")).jobVerbCommand("suspend", context),
  ),
  row("resume <id...>", "let suspended jobs go on", async ({ context }) =>
    (await import("./job-verbs.ts")).jobVerbCommand("resume", context),
  ),
  row("site", "the sites that work can go to", async ({ capabilities, context }) =>
    (await import("./site.ts")).siteCommand(context, capabilities.connectSite),
  ),
  row("token", "who else may use the broker", async ({ context }) =>
    (await import("./token.ts")).tokenCommand(context),
  ),
  row("slots [options] [site...]", "what the sites' queues leave free", async ({ context }) =>
    (await import("./slots.ts")).slotsCommand(context),
  ),
  row("quote [options]", "what a slot would cost", async ({ capabilities, context }) =>
    (await import("./quote.ts")).quoteCommand(capabilities.quote, context),
  ),
  row("reserve [options] [words...]", "reserve a slot, or accept an offer", async ({ context }) =>
    (await import("./reserve.ts")).reserveCommand(context),
  ),
  row("reservations [options] [id]", "your offers and reservations", async ({ context }) =>
    (await import("./reservations.ts")).reservationsCommand(context),
  ),
  row("unreserve <id...>", "withdraw offers, cancel reservations that have not begun", async ({ context }) =>
    (await import("./release-reservation.ts")).unreserveCommand(context),
  ),
  row("relinquish <id>", "give back what is left of a reservation", async ({ context }) =>
    (await import("./release-reservation.ts")).relinquishCommand(context),
  ),
  row("extend [options] <id>", "more time for a reservation that is not over", async ({ context }) =>
    (await import("./extend.ts")).extendCommand(context),
  ),
  row("account [options] [consumer]", "what consumers have and have paid, in SU", async ({ context }) =>
    (await import("./account.ts")).accountCommand(context),
  ),
  row(
    "check [options] <files...>",
    "say what job descriptions mean, and what is wrong with them",
    async ({ capabilities, endWith, terminal }) =>
      (await import("./check.ts")).checkCommand(capabilities.readJobFile, { ...terminal, endWith }),
  ),
  row("policy", "who may use how much of what", async ({ capabilities, context }) =>
    (await import("./policy.ts")).policyCommand(capabilities.policies, capabilities.verify, context),
  ),
  row(
    "usage [options] [site]",
    "what consumers use at sites, and used, against what they may",
    async ({ capabilities, context }) =>
      (await import("./usage.ts")).usageCommand(context, capabilities.usageReport),
  ),
  row(
    "pause [options] <site...>",
    "have the enforcers of sites rest; --continue: go on",
    async ({ capabilities, context }) =>
      (await import("./pause.ts")).pauseCommand(capabilities.leftPauses, context),
  ),
  row("undo <id...>", "reverse what an enforcer did to jobs", async ({ context }) =>
    (await import("./undo.ts")).undoCommand(context),
  ),
  row("vo", "how organisations have their jobs placed", async ({ context }) =>
    (await import("./vo.ts")).voCommand(context),
  ),
  row("peer", "other brokers that use the same clusters", async ({ context }) =>
    (await import("./peer.ts")).peerCommand(context),
  ),
  row("ticket", "what a VO promises out of its share, signed", async ({ context }) =>
    (await import("./ticket.ts")).ticketCommand(context),
  ),
  row(
    "sensor [options]",
    "tell the broker what the processes of jobs use on this host",
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
    "sim [options] [trace]",
    "replay a recorded workload under a queue discipline",
    async ({ capabilities, endWith, terminal }) =>
      (await import("./simulate.ts")).simulateCommand(capabilities, { ...terminal, endWith }),
  ),
  row("import", "make a workload of what a batch system has recorded", async ({ terminal }) =>
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
    "config",
    "the settings that count, and who says them",
    async ({ capabilities: { config }, terminal }) =>
      config && (await import("./config.ts")).configCommand(config, terminal),
    "config",
  ),
  row("completion <shell>", "let your shell complete stint's words", async ({ terminal }) =>
    (await import("./completion.ts")).completionCommand(terminal),
  ),
];

/** Words upon which every command has to be whole: what they print is made of all of them. */
const OF_ALL = ["completion"];

/** The commands of the program: the one that is typed whole, of the others what the list of all shows. */
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
  return (await Promise.all(made)).flatMap((command) => command ?? []);
}

/** How a command is shown in the list of all, which knows its options and arguments without having them. */
export function subcommandTerm(this: Help, command: Command): string {
  return TERMS.get(command.name()) ?? Help.prototype.subcommandTerm.call(this, command);
}

const TERMS = new Map(ROWS.map(({ name, term }) => [name, term]));
