/**
 * Starts the job's own process: its session and group, its directory, its two streams.
 *
 * The streams are new files (`O_EXCL`), so that nothing existing, a link least of all, is overwritten. No
 * shell takes part: the command is a list from the user to the system call.
 */
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, chmodSync, closeSync, constants, openSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { JobOrder } from "./job-files.ts";
import { isShortage } from "./unreadable.ts";

/** The process, or a sentence that says why it could not be started. */
export type StartedPayload =
  | { readonly child: ChildProcess; readonly pid: number }
  | { readonly failure: string };

/**
 * Starts the command of `order` in its directory `work`.
 *
 * @throws the system's error if the machine is short of something: nothing was started, and a retry is safe
 */
export async function startPayload(order: JobOrder, work: string): Promise<StartedPayload> {
  const found = findProgram(order, work);
  if ("failure" in found) return found;
  const { stdInput, workingDirectory = work } = order;
  if (!isDirectory(workingDirectory)) {
    return {
      failure: `The working directory ${quote(workingDirectory)} does not exist here, or cannot be entered.`,
    };
  }
  const names = [...new Set([order.stdOutput, order.stdError])].map((name) => join(work, name));
  const streams = new Map<string, number>();
  let input: number | undefined;
  try {
    if (stdInput !== undefined) {
      input = openSync(join(work, stdInput), constants.O_RDONLY | constants.O_NOFOLLOW);
    }
    for (const name of names) streams.set(name, openStream(name));
    const of = (name: string) => streams.get(join(work, name)) ?? "ignore";
    return await spawnPayload(found.path, order, {
      cwd: workingDirectory,
      env: { ...order.environment },
      argv0: order.command[0],
      detached: true,
      stdio: [input ?? "ignore", of(order.stdOutput), of(order.stdError)],
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
    if (input !== undefined) closeSync(input);
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

function isDirectory(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function openStream(path: string): number {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_APPEND } = constants;
  return openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_APPEND, 0o600);
}

// Finds the program of a command as a person expects it, and says in a sentence why there is none.
//
// A name without a slash is an input file, or else looked up on the job's PATH; with a slash it is a path,
// from the job's directory where it is relative. Looking ourselves, rather than letting the system call do
// it, is what lets us say "not executable" apart from "not found".

/** Path of the program, or the reason why it cannot be executed. */
type FoundProgram = { readonly path: string } | { readonly failure: string };

/** Searches the job's directory and PATH; an input file that is the program is made executable. */
function findProgram(order: JobOrder, work: string): FoundProgram {
  const name = order.command[0] ?? "";
  const bare = name.startsWith("./") ? name.slice(2) : name;
  if (order.inputNames.includes(bare)) {
    const path = join(work, bare);
    chmodSync(path, statSync(path).mode | 0o500);
    return { path };
  }
  if (name.includes("/")) return judge(resolve(work, name), name);
  return findOnPath(name, order.environment.PATH ?? "", work);
}

function findOnPath(name: string, path: string, work: string): FoundProgram {
  const candidates = path.split(":").map((folder) => join(resolve(work, folder), name));
  const judged = candidates.map((candidate) => judge(candidate, candidate));
  const found = judged.find((it) => "path" in it);
  if (found !== undefined) return found;
  const present = judged.find((it) => "failure" in it && !it.failure.endsWith(absent));
  return present ?? { failure: `The program ${quote(name)} is not on the PATH of the job (${path}).` };
}

const absent = "does not exist.";

function judge(path: string, asNamed: string): FoundProgram {
  const subject = `The program ${quote(asNamed)}`;
  try {
    if (!statSync(path).isFile()) return { failure: `${subject} is not a file.` };
    accessSync(path, constants.X_OK);
    return { path };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { failure: `${subject} ${absent}` };
    if (code === "EACCES") return { failure: `${subject} is not executable for this user.` };
    return { failure: `${subject} cannot be reached (${code}).` };
  }
}

const startFailures: Readonly<Record<string, string>> = {
  ENOENT: "its interpreter (the first line, or the loader it was linked for) does not exist",
  ENOEXEC: "it is not in a format that this machine can run",
  EACCES: "the system does not allow it (a mount without exec, or an interpreter that is not executable)",
  E2BIG: "its arguments and environment are longer than the system allows",
  ETXTBSY: "somebody is writing to it",
};

/** Reason for which the system did not start an existing program. */
function startFailure(name: string, error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  return `The program ${quote(name)} could not be started: ${startFailures[code] ?? code}.`;
}

/** Name in quotes, on one line and shortened. */
function quote(name: string): string {
  return JSON.stringify(name.length > 200 ? `${name.slice(0, 200)}…` : name);
}
