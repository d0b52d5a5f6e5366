/**
 * Starts the job's own process: its own session and group, its directory, its two streams.
 *
 * The streams are new files (`O_EXCL`), so nothing that lies there already, a link least of all, is
 * written through. No shell takes part: the command is a list from the user's hand to the system call.
 */
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync } from "node:fs";
import { join } from "node:path";
import { findProgram, startFailure } from "./find-program.ts";
import type { JobOrder } from "./job-files.ts";

/** The process, or one sentence on why there is none. */
export type StartedPayload =
  | { readonly child: ChildProcess; readonly pid: number }
  | { readonly failure: string };

/** Starts the command of `order` in its directory `work`. */
export async function startPayload(order: JobOrder, work: string): Promise<StartedPayload> {
  const streams: number[] = [];
  try {
    const found = findProgram(order, work);
    if ("failure" in found) return found;
    streams.push(openStream(join(work, order.stdOutput)));
    const isShared = order.stdError === order.stdOutput;
    streams.push(isShared ? streams[0] : openStream(join(work, order.stdError)));
    return await spawnPayload(found.path, order, {
      cwd: work,
      env: { ...order.environment },
      argv0: order.command[0],
      detached: true,
      stdio: ["ignore", ...streams],
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { failure: `The job's directory could not be used: ${why}.` };
  } finally {
    for (const stream of new Set(streams)) closeSync(stream);
  }
}

async function spawnPayload(path: string, order: JobOrder, options: SpawnOptions): Promise<StartedPayload> {
  const [name, ...words] = order.command;
  try {
    const child = spawn(path, words, options);
    // Node knows the pid at once when the system call went well, and tells of a failure in a moment.
    if (child.pid !== undefined) return { child, pid: child.pid };
    const [error] = await once(child, "error");
    return { failure: startFailure(name, error) };
  } catch (error) {
    return { failure: startFailure(name, error) };
  }
}

function openStream(path: string): number {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_APPEND } = constants;
  return openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_APPEND, 0o600);
}
