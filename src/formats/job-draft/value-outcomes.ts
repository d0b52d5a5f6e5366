/** Outcomes of values that several languages share. */
import { resolve } from "node:path";
import { CONSUMER_PATTERN } from "../../contract/files/index.ts";
import { QUEUE_PATTERN } from "../../model/index.ts";
import { echoText } from "../echo-text.ts";
import { noEffect, notTranslated, type Outcome, sets, sizes, wrong } from "./outcome.ts";
import type { Size } from "./size.ts";
import { countIn, sizeIn, streamOutcome } from "./values.ts";

/** Outcome of an account or a project: the consumer for which the job runs. */
export function consumerOutcome(text: string): Outcome {
  if (new RegExp(CONSUMER_PATTERN).test(text)) return sets({ virtualOrganisation: text });
  return notTranslated("it is not a consumer path; choose yours with --vo");
}

/** Outcome of queues, one or several with commas or blanks: they are preferred where a site has them. */
export function queueOutcome(value: string, noun: "queue" | "partition" = "queue"): Outcome {
  const names = [...new Set(noun === "partition" ? value.split(",") : value.trim().split(/[ ,]+/))];
  const isName = (name: string): boolean => new RegExp(QUEUE_PATTERN).test(name) && !name.includes("@");
  if (names.length > 20 || !names.every(isName)) return lacking("queue", { name: "queue", value });
  return sets({ preferredQueues: names }, `where the site has such a ${noun}`);
}

/** Outcome of a name. */
export function nameOutcome(text: string): Outcome {
  if (/^\P{Cc}{1,200}$/u.test(text)) return sets({ name: text });
  return wrong("a name has 1 to 200 characters, none of them a control character", "shorten the name");
}

/** Outcome of a number that is a part of the size. */
export function countOutcome(text: string, part: keyof Size, why?: string): Outcome {
  const count = countIn(text);
  if (count !== undefined) return sizes({ [part]: count }, why);
  return wrong(`${echoText(text)} is not a whole number of 1 to 999999999`, "write for instance 4");
}

/** Outcome of an amount of memory. @param unit the unit of a plain number */
export function memoryOutcome(
  text: string,
  unit: "b" | "k" | "m" | "g",
  part: keyof Size,
  why?: string,
): Outcome {
  const bytes = sizeIn(text, unit);
  if (bytes !== undefined) return sizes({ [part]: bytes }, why);
  return wrong(`${echoText(text)} is not an amount of memory`, "write for instance 4gb");
}

/** Outcome of a directory to run in. */
export function directoryOutcome(
  text: string,
  { submitDirectory }: { readonly submitDirectory: string },
): Outcome {
  if (text === "" || /\p{Cc}/u.test(text)) return wrong("it names no directory", "write its path");
  return sets({ workingDirectory: resolve(submitDirectory, text) });
}

const UNNUMBERED =
  "every job has a directory of its own, so that names need no number; stint output brings the file";

/**
 * Outcome of a file for a stream, whose name may have placeholders of the batch system.
 *
 * @param placeholder all of them, with the flag g
 */
export function outputOutcome(
  words: Parameters<typeof streamOutcome>[0],
  path: string,
  placeholder: RegExp,
): Outcome {
  if (path.endsWith("/")) return noEffect("output files are in the job's own directory");
  const slash = path.lastIndexOf("/") + 1;
  const file = path.slice(slash);
  const plain = file.replace(placeholder, "");
  if (plain === file) return streamOutcome(words, path);
  const name = plain.replace(/[-_.]{2,}/g, (run) => run.slice(-1)).replace(/^[-_.]+|[-_.]+$/g, "");
  const isSuffixOnly = plain.startsWith(".") && !plain.slice(1).includes(".");
  const chosen =
    name === "" || isSuffixOnly ? `${words[0].toLowerCase().slice(3)}${isSuffixOnly ? plain : ""}` : name;
  const outcome = streamOutcome(words, chosen);
  return outcome.kind === "translated" ? { ...outcome, why: UNNUMBERED } : outcome;
}

/** Outcome of variables with values, `NAME=value`; those without take the value of the submitter's shell. */
export function variablesOutcome(list: readonly string[]): readonly Outcome[] {
  const pairs = list.filter((one) => /^[A-Za-z_]\w*=/.test(one));
  const names = list.filter((one) => /^[A-Za-z_]\w*$/.test(one));
  const others = list.filter((one) => !/^[A-Za-z_]\w*(=|$)/.test(one) && one !== "");
  const environment = Object.fromEntries(
    pairs.map((one) => [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)]),
  );
  const options = names.map((name) => `--env ${name}`).join(" ");
  const unset = `only named variables go with a job: pass it with ${options}`;
  return [
    ...(pairs.length === 0 ? [] : [sets({ environment })]),
    ...(names.length === 0 ? [] : [notTranslated(unset)]),
    ...(others.length === 0 ? [] : [notTranslated(`${echoText(others[0])} is not a variable name`)]),
  ];
}

/** Why the environment of the submitter does not go along. */
export const WHOLE_ENVIRONMENT = notTranslated(
  "only named variables go with a job: pass each with --env NAME",
);

/** A dependency of another batch system: an end, and the job as it was written. */
export interface WrittenDependency {
  readonly end: "ok" | "failed" | "any";
  readonly job: string;
}

/** Outcome of dependencies on jobs; ids of Stint have a letter, numbers are those of the batch system. */
export function dependencyOutcome(list: readonly WrittenDependency[]): readonly Outcome[] {
  const ours = list.filter(({ job }) => isId(job));
  const theirs = list.filter(({ job }) => !isId(job));
  const why = `${echoText(theirs[0]?.job ?? "")} is not an id of a job of Stint: give it with --after ok:ID`;
  return [
    ...(ours.length === 0 ? [] : [sets({ after: ours.map(({ end, job }) => `${end}:${job}`) })]),
    ...(theirs.length === 0 ? [] : [notTranslated(why)]),
  ];
}

function isId(text: string): boolean {
  return /^(?=.*[a-z])[a-z0-9-]{1,64}$/.test(text);
}

/** Reasons for which something has no equal, by subject. */
export const LACKING = {
  mail: "write mail: [end] and mailTo: ADDRESS",
  hosts: "hosts belong to one cluster, and the broker chooses among sites",
  features: "what a node is called belongs to one cluster; requirements of JDL say what a site must have",
  licences: "Stint does not count licences",
  startAfter: "a job starts as soon as it can: submit it later, or after another job with --after",
  deadline: "Stint gives no job up for a deadline; stint reserve finds a slot that ends in time",
  reservation: "it is a reservation of the cluster: make one with stint reserve, and give --reservation ID",
  signal:
    "Stint sends HUP, INT, QUIT, USR1, USR2 or TERM so long before the limit: write signalBefore: USR1@300",
  binding: "processors within a node are chosen by the site",
  priority: "the order of jobs is that of the sites' queues",
  hold: "a job cannot be submitted held: submit it, then stint hold ID",
  queue: "the queue is chosen by the site's configuration; choose a site with --site",
  scratch: "Stint does not reserve space on disks",
  cpuTime: "Stint limits real time alone: give a wall time",
  virtualMemory: "Stint limits memory, and not the address space",
  site: "clusters have their own names here: choose one with --site",
  interactive: "a described job has no terminal: use stint run",
  wait: "stint wait ID waits for the job",
  terse: "it concerns the output of the submit command",
  shell: "the script is run by the interpreter on its first line",
} as const;

/** Reasons, as outcomes without an equal. */
export function lacking(
  subject: keyof typeof LACKING,
  keeps?: { name: string; value: string | number | boolean },
): Outcome {
  return notTranslated(LACKING[subject], keeps);
}

/** Outcome of a job that may run again where its site loses it, or may not. */
export function retryOutcome(isAllowed: boolean): Outcome {
  if (!isAllowed) return sets({ retryCount: 0 });
  return sets({ retryCount: 10 }, "10 times where its site loses it, the most that Stint allows");
}

const SIGNALS: Readonly<Record<string, string>> = {
  ...{ "1": "HUP", "2": "INT", "3": "QUIT", "10": "USR1", "12": "USR2", "15": "TERM" },
  ...{ HUP: "HUP", INT: "INT", QUIT: "QUIT", USR1: "USR1", USR2: "USR2", TERM: "TERM" },
};

/** Outcome of Slurm's `[R][B:]SIGNAL[@SECONDS]`; the program gets it, which of a script is its shell. */
export function signalOutcome(value: string): Outcome {
  const [, name = "", seconds = "60"] =
    /^(?:[RB]+:)?(?:SIG)?([A-Z]+\d?|\d+)(?:@(\d{1,7}))?$/i.exec(value) ?? [];
  const signal = SIGNALS[name.toUpperCase()];
  if (signal === undefined || Number(seconds) === 0)
    return lacking("signal", { name: "signalBefore", value });
  return sets({ signalBefore: `${signal}@${Number(seconds)}` });
}
