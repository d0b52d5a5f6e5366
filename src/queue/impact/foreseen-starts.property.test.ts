import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import { adopt, advance, checkpoint, createMachine, type Machine, machineFrom, reserve } from "../index.ts";
import { foreseenStarts } from "./foreseen-starts.ts";
import { playForward } from "./lookahead.ts";

const RUNS = draws(300);
const PROCS = 12;

const rectangles = fc.record({
  procs: fc.integer({ min: 1, max: PROCS }),
  durationMs: fc.integer({ min: 1, max: 40 }),
  aheadMs: fc.integer({ min: 0, max: 60 }),
});

const scenes = fc.record({
  discipline: fc.constantFrom("fcfs", "easy", "conservative", "repack"),
  /** For each processor, where there is a second resource; 1 can be short. */
  memory: fc.constantFrom(null, 0, 1, 2),
  running: fc.array(rectangles, { maxLength: 6 }),
  reserved: fc.array(rectangles, { maxLength: 3 }),
  waiting: fc.array(rectangles, { maxLength: 60 }),
});

type Scene = typeof scenes extends fc.Arbitrary<infer Drawn> ? Drawn : never;

function machineOf({ discipline, memory, running, reserved, waiting }: Scene): Machine {
  const columns = (procs: number) => (memory === null ? [procs] : [procs, Math.min(PROCS, memory * procs)]);
  const machine = createMachine([memory === null ? [PROCS] : [PROCS, PROCS]], { discipline });
  let left = PROCS;
  for (const { procs, durationMs } of running) {
    if (procs > left || (memory ?? 0) > 1) continue;
    left -= procs;
    const found = { state: "running", startMs: 0, pool: 0, arrivedAtMs: 0 } as const;
    adopt(machine, { ...found, need: columns(procs), estimateMs: durationMs });
  }
  reserved.forEach(({ procs, aheadMs, durationMs }, id) => {
    reserve(machine, id, { pool: 0, need: columns(procs), startMs: aheadMs, durationMs }, 0);
  });
  for (const { procs, durationMs } of waiting) {
    adopt(machine, { state: "waiting", need: columns(procs), estimateMs: durationMs, arrivedAtMs: 0 });
  }
  advance(machine, 0);
  return machine;
}

describe("foreseen starts", () => {
  it("are those of a copy that is played forward, where there are any", () => {
    let foreseenScenes = 0;
    fc.assert(
      fc.property(scenes, (scene) => {
        const machine = machineOf(scene);
        const foreseen = foreseenStarts(machine);
        if (foreseen === undefined) return;
        foreseenScenes++;
        const played = new Map<number, number>();
        playForward(machineFrom(checkpoint(machine), machine.rules), (handle, atMs) =>
          played.set(handle, atMs),
        );
        expect(new Map(Array.from(foreseen.handles, (it, at) => [it, foreseen.startMs[at]]))).toEqual(played);
      }),
      RUNS,
    );
    expect(foreseenScenes).toBeGreaterThan(RUNS.numRuns / 4);
  });
});
