/**
 * Errors for people: what happened, why, what to do. The broker names the field of a request that is wrong;
 * a user of a command reads its option or argument.
 */
import type { Command } from "commander";
import { Fault, type FaultKind, messageOf, shortened } from "../base/index.ts";
import { errorColours } from "./colours.ts";
import { localTimes } from "./instant-text.ts";

/** Exit codes of the program, by kind of fault. */
export const EXIT_CODES: Readonly<Record<FaultKind, number>> = {
  failed: 1,
  badInput: 2,
  notFound: 3,
  notAllowed: 4,
  refused: 5,
  unreachable: 69,
};

/** Exit code of `stint run` when Stint itself failed or refused. */
export const RUN_FAILED = 125;

/** Three lines of an error. */
export function faultText(fault: Fault): string {
  const first = `${errorColours.red("stint:")} ${localTimes(fault.what)}`;
  return `${first}\n  why: ${localTimes(fault.why)}\n  do:  ${localTimes(fault.remedy)}\n`;
}

/** Fault of whatever was thrown; other errors are reported as internal errors. */
export function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  const why = messageOf(error);
  return new Fault({
    kind: "failed",
    code: "internalError",
    what: "Stint met an internal error",
    why,
    remedy: "run it again with STINT_DEBUG=1, and report the output with your command",
    cause: error,
  });
}

/** Options by the fields that they set, where the names differ. */
const OPTION_OF: Readonly<Record<string, string>> = {
  wallTimeSec: "time",
  memoryBytes: "mem",
  queueTimeSec: "queueTime",
  environment: "env",
  userTags: "tag",
  workingDirectory: "workdir",
  stdInput: "stdin",
  inputSandbox: "input",
  outputSandbox: "outputFile",
  applications: "application",
  virtualOrganisation: "vo",
  consumer: "vo",
};

/** Arguments by the fields that they set, where the names differ. */
const ARGUMENT_OF: Readonly<Record<string, string>> = { executable: "command", arguments: "command" };

/** Arguments that may be empty: words of programs and texts. */
const MAY_BE_EMPTY = ["command", "words", "text", "expression"];

/** The fault at the option or argument of the command whose value is wrong; others as they are. */
export function inWordsOfCommand(fault: Fault, command: Command | undefined): Fault {
  if (fault.code !== "invalidRequest" || command === undefined || !("problem" in fault)) return fault;
  const problem: Readonly<Record<string, unknown>> = Object(fault.problem);
  const place = problem.parameter ?? problem.pointer;
  if (typeof place !== "string") return fault;
  const fields = place.split("/").reverse();
  const named = fields.flatMap((field) => givenAs(field, command) ?? [])[0];
  if (named === undefined) return fault;
  return new Fault({
    kind: fault.kind,
    code: "optionValueWrong",
    what: `${named} is not valid`,
    why: fault.why,
    remedy: `correct it; ${pathOf(command)} --help describes it`,
    cause: fault,
  });
}

/** A field as it was given: `--name: "x"`, `<id>: ""`; undefined where the command line has no such word. */
function givenAs(field: string, command: Command): string | undefined {
  const attribute = OPTION_OF[field] ?? field;
  const option = command.options.find((one) => one.attributeName() === attribute);
  if (option !== undefined && command.getOptionValueSource(attribute) === "cli") {
    return `${option.long ?? option.short}${valueText(command.getOptionValue(attribute))}`;
  }
  const name = ARGUMENT_OF[field] ?? field;
  const words = command.registeredArguments.map((one) => one.name());
  const at = field === "id" && words.length === 1 ? 0 : words.indexOf(name);
  return at < 0 ? undefined : `<${words[at]}>${valueText(command.processedArgs[at])}`;
}

function valueText(given: unknown): string {
  const value: unknown = Array.isArray(given) && given.length === 1 ? given[0] : given;
  return typeof value === "string" ? `: "${shortened(value)}"` : "";
}

/** @throws Fault for an argument that names something, and is empty */
export function demandNames(command: Command): void {
  command.registeredArguments.forEach((argument, at) => {
    const name = argument.name();
    const given: unknown = command.processedArgs[at];
    const values: readonly unknown[] = Array.isArray(given) ? given : [given];
    if (MAY_BE_EMPTY.includes(name) || !values.some((value) => value === "")) return;
    throw new Fault({
      kind: "badInput",
      code: "argumentEmpty",
      what: `<${name}> is empty`,
      why: "it names something, and an empty text names nothing",
      remedy: `give a value, or leave the argument out if it is optional; see ${pathOf(command)} --help`,
    });
  });
}

/** The words that lead to a command: `stint policy apply`. */
export function pathOf(command: Command | undefined): string {
  const path: string[] = [];
  for (let at = command; at !== undefined; at = at.parent ?? undefined) path.unshift(at.name());
  return path.length === 0 ? "stint" : path.join(" ");
}
