/** This machine for the conformance suite: behaviours are lines of shell, gates are files. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ManagedSite } from "../../src/runtime/index.ts";
import { type ManagedSiteOptions, openManagedSite } from "../../src/sites/managed/index.ts";
import type { Behaviour, ManagedSiteHarness } from "./site-harness.ts";

const GRACE_MS = 400;

/** The harness, with its folders for tests that look behind the port. */
export interface LocalHarness extends ManagedSiteHarness {
  /** The site's directory. */
  readonly directory: string;
  /** A folder for the test's own files. */
  readonly scratch: string;
  /** Pids of wrappers and jobs of this site that are there now. */
  processes(): number[];
}

/** A site in a new temporary directory. */
export async function localHarness(options: Partial<ManagedSiteOptions> = {}): Promise<LocalHarness> {
  const scratch = mkdtempSync(join(tmpdir(), "stint-managed-"));
  const directory = join(scratch, "site");
  const opened: ManagedSite[] = [];
  const fileOf = (what: string, token: string): string => join(scratch, `${what}-${token.replace("/", "_")}`);
  const closeAll = (): Promise<unknown> => Promise.all(opened.splice(0).map((site) => site.close()));
  return {
    graceMs: GRACE_MS,
    shortLimitMs: 300,
    directory,
    scratch,
    async open() {
      const site = await openManagedSite({ name: "here", directory, graceMs: GRACE_MS, ...options });
      opened.push(site);
      return site;
    },
    command: (token, behaviour) => shellOf(behaviour, fileOf("tally", token), fileOf("gate", token)),
    async letGo(token) {
      writeFileSync(fileOf("gate", token), "");
    },
    async begun(token) {
      const tally = fileOf("tally", token);
      return existsSync(tally) ? readFileSync(tally, "utf8").length : 0;
    },
    processes: () => processesOf(directory),
    async dispose() {
      await closeAll();
      // The wrappers first, or they would write into what is being removed.
      for (let left = processesOf(directory); left.length > 0; left = processesOf(directory)) {
        for (const pid of left) kill(pid);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

/** The command of a behaviour: it adds to `tally` when it begins, and waits for `gate`. */
export function shellOf(behaviour: Behaviour, tally: string, gate: string): readonly string[] {
  if (behaviour.kind === "missing") return ["no-such-program-anywhere"];
  const script = { exit, print, gated, stubborn }[behaviour.kind];
  const shell = ["sh", "-c", `printf x >> "$1"; ${script}`, "sh", tally, gate];
  if (behaviour.kind === "print") return [...shell, behaviour.stdout, behaviour.stderr];
  return "code" in behaviour ? [...shell, String(behaviour.code)] : shell;
}

const exit = 'exit "$3"';
const print = 'printf %s "$3"; printf %s "$4" >&2';
// Both end when their folder is removed, so that a test that fails leaves no process behind.
const gated = 'while [ ! -e "$2" ] && [ -d "$PWD" ]; do sleep 0.02; done; exit "$3"';
const stubborn = "trap '' TERM; while [ -d \"$PWD\" ]; do sleep 0.1; done";

/** By the command line of wrappers, and the directory that is in the environment of jobs. */
function processesOf(directory: string): number[] {
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid)
    .filter((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
        const isWrapper = words[1]?.endsWith("wrapper.js") === true && words[2]?.startsWith(directory);
        const isJob = () =>
          readFileSync(`/proc/${pid}/environ`, "utf8").includes(`STINT_DIRECTORY=${directory}/`);
        if (!isWrapper && !isJob()) return false;
        return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
      } catch {
        return false;
      }
    })
    .map(Number);
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself.
  }
}
