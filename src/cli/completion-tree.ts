/**
 * What can be typed after `stint`, as the program's own commands and options say it: so no completion can
 * be out of date.
 */
import type { Command } from "commander";

/** One word with what it is for. */
interface CompletionWord {
  readonly word: string;
  readonly help: string;
}

/** An option: its spellings, and what may follow it. */
export interface CompletionOption {
  /** `-o`, `--output`. */
  readonly flags: readonly string[];
  readonly help: string;
  readonly takesValue: boolean;
  /** Of one that takes a value: the words that it may be; empty where they cannot be listed. */
  readonly values: readonly string[];
}

/** What can follow one command. */
export interface CompletionNode {
  /** The words that lead here, a blank before each: ` site add`; empty for the program itself. */
  readonly path: string;
  readonly commands: readonly CompletionWord[];
  readonly options: readonly CompletionOption[];
  /** What an argument may be; empty where they cannot be listed. */
  readonly values: readonly string[];
}

/** The program and all its commands, the program first. */
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
