import { describe, expect, it } from "vitest";
import { enforceAtVo, type VoGroup } from "./enforce-at-vo.ts";

function group(consumer: string, more: Partial<VoGroup> = {}, procs: readonly number[] = []): VoGroup {
  const waiting = procs.map((width, at) => ({ job: `${consumer}${at + 1}`, procs: width }));
  return { consumer, inUse: 0, epoch: 5, burst: 8, extra: 2, isBelowEpoch: false, waiting, ...more };
}
const told = (groups: readonly VoGroup[], allocation = 10) =>
  enforceAtVo(groups, allocation).releases.map((it) => `${it.job} ${it.case}`);

describe("what a virtual organisation lets go", () => {
  it("PO-18 case 1: of a group that has nothing in use, one within burst and extra", () => {
    expect(told([group("g", {}, [10])])).toEqual(["g1 idle"]);
    expect(told([group("g", {}, [11])])).toEqual([]);
  });

  it("PO-18 case 2: as long as capacity is left and the burst allows", () => {
    expect(told([group("g", {}, [3, 3, 3])])).toEqual(["g1 idle", "g2 capacity"]);
  });

  it("PO-18 case 3: full, groups below their share go on and the others stop", () => {
    const over = group("g", { inUse: 7 }, [1]);
    const under = group("h", { inUse: 3 }, [2, 1]);
    const { releases, stopped } = enforceAtVo([under, over], 10);
    expect(releases.map((it) => `${it.job} ${it.case}`)).toEqual(["h1 contention", "h2 extra"]);
    expect(stopped).toEqual(["g"]);
  });

  it("PO-18 backfill: below its share over the epoch, one more than fits", () => {
    expect(
      told([group("g", { inUse: 4, extra: 0, isBelowEpoch: true }, [3, 3]), group("h", { inUse: 6 })]),
    ).toEqual(["g1 backfill"]);
  });

  it("PO-18 groups take turns, a job at a time", () => {
    expect(told([group("g", {}, [2, 2]), group("h", {}, [2, 2])])).toEqual([
      ...["g1 idle", "h1 idle", "g2 capacity", "h2 capacity"],
    ]);
  });
});
