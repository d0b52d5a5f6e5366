/**
 * Runs one command of the batch system, locally or through ssh, in bounded time.
 *
 * No shell interprets the words. ssh passes them to the remote login shell as one line, so each is quoted
 * for it. One connection serves all commands (ControlMaster) and never prompts (BatchMode).
 */
import { join } from "node:path";
import { SLURM_ENVIRONMENT } from "../../formats/slurm/index.ts";
import type { CommandResult, RunCommand } from "./command.ts";
import { type RunProcess, runProcess } from "./run-process.ts";

export type { CommandRequest, CommandResult, RunCommand } from "./command.ts";

/** Place where commands run. */
export interface CommandPlace {
  readonly sshHost: string | null;
  readonly slurmConf: string | null;
  /** Directory for the socket of the connection; short, since the path has at most 108 bytes. */
  readonly socketDirectory: string;
}

/** Lifetime of an unused connection, in seconds. */
const KEEP_CONNECTION_S = 120;
const CONNECT_TIMEOUT_S = 10;

/** Runs commands at a place, with processes that `start` starts. */
export function commandRunner(reach: CommandPlace, start: RunProcess = runProcess): RunCommand {
  const variables = variablesFor(reach);
  const run: RunCommand = (request) =>
    start({ ...request, words: wordsFor(reach, request.words), variables });
  return reach.sshHost === null ? run : throughOneConnection(run, KEEP_CONNECTION_S * 1000);
}

/** Words of the local process. */
export function wordsFor(
  { sshHost, slurmConf, socketDirectory }: CommandPlace,
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
 * Words that test whether a connection is open, and words that open one: the latter may prompt on the
 * terminal, and the connection stays until the server or `endConnection` ends it.
 */
export function connectionWords({
  sshHost,
  socketDirectory,
}: Pick<CommandPlace, "sshHost" | "socketDirectory">) {
  const socket = ["-o", `ControlPath=${join(socketDirectory, "%C")}`];
  const host = ["--", sshHost ?? ""];
  return {
    check: ["ssh", "-O", "check", ...socket, ...host],
    // Not `yes`: with that ssh leaves a socket be whose master was killed, and keeps no connection in it.
    open: ["ssh", "-o", "ControlMaster=auto", "-o", "ControlPersist=yes", ...socket, "-N", "-f", ...host],
  };
}

/** The word quoted for any POSIX shell. */
export function quoted(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Ends the connection to a login node, if there is one. */
export async function endConnection({ sshHost, socketDirectory }: CommandPlace): Promise<void> {
  if (sshHost === null) return;
  const socket = ["-o", `ControlPath=${join(socketDirectory, "%C")}`];
  const words = ["ssh", "-O", "exit", ...socket, "--", sshHost];
  await runProcess({ words, variables: {}, timeoutMs: CONNECT_TIMEOUT_S * 1000 });
}

/** Additions to the broker's own environment. */
function variablesFor({ sshHost, slurmConf }: CommandPlace): Readonly<Record<string, string>> {
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
/** Exit code of ssh itself if it could not connect or lost the connection. */
const SSH_FAILED = 255;
/** Time before the end of a connection's lifetime, in ms, from which it is not relied on. */
const MARGIN_MS = 10_000;

/**
 * Runs commands so that the first one opens the connection, which stays open for `keptMs` after its last
 * use.
 */
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

/** True if the connection may be lost, as after a killed command. */
function isLost({ code, isTimedOut, notStarted }: CommandResult): boolean {
  return code === SSH_FAILED || isTimedOut || notStarted !== null;
}
