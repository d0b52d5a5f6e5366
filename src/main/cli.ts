/**
 * Wires the command line: hands each command the capability it needs, loaded when it is used.
 */
import { type Capabilities, runProgram, type Surface } from "../cli/index.ts";
import { readVersion } from "./version.ts";

/** Runs the program on this process's arguments and streams; sets its exit code. */
export async function main(): Promise<void> {
  const version = readVersion();
  endQuietlyWhenNobodyReads();
  process.once("SIGINT", () => void endBy("SIGINT"));
  process.once("SIGTERM", () => void endBy("SIGTERM"));
  process.exitCode = await runProgram(process.argv.slice(2), capabilities(version), surfaceOf(version));
}

function capabilities(version: string): Capabilities {
  return {
    simulate: async () => {
      const { simulateTrace } = await import("../sim/index.ts");
      return (request, onProgress) =>
        simulateTrace(request, { version, ...(onProgress === undefined ? {} : { onProgress }) });
    },
  };
}

function surfaceOf(version: string): Surface {
  const { NO_COLOR, STINT_DEBUG } = process.env;
  return {
    version,
    writeResult: (text) => process.stdout.write(text),
    writeError: (text) => process.stderr.write(text),
    showsProgress: process.stderr.isTTY === true && !NO_COLOR,
    isDebugging: Boolean(STINT_DEBUG),
  };
}

/**
 * Ctrl-C: no half-written file stays behind, the terminal is as it was, and the process ends by the
 * signal itself, because leaving in the usual way waits for a read that may never come (a silent pipe).
 */
async function endBy(signal: "SIGINT" | "SIGTERM"): Promise<void> {
  const { abortOpenFiles } = await import("../formats/index.ts");
  abortOpenFiles();
  process.removeAllListeners(signal);
  process.once("exit", () => process.kill(process.pid, signal));
  process.exit();
}

/** `stint … | head`: the reader has gone, which is no error of anybody. */
function endQuietlyWhenNobodyReads(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(0);
  });
}
