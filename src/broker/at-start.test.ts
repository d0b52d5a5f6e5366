import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { scriptedSite } from "../../test/scripted-site.ts";
import { steppableClock } from "../../test/steppable-clock.ts";
import {
  type Command,
  ENFORCEMENT_DEFAULTS,
  JOB_DEFAULTS,
  type ManagedSiteSpec,
  POLICY_DEFAULTS,
  type Policy,
} from "../model/index.ts";
import { VIEWS } from "../runtime/index.ts";
import { createMemoryLogbook } from "../store/index.ts";
import { type Broker, sandboxesIn, startBroker } from "./index.ts";

const SPEC: ManagedSiteSpec = {
  ...{ type: "managed", procs: 4, memoryBytes: 2 ** 30, discipline: "easy", defaultWallTimeMs: 60_000 },
  enforcement: { ...ENFORCEMENT_DEFAULTS, granted: ["hold"] },
};
/** No more than two of the four processors at once. */
const HALF: Policy = {
  ...POLICY_DEFAULTS,
  ...{ provider: "local", consumer: "vo", burst: { bucketMs: 60_000, sharePpm: 500_000 } },
  epoch: { window: { kind: "sliding", lengthMs: 3_600_000 }, sharePpm: 500_000 },
};

describe("requests at the start", () => {
  it("a pause is in effect before the first decision; a refused one is logged as a warning", async () => {
    const folder = mkdtempSync(join(tmpdir(), "stint-start-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const logbook = createMemoryLogbook(VIEWS);
    const clock = steppableClock(1_000_000);
    const warnings: string[] = [];
    const site = scriptedSite();
    const start = (atStart: readonly Command[]): Promise<Broker> =>
      startBroker({
        ...{ logbook, clock, atStart, sandboxes: sandboxesIn(folder) },
        openSite: async () => ({ kind: "managed", site }),
        warn: (message) => warnings.push(message),
        onBroken: (error) => warnings.push(String(error)),
      });
    const settle = async () => {
      for (let turn = 0; turn < 20; turn++) {
        clock.moveTo(clock.nowMs() + 20);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const before = await start([]);
    await before.brokerApi.ask({ kind: "addSite", site: "local", spec: SPEC });
    const applying = { effectiveFromMs: null, onVersion: null, by: "me", note: "" };
    await before.brokerApi.ask({ kind: "applyPolicies", policies: [HALF], ...applying });
    for (const job of ["a", "b"]) {
      const description = { ...JOB_DEFAULTS, executable: "true", procs: 2 };
      await before.brokerApi.ask({ kind: "submit", job, description, consumer: "vo/me", owner: "me" });
    }
    await settle();
    expect(site.asked.filter((order) => order.startsWith("launch"))).toEqual(["launch a/1"]);
    await before.stop();
    let last = 0;
    for await (const event of logbook.events(1)) last = event.seq;

    const pause = (name: string) => ({ kind: "pauseEnforcement", site: name, by: "me" }) as const;
    const after = await start([pause("local"), pause("nowhere")]);
    await settle();
    const kinds: string[] = [];
    for await (const event of logbook.events(last + 1)) kinds.push(event.kind);
    expect(kinds[0]).toBe("enforcementPaused");
    expect(after.brokerApi.query("policies").enforcers).toMatchObject([{ site: "local", isPaused: true }]);
    expect(site.asked).toContain("launch b/1");
    expect(warnings).toEqual([expect.stringContaining("nowhere")]);
    await after.stop();
  });
});
