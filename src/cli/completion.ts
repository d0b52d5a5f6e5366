/**
 * `stint completion SHELL`: prints what a shell needs to complete command lines (rule CL-18).
 */
import { Argument, Command } from "commander";
import { SHELLS, type Shell } from "./completion-scripts.ts";
import { oneOf } from "./option-values.ts";
import type { Terminal } from "./terminal.ts";

const EXAMPLES = `
Examples:
  $ source <(stint completion bash)          # now; or a line of ~/.bashrc
  $ source <(stint completion zsh)           # now; or a line of ~/.zshrc, after compinit
  $ stint completion fish > ~/.config/fish/completions/stint.fish
`;

/** The command; the scripts are written when it runs, from the program that it is a command of. */
export function completionCommand(terminal: Terminal): Command {
  return new Command("completion")
    .summary("let your shell complete stint's words")
    .description("Prints a script that lets a shell complete stint's commands, options and their values.")
    .addArgument(
      new Argument("<shell>", "which shell").choices(SHELLS).argParser(oneOf("completion", SHELLS)),
    )
    .addHelpText("after", EXAMPLES)
    .action(async (shell: Shell, _options: object, command: Command) => {
      const { completionTree } = await import("./completion-tree.ts");
      const { completionScript } = await import("./completion-scripts.ts");
      terminal.writeResult(completionScript(shell, completionTree(command.parent ?? command)));
    });
}
