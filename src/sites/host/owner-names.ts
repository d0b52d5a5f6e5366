/**
 * The names of accounts: from the machine's own list, else from whatever directory it asks (`getent`).
 */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";

/** Names that are known, and finds those that are not. */
export interface OwnerNames {
  /** Finds the names of these; what cannot be found has none. */
  find(uids: Iterable<number>): Promise<void>;
  nameOf(uid: number): string;
}

/** A directory that does not answer keeps nobody waiting. */
const PATIENCE_MS = 2000;

/** Knows nobody yet. */
export function ownerNames(): OwnerNames {
  const names = new Map<number, string>();
  return {
    async find(uids) {
      const unknown = new Set([...uids].filter((uid) => !names.has(uid)));
      if (unknown.size === 0) return;
      const passwd = await readFile("/etc/passwd", "utf8").catch(() => "");
      for (const line of passwd.split("\n")) {
        const [name = "", , uid] = line.split(":");
        if (unknown.delete(Number(uid))) names.set(Number(uid), name);
      }
      for (const uid of unknown) names.set(uid, (await askDirectory(uid)) ?? `uid:${uid}`);
    },
    nameOf: (uid) => names.get(uid) ?? `uid:${uid}`,
  };
}

function askDirectory(uid: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile("getent", ["passwd", String(uid)], { timeout: PATIENCE_MS }, (error, text) => {
      const name = error === null ? text.split(":")[0] : undefined;
      resolve(name !== undefined && /^[^\s\p{Cc}]{1,255}$/u.test(name) ? name : undefined);
    });
  });
}
