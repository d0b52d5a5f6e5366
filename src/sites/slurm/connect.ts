/**
 * Opens the ssh connection to a login node interactively, for nodes that ask for a password, a code or a
 * passphrase.
 *
 * The broker's commands then use this connection and never prompt.
 */
import { spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { connectionWords } from "./run-command.ts";

/** Outcome; `open`: there was a connection already. */
export type Connected = "open" | "opened" | "failed";

/** Opens the connection on this program's terminal, unless it is open. */
export async function connectByHand(sshHost: string, directory: string): Promise<Connected> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const { check, open } = connectionWords({ sshHost, socketDirectory: directory });
  const isOpen = async (): Promise<boolean> => (await codeOf(check, "ignore")) === 0;
  if (await isOpen()) return "open";
  return (await codeOf(open, "inherit")) === 0 && (await isOpen()) ? "opened" : "failed";
}

/** Exit code of a process; 255, as of ssh itself, if it was not started or was killed. */
function codeOf([program = "", ...words]: readonly string[], stdio: "ignore" | "inherit"): Promise<number> {
  return new Promise((resolve) => {
    const process = spawn(program, words, { stdio });
    process.once("error", () => resolve(255));
    process.once("exit", (code) => resolve(code ?? 255));
  });
}
