/**
 * Opens a program as a source: its standard output is the data.
 *
 * No shell reads its words. It is one connection, read from part to part; started again after a failure, it
 * writes from the beginning, and what was read before is thrown away, unless a word has `{offset}`, which
 * stands for the byte to begin at. A silent program is waited for.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { OpenedSource } from "./opened-source.ts";
import { SourceProblem } from "./source-problem.ts";

const OFFSET = "{offset}";

/** Time from TERM to KILL for a program whose output is no longer read. */
const GRACE_MS = 5000;

/** A program that is to be read, from a byte of its output on. */
interface WantedProgram {
  readonly href: string;
  readonly exec: readonly string[];
  readonly start: number;
}

/** @throws SourceProblem where the program cannot be started */
export async function openProgram({ href, exec, start }: WantedProgram): Promise<OpenedSource> {
  const isAtOffset = exec.some((word) => word.includes(OFFSET));
  const [program, ...words] = exec.map((word) => word.replaceAll(OFFSET, String(start)));
  const child = spawn(program, words, { stdio: ["ignore", "pipe", "inherit"] });
  // Its end is looked at when the output has been read.
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal }));
  ended.catch(() => undefined);
  await once(child, "spawn").catch((cause: Error) => {
    throw new SourceProblem("refused", `${href} cannot be started: ${cause.message}`, cause);
  });
  return {
    ...{ skip: isAtOffset ? 0 : start, size: undefined, version: "", hasRanges: false },
    chunks: outputOf(child, href, ended),
    close: () => endProgram(child),
  };
}

function endProgram(child: ChildProcess): void {
  child.kill("SIGTERM");
  const killing = setTimeout(() => child.kill("SIGKILL"), GRACE_MS);
  child.once("close", () => clearTimeout(killing));
  if (child.exitCode !== null || child.signalCode !== null) clearTimeout(killing);
}

async function* outputOf(
  child: ChildProcess,
  href: string,
  ended: Promise<{ readonly code: number | null; readonly signal: string | null }>,
): AsyncGenerator<Buffer> {
  if (child.stdout !== null) yield* child.stdout as AsyncIterable<Buffer>;
  const { code, signal } = await ended;
  if (code === 0) return;
  const how = signal === null ? `code ${code}` : `signal ${signal}`;
  throw new SourceProblem("temporary", `${href} ended with ${how}`);
}
