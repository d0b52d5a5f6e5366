import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { HandedBlock } from "./delivery.ts";
import { beginTrial } from "./trial.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance", "setTimeout"] }));
afterEach(() => void vi.useRealTimers());

const BYTES = 1000;

/** A trial of three blocks, all of which the application has at once. */
async function trialOf() {
  const trial = beginTrial({ className: "old", mostMs: 60_000, mostBlocks: 3 }, () => undefined);
  const processed = trial.observed({
    handed: async ({ seq }: { readonly seq: number }) => ({ seq, bytes: BYTES, last: false }) as HandedBlock,
    acknowledge: (_seq: number) => undefined,
  });
  const blocks = [0, 1, 2].map((seq) => ({ seq }) as Parameters<typeof processed.handed>[0]);
  for (const block of blocks) await processed.handed(block);
  return { trial, ...processed };
}

it("BR-122 the start of the application does not count where a trial has more than one block", async () => {
  const { trial, acknowledge } = await trialOf();
  expect(trial.figures()).toEqual({ className: "old" });
  vi.advanceTimersByTime(2000);
  acknowledge(0);
  expect(trial.figures().bytesPerSec).toBe(BYTES / 2);
  for (const seq of [1, 2]) {
    vi.advanceTimersByTime(100);
    acknowledge(seq);
  }
  expect(trial.figures().bytesPerSec).toBe(BYTES * 10);
});
