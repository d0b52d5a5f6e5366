/**
 * A small process beside the broker that starts its commands.
 *
 * Starting a process copies the page tables of the one that starts it, while that stands still: 3 ms from a
 * small one, 25 ms from a broker of 450 MB (measured). So a broker starts one process, early, and has it
 * start the others.
 */
import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { CommandResult } from "./command.ts";
import type { ProcessOrder, RunProcess } from "./run-process.ts";

/** What the process is told. */
export interface ProcessQuestion {
  readonly id: number;
  readonly order: ProcessOrder;
}

/** What it answers. */
export interface ProcessAnswer {
  readonly id: number;
  readonly result: CommandResult;
}

/**
 * Starts processes in another one, which begins with the first of them and is begun anew should it end.
 * It keeps this process alive only while a command runs, and ends with it.
 */
export function commandProcess(): RunProcess {
  const waiting = new Map<number, (result: CommandResult) => void>();
  let child: ChildProcess | undefined;
  let last = 0;
  const lost = (mine: ChildProcess): void => {
    if (child !== mine) return;
    child = undefined;
    for (const resolve of waiting.values()) resolve(UNKNOWN);
    waiting.clear();
  };
  const begin = (): ChildProcess => {
    // Of its own session: an interrupt at the terminal is for the broker, which then ends in order.
    const mine = fork(programFile(), {
      serialization: "advanced",
      execArgv: [],
      detached: true,
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    mine.on("message", ({ id, result }: ProcessAnswer) => {
      waiting.get(id)?.(result);
      waiting.delete(id);
      if (waiting.size === 0) keepAlive(mine, false);
    });
    mine.once("exit", () => lost(mine)).once("error", () => lost(mine));
    return mine;
  };
  return (order) =>
    new Promise((resolve) => {
      child ??= begin();
      const mine = child;
      const id = ++last;
      waiting.set(id, resolve);
      keepAlive(mine, true);
      mine.send({ id, order } satisfies ProcessQuestion, (error) => {
        if (error !== null) lost(mine);
      });
    });
}

/** Of a command whose process ended with its starter nobody knows what it did. */
const UNKNOWN: CommandResult = {
  code: null,
  stdout: Buffer.alloc(0),
  stderr: "the process that runs commands ended",
  isTimedOut: true,
  notStarted: null,
};

function keepAlive(child: ChildProcess, isWaiting: boolean): void {
  if (isWaiting) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

/** Compiled: beside this file, or in dist/ when this file itself runs as TypeScript. */
function programFile(): string {
  const beside = fileURLToPath(new URL("./command-process-main.js", import.meta.url));
  if (existsSync(beside)) return beside;
  return fileURLToPath(new URL("../../../dist/sites/slurm/command-process-main.js", import.meta.url));
}
