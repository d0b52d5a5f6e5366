/** `stint stream-wrapper`: runs one stream next to its application; started by the jobs of streams. */
import { Command } from "commander";
import type { Terminal } from "./terminal.ts";

/** Surroundings of a wrapper. */
interface WrapperSurroundings {
  /** Aborts to stop the stream, which can be continued. */
  readonly signal: AbortSignal;
  /** Prints a line of the application, given without its end. */
  readonly print: (line: string) => void;
}

/** Runs the stream of an order in a file. @throws Fault where it cannot go on */
export type RunStreamWrapper = (
  orderFile: string,
  surroundings: WrapperSurroundings,
) => Promise<"done" | "stopped">;

/** Exit code of a wrapper that was stopped before the end of its stream: that of a program ended by TERM. */
const STOPPED = 143;

/** Creates the command. */
export function streamWrapperCommand(
  load: () => Promise<RunStreamWrapper>,
  { terminal, endWith }: { readonly terminal: Terminal; readonly endWith: (code: number) => void },
): Command {
  return new Command("stream-wrapper")
    .summary("pull the data of a stream next to its application")
    .description(
      "Pulls the blocks of a stream, passes them to its application, and removes acknowledged ones. " +
        "Exits with 0 at the end of the data, with 143 if stopped earlier.",
    )
    .argument("<order>", "file in which the broker describes the stream")
    .action(async (orderFile: string) => {
      const ending = new AbortController();
      const giveBack = terminal.onEndRequest(() => ending.abort());
      try {
        const run = await load();
        const print = (line: string): void => terminal.writeResult(`${line}\n`);
        if ((await run(orderFile, { signal: ending.signal, print })) === "stopped") endWith(STOPPED);
      } finally {
        giveBack();
      }
    });
}
