import { describe, expect, it } from "vitest";
import { durationMs, instantMs, MS_PER_HOUR, procs } from "../base/index.ts";
import { placeOnSlots, type Slot, slotsOf } from "../profile/index.ts";
import {
  advance,
  arrive,
  createMachine,
  end,
  endMsOf,
  jobState,
  type Machine,
  reserve,
  wakeAt,
} from "./index.ts";

/** 5 processors under conservative; A 2p 3h, B 4p 1h, C 1p 2h, D 3p 2h arrive at 0, in this order. */
const QUEUE = { A: [2, 3], B: [4, 1], C: [1, 2], D: [3, 2] } as const;

type Name = keyof typeof QUEUE | "E";

interface Site {
  readonly machine: Machine;
  readonly handles: Map<Name, number>;
}

const hours = (count: number) => instantMs(count * MS_PER_HOUR);

describe("the worked example of spec 10 on the site machine", () => {
  it("QU-3 starts A at 0, B at 3, C at 0, D at 4", () => {
    expect(startsOf(siteAtZero())).toBe("A 0 B 3 C 0 D 4");
    expect(playToTheEnd(siteAtZero())).toBe("A 0 B 3 C 0 D 4");
  });

  it("SL-1 advertises S1=⟨0,1,8⟩ S2=⟨2,1,1⟩ S3=⟨0,1,3⟩ S4=⟨4,1,4⟩ S5=⟨6,3,2⟩ to 8 h", () => {
    expect(written(slotsIn(siteAtZero()))).toEqual([
      "⟨0,1,3⟩",
      "⟨0,1,8⟩+",
      "⟨2,1,1⟩",
      "⟨4,1,4⟩+",
      "⟨6,3,2⟩+",
    ]);
  });

  it("QU-3 an arriving task of 2 procs × 2 h goes onto S1 and S3, where the machine starts it", () => {
    const site = siteAtZero();
    const slots = slotsIn(site);
    const task = { procs: procs(2), durationMs: durationMs(2 * MS_PER_HOUR), notBefore: instantMs(0) };
    const placement = placeOnSlots(slots, task);
    const used = placement?.used.map((part) => slots.find(({ id }) => id === part.slot)) ?? [];
    expect(written(used.filter((slot) => slot !== undefined)).sort()).toEqual(["⟨0,1,3⟩", "⟨0,1,8⟩+"]);
    expect(placement?.startAt).toBe(0);
    letArrive(site, "E", [2, 2]);
    advance(site.machine, 0);
    expect(startsOf(site)).toBe("A 0 B 3 C 0 D 4 E 0");
    expect(stateOf(site, "E")).toBe(jobState.running);
  });

  it("QU-8 SL-1 if A ends at 1, until the queue is compressed ⟨1,2,2⟩ is free beside what was", () => {
    const site = siteAtZero();
    const before = slotsIn(site);
    endAt(site, "A", 1);
    // The machine forgets the past, so that the old slots begin at 1 and S3's rest joins the new area.
    expect(written(before).slice(0, 2)).toEqual(["⟨0,1,3⟩", "⟨0,1,8⟩+"]);
    expect(written(slotsIn(site))).toEqual(["⟨1,3,2⟩", "⟨1,1,7⟩+", "⟨2,1,1⟩", "⟨4,1,4⟩+", "⟨6,3,2⟩+"]);
    advance(site.machine, hours(1));
    expect(startsOf(site)).toBe("B 1 C 0 D 2");
  });

  it("QU-4 if A ends at 2, B starts at 2", () => {
    const site = siteAtZero();
    endAt(site, "A", 2);
    endAt(site, "C", 2);
    advance(site.machine, hours(2));
    expect(startsOf(site)).toBe("B 2 D 3");
    expect(stateOf(site, "B")).toBe(jobState.running);
  });

  it("QU-4 QU-7 if S1 and S3 are reserved and A ends at 2, B still starts at 3", () => {
    const site = siteAtZero();
    const { machine } = site;
    const one = { pool: 0, need: [1], startMs: 0 };
    expect(reserve(machine, 1, { ...one, durationMs: hours(8) }, 0)).toBeUndefined();
    expect(reserve(machine, 3, { ...one, durationMs: hours(3) }, 0)).toBeUndefined();
    advance(machine, 0);
    expect(startsOf(site)).toBe("A 0 B 3 C 0 D 4");
    endAt(site, "A", 2);
    endAt(site, "C", 2);
    advance(machine, hours(2));
    expect(startsOf(site)).toBe("B 3 D 4");
    expect(stateOf(site, "B")).toBe(jobState.waiting);
    advance(machine, wakeAt(machine));
    expect(machine.nowMs).toBe(hours(3));
    expect(stateOf(site, "B")).toBe(jobState.running);
  });
});

function siteAtZero(): Site {
  const site: Site = { machine: createMachine([[5]], { discipline: "conservative" }), handles: new Map() };
  for (const name of ["A", "B", "C", "D"] as const) letArrive(site, name, QUEUE[name]);
  advance(site.machine, 0);
  return site;
}

function letArrive({ machine, handles }: Site, name: Name, [count, length]: readonly [number, number]): void {
  const arrived = arrive(machine, { need: [count], estimateMs: hours(length) }, machine.nowMs);
  expect(arrived.ok).toBe(true);
  if (arrived.ok) handles.set(name, arrived.value);
}

function endAt({ machine, handles }: Site, name: Name, hour: number): void {
  end(machine, handles.get(name) ?? -1, hours(hour));
  handles.delete(name);
}

/** The starts, when every job ends at its estimate. */
function playToTheEnd(site: Site): string {
  const { machine, handles } = site;
  const starts: string[] = [];
  while (handles.size > 0) {
    const running = [...handles].filter(([, handle]) => machine.jobs.state[handle] === jobState.running);
    const endOf = (handle: number): number => endMsOf(machine.jobs, handle);
    const next = Math.min(wakeAt(machine), ...running.map(([, handle]) => endOf(handle)));
    for (const [name, handle] of running) {
      if (endOf(handle) !== next) continue;
      starts.push(`${name} ${machine.jobs.startMs[handle] / MS_PER_HOUR}`);
      endAt(site, name, next / MS_PER_HOUR);
    }
    advance(machine, next);
  }
  return starts.sort().join(" ");
}

/** Where each job that is still there started or is to start, in hours. */
function startsOf({ machine, handles }: Site): string {
  return [...handles]
    .map(([name, handle]) => `${name} ${machine.jobs.startMs[handle] / MS_PER_HOUR}`)
    .join(" ");
}

function stateOf({ machine, handles }: Site, name: Name): number {
  return machine.jobs.state[handles.get(name) ?? -1];
}

function slotsIn({ machine }: Site): Slot[] {
  return slotsOf(machine.pools[0], hours(8));
}

function written(slots: readonly Slot[]): string[] {
  return slots.map(
    ({ startAt, procs: count, durationMs: length, extensible }) =>
      `⟨${startAt / MS_PER_HOUR},${count},${length / MS_PER_HOUR}⟩${extensible ? "+" : ""}`,
  );
}
