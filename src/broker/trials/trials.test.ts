/** The thread of trials, started for real. */
import { afterEach, describe, expect, it } from "vitest";
import type { SlotTrial } from "../../engine/index.ts";
import { slotsOf } from "../../profile/index.ts";
import {
  adopt,
  createMachine,
  leftByPlan,
  planTask,
  prepareImpact,
  startsOfPlan,
  tryReservations,
} from "../../queue/index.ts";
import { columnsOf } from "./protocol.ts";
import { createTrials } from "./trials.ts";

function trialOf(waiting: number, starts: number): SlotTrial {
  const machine = createMachine([[8]], { discipline: "easy" });
  adopt(machine, { state: "running", startMs: 0, pool: 0, arrivedAtMs: 0, need: [8], estimateMs: 50 });
  for (let at = 0; at < waiting; at++) {
    const estimateMs = 1 + ((at * 389) % 97);
    adopt(machine, { state: "waiting", need: [1 + ((at * 5) % 7)], estimateMs, arrivedAtMs: 0 });
  }
  return {
    tried: prepareImpact(machine),
    shape: { pool: 0, need: [3], durationMs: 40 },
    startsMs: Float64Array.from({ length: starts }, (_, at) => 50 + 11 * at),
    weights: Float64Array.from({ length: waiting }, (_, at) => 1 + (at % 3)),
  };
}

const trials = createTrials();
afterEach(() => trials.stop());

describe("simulations in a thread", () => {
  it("BR-63 give the results of this thread, several at once", async () => {
    const asked = [trialOf(700, 100), trialOf(900, 60)];
    const made = await Promise.all(asked.map((trial) => trials.make(trial)));
    asked.forEach(({ tried, shape, startsMs, weights }, at) => {
      expect(made[at]).toEqual(tryReservations(tried, shape, startsMs, weights));
    });
  });

  it("BR-63 plan queues, and give what these leave free", async () => {
    const [task] = [trialOf(900, 0)].map(({ tried }) => planTask(tried.machine));
    if (task === undefined) throw new Error("it can be planned there");
    const starts = startsOfPlan(task);
    const left = leftByPlan(task, starts);
    expect(await trials.plan(task)).toEqual(starts);
    expect(await trials.leftFree(task, starts)).toEqual(left);
    expect(await trials.slots(left)).toEqual(columnsOf(slotsOf(left)));
  });

  it("BR-63 run in the caller's thread when they are short or the thread has ended", async () => {
    expect(await trials.make(trialOf(20, 20))).toBeUndefined();
    const asked = trials.make(trialOf(900, 100));
    await trials.stop();
    expect(await asked).toBeUndefined();
    expect(await trials.make(trialOf(700, 100))).toBeDefined();
  });
});
