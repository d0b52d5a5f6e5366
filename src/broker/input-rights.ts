/**
 * Which files somebody may send along with a job.
 *
 * The broker opens them with its own account, so the question is whose account that is to the caller. The
 * owner of the socket has the same one. A token says nothing of accounts: it opens what lies below one
 * directory that the configuration names. The broker's own files (tokens, log, other people's jobs) go
 * with no job.
 */
import type { Stats } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { Fault } from "../base/index.ts";

/** Directories, absolute. */
export interface InputRights {
  /** The broker's own files: nothing in it is an input file of anybody. */
  readonly ownDirectory?: string | undefined;
  /** Whoever is known by a token may name files in it; where absent, none. */
  readonly tokenRoot?: string | undefined;
}

/** Who names the files. */
export interface NamedBy {
  /** By a token, and not as the owner of the broker's socket. */
  readonly isByToken?: boolean | undefined;
}

/** Refuses what a token may not even look for. @throws Fault `inputNotAllowed` */
export function permitName(path: string, { tokenRoot }: InputRights, { isByToken }: NamedBy): void {
  if (isByToken !== true) return;
  if (tokenRoot === undefined) throw noRoot(path);
  if (!isIn(resolve(path), resolve(tokenRoot))) throw outside(path, tokenRoot);
}

/** Refuses a file that was opened, by where it really is. @throws Fault `inputNotAllowed` */
export async function permitOpened(
  path: string,
  opened: Stats,
  { ownDirectory, tokenRoot }: InputRights,
  { isByToken }: NamedBy,
): Promise<void> {
  const place = await realpath(path);
  const there = await stat(place);
  const isSame = there.ino === opened.ino && there.dev === opened.dev;
  const isOwn = ownDirectory !== undefined && isIn(place, await realpath(ownDirectory));
  if (!isSame || isOwn) throw brokersOwn(path);
  if (isByToken !== true || tokenRoot === undefined) return;
  if (!isIn(place, await realpath(tokenRoot))) throw outside(path, tokenRoot);
}

function isIn(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function brokersOwn(path: string): Fault {
  return notAllowed(
    path,
    "it is one of the broker's own files, or was exchanged while it was opened",
    "copy what is needed to a directory of your own (stint output fetches what a job wrote)",
  );
}

function noRoot(path: string): Fault {
  return notAllowed(
    path,
    "you are known by a token, and this broker has no directory for the input files of tokens",
    "ask whoever runs the broker for server.inputs in stint.yaml, or submit over its socket",
  );
}

function outside(path: string, tokenRoot: string): Fault {
  return notAllowed(
    path,
    `you are known by a token, and files for tokens are those in ${tokenRoot}`,
    `put it there, or submit over the broker's socket`,
  );
}

function notAllowed(path: string, why: string, remedy: string): Fault {
  return new Fault({
    kind: "notAllowed",
    code: "inputNotAllowed",
    what: `${path}: cannot be sent along`,
    why,
    remedy,
  });
}
