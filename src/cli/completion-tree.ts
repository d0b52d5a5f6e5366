/**
 * Tree of words that can be typed after `stint`, derived from the program's own commands and options, so that
 * completion is never out of date.
 */
import type { Command } from "commander";
import type { WordKind } from "./completion-kinds.ts";
import type { Choosing } from "./option-values.ts";

/** A word with its help text. */
interface CompletionWord {
  readonly word: string;
  readonly help: string;
}

/** An option with its spellings and values. */
export interface CompletionOption {
  /** Spellings: `-o`, `--output`. */
  readonly flags: readonly string[];
  readonly help: string;
  readonly takesValue: boolean;
  /** Possible values of an option that takes one; empty where they cannot be listed. */
  readonly values: readonly string[];
  /** Values that a running broker knows. */
  readonly of: WordKind | undefined;
}

/** Words that can follow one command. */
export interface CompletionNode {
  /** Words that lead here, a blank before each: ` site add`; empty for the program itself. */
  readonly path: string;
  readonly commands: readonly CompletionWord[];
  readonly options: readonly CompletionOption[];
  /** Possible values of the argument; empty where they cannot be listed. */
  readonly values: readonly string[];
  /** Arguments that a running broker knows. */
  readonly of: WordKind | undefined;
}

/** Words of the program and of all its commands, the program first. */
export function completionTree(command: Command, path = ""): CompletionNode[] {
  const help = command.createHelp();
  const below = help.visibleCommands(command);
  const node: CompletionNode = {
    path,
    commands: below.map((it) => ({ word: it.name(), help: oneLine(it.summary() || it.description()) })),
    options: help.visibleOptions(command).map((it) => ({
      flags: [it.short, it.long].filter((flag) => flag !== undefined && flag !== null),
      help: oneLine(it.description),
      takesValue: it.required || it.optional,
      values: it.argChoices ?? chosenFrom(it.parseArg),
      of: kindOfOption(it.flags),
    })),
    values: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    of: kindOfArgument(path, command.registeredArguments[0]?.name()),
  };
  return [node, ...below.flatMap((it) => completionTree(it, `${path} ${it.name()}`))];
}

/** Words of a parser that takes one of a few. */
function chosenFrom(parse: unknown): readonly string[] {
  const isChoosing = typeof parse === "function" && "words" in parse && Array.isArray(parse.words);
  return isChoosing ? (parse as typeof parse & Choosing).words : [];
}

/** Commands whose ids are not those of any job. */
const IDS: Readonly<Record<string, WordKind | undefined>> = {
  " edit": "waitingJobs",
  " hold": "waitingJobs",
  ...{ " cancel": "activeJobs", " release": "activeJobs", " suspend": "activeJobs" },
  ...{ " resume": "activeJobs", " signal": "activeJobs", " attach": "activeJobs" },
  " reservations": "reservations",
  " unreserve": "reservations",
  " relinquish": "reservations",
  " extend": "reservations",
  " reservation list": "reservations",
  " reservation cancel": "reservations",
  " reservation release": "reservations",
  " reservation extend": "reservations",
  " token revoke": "tokens",
  " ticket key revoke": undefined,
};

function kindOfArgument(path: string, name: string | undefined): WordKind | undefined {
  if (name === "id") return path in IDS ? IDS[path] : "jobs";
  if (name === "site") return "sites";
  const isSiteCommand = path.startsWith(" site ") && path !== " site add";
  return name === "name" && isSiteCommand ? "sites" : undefined;
}

function kindOfOption(flags: string): WordKind | undefined {
  return /--site <(site|name)(\.\.\.)?>/.test(flags) ? "sites" : undefined;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
