/**
 * A small process beside the broker that starts its commands.
 *
 * Starting a process copies the page tables of its parent, which stands still meanwhile: 3 ms for a small
 * one, 25 ms for a broker of 450 MB (measured). So a broker starts one process early, which starts the
 * others.
 */
import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { CommandResult } from "./command.ts";
import type { ProcessOrder, RunProcess } from "./run-process.ts";

/** Message to the process. */
export interface ProcessQuestion {
  readonly id: number;
  readonly order: ProcessOrder;
}

/** Message from the process. */
export interface ProcessAnswer {
  readonly id: number;
  readonly result: CommandResult;
}

/**
 * Starts commands in another process, which is started with the first command, and again if it ends. It
 * keeps this process alive only while a command runs, and ends with it.
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

/** Result of a command whose starter ended: the outcome is unknown. */
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

/** Compiled program: beside this file, or in dist/ if this file runs as TypeScript. */
function programFile(): string {
  const beside = fileURLToPath(new URL("./command-process-main.js", import.meta.url));
  if (existsSync(beside)) return beside;
  return fileURLToPath(new URL("../../../dist/sites/slurm/command-process-main.js", import.meta.url));
}
