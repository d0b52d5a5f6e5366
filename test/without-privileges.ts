/**
 * Root may read and write everything, so tests of permissions give that up for a moment.
 */
import { chmodSync } from "node:fs";

/** The user that owns nothing. */
const NOBODY = 65_534;

/** Runs `task` as somebody who has no rights of his own; `folder` stays reachable for him. */
export async function withoutPrivileges<Value>(folder: string, task: () => Promise<Value>): Promise<Value> {
  const { getuid, seteuid } = process;
  if (getuid?.() !== 0 || seteuid === undefined) return task();
  chmodSync(folder, 0o755);
  seteuid(NOBODY);
  try {
    return await task();
  } finally {
    seteuid(0);
  }
}
