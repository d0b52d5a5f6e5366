/** Checks of a job's attributes beyond their shape: command lines, variables, tickets. */
import type { jobShape, Read } from "../../contract/files/index.ts";
import type { JobDescription } from "../../model/index.ts";
import { echoText } from "../echo-text.ts";
import type { JobSurroundings } from "../job-reading/index.ts";
import { readTicket } from "../ticket/index.ts";
import { type Notes, type Surroundings, shown } from "../yaml/index.ts";
import { splitShellWords } from "./shell-words.ts";

/** A job as its shape reads it, with what is needed to judge it. */
export interface ReadJob {
  readonly said: Read<typeof jobShape>;
  readonly notes: Notes;
  readonly at: (of: object, word?: string | number) => number;
  readonly surroundings: Surroundings & Pick<JobSurroundings, "readText">;
  /** A word and its value as the language of the text writes them; `executable: run.sh` where absent. */
  readonly write?: (word: keyof JobDescription, text: string) => string;
}

/** A word and its value in the language of the text, for remedies. */
export function written({ write }: ReadJob, word: keyof JobDescription, text: string): string {
  return write === undefined ? `${word}: ${shown(text)}` : write(word, text);
}

type ArgumentsWord = "arguments" | "prologueArguments" | "epilogueArguments";

/** Arguments: a list as it is, a text split as a shell splits it. */
export function readArguments(
  job: ReadJob,
  word: ArgumentsWord,
): Partial<Pick<JobDescription, ArgumentsWord>> {
  const { said, notes, at } = job;
  const line = said[word];
  if (line === undefined) return {};
  if (typeof line !== "string") return { [word]: line };
  const split = splitShellWords(line);
  const place = at(said, word);
  if (!split.ok) {
    const { mark, index } = split.refusal;
    const isQuote = mark !== "\\";
    notes.problem(place, {
      code: "openQuote",
      what: `${word}: ${isQuote ? `a ${mark} is not closed` : "a backslash ends the line"}`,
      why: `words are split as a shell does, and ${echoText(line.slice(index))} is left open`,
      remedy: "close it, put a backslash before a quote that means itself, or write the arguments as a list",
    });
    return {};
  }
  const { words, unexpanded } = split.value;
  // `${name}` of a sweep is replaced by the broker.
  if (unexpanded === undefined || said.sweep !== undefined) return { [word]: words };
  notes.warning(place, {
    code: "notExpanded",
    what: `${word}: ${unexpanded} reaches the program as it is`,
    why: "words are split as a shell does, but no shell runs: nothing is expanded, piped or redirected",
    remedy:
      "put it in single quotes if that is intended; otherwise run a shell: " +
      `${written(job, "executable", "sh")}`,
  });
  return { [word]: words };
}

/** The variables of a mapping, or of a list of `NAME=value`. */
export function readEnvironment({ said, notes, at }: ReadJob): Partial<Pick<JobDescription, "environment">> {
  const given = said.environment;
  if (given === undefined) return {};
  if (!isList(given)) return { environment: given };
  const variables = new Map<string, string>();
  for (const [index, variable] of given.entries()) {
    const equals = variable.indexOf("=");
    const name = variable.slice(0, equals);
    if (variables.has(name)) notes.problem(at(given, index), variableTwice(name));
    variables.set(name, variable.slice(equals + 1));
  }
  return { environment: Object.fromEntries(variables) };
}

function isList(
  given: NonNullable<ReadJob["said"]["environment"]>,
): given is Extract<NonNullable<ReadJob["said"]["environment"]>, readonly string[]> {
  return Array.isArray(given);
}

function variableTwice(name: string) {
  return {
    code: "duplicateKey",
    what: `environment: ${echoText(name)} is given twice`,
    why: "the two values contradict each other",
    remedy: "take one of them out",
  };
}

/** Reports a malformed ticket. The line is not secret: it names the consumer that may use it. */
export function tellTicket({ said, notes, at }: ReadJob): void {
  if (said.ticket === undefined) return;
  const read = readTicket(said.ticket);
  if (read.ok) return;
  notes.problem(at(said, "ticket"), {
    code: "badTicket",
    what: `ticket: ${echoText(said.ticket.slice(0, 40))} is no ticket`,
    why: read.refusal,
    remedy: "write the line that `stint ticket issue` printed, or name its file: stint submit --ticket FILE",
  });
}

const likelyForgotUnitBytes = 1024 * 1024;

/** Warns of memory whose unit was probably forgotten. */
export function tellTinyMemory({ said, notes, at }: ReadJob): void {
  const { memoryBytes } = said;
  if (memoryBytes === undefined || memoryBytes >= likelyForgotUnitBytes) return;
  notes.warning(at(said, "memory"), {
    code: "memoryTiny",
    what: `memory is ${memoryBytes} bytes`,
    why: "a number without a unit is in bytes, and almost no program runs in so little memory",
    remedy: "write it with its unit, for instance memory: 512M",
  });
}
