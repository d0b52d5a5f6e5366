import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import type { Discipline } from "../model/index.ts";
import {
  adopt,
  advance,
  arrive,
  createMachine,
  end,
  endMsOf,
  jobState,
  type Machine,
  suspend,
  wakeAt,
} from "./index.ts";

const CAPACITY = 8;

/** Jobs by their place in the list: [procs, estimate, gap before it]. */
const workloads = fc.record({
  jobs: fc.array(
    fc.tuple(
      fc.integer({ min: 1, max: CAPACITY }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 0, max: 5 }),
    ),
    { minLength: 3, maxLength: 20 },
  ),
  discipline: fc.constantFrom<Discipline>("fcfs", "easy"),
  suspended: fc.integer({ min: 0, max: 30 }),
});

/** Plays a machine to its end, every job using its whole estimate; gives "arrival@start" of each start. */
function playOut(machine: Machine, fromMs: number): string[] {
  const starts: string[] = [];
  for (let now = fromMs; now < 2000; now++) {
    const { state } = machine.jobs;
    for (let handle = 0; handle < machine.jobs.size; handle++) {
      if (state[handle] === jobState.running && endMsOf(machine.jobs, handle) === now)
        end(machine, handle, now);
    }
    const started = advance(machine, now);
    for (const handle of started.handles.subarray(0, started.count))
      starts.push(`${machine.jobs.arrivedAtMs[handle]}@${now}`);
  }
  return starts;
}

/** A machine of its own that adopts what another has. */
function successorOf(machine: Machine, discipline: Discipline): Machine {
  const successor = createMachine([[CAPACITY]], { discipline }, machine.nowMs);
  const { jobs } = machine;
  const handles = Array.from({ length: jobs.size }, (_, handle) => handle)
    .filter((handle) => jobs.state[handle] !== jobState.none)
    .sort((a, b) => jobs.arrival[a] - jobs.arrival[b]);
  for (const handle of handles) {
    const job = {
      need: [jobs.need[0][handle]],
      estimateMs: jobs.estimateMs[handle],
      arrivedAtMs: jobs.arrivedAtMs[handle],
    };
    if (jobs.state[handle] === jobState.running) {
      adopt(successor, { ...job, state: "running", startMs: jobs.startMs[handle], pool: jobs.pool[handle] });
    } else {
      adopt(successor, {
        ...job,
        state: jobs.state[handle] === jobState.suspended ? "suspended" : "waiting",
      });
    }
  }
  return successor;
}

describe("taking over a site's jobs", () => {
  it("a machine that adopts another's jobs starts them as the other would", () => {
    fc.assert(
      fc.property(workloads, ({ jobs, discipline, suspended }) => {
        const machine = createMachine([[CAPACITY]], { discipline });
        let now = 0;
        for (const [count, estimateMs, gap] of jobs) {
          now += gap;
          while (wakeAt(machine) < now) advance(machine, wakeAt(machine));
          for (let handle = 0; handle < machine.jobs.size; handle++) {
            const isOver =
              machine.jobs.state[handle] === jobState.running && endMsOf(machine.jobs, handle) <= now;
            if (isOver)
              end(machine, handle, Math.max(machine.nowMs, Math.min(now, endMsOf(machine.jobs, handle))));
          }
          arrive(machine, { need: [count], estimateMs: estimateMs + 100 }, now);
          advance(machine, now);
        }
        const running = machine.jobs.state[suspended] === jobState.running;
        if (running && endMsOf(machine.jobs, suspended) > now) suspend(machine, suspended, now);
        advance(machine, now);
        expect(playOut(successorOf(machine, discipline), now)).toEqual(playOut(machine, now));
      }),
      draws(300),
    );
  });

  it("held jobs stay held, and running jobs keep their place until their estimated ends", () => {
    const machine = createMachine([[CAPACITY]], { discipline: "conservative" }, 100);
    adopt(machine, { need: [6], estimateMs: 50, arrivedAtMs: 0, state: "running", startMs: 80, pool: 0 });
    adopt(machine, { need: [1], estimateMs: 5, arrivedAtMs: 1, state: "held" });
    const waiting = adopt(machine, { need: [4], estimateMs: 5, arrivedAtMs: 2, state: "waiting" });
    expect(machine.jobs.startMs[waiting]).toBe(130);
    expect(advance(machine, 100).count).toBe(0);
  });
});
