/**
 * Starts a wrapper: detached, in its own session, with nothing of the broker's but the path of Node.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Fault } from "../../base/index.ts";
import type { AttemptPlaces } from "./places.ts";

/** From the sources (tests, `tsx`) too it is the compiled file: Node starts it without a compiler. */
const program = fileURLToPath(
  new URL(
    import.meta.url.endsWith(".ts") ? "../../../dist/sites/managed/wrapper.js" : "wrapper.js",
    import.meta.url,
  ),
);

/** @throws Fault `wrapperMissing` when Stint is not built, rather than at the first job. */
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

/** Resolves when the wrapper's process is there. It may find that another has the job, and end. */
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

/** The last words of a wrapper that did not get as far as the job. */
export function lastWords({ wrapperLog }: AttemptPlaces): string {
  const text = existsSync(wrapperLog) ? readFileSync(wrapperLog, "utf8") : "";
  const line = text
    .split("\n")
    .findLast((it) => /\berror\b/i.test(it))
    ?.trim();
  return line === undefined ? "" : ` (${line.slice(0, 200)})`;
}
