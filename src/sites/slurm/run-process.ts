/**
 * Runs one process of this machine in bounded time and memory.
 *
 * Slurm's own clients wait 9 s for a controller and 49 s for a munge daemon that is down; a process that
 * exceeds its time is killed.
 */
import { spawn } from "node:child_process";
import type { CommandRequest, CommandResult } from "./command.ts";

const MOST_BYTES = 256 * 1024 * 1024;
const MOST_COMPLAINTS = 64 * 1024;

/** A command as a local process. */
export interface ProcessOrder extends CommandRequest {
  /** Environment variables that extend or replace those of this process. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Runs processes on this machine. */
export type RunProcess = (order: ProcessOrder) => Promise<CommandResult>;

/** Runs a command as a child of this process. */
export function runProcess({ words, variables, input, timeoutMs }: ProcessOrder): Promise<CommandResult> {
  return new Promise((resolve) => {
    const [program = "", ...rest] = words;
    const env = { ...process.env, ...variables };
    const child = spawn(program, rest, { env, cwd: "/", stdio: ["pipe", "pipe", "pipe"] });
    const out = bounded(MOST_BYTES);
    const err = bounded(MOST_COMPLAINTS);
    let isTimedOut = false;
    let notStarted: string | null = null;
    const timer = setTimeout(() => {
      isTimedOut = true;
      child.kill("SIGKILL");
      // What it started may hold its pipes open; it is not waited for.
      finish(null);
    }, timeoutMs);
    const finish = (code: number | null): void => {
      clearTimeout(timer);
      for (const stream of child.stdio) stream?.destroy();
      resolve({ code, stdout: out.bytes(), stderr: err.bytes().toString("utf8"), isTimedOut, notStarted });
    };
    child.stdout.on("data", out.take);
    child.stderr.on("data", err.take);
    child.stdin.on("error", () => undefined);
    child.once("error", (error) => {
      notStarted = "code" in error ? String(error.code) : error.message;
      finish(null);
    });
    child.once("close", finish);
    child.stdin.end(input);
  });
}

/** Collects the first `mostBytes` bytes. */
function bounded(mostBytes: number) {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    take(chunk: Buffer): void {
      const part = chunk.subarray(0, Math.max(0, mostBytes - size));
      size += part.length;
      chunks.push(part);
    },
    bytes: () => Buffer.concat(chunks),
  };
}
