/** Facts on this installation for `stint service unit`. */
import { fileURLToPath } from "node:url";
import type { ServiceWorld } from "../cli/index.ts";

/** This Node.js and this program, by the name under which it was called where that is its path. */
export function serviceWorld(): ServiceWorld {
  const script = process.argv[1] ?? fileURLToPath(new URL("../../bin/stint.js", import.meta.url));
  return { program: [process.execPath, script], isRoot: process.getuid?.() === 0 };
}
