/**
 * Runs one command of the batch system, here or through ssh, and comes back in bounded time.
 *
 * No shell takes part here. ssh hands its words to the login shell of the other side as one line, so each is
 * quoted for it. One connection is kept for all commands (ControlMaster) and asks nobody for anything
 * (BatchMode).
 */
import { join } from "node:path";
import { SLURM_ENVIRONMENT } from "../../formats/slurm/index.ts";
import type { CommandResult, RunCommand } from "./command.ts";
import { type RunProcess, runProcess } from "./run-process.ts";

export type { CommandRequest, CommandResult, RunCommand } from "./command.ts";

/** Where commands are run. */
export interface Reach {
  readonly sshHost: string | null;
  readonly slurmConf: string | null;
  /** For the socket of the kept connection; short, for a socket's path has 108 bytes at most. */
  readonly socketDirectory: string;
}

/** How long a connection that is not used is kept. */
const KEEP_CONNECTION_S = 120;
const CONNECT_TIMEOUT_S = 10;

/** What runs commands there, by processes that `start` starts. */
export function commandRunner(reach: Reach, start: RunProcess = runProcess): RunCommand {
  const variables = variablesFor(reach);
  const run: RunCommand = (request) =>
    start({ ...request, words: wordsFor(reach, request.words), variables });
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

/**
 * The words that ask whether a connection is open, and those that open one for the commands to come: these
 * may ask whoever sits at the terminal, and it stays until the server or `endConnection` ends it.
 */
export function connectionWords({ sshHost, socketDirectory }: Pick<Reach, "sshHost" | "socketDirectory">) {
  const socket = ["-o", `ControlPath=${join(socketDirectory, "%C")}`];
  const host = ["--", sshHost ?? ""];
  return {
    check: ["ssh", "-O", "check", ...socket, ...host],
    // Not `yes`: with that ssh leaves a socket be whose master was killed, and keeps no connection in it.
    open: ["ssh", "-o", "ControlMaster=auto", "-o", "ControlPersist=yes", ...socket, "-N", "-f", ...host],
  };
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
  await runProcess({ words, variables: {}, timeoutMs: CONNECT_TIMEOUT_S * 1000 });
}

/** What is set besides, or instead of, the broker's own environment. */
function variablesFor({ sshHost, slurmConf }: Reach): Readonly<Record<string, string>> {
  const usual = { LC_ALL: "C" };
  if (sshHost !== null) return usual;
  return { ...usual, ...SLURM_ENVIRONMENT, ...(slurmConf === null ? {} : { SLURM_CONF: slurmConf }) };
}

// Many commands through one kept connection of ssh.
//
// The first command opens the connection, and those that come while it does would open more; so they wait
// for it. A server lets ten commands at once into a connection (MaxSessions of sshd_config), and the client
// opens another for the eleventh; so they are fewer.

const MOST_SESSIONS = 8;
/** ssh itself ends with this where it could not reach, or lost, the other side. */
const SSH_FAILED = 255;
/** A connection is not counted on any more shortly before it is given up. */
const MARGIN_MS = 10_000;

/** Runs commands so that one connection is opened, which is kept for `keptMs` after its last use. */
export function throughOneConnection(run: RunCommand, keptMs: number): RunCommand {
  let underWay = 0;
  let openUntilMs = Number.NEGATIVE_INFINITY;
  const waiting: (() => void)[] = [];
  const letIn = (): void => {
    const room = Date.now() < openUntilMs ? MOST_SESSIONS : 1;
    while (underWay < room && waiting.length > 0) {
      underWay++;
      waiting.shift()?.();
    }
  };
  return async (request) => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      letIn();
    });
    try {
      const result = await run(request);
      openUntilMs = isLost(result) ? Number.NEGATIVE_INFINITY : Date.now() + keptMs - MARGIN_MS;
      return result;
    } finally {
      underWay--;
      letIn();
    }
  };
}

/** Of a command that was killed it is not known whether the connection is still good. */
function isLost({ code, isTimedOut, notStarted }: CommandResult): boolean {
  return code === SSH_FAILED || isTimedOut || notStarted !== null;
}
