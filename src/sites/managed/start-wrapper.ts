/**
 * Starts a wrapper: detached, in its own session, with nothing of the broker's environment but the path of
 * Node.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Fault } from "../../base/index.ts";
import type { AttemptPlaces } from "./places.ts";

/**
 * Compiled wrapper, also when the site runs from the sources (tests, `tsx`): Node starts it without a
 * compiler.
 */
const program = fileURLToPath(
  new URL(
    import.meta.url.endsWith(".ts") ? "../../../dist/sites/managed/wrapper.js" : "wrapper.js",
    import.meta.url,
  ),
);

/** @throws Fault `wrapperMissing` if Stint is not built, before the first job needs a wrapper */
export function checkWrapper(): void {
  if (existsSync(program)) return;
  throw new Fault({
    kind: "notFound",
    code: "wrapperMissing",
    what: "cannot run jobs on this machine",
    why: `${program} is missing`,
    remedy: "install Stint again, or in a checkout run npm run build",
  });
}

/** Resolves when the wrapper's process exists. The wrapper ends at once if another has claimed the job. */
export async function startWrapper(places: AttemptPlaces): Promise<ChildProcess> {
  const log = openSync(places.wrapperLog, "a", 0o600);
  try {
    const child = spawn(process.execPath, [program, places.directory, places.spool], {
      cwd: "/",
      env: {},
      detached: true,
      stdio: ["ignore", "ignore", log],
    });
    await once(child, "spawn");
    child.unref();
    return child;
  } finally {
    closeSync(log);
  }
}

/** Last line of the log of a wrapper that ended before it started the job. */
export function lastWords({ wrapperLog }: AttemptPlaces): string {
  const text = existsSync(wrapperLog) ? readFileSync(wrapperLog, "utf8") : "";
  const line = text
    .split("\n")
    .findLast((it) => /\berror\b/i.test(it))
    ?.trim();
  return line === undefined ? "" : ` (${line.slice(0, 200)})`;
}
