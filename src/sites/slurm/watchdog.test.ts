/** The broker's side of a watchdog: when one is started, and which results are recorded. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ENFORCEMENT_DEFAULTS, SLURM_DEFAULTS } from "../../model/index.ts";
import { type EnforcedJob, openEnforcedBook } from "./enforced-book.ts";
import { resumeSuspended } from "./resume-suspended.ts";
import { type Watchdog, watchdogOf } from "./watchdog.ts";
import { lastBeat, readResumed, readWatchOrder, writeResumed } from "./watchdog-files.ts";

const enforcement = { ...ENFORCEMENT_DEFAULTS, granted: ["suspend"] as const, leaseMs: 5000 };
const spec = { ...SLURM_DEFAULTS, type: "slurm", procs: 1, memoryBytes: 1, enforcement } as const;
const job = (siteJob: string, isSuspended: boolean): EnforcedJob => ({
  ...{ siteJob, submittedAtMs: 7, begins: [9], ownBeginMs: null, nice: null, isSuspended },
});

describe("the broker's end of a watchdog", () => {
  let directory: string;
  let started: { readonly id: string; readonly end: () => void }[];
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "stint-watched-"));
    started = [];
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const open = async (): Promise<Watchdog> => {
    const enforced = await openEnforcedBook(directory);
    return watchdogOf({ site: "s", spec, directory, enforced }, (_, id, end) => started.push({ id, end }));
  };

  it("none is begun while nothing is suspended", async () => {
    const watchdog = await open();
    await watchdog.beat();
    await watchdog.enforced.write([job("1", false)]);
    expect([started, await lastBeat(directory)]).toEqual([[], ""]);
  });

  it("SU-34 one is begun with the first suspension, knows its lease, hears of the broker", async () => {
    const watchdog = await open();
    await watchdog.enforced.write([job("1", true)]);
    await watchdog.enforced.write([job("1", true), job("2", true)]);
    expect(started).toHaveLength(1);
    expect(await readWatchOrder(directory)).toEqual({ id: started[0]?.id, site: "s", spec, silentMs: 5000 });
    const before = await lastBeat(directory);
    await expect.poll(() => watchdog.beat().then(() => lastBeat(directory))).not.toBe(before);
  });

  it("one that ends is begun anew; so does a broker that comes back", async () => {
    const watchdog = await open();
    await watchdog.enforced.write([job("1", true)]);
    started[0]?.end();
    await watchdog.beat();
    expect(started).toHaveLength(2);
    const again = await open();
    await again.beat();
    expect(started).toHaveLength(3);
    expect((await readWatchOrder(directory))?.id).toBe(started[2]?.id);
  });

  it("SU-34 what was let go is not suspended by us any more; its hold is as it was", async () => {
    const watchdog = await open();
    await watchdog.enforced.write([job("1", true), job("2", true), { ...job("3", true), begins: [] }]);
    await writeResumed(directory, [
      { siteJob: "1", submittedAtMs: 7 },
      { siteJob: "2", submittedAtMs: 8 },
      { siteJob: "3", submittedAtMs: 7 },
    ]);
    const again = await open();
    await again.beat();
    expect([...again.enforced.all().values()]).toEqual([job("1", false), job("2", true)]);
    expect([...(await openEnforcedBook(directory)).all().values()]).toEqual([
      job("1", false),
      job("2", true),
    ]);
    expect(await readResumed(directory)).toEqual([]);
  });

  it("SU-34 where nothing is suspended nothing is asked of the cluster", async () => {
    await resumeSuspended(directory, { site: "s", spec }, () => Promise.reject(new Error("asked")));
    expect(await readResumed(directory)).toEqual([]);
  });
});
