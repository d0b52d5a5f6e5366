/** Folders and files with the owner that a daemon requires. */
import { chmodSync, chownSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { Fault } from "../../src/base/index.ts";
import { run } from "./run.ts";

/** A user of this machine, by number. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** The superuser. */
export const root: Owner = { uid: 0, gid: 0 };

/**
 * Numbers of a user that a package makes (`slurm`, `munge`, `mysql`).
 *
 * @throws Fault (notFound)
 */
export function ownerNamed(name: string): Owner {
  const entry = run(["getent", "passwd", name]).out.split(":");
  if (entry.length > 3) return { uid: Number(entry[2]), gid: Number(entry[3]) };
  throw new Fault({
    kind: "notFound",
    code: "daemonUser",
    what: `the user ${name} is missing`,
    why: "its Debian package makes it when it is configured",
    remedy: "Run `dpkg --configure -a`, or install the package again.",
  });
}

/** Makes a folder, or sets its owner; accessible to all users by default. */
export function makeFolder(path: string, { uid, gid }: Owner, mode = 0o755): void {
  mkdirSync(path, { recursive: true });
  chownSync(path, uid, gid);
  chmodSync(path, mode);
}

/** Writes a file atomically, with its owner and mode. */
export function writeOwned(path: string, text: string | Buffer, { uid, gid }: Owner, mode = 0o644): void {
  const draft = `${path}.new`;
  writeFileSync(draft, text, { mode: 0o600 });
  chownSync(draft, uid, gid);
  chmodSync(draft, mode);
  renameSync(draft, path);
}
