/** The thread itself: it answers, ends, and is lost. */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { foreignSpec } from "../../../test/engine-scene.ts";
import { factsOf, ONLY_QUEUE, shapeOfSite } from "../../engine/index.ts";
import { createPredictionThread } from "./thread.ts";

/** Only a hang takes longer, however busy the machine is. */
const LONG_MS = 200_000;

let lost = 0;
const thread = createPredictionThread(() => {
  lost++;
});
afterEach(() => thread.stop());

const shape = shapeOfSite(foreignSpec(4));
const state = { nowMs: 0, capacity: [4, 0], discipline: "easy", jobs: [], reservations: [] } as const;
const facts = factsOf({ id: "?", queue: ONLY_QUEUE, user: "u", procs: 1, memoryBytes: 0, limitMs: 9 });
const asked = { site: "s", facts, nowMs: 0, state, deadlineMs: null, cluster: null, answerMs: 1 };

/** The nice values of this process's threads (proc(5), stat). */
function niceValues(): readonly number[] {
  return readdirSync("/proc/self/task").map((thread) => {
    const fields = readFileSync(`/proc/self/task/${thread}/stat`, "utf8").replace(/^.*\) /, "");
    return Number(fields.split(" ")[16]);
  });
}

describe("the thread of predictions", () => {
  it.skipIf(process.platform !== "linux")(
    "BR-63 lowers its priority when others want the processor",
    async () => {
      const before = niceValues();
      await thread.ask("past", { site: "s", shape, jobs: [], isWhole: true }, LONG_MS);
      const ours = Math.min(...before);
      const behind = niceValues().filter((nice) => nice >= Math.min(19, ours + 5));
      expect(behind).toHaveLength(1);
      await thread.stop();
    },
  );

  it("BR-17 answers, reports a failed task, and goes on", async () => {
    await thread.ask("past", { site: "s", shape, jobs: [], isWhole: true }, LONG_MS);
    expect(await thread.ask("when", asked, LONG_MS)).toMatchObject({
      forecast: null,
      noRecord: { settled: 0 },
    });
    const wrong = { ...asked, facts: undefined as never };
    await expect(thread.ask("when", wrong, LONG_MS)).rejects.toMatchObject({ code: "predictionFailed" });
    expect(await thread.ask("when", asked, LONG_MS)).toMatchObject({ forecast: null });
    expect(lost).toBe(0);
  });

  it("BR-17 a caller gets an error after the time limit, and when the thread ends", async () => {
    await expect(thread.ask("when", asked, 0)).rejects.toMatchObject({ code: "predictionTooLong" });
    const waiting = thread.ask("when", asked, LONG_MS);
    const told = expect(waiting).rejects.toMatchObject({ code: "predictionsEnded" });
    await thread.stop();
    await told;
  });

  it("BR-17 stops when idle, and afterwards still knows what it had learned", async () => {
    let gone = 0;
    const tired = createPredictionThread(() => gone++, 50);
    const times = { eligibleAtMs: 1, startedAtMs: 2, endedAtMs: 3 };
    const job = { id: "1", queue: ONLY_QUEUE, user: "u", procs: 1, memoryBytes: 0, limitMs: 9, ...times };
    await tired.ask("past", { site: "s", shape, jobs: [job], isWhole: true }, LONG_MS);
    for (let rest = 0; rest < 2; rest++) {
      while (tired.isThere()) await delay(10);
      expect(await tired.ask("when", asked, LONG_MS)).toMatchObject({ learnt: { past: 1 } });
    }
    await tired.stop();
    expect(gone).toBe(0);
  });
});
