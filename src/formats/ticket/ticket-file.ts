/**
 * Tickets and keys in files. A private key can be read by its owner alone from its first byte on, and never
 * takes the place of another: what that one has signed could not be signed again.
 */
import { open, readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { Fault } from "../../base/index.ts";
import { readFault, writeFault } from "../file-fault.ts";
import { TICKET_PREFIX } from "./ticket-text.ts";

/** Far more than a ticket or a key is. */
const MOST_BYTES = 64 * 1024;

/**
 * The line of a ticket from whatever names it: the line itself, a file, or `-` for stdin.
 *
 * @throws Fault `fileNotFound`, … where it is a file that cannot be read; `ticketFileWrong` where that has
 * no ticket
 */
export async function readTicketInput(given: string, directory: string): Promise<string> {
  if (given.startsWith(TICKET_PREFIX)) return given;
  const text = given === "-" ? await textOf(process.stdin) : await readSmallFile(resolve(directory, given));
  const line = text.split("\n").find((it) => it.startsWith(TICKET_PREFIX));
  if (line !== undefined) return line.trim();
  throw new Fault({
    kind: "badInput",
    code: "ticketFileWrong",
    what: `${given} has no ticket`,
    why: `no line of it begins with ${TICKET_PREFIX}`,
    remedy: "name the file that `stint ticket issue` wrote, or give the line itself",
  });
}

/** The text of a key's file. @throws Fault where it cannot be read */
export function readKeyFile(path: string, directory: string): Promise<string> {
  return readSmallFile(resolve(directory, path));
}

/** Writes a private key where there is no file yet. @throws Fault `keyFileThere`, `directoryNotFound`, … */
export async function writeKeyFile(path: string, directory: string, privateText: string): Promise<void> {
  try {
    const file = await open(resolve(directory, path), "wx", 0o600);
    try {
      await file.writeFile(privateText);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    const isThere = error instanceof Error && "code" in error && error.code === "EEXIST";
    throw isThere ? keyThere(path) : writeFault(error, path);
  }
}

async function readSmallFile(path: string): Promise<string> {
  try {
    const bytes = await readFile(path);
    return bytes.subarray(0, MOST_BYTES).toString();
  } catch (error) {
    throw readFault(error, path);
  }
}

function keyThere(path: string): Fault {
  return new Fault({
    kind: "refused",
    code: "keyFileThere",
    what: `${path} was not written`,
    why: "the file exists, and an overwritten key cannot be recovered",
    remedy: "choose another name, or move that file away",
  });
}
