/**
 * Pseudonyms of users and accounts, which only the holder of the key can resolve.
 *
 * A keyed hash (HMAC-SHA256, 40 bits of it): without the key names cannot be found by trying. The key is
 * drawn for each import and discarded, so that nobody can reverse it; with a key file, two imports have equal
 * pseudonyms.
 */
import { createHmac, randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { Fault } from "../../base/index.ts";
import { readFault, writeFault } from "../file-fault.ts";

/** Gives a name its stand-in; the same for the same. */
export type Disguise = (kind: "user" | "account", name: string) => string;

const KEY_BYTES = 32;
const KEY = /^[0-9a-f]{64}$/;
const SHOWN_DIGITS = 10;

/** Every name as it is. */
export const undisguised: Disguise = (_, name) => name;

/** Stand-ins by a key of 64 hexadecimal digits; by one that is drawn now and forgotten, without it. */
export function disguiseWith(key = randomBytes(KEY_BYTES).toString("hex")): Disguise {
  const known = new Map<string, string>();
  return (kind, name) => {
    const said = `${kind}\0${name}`;
    const before = known.get(said);
    if (before !== undefined) return before;
    const digits = createHmac("sha256", Buffer.from(key, "hex")).update(said).digest("hex");
    const disguised = `${kind}-${digits.slice(0, SHOWN_DIGITS)}`;
    known.set(said, disguised);
    return disguised;
  };
}

/**
 * The key in a file, which is made, readable by its owner alone, where it is not there.
 *
 * @throws Fault `keyFile` where the file holds something else, and as every file that is read or written
 */
export async function keyIn(path: string): Promise<string> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (!isMissing) throw readFault(error, path);
    return makeKey(path);
  }
  const key = text.trim();
  if (KEY.test(key)) return key;
  throw new Fault({
    kind: "badInput",
    code: "keyFile",
    what: `${path} is not a key file`,
    why: "a key file contains 64 hexadecimal digits, and nothing else",
    remedy: "name a file that does not exist yet: it will be created",
  });
}

async function makeKey(path: string): Promise<string> {
  const key = randomBytes(KEY_BYTES).toString("hex");
  try {
    // Never over a file that somebody else has made meanwhile.
    await writeFile(path, `${key}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    throw writeFault(error, path);
  }
  return key;
}
