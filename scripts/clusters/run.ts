/**
 * Commands with a hard time limit, and polling for a condition: Slurm's own commands may hang for a minute.
 */
import { spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { Fault } from "../../src/base/index.ts";

/** Result of a command. `code` is null if it was killed, for example at its time limit. */
export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Options of a command; all optional. */
export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly limitMs?: number;
}

const USUAL_LIMIT_MS = 20_000;

/** Whole environment of daemons and commands, beside their own variables. */
export const bareEnvironment: Readonly<Record<string, string>> = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  LC_ALL: "C",
};

/** Runs a command to its end. */
export function run(command: readonly string[], options: RunOptions = {}): Ran {
  const [program = "", ...words] = command;
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    encoding: "utf8",
    env: { ...bareEnvironment, ...options.environment },
    input: options.input ?? "",
    timeout: options.limitMs ?? USUAL_LIMIT_MS,
    killSignal: "SIGKILL",
    cwd: "/",
  });
  return {
    code: status,
    out: stdout ?? "",
    err: error === undefined ? stderr : `${error.message}\n${stderr ?? ""}`,
  };
}

/**
 * Runs a command that must succeed.
 *
 * @throws Fault (failed) with the last line of its output
 */
export function mustRun(command: readonly string[], options: RunOptions = {}): string {
  const ran = run(command, options);
  if (ran.code === 0) return ran.out;
  throw commandFailed(command, ran);
}

/** Fault of a failed command. */
export function commandFailed(command: readonly string[], { code, out, err }: Ran): Fault {
  const said = `${out}\n${err}`.trim().split("\n").slice(-3).join("; ");
  const ended = code === null ? "was stopped at its time limit" : `ended with exit code ${code}`;
  return new Fault({
    kind: "failed",
    code: "commandFailed",
    what: `\`${command.slice(0, 3).join(" ")}\` failed`,
    why: `it ${ended}: ${said === "" ? "it said nothing" : said}`,
    remedy: "Look at the logs that `scripts/clusters/slurm status` names, or begin anew with `up --fresh`.",
  });
}

/** Polls until `holds`, or until the time limit; returns which. */
export async function waitUntil(limitMs: number, holds: () => boolean | Promise<boolean>): Promise<boolean> {
  const end = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > end) return false;
    await sleep(50);
  }
  return true;
}
