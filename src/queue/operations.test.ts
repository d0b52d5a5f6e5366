import { describe, expect, it } from "vitest";
import { come, rectangle, site } from "../../test/small-site.ts";
import { DISCIPLINES } from "../model/index.ts";
import {
  advance,
  arrive,
  cancel,
  cancelReservation,
  checkpoint,
  createMachine,
  end,
  hold,
  jobState,
  type Machine,
  release,
  reserve,
  resume,
  type SiteRules,
  stateName,
  suspend,
  wakeAt,
} from "./index.ts";

const NEVER = Number.POSITIVE_INFINITY;

/** `state start` of each job; what has no start shows its state alone. */
function statesOf({ jobs }: Machine, handles: readonly number[]): string {
  return handles
    .map((handle) => {
      const state = stateName(jobs.state[handle]);
      const startMs = jobs.startMs[handle];
      return /waiting|running/.test(state) && startMs !== NEVER ? `${state} ${startMs}` : state;
    })
    .join(", ");
}

describe("one instant", () => {
  it("QU-8 changes happen in the order given: a place must be free before it is reserved", () => {
    const [machine, other] = [site("conservative"), site("conservative")];
    for (const each of [machine, other]) reserve(each, 1, rectangle(4, 10, 5), 0);
    expect(reserve(machine, 2, rectangle(4, 10, 5), 0)).toMatchObject({ kind: "conflict" });
    expect(cancelReservation(machine, 1, 0)).toBeUndefined();
    expect(cancelReservation(other, 1, 0)).toBeUndefined();
    expect(reserve(other, 2, rectangle(4, 10, 5), 0)).toBeUndefined();
  });

  it("QU-8 ends come before reservations, compression before arrivals, all before anything starts", () => {
    const machine = site("conservative");
    const [running, waiting] = come(machine, 0, [4, 10], [2, 5]);
    expect(statesOf(machine, [running, waiting])).toBe("running 0, waiting 10");
    end(machine, running, 4);
    expect(reserve(machine, 1, rectangle(2, 4, 3), 4)).toBeUndefined();
    const [late] = come(machine, 4, [2, 5]);
    expect(statesOf(machine, [waiting, late])).toBe("running 4, waiting 7");
  });

  it.each(DISCIPLINES)("QU-8 under %s several rounds may follow each other at one instant", (discipline) => {
    const machine = site(discipline);
    const [one] = come(machine, 3, [4, 5]);
    expect(cancel(machine, one, 3)).toBeUndefined();
    const [other] = come(machine, 3, [4, 5]);
    expect(statesOf(machine, [other])).toBe("running 3");
  });

  it("QU-8 starts of an instant are listed in order of arrival, each job once", () => {
    const priority = { priority: ({ need }) => need[0] } satisfies Partial<SiteRules>;
    const machine = createMachine([[4]], { discipline: "easy", ...priority });
    for (const count of [1, 2, 1]) arrive(machine, { need: [count], estimateMs: 5 }, 0);
    const { handles, count } = advance(machine, 0);
    expect([...handles.subarray(0, count)]).toEqual([0, 1, 2]);
    expect(advance(machine, 1).count).toBe(0);
  });
});

describe("operations on jobs", () => {
  it.each([
    ["fcfs", "running 0, held, waiting", "running 0, waiting, waiting"],
    ["easy", "running 0, held, waiting", "running 0, waiting, waiting"],
    ["conservative", "running 0, held, waiting 6", "running 0, waiting 8, waiting 6"],
    ["repack", "running 0, held, waiting 6", "running 0, waiting 8, waiting 6"],
  ] as const)("QU-9 %s forgets a held job until it is released", (discipline, whileHeld, released) => {
    const machine = site(discipline);
    const handles = come(machine, 0, [4, 6], [4, 2], [4, 2]);
    expect(hold(machine, handles[1], 1)).toBeUndefined();
    advance(machine, 1);
    expect(statesOf(machine, handles)).toBe(whileHeld);
    expect(release(machine, handles[1], 3)).toBeUndefined();
    advance(machine, 3);
    expect(statesOf(machine, handles)).toBe(released);
  });

  it.each(["fcfs", "easy"] as const)(
    "QU-9 under %s a released job returns to its arrival place",
    (discipline) => {
      const machine = site(discipline);
      const [first, second, third] = come(machine, 0, [4, 6], [4, 2], [4, 2]);
      hold(machine, second, 1);
      release(machine, second, 5);
      end(machine, first, 6);
      advance(machine, 6);
      expect(statesOf(machine, [second, third])).toBe("running 6, waiting");
    },
  );

  it.each(DISCIPLINES)(
    "QU-10 under %s the rest of a suspended job starts again when it fits",
    (discipline) => {
      const machine = site(discipline);
      const [long, short] = come(machine, 0, [3, 10], [4, 3]);
      expect(suspend(machine, long, 2)).toBeUndefined();
      advance(machine, 2);
      expect(statesOf(machine, [long, short])).toBe("suspended, running 2");
      expect(resume(machine, long, 4)).toBeUndefined();
      advance(machine, 4);
      end(machine, short, 5);
      advance(machine, 5);
      expect(statesOf(machine, [long])).toBe("running 5");
      expect(machine.jobs.estimateMs[long]).toBe(8);
      expect(reserve(machine, 1, rectangle(2, 12, 1), 5)).toMatchObject({
        shortage: { atMs: 12, missing: [1] },
      });
      expect(reserve(machine, 1, rectangle(2, 13, 1), 5)).toBeUndefined();
    },
  );

  it.each(DISCIPLINES)(
    "QU-9 under %s a job is cancelled in any state, and its place becomes available",
    (discipline) => {
      const machine = site(discipline);
      const [running, waiting, held, suspended, last] = come(
        machine,
        0,
        [2, 9],
        [4, 5],
        [4, 5],
        [2, 9],
        [4, 1],
      );
      advance(machine, 1);
      hold(machine, held, 1);
      if (machine.jobs.state[suspended] === jobState.running) suspend(machine, suspended, 1);
      for (const handle of [running, waiting, held, suspended]) {
        expect(cancel(machine, handle, 2)).toBeUndefined();
      }
      advance(machine, 2);
      expect(statesOf(machine, [running, waiting, held, suspended])).toBe("none, none, none, none");
      expect(statesOf(machine, [last])).toBe("running 2");
      expect(wakeAt(machine)).toBe(NEVER);
    },
  );

  it("QU-9 QU-10 a verb that does not apply is refused with the state and changes nothing", () => {
    const machine = site("conservative");
    const [running, waiting, held, suspended, gone] = come(
      machine,
      0,
      [1, 9],
      [4, 5],
      [4, 5],
      [1, 9],
      [1, 1],
    );
    hold(machine, held, 0);
    suspend(machine, suspended, 0);
    cancel(machine, gone, 0);
    const before = checkpoint(machine);
    const verbs = { hold, release, suspend, resume, cancel } as const;
    const allowedIn = {
      hold: ["waiting"],
      release: ["held"],
      suspend: ["running"],
      resume: ["suspended"],
      cancel: ["waiting", "held", "suspended", "running"],
    } as const;
    const found = Object.entries({ running, waiting, held, suspended, none: gone });
    for (const [verb, allowed] of Object.entries(allowedIn)) {
      for (const [state, handle] of found) {
        if (allowed.some((name) => name === state)) continue;
        const refusal = verbs[verb as keyof typeof verbs](machine, handle, 0);
        expect(refusal, `${verb} ${state}`).toEqual({ kind: "wrongState", state, allowedIn: allowed });
      }
    }
    expect(checkpoint(machine)).toEqual(before);
  });

  it("QU-14 a job that fits no pool it names is refused with the widest one, and never enters", () => {
    const machine = site("easy", [
      [4, 100],
      [8, 10],
    ]);
    const estimateMs = 5;
    expect(arrive(machine, { need: [5, 20], estimateMs }, 0)).toEqual({
      ok: false,
      refusal: { kind: "widerThanPool", need: [5, 20], largestCapacity: [8, 100] },
    });
    expect(arrive(machine, { need: [5, 1], estimateMs, pools: [0] }, 0)).toMatchObject({
      refusal: { kind: "widerThanPool", need: [5, 1], largestCapacity: [4, 100] },
    });
    expect(advance(machine, 0).count).toBe(0);
    const fitting = [{ need: [5, 10] }, { need: [4, 100], pools: [1, 0] }];
    for (const job of fitting) expect(arrive(machine, { ...job, estimateMs }, 0).ok).toBe(true);
    expect(advance(machine, 0).count).toBe(2);
    expect([...machine.jobs.pool.subarray(0, 2)]).toEqual([1, 0]);
  });
});

describe("reservations", () => {
  it.each(DISCIPLINES)("QU-7 under %s one is refused only in the past or on a conflict", (discipline) => {
    const machine = site(discipline);
    const [running, waiting] = come(machine, 5, [3, 10], [4, 7]);
    const before = checkpoint(machine);
    expect(reserve(machine, 1, rectangle(1, 4, 9), 5)).toEqual({
      kind: "startInPast",
      startMs: 4,
      nowMs: 5,
    });
    expect(reserve(machine, 1, rectangle(3, 6, 9), 5)).toEqual({
      kind: "conflict",
      shortage: { atMs: 6, missing: [2] },
    });
    expect(cancelReservation(machine, 1, 5)).toEqual({ kind: "unknownReservation", id: 1 });
    expect({ ...checkpoint(machine), phase: before.phase }).toEqual(before);
    expect(reserve(machine, 1, rectangle(3, 15, 5), 5)).toBeUndefined();
    expect(reserve(machine, 1, rectangle(1, 50, 1), 5)).toEqual({ kind: "idInUse", id: 1 });
    expect(reserve(machine, 2, rectangle(2, 10, 9), 5)).toMatchObject({
      shortage: { atMs: 10, missing: [1] },
    });
    expect(reserve(machine, 2, rectangle(2, 15, 4), 5)).toMatchObject({
      shortage: { atMs: 15, missing: [1] },
    });
    advance(machine, 5);
    end(machine, running, 15);
    advance(machine, 15);
    expect(statesOf(machine, [waiting])).toMatch(/^waiting/);
    advance(machine, 20);
    expect(statesOf(machine, [waiting])).toBe("running 20");
  });

  it.each(DISCIPLINES)(
    "QU-7 QU-8 under %s a cancelled one frees its remaining time, an ended one is gone",
    (discipline) => {
      const machine = site(discipline);
      reserve(machine, 1, rectangle(1, 0, 9), 0);
      reserve(machine, 2, rectangle(1, 0, 3), 0);
      const [job] = come(machine, 0, [4, 2]);
      expect(cancelReservation(machine, 2, 3)).toEqual({ kind: "unknownReservation", id: 2 });
      advance(machine, 3);
      expect(cancelReservation(machine, 1, 5)).toBeUndefined();
      advance(machine, 5);
      expect(statesOf(machine, [job])).toBe("running 5");
      expect(cancelReservation(machine, 1, 5)).toEqual({ kind: "unknownReservation", id: 1 });
    },
  );
});
