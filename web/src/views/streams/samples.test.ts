import { describe, expect, it } from "vitest";
import type { StreamView } from "../../app/client.ts";
import { linesOf, type Sample, withSample } from "./samples.ts";

function stream(id: string, allocated: number, endedAt: string | null = null): StreamView {
  const figures = { allocatedBytesPerSec: allocated, receivedBytesPerSec: 1, occupiedBytes: 2 };
  return { id, endedAt, figures } as StreamView;
}

describe("figures of streams over time", () => {
  it("has a line for each stream, with gaps where it was not there", () => {
    let samples = withSample([], [stream("a", 5), stream("b", 7)], 1000);
    samples = withSample(samples, [stream("a", 6), stream("b", 7, "ended")], 2000);
    samples = withSample(samples, [stream("a", 6), stream("c", 1)], 3000);
    const names = new Map([["a", "atlas"]]);
    expect(linesOf(samples, names, ({ allocated }) => allocated)).toEqual([
      { label: "atlas", values: [5, 6, 6] },
      { label: "b", values: [7, null, null] },
      { label: "c", values: [null, null, 1] },
    ]);
  });

  it("takes no answer twice", () => {
    const once = withSample([], [stream("a", 5)], 1000);
    expect(withSample(once, [stream("a", 5)], 1000)).toBe(once);
  });

  it("stays bounded, and keeps the first and the newest", () => {
    let samples: readonly Sample[] = [];
    for (let at = 1; at <= 5000; at++) samples = withSample(samples, [], at);
    expect(samples.length).toBeLessThanOrEqual(1200);
    expect([samples.at(0)?.at, samples.at(-1)?.at]).toEqual([1, 5000]);
  });
});
