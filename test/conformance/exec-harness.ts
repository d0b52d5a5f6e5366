/** A batch system behind the example adapter in Python, for the conformance suite. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { EXEC_DEFAULTS } from "../../src/model/index.ts";
import type { ForeignSite } from "../../src/runtime/index.ts";
import { openExecSite } from "../../src/sites/exec/index.ts";
import { localHarness } from "./local-harness.ts";
import type { ForeignSiteHarness } from "./site-harness.ts";

const ADAPTER = fileURLToPath(new URL("../../examples/adapters/processes.py", import.meta.url));
const GRACE_MS = 1000;

/** A site in a new directory; nothing of it runs afterwards. */
export async function execHarness(): Promise<ForeignSiteHarness> {
  const local = await localHarness({ pollMs: 50 });
  const scratch = mkdtempSync(join(tmpdir(), "stint-exec-"));
  const queue = join(scratch, "queue");
  const size = { procs: 4, memoryBytes: 2 ** 32 };
  const command = [ADAPTER, queue, "4"];
  const spec = {
    ...EXEC_DEFAULTS,
    ...size,
    type: "exec",
    command,
    submitDirectory: join(scratch, "work"),
  } as const;
  const opened: ForeignSite[] = [];
  return {
    graceMs: GRACE_MS,
    shortLimitMs: 1000,
    lateMs: 5000,
    showsRunningBeforeLaunch: true,
    command: local.command,
    letGo: local.letGo,
    begun: local.begun,
    pause: () => delay(50),
    nowMs: () => Date.now(),
    stepMs: 1000,
    async open() {
      const clock = { nowMs: () => Date.now() };
      const directory = join(scratch, "site");
      const site = await openExecSite({ name: "queued", spec, directory, clock, graceMs: GRACE_MS });
      opened.push(site);
      return site;
    },
    async dispose() {
      for (const site of opened) await site.close();
      for (const pid of pidsIn(queue)) endSession(pid);
      await local.dispose();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

function pidsIn(queue: string): readonly number[] {
  try {
    const files = readdirSync(queue).filter((name) => name.endsWith(".json"));
    const pids = files.map((name) => Number(JSON.parse(readFileSync(join(queue, name), "utf8")).pid));
    return pids.filter((pid) => pid > 1);
  } catch {
    return [];
  }
}

/** Kills the script of a job and the group of its program, which may be stopped. */
function endSession(pid: number): void {
  for (const entry of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const [, , , session] = readFileSync(`/proc/${entry}/stat`, "utf8").split(") ")[1].split(" ");
      if (Number(session) === pid) process.kill(Number(entry), "SIGKILL");
    } catch {
      // It has ended.
    }
  }
}
