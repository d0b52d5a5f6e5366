/**
 * Tree of words that can be typed after `stint`, derived from the program's own commands and options, so that
 * completion is never out of date.
 */
import type { Command } from "commander";

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
}

/** Words that can follow one command. */
export interface CompletionNode {
  /** Words that lead here, a blank before each: ` site add`; empty for the program itself. */
  readonly path: string;
  readonly commands: readonly CompletionWord[];
  readonly options: readonly CompletionOption[];
  /** Possible values of the argument; empty where they cannot be listed. */
  readonly values: readonly string[];
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
      values: it.argChoices ?? [],
    })),
    values: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  };
  return [node, ...below.flatMap((it) => completionTree(it, `${path} ${it.name()}`))];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
