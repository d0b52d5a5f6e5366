/**
 * Starts the job's own process: its own session and group, its directory, its two streams.
 *
 * The streams are new files (`O_EXCL`), so nothing that lies there already, a link least of all, is
 * written through. No shell takes part: the command is a list from the user's hand to the system call.
 */
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findProgram, startFailure } from "./find-program.ts";
import type { JobOrder } from "./job-files.ts";
import { isShortage } from "./unreadable.ts";

/** The process, or one sentence on why there is none. */
export type StartedPayload =
  | { readonly child: ChildProcess; readonly pid: number }
  | { readonly failure: string };

/**
 * Starts the command of `order` in its directory `work`.
 *
 * @throws what the machine is short of: nothing was started, and it may be tried again
 */
export async function startPayload(order: JobOrder, work: string): Promise<StartedPayload> {
  const found = findProgram(order, work);
  if ("failure" in found) return found;
  const names = [...new Set([order.stdOutput, order.stdError])].map((name) => join(work, name));
  const streams = new Map<string, number>();
  try {
    for (const name of names) streams.set(name, openStream(name));
    const of = (name: string) => streams.get(join(work, name)) ?? "ignore";
    return await spawnPayload(found.path, order, {
      cwd: work,
      env: { ...order.environment },
      argv0: order.command[0],
      detached: true,
      stdio: ["ignore", of(order.stdOutput), of(order.stdError)],
    });
  } catch (error) {
    if (isShortage(error)) {
      for (const name of streams.keys()) rmSync(name, { force: true });
      throw error;
    }
    const why = error instanceof Error ? error.message : String(error);
    return { failure: `The job's directory could not be used: ${why}.` };
  } finally {
    for (const stream of streams.values()) closeSync(stream);
  }
}

async function spawnPayload(path: string, order: JobOrder, options: SpawnOptions): Promise<StartedPayload> {
  const [name, ...words] = order.command;
  try {
    const child = spawn(path, words, options);
    // Node knows the pid at once when the system call went well, and tells of a failure in a moment.
    if (child.pid !== undefined) return { child, pid: child.pid };
    const [error] = await once(child, "error");
    throw error;
  } catch (error) {
    if (isShortage(error)) throw error;
    return { failure: startFailure(name, error) };
  }
}

function openStream(path: string): number {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_APPEND } = constants;
  return openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_APPEND, 0o600);
}
