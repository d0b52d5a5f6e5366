import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { snapshotsOf } from "../src/broker/snapshots.ts";
import { SLURM_DEFAULTS, type SlurmSiteSpec } from "../src/model/index.ts";
import { openSlurmSite } from "../src/sites/slurm/index.ts";
import { failed, scripted } from "./scripted-slurm.ts";

const spec: SlurmSiteSpec = { ...SLURM_DEFAULTS, type: "slurm", procs: 8, memoryBytes: 2 ** 33 };
const START_MS = 1_800_000_000_000;

describe("how much a cluster is asked", () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "stint-budget-"));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  /** When each command was, in ten minutes of surveys, and of somebody who asks every second. */
  async function tenMinutes(asks: "nothing" | "why" | "what is not there"): Promise<readonly number[]> {
    const at = { now: START_MS };
    let alarms: { readonly atMs: number; readonly call: () => void }[] = [];
    const wakeAt = (atMs: number, call: () => void) => {
      alarms.push({ atMs, call });
      return () => undefined;
    };
    const clock = { nowMs: () => at.now, wakeAt };
    const { run } = scripted({
      "scontrol show config": "ClusterName = c\nSLURM_VERSION = 22.05.8\n",
      sprio: failed("sprio: error: You are not running a supported priority plugin"),
    });
    const commands: number[] = [];
    const counted: typeof run = (request) => {
      commands.push(at.now);
      return run(request);
    };
    const site = await openSlurmSite({ name: "c", spec, directory, clock, run: counted });
    let waiting: (() => void)[] = [];
    const seenAt = () => new Promise<void>((resolve) => waiting.push(resolve));
    const snapshot = snapshotsOf(site, { clock, seenAt });
    const asked: (Promise<unknown> | undefined)[] = [];
    for (; at.now < START_MS + 600_000; at.now += 1000) {
      const due = alarms.filter(({ atMs }) => atMs <= at.now);
      alarms = alarms.filter(({ atMs }) => atMs > at.now);
      for (const { call } of due) call();
      if (site.nextSurveyMs() <= 0) {
        await site.survey();
        const seen = waiting;
        waiting = [];
        for (const resolve of seen) resolve();
      }
      if (asks === "why") asked.push(snapshot?.());
      if (asks === "what is not there") asked.push(snapshot?.(() => false));
      await new Promise(setImmediate);
    }
    for (const resolve of [...waiting, ...alarms.map(({ call }) => call)]) resolve();
    await Promise.all(asked);
    return commands.map((ms) => ms - START_MS);
  }

  it.each(["nothing", "why", "what is not there"] as const)(
    "SU-4 six commands in any minute, whoever asks every second for: %s",
    async (asks) => {
      const commands = await tenMinutes(asks);
      // The first look at everything is nine commands.
      const later = commands.filter((ms) => ms >= 60_000);
      expect(commands.length - later.length).toBeLessThanOrEqual(9 + 6);
      const inMinuteFrom = (ms: number) => later.filter((it) => it >= ms && it < ms + 60_000).length;
      expect(Math.max(...later.map(inMinuteFrom))).toBeLessThanOrEqual(6);
      // The queue is seen all the same.
      expect(later.length / 9).toBeGreaterThan(5);
    },
  );
});
