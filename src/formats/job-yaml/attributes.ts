/** Checks of a job's attributes beyond their shape: command lines, variables, tickets. */
import type { jobShape, Read } from "../../contract/files/index.ts";
import type { JobDescription } from "../../model/index.ts";
import { echoText } from "../echo-text.ts";
import { readTicket } from "../ticket/index.ts";
import type { Notes, Surroundings } from "../yaml/index.ts";
import { splitShellWords } from "./shell-words.ts";

/** A job as its shape reads it, with what is needed to judge it. */
export interface ReadJob {
  readonly said: Read<typeof jobShape>;
  readonly notes: Notes;
  readonly at: (of: object, word?: string | number) => number;
  readonly surroundings: Surroundings;
}

/** The arguments: a list as it is, a text split as a shell splits it. */
export function readArguments({ said, notes, at }: ReadJob): Partial<Pick<JobDescription, "arguments">> {
  const written = said.arguments;
  if (written === undefined) return {};
  if (typeof written !== "string") return { arguments: written };
  const split = splitShellWords(written);
  const place = at(said, "arguments");
  if (!split.ok) {
    const { mark, index } = split.refusal;
    const isQuote = mark !== "\\";
    notes.problem(place, {
      code: "openQuote",
      what: `arguments: ${isQuote ? `a ${mark} is not closed` : "a backslash ends the line"}`,
      why: `words are split as a shell does, and ${echoText(written.slice(index))} is left open`,
      remedy: "close it, put a backslash before a quote that means itself, or write the arguments as a list",
    });
    return {};
  }
  const { words, unexpanded } = split.value;
  if (unexpanded === undefined) return { arguments: words };
  notes.warning(place, {
    code: "notExpanded",
    what: `arguments: ${unexpanded} reaches the program as it is`,
    why: "words are split as a shell does, but no shell runs: nothing is expanded, piped or redirected",
    remedy: "put it in single quotes if that is meant; else use executable: sh and arguments: [-c, …]",
  });
  return { arguments: words };
}

/** The variables of a mapping, or of a list of `NAME=value`. */
export function readEnvironment({ said, notes, at }: ReadJob): Partial<Pick<JobDescription, "environment">> {
  const written = said.environment;
  if (written === undefined) return {};
  if (!isList(written)) return { environment: written };
  const variables = new Map<string, string>();
  for (const [index, variable] of written.entries()) {
    const equals = variable.indexOf("=");
    const name = variable.slice(0, equals);
    if (variables.has(name)) notes.problem(at(written, index), variableTwice(name));
    variables.set(name, variable.slice(equals + 1));
  }
  return { environment: Object.fromEntries(variables) };
}

function isList(
  written: NonNullable<ReadJob["said"]["environment"]>,
): written is Extract<NonNullable<ReadJob["said"]["environment"]>, readonly string[]> {
  return Array.isArray(written);
}

function variableTwice(name: string) {
  return {
    code: "duplicateKey",
    what: `environment: ${echoText(name)} is given twice`,
    why: "only one of them can be meant",
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
    why: "a number without a unit counts bytes, and hardly any program runs in so few",
    remedy: "write it with its unit, for instance memory: 512M",
  });
}
