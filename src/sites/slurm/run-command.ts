/**
 * Runs one command of the batch system, here or through ssh, and comes back in bounded time.
 *
 * No shell takes part here. ssh hands its words to the login shell of the other side as one line, so each is
 * quoted for it. One connection is kept for all commands (ControlMaster) and asks nobody for anything
 * (BatchMode). Slurm's own clients wait 9 s for a controller that is gone and 49 s for a munge that is gone;
 * what takes longer than its time is killed.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { SLURM_ENVIRONMENT } from "../../formats/slurm/index.ts";
import type { CommandRequest, CommandResult, RunCommand } from "./command.ts";
import { throughOneConnection } from "./one-connection.ts";

export type { CommandRequest, CommandResult, RunCommand } from "./command.ts";

/** Where commands are run. */
export interface Reach {
  readonly sshHost: string | null;
  readonly slurmConf: string | null;
  /** For the socket of the kept connection; short, for a socket's path has 108 bytes at most. */
  readonly socketDirectory: string;
}

const MOST_BYTES = 256 * 1024 * 1024;
const MOST_COMPLAINTS = 64 * 1024;
/** How long a connection that is not used is kept. */
const KEEP_CONNECTION_S = 120;
const CONNECT_TIMEOUT_S = 10;

/** What runs commands there. */
export function commandRunner(reach: Reach): RunCommand {
  const run: RunCommand = (request) =>
    runProcess(wordsFor(reach, request.words), environmentFor(reach), request);
  return reach.sshHost === null ? run : throughOneConnection(run, KEEP_CONNECTION_S * 1000);
}

/** The words of the process that is started on this machine. */
export function wordsFor(
  { sshHost, slurmConf, socketDirectory }: Reach,
  words: readonly string[],
): readonly string[] {
  if (sshHost === null) return words;
  const variables = { ...SLURM_ENVIRONMENT, ...(slurmConf === null ? {} : { SLURM_CONF: slurmConf }) };
  const settings = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  return [
    "ssh",
    ...["-o", "BatchMode=yes", "-o", `ConnectTimeout=${CONNECT_TIMEOUT_S}`],
    ...["-o", "ControlMaster=auto", "-o", `ControlPersist=${KEEP_CONNECTION_S}`],
    ...["-o", `ControlPath=${join(socketDirectory, "%C")}`],
    ...["-T", "--", sshHost],
    ["env", ...settings, ...words].map(quoted).join(" "),
  ];
}

/** A word that any POSIX shell reads as these characters and nothing else. */
export function quoted(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Ends the kept connection to a login node; where there is none nothing happens. */
export async function endConnection({ sshHost, socketDirectory }: Reach): Promise<void> {
  if (sshHost === null) return;
  const socket = ["-o", `ControlPath=${join(socketDirectory, "%C")}`];
  const words = ["ssh", "-O", "exit", ...socket, "--", sshHost];
  await runProcess(words, process.env, { words, timeoutMs: CONNECT_TIMEOUT_S * 1000 });
}

function environmentFor({ sshHost, slurmConf }: Reach): NodeJS.ProcessEnv {
  const usual = { ...process.env, LC_ALL: "C" };
  if (sshHost !== null) return usual;
  return { ...usual, ...SLURM_ENVIRONMENT, ...(slurmConf === null ? {} : { SLURM_CONF: slurmConf }) };
}

function runProcess(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  { input, timeoutMs }: CommandRequest,
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const [program = "", ...rest] = words;
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

/** Keeps the first so many bytes. */
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
