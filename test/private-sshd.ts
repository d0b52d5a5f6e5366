/**
 * A server of ssh for tests: an ordinary user's own, on a port of the loopback address.
 *
 * Nothing of anybody's ~/.ssh is read: `ssh` on the PATH becomes a script that names a configuration of its
 * own, as a user's would, with the host `login`.
 */
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { bareEnvironment } from "../scripts/clusters/run.ts";

const SSHD = "/usr/sbin/sshd";
const SSH = "/usr/bin/ssh";

/** Whether there can be one here. */
export const hasSshd = existsSync(SSHD) && existsSync(SSH);

/** Of the client's key `locked`. */
export const PASSPHRASE = "open sesame";
/** See `useKey`. */
export type ClientKey = "good" | "locked" | "other";

/** A server that runs. */
export interface PrivateSshd {
  /** What belongs first on the PATH of whoever uses it. */
  readonly bin: string;
  /** How many connections it has let in. */
  accepted(): number;
  /** Which key the client has: one that the server knows, one that has {@link PASSPHRASE} too, or another. */
  useKey(which: ClientKey): void;
  /** Breaks all connections. */
  breakConnections(): void;
  stop(): void;
}

/** Starts one in a folder that its user may enter; the user's sessions are its own. */
export async function privateSshd(folder: string, user: string): Promise<PrivateSshd> {
  const inFolder = (name: string): string => join(folder, name);
  const bin = inFolder("bin");
  mkdirSync(bin);
  for (const key of ["host", "good", "other", "locked"]) {
    const phrase = key === "locked" ? PASSPHRASE : "";
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", phrase, "-C", key, "-f", inFolder(key)]);
  }
  const port = await freePort();
  const known = ["good.pub", "locked.pub"].map((key) => readFileSync(inFolder(key), "utf8"));
  writeFileSync(inFolder("authorized"), known.join(""));
  writeFileSync(inFolder("known"), `[127.0.0.1]:${port} ${readFileSync(inFolder("host.pub"), "utf8")}`);
  writeFileSync(inFolder("sshd_config"), serverText(folder, port));
  writeFileSync(inFolder("log"), "");
  for (const file of ["host", "authorized", "log"]) execFileSync("chown", [`${user}:`, inFolder(file)]);
  writeFileSync(join(bin, "ssh"), `#!/bin/sh\nexec ${SSH} -F ${inFolder("config")} "$@"\n`);
  chmodSync(join(bin, "ssh"), 0o755);
  const useKey = (which: ClientKey): void =>
    writeFileSync(inFolder("config"), clientText(folder, { port, user, key: which }));
  useKey("good");
  const become = [`--reuid=${user}`, `--regid=${user}`, "--init-groups"];
  const words = [...become, SSHD, "-D", "-f", inFolder("sshd_config"), "-E", inFolder("log")];
  const server = spawn("setpriv", words, { stdio: "ignore", env: bareEnvironment });
  const log = (): string => readFileSync(inFolder("log"), "utf8");
  while (!log().includes("Server listening")) {
    if (server.exitCode !== null) throw new Error(`sshd ended: ${log()}`);
    await delay(50);
  }
  return {
    bin,
    accepted: () => log().split("Accepted publickey").length - 1,
    useKey,
    breakConnections() {
      for (const pid of childrenOf(server.pid ?? 0)) endIfThere(pid);
    },
    stop() {
      // First nobody new is let in; stopped, it still has its children, and these theirs.
      server.kill("SIGSTOP");
      const children = childrenOf(server.pid ?? 0);
      for (const pid of [...children.flatMap(childrenOf), ...children]) endIfThere(pid);
      server.kill("SIGKILL");
    },
  };
}

function serverText(folder: string, port: number): string {
  const lines = [
    `Port ${port}`,
    "ListenAddress 127.0.0.1",
    `HostKey ${join(folder, "host")}`,
    `AuthorizedKeysFile ${join(folder, "authorized")}`,
    `PidFile ${join(folder, "sshd.pid")}`,
    "PasswordAuthentication no",
    "KbdInteractiveAuthentication no",
    "StrictModes no",
    "UsePAM no",
    "LogLevel VERBOSE",
  ];
  return `${lines.join("\n")}\n`;
}

interface ClientRequest {
  readonly port: number;
  readonly user: string;
  readonly key: string;
}

function clientText(folder: string, { port, user, key }: ClientRequest): string {
  const lines = [
    "Host login",
    "  HostName 127.0.0.1",
    `  Port ${port}`,
    `  User ${user}`,
    `  IdentityFile ${join(folder, key)}`,
    "  IdentitiesOnly yes",
    `  UserKnownHostsFile ${join(folder, "known")}`,
    "  StrictHostKeyChecking yes",
  ];
  return `${lines.join("\n")}\n`;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });
}

/** The processes that this one started. */
function childrenOf(parent: number): readonly number[] {
  const file = `/proc/${parent}/task/${parent}/children`;
  const ids = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  return ids === "" ? [] : ids.split(" ").map(Number);
}

/** Kills a process, which may have ended by itself meanwhile. */
function endIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ESRCH") throw cause;
  }
}
