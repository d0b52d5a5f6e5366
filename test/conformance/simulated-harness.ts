/**
 * A simulated site for the conformance suite: with programs of this machine, or imitating in played time.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ENFORCEMENT_DEFAULTS, ENFORCEMENT_STEPS, type SimulatedSiteSpec } from "../../src/model/index.ts";
import type { Clock, ForeignSite, ManagedSite } from "../../src/runtime/index.ts";
import { IMITATED_EXIT_CODE, IMITATED_RUNTIME, openSimulatedSite } from "../../src/sites/simulated/index.ts";
import { steppableClock } from "../steppable-clock.ts";
import { localHarness } from "./local-harness.ts";
import type { Behaviour, Circumstances, ForeignSiteHarness } from "./site-harness.ts";

const NOW: Clock = {
  nowMs: () => Date.now(),
  wakeAt(atMs, call) {
    const timer = setTimeout(call, Math.max(0, atMs - Date.now()));
    return () => clearTimeout(timer);
  },
};

/** Programs run on this machine when the played queue says so. */
export async function runningHarness(circumstances: Circumstances): Promise<ForeignSiteHarness> {
  const local = await localHarness({ pollMs: 50 });
  const directory = join(local.scratch, "simulated");
  const spec = specOf("run", circumstances, local.scratch);
  const opened: ForeignSite[] = [];
  return {
    graceMs: local.graceMs,
    shortLimitMs: local.shortLimitMs,
    command: local.command,
    letGo: local.letGo,
    begun: local.begun,
    pause: () => delay(10),
    nowMs: NOW.nowMs,
    stepMs: 300,
    async open() {
      const programs = await local.open();
      const site = await openSimulatedSite({ name: "played", spec, directory, clock: NOW, programs });
      opened.push(site);
      return closingWith(site, programs);
    },
    async dispose() {
      for (const site of opened) await site.close();
      await local.dispose();
    },
  };
}

/** Nothing runs, and time passes only when somebody looks. */
export async function imitatingHarness(circumstances: Circumstances): Promise<ForeignSiteHarness> {
  const scratch = mkdtempSync(join(tmpdir(), "stint-simulated-"));
  const clock = steppableClock(1_000_000);
  const spec = specOf("imitate", circumstances, scratch);
  let site: ForeignSite | undefined;
  return {
    graceMs: 0,
    shortLimitMs: 1,
    command: () => ["imitated"],
    environment: imitation,
    letGo: async () => undefined,
    begun: async () => 0,
    pause: async () => clock.moveTo(clock.nowMs() + 10),
    nowMs: clock.nowMs,
    stepMs: 300,
    async open() {
      site = await openSimulatedSite({ name: "played", spec, directory: join(scratch, "site"), clock });
      return site;
    },
    async dispose() {
      await site?.close();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

/** A broker that closes a site closes where its programs run. */
function closingWith(site: ForeignSite, programs: ManagedSite): ForeignSite {
  const closeSite = site.close.bind(site);
  return Object.assign(site, {
    async close() {
      await closeSite();
      await programs.close();
    },
  });
}

function imitation(behaviour: Behaviour): Readonly<Record<string, string>> {
  if (behaviour.kind !== "exit") return { [IMITATED_RUNTIME]: "1h" };
  return { [IMITATED_RUNTIME]: "20ms", [IMITATED_EXIT_CODE]: String(behaviour.code) };
}

function specOf(
  jobs: SimulatedSiteSpec["jobs"],
  circumstances: Circumstances,
  scratch: string,
): SimulatedSiteSpec {
  const always = (wanted: Circumstances): number => (circumstances === wanted ? 1_000_000 : 0);
  const trace = join(scratch, "others.swf");
  writeFileSync(trace, "1 0 -1 3600 2 -1 -1 2 3600 -1 1 1 1 1 1 -1 -1 -1\n");
  return {
    type: "simulated",
    procs: 4,
    memoryBytes: 2 ** 30,
    discipline: "easy",
    defaultWallTimeMs: 60_000,
    jobs,
    speedUp: 1,
    background: circumstances === "others" ? { trace, skipMs: 0 } : null,
    delays: { orderMs: 0, startMs: 0 },
    losses: { failedPpm: 0, doubtfulPpm: always("doubtful"), vanishedPpm: always("vanishing") },
    seed: 1,
    enforcement: { ...ENFORCEMENT_DEFAULTS, granted: ENFORCEMENT_STEPS },
  };
}
