/** When a watchdog resumes jobs and when it ends, by its own clock. */
import { mkdtempSync, rmSync } from "node:fs";
import { rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SLURM_DEFAULTS } from "../../model/index.ts";
import { type EnforcedJob, openEnforcedBook } from "./enforced-book.ts";
import { watchBroker } from "./watch-broker.ts";
import { beat, writeResumed, writeWatchOrder } from "./watchdog-files.ts";

const LEASE_MS = 20_000;
const spec = { ...SLURM_DEFAULTS, type: "slurm", procs: 1, memoryBytes: 1 } as const;
const suspended = (siteJob: string): EnforcedJob => ({
  ...{ siteJob, submittedAtMs: 7, begins: [], ownBeginMs: null, nice: null, isSuspended: true },
});

describe("a watchdog", () => {
  let directory: string;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), "stint-watch-"));
    await writeWatchOrder(directory, { id: "a", site: "s", spec, silentMs: LEASE_MS });
    await (await openEnforcedBook(directory)).write([suspended("1")]);
    await beat(directory);
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  /** Watches as `a`; `onTick` runs in each pause. Returns the instants at which it resumed jobs. */
  const watch = async (
    onTick: (nowMs: number) => Promise<unknown> = async () => undefined,
    resume: (times: number) => Promise<void> = () => writeResumed(directory, [suspended("1")]),
  ) => {
    const times: number[] = [];
    let nowMs = 0;
    await watchBroker(directory, "a", {
      nowMs: () => nowMs,
      wait: async (ms) => {
        nowMs += ms;
        if (nowMs > 100 * LEASE_MS) throw new Error("it does not end");
        await onTick(nowMs);
      },
      resume: () => {
        times.push(nowMs);
        return resume(times.length);
      },
    });
    return { times, endedAtMs: nowMs };
  };

  it("SU-34 lets go when the broker was silent for as long as promised, once, and ends", async () => {
    expect(await watch()).toEqual({ times: [LEASE_MS], endedAtMs: LEASE_MS + LEASE_MS / 10 });
  });

  it("SU-34 does nothing as long as the broker is heard", async () => {
    const lastBeatMs = 5 * LEASE_MS;
    const { times } = await watch(async (nowMs) => {
      if (nowMs <= lastBeatMs) await beat(directory);
    });
    expect(times).toEqual([lastBeatMs + LEASE_MS]);
  });

  it("SU-34 tries again until it is done, more and more seldom", async () => {
    const { times } = await watch(undefined, async (count) => {
      if (count < 7) throw new Error("no answer");
      await writeResumed(directory, [suspended("1")]);
    });
    expect(times).toHaveLength(7);
    const pauses = times.slice(1).map((at, index) => at - times[index]);
    expect(pauses).toEqual([4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  });

  it("ends when nothing is suspended any more", async () => {
    const { times, endedAtMs } = await watch(async (nowMs) => {
      if (nowMs >= LEASE_MS / 2) await (await openEnforcedBook(directory)).write([]);
    });
    expect([times, endedAtMs]).toEqual([[], LEASE_MS / 2]);
  });

  it("ends when it is another one's turn", async () => {
    const order = { id: "b", site: "s", spec, silentMs: LEASE_MS };
    const { times, endedAtMs } = await watch(() => writeWatchOrder(directory, order));
    expect([times, endedAtMs]).toEqual([[], LEASE_MS / 10]);
  });

  it("ends when the site's folder is put away", async () => {
    const { times } = await watch(async () => {
      await rename(directory, `${directory}.gone`).catch(() => undefined);
    });
    rmSync(`${directory}.gone`, { recursive: true, force: true });
    expect(times).toEqual([]);
  });
});
