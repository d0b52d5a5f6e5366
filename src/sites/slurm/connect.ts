/**
 * Opens the connection to a login node by hand, for those that ask: a password, a code, a passphrase.
 *
 * The commands of the broker then go through it and ask nobody (rule SU-38).
 */
import { spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { connectionWords } from "./run-command.ts";

/** How it went: `open` where there was one already. */
export type Connected = "open" | "opened" | "failed";

/** Opens it, with this program's own terminal, where there is none. */
export async function connectByHand(sshHost: string, directory: string): Promise<Connected> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const { check, open } = connectionWords({ sshHost, socketDirectory: directory });
  const isOpen = async (): Promise<boolean> => (await codeOf(check, "ignore")) === 0;
  if (await isOpen()) return "open";
  return (await codeOf(open, "inherit")) === 0 && (await isOpen()) ? "opened" : "failed";
}

/** The exit code of a process; 255, as of ssh itself, where it could not be started or was ended. */
function codeOf([program = "", ...words]: readonly string[], stdio: "ignore" | "inherit"): Promise<number> {
  return new Promise((resolve) => {
    const process = spawn(program, words, { stdio });
    process.once("error", () => resolve(255));
    process.once("exit", (code) => resolve(code ?? 255));
  });
}
