import { expect, it } from "vitest";
import type { StreamFigures } from "../../model/index.ts";
import { figuresNow } from "./figures-now.ts";

it("a stream whose job is suspended has no rates, whatever its wrapper reported before", () => {
  const reported: StreamFigures = {
    ...{ state: "running", atMs: 0, allocatedBytesPerSec: 9, receivedBytesPerSec: 8 },
    ...{ processedBytesPerSec: 7, ackedBytes: 6, totalBytes: null, occupiedBytes: 5 },
    ...{ quotaBytes: 4, halts: 0, haltedMs: 0, seq: 3 },
    ...{ setAside: 0, trouble: "lost" },
  };
  expect(figuresNow({ state: "RUNNING" }, reported)).toBe(reported);
  expect(figuresNow({ state: "SUSPENDED" }, undefined)).toBeUndefined();
  expect(figuresNow({ state: "SUSPENDED" }, reported)).toMatchObject({
    ...{ state: "suspended", allocatedBytesPerSec: 0, receivedBytesPerSec: 0, processedBytesPerSec: 0 },
    ...{ trouble: null, ackedBytes: 6, occupiedBytes: 5 },
  });
});
