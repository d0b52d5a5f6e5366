/** Errors of the system as faults, in words for the operator of the broker. */
import { Fault } from "../../base/index.ts";
import { isShortage } from "./unreadable.ts";

const remedies: Readonly<Record<string, string>> = {
  ENOSPC: "free some space on the disk of the site's directory",
  EDQUOT: "free some of your quota on the disk of the site's directory",
  EACCES: "give the broker's user the right to write to the site's directory",
  EPERM: "give the broker's user the right to write to the site's directory",
  EROFS: "give the site a directory that can be written to",
  EAGAIN: "raise the number of processes the broker's user may have (ulimit -u), or the site's has too many",
  ENFILE: "raise the number of files that the machine may have open (fs.file-max)",
  ENOMEM: "free some of the machine's memory",
  EMFILE: "raise the number of files the broker may have open (ulimit -n)",
};

/** Fault of a failed operation, which may be repeated; a Fault passes through unchanged. */
export function siteFault(error: unknown, what: string): Fault {
  if (error instanceof Fault) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const why = error instanceof Error ? error.message : String(error);
  const remedy = remedies[code] ?? "see whether the site's directory is whole, then try again";
  const kind = isShortage(error) ? "siteShort" : "siteFailed";
  return new Fault({ kind: "failed", code: kind, what, why, remedy, cause: error });
}

/** True if the error says that there is no such file. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
