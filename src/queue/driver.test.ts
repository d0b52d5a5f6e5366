import { describe, expect, it } from "vitest";
import { come, rectangle, site } from "../../test/small-site.ts";
import { DISCIPLINES, type Discipline } from "../model/index.ts";
import {
  advance,
  arrive,
  cancel,
  cancelReservation,
  checkpoint,
  createMachine,
  createReplay,
  end,
  hold,
  type Machine,
  machineFrom,
  reserve,
  rollback,
  type SiteRules,
  suspend,
  wakeAt,
} from "./index.ts";

const PLANNING = ["conservative", "repack"] as const satisfies readonly Discipline[];
const NEVER = Number.POSITIVE_INFINITY;

describe("the driver", () => {
  it("QU-19 is woken at the next planned start and at the next end of a reservation, else never", () => {
    const machine = site("conservative");
    expect(wakeAt(machine)).toBe(NEVER);
    const [, second] = come(machine, 0, [4, 6], [4, 2], [4, 2]);
    expect(wakeAt(machine)).toBe(6);
    hold(machine, second, 1);
    reserve(machine, 1, rectangle(4, 6, 3), 1);
    advance(machine, 1);
    expect(wakeAt(machine)).toBe(9);
    reserve(machine, 2, rectangle(1, 20, 1), 1);
    cancelReservation(machine, 1, 1);
    advance(machine, 1);
    expect(wakeAt(machine)).toBe(6);
  });

  it.each(["fcfs", "easy"] as const)("QU-19 under %s ends of reservations alone wake", (discipline) => {
    const machine = site(discipline);
    come(machine, 0, [4, 6], [4, 2]);
    expect(wakeAt(machine)).toBe(NEVER);
    reserve(machine, 1, rectangle(1, 8, 5), 0);
    reserve(machine, 2, rectangle(1, 6, 4), 0);
    expect(wakeAt(machine)).toBe(10);
    advance(machine, 10);
    expect(wakeAt(machine)).toBe(13);
  });

  it.each(PLANNING)("QU-19 %s notices a missed wake-up", (discipline) => {
    const machine = site(discipline);
    const [first] = come(machine, 0, [4, 6], [4, 2]);
    end(machine, first, 6);
    expect(() => advance(machine, 7)).toThrow("no planned start is missed");
  });

  it.each([
    ["a job that ends after its estimate", (machine: Machine) => end(machine, 0, 7), "at the latest"],
    ["a job that ends without running", (machine: Machine) => end(machine, 1, 2), "only a running job ends"],
    ["a clock that goes back", (machine: Machine) => advance(machine, 0), "never goes back"],
    ["a suspension at the estimated end", (machine: Machine) => suspend(machine, 0, 6), "has ended"],
    [
      "an arrival without an estimate",
      (machine: Machine) => arrive(machine, { need: [1], estimateMs: 0 }, 1),
      "positive",
    ],
    [
      "an unknown pool",
      (machine: Machine) => arrive(machine, { need: [1], estimateMs: 1, pools: [1] }, 1),
      "pools",
    ],
    ["no pool", (machine: Machine) => arrive(machine, { need: [1], estimateMs: 1, pools: [] }, 1), "pool"],
  ])("QU-19 %s is a programmer's error", (_, mistake, message) => {
    const machine = site("conservative");
    come(machine, 0, [4, 6], [4, 2]);
    advance(machine, 1);
    expect(() => mistake(machine)).toThrow(message);
  });

  it.each([
    ["an end after a change", "hold", "end"],
    ["an end after an arrival", "arrive", "end"],
    ["a change after an arrival", "arrive", "hold"],
  ] as const)("QU-8 QU-19 %s at one instant is a programmer's error", (_, first, then) => {
    const machine = site("easy");
    const [running, waiting] = come(machine, 0, [4, 6], [4, 2]);
    const verbs = {
      arrive: () => arrive(machine, { need: [1], estimateMs: 1 }, 3),
      hold: () => hold(machine, waiting, 3),
      end: () => end(machine, running, 3),
    };
    verbs[first]();
    expect(verbs[then]).toThrow("ends come first, then changes, then arrivals");
  });
});

describe("checkpoints", () => {
  /** Plays on, whatever is there, and tells the state after every instant. */
  const playOn = (machine: Machine, running: number): unknown[] => {
    end(machine, running, 4);
    const [late] = come(machine, 4, [1, 3], [2, 2]);
    const told: unknown[] = [checkpoint(machine)];
    hold(machine, late, 5);
    reserve(machine, 9, rectangle(2, 12, 4), 5);
    advance(machine, 5);
    told.push(checkpoint(machine), wakeAt(machine), machine.nowMs);
    return told;
  };

  it.each(DISCIPLINES)(
    "under %s another machine continues from a copied checkpoint as this one does",
    (discipline) => {
      const machine = site(discipline);
      const [running, , leaving] = come(machine, 0, [3, 10], [4, 3], [1, 9], [2, 4], [1, 9]);
      cancel(machine, leaving, 0);
      reserve(machine, 1, rectangle(1, 30, 4), 0);
      arrive(machine, { need: [1], estimateMs: 2 }, 0);
      const saved = structuredClone(checkpoint(machine));
      const untouched = structuredClone(saved);
      const another = machineFrom(saved, machine.rules);
      advance(machine, 0);
      const expected = playOn(machine, running);
      advance(another, 0);
      expect(playOn(another, running)).toEqual(expected);
      rollback(machine, saved);
      expect(checkpoint(machine)).toEqual(untouched);
      advance(machine, 0);
      expect(playOn(machine, running)).toEqual(expected);
      expect(saved).toEqual(untouched);
    },
  );
});

describe("priorities", () => {
  it("QU-12 see only the job and the instant", () => {
    const seen: unknown[] = [];
    const priority: SiteRules["priority"] = (job, nowMs) => {
      seen.push([job, nowMs]);
      return 0;
    };
    const machine = createMachine([[4, 10]], { discipline: "fcfs", priority });
    arrive(machine, { need: [4, 2], estimateMs: 8 }, 3);
    arrive(machine, { need: [1, 7], estimateMs: 9 }, 3);
    advance(machine, 3);
    expect(seen.slice(0, 2)).toEqual([
      [{ handle: 0, need: [4, 2], estimateMs: 8, arrivedAtMs: 3 }, 3],
      [{ handle: 1, need: [1, 7], estimateMs: 9, arrivedAtMs: 3 }, 3],
    ]);
  });

  it("QU-12 that are not numbers are a programmer's error", () => {
    const machine = createMachine([[4]], { discipline: "easy", priority: () => Number.NaN });
    expect(() => come(machine, 0, [4, 1], [4, 1])).toThrow("a priority is a number");
  });
});

describe("what a driver may not pass", () => {
  it("QU-19 submissions that go back in time", () => {
    const replay = createReplay(site("easy"), { finished: () => undefined });
    const job = { need: [1], estimateMs: 5, runtimeMs: 5 };
    replay.offer({ ...job, id: 1, submitMs: 10 });
    expect(() => replay.offer({ ...job, id: 2, submitMs: 5 })).toThrow("in order of submission");
  });

  it.each([
    { what: "no processor", need: [0], says: "needs a processor" },
    { what: "a fraction", need: [1.5], says: "integers" },
    { what: "a resource too few", need: [], says: "every resource" },
  ])("QU-14 a job that needs $what", ({ need, says }) => {
    expect(() => arrive(site("easy"), { need, estimateMs: 5 }, 0)).toThrow(says);
  });

  it.each([
    { what: "never ends", fixed: rectangle(1, 0, NEVER), says: "a reservation ends" },
    { what: "lasts no time", fixed: rectangle(1, 0, 0), says: "a reservation ends" },
    { what: "is in a pool that is not there", fixed: { ...rectangle(1, 0, 5), pool: 3 }, says: "pool" },
  ])("QU-7 a reservation that $what; the site is as it was", ({ fixed, says }) => {
    const machine = site("conservative");
    come(machine, 0, [4, 10], [3, 10]);
    const before = structuredClone(checkpoint(machine).pools);
    expect(() => reserve(machine, 1, fixed, 0)).toThrow(says);
    expect(checkpoint(machine).pools).toEqual(before);
  });
});
