/** `stint completion SHELL`: prints a completion script. */
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

/** Command definition of `stint completion SHELL`. */
export function completionCommand(terminal: Terminal): Command {
  return new Command("completion")
    .summary("print a completion script for your shell")
    .description("Prints a script with which a shell completes stint's commands, options and their values.")
    .addArgument(
      new Argument("<shell>", "which shell").choices(SHELLS).argParser(oneOf("completion", SHELLS)),
    )
    .addHelpText("after", EXAMPLES)
    .action(async (shell: Shell, _options: object, command: Command) => {
      const { offerIdFiles } = await import("./id-files.ts");
      const { completionTree } = await import("./completion-tree.ts");
      const { completionScript } = await import("./completion-scripts.ts");
      const program = command.parent ?? command;
      offerIdFiles(program);
      terminal.writeResult(completionScript(shell, completionTree(program)));
    });
}
