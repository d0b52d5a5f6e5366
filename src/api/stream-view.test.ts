import { expect, it } from "vitest";
import type { StreamFigures, StreamRecord } from "../model/index.ts";
import { streamState, streamView } from "./stream-view.ts";

const figures: StreamFigures = {
  ...{ state: "done", atMs: 0, allocatedBytesPerSec: 0, receivedBytesPerSec: 0, processedBytesPerSec: 0 },
  ...{ ackedBytes: 0, totalBytes: null, occupiedBytes: 0, quotaBytes: 0, halts: 0, haltedMs: 0, seq: 0 },
  ...{ setAside: 0, trouble: null },
};

function ended(last: StreamFigures | null) {
  const record: StreamRecord = {
    ...{ job: "hk3v", site: "here", submittedAtMs: 0, admittedAtMs: 1, endedAtMs: 2, last },
    ...{ isPaused: false, isDraining: false },
    stream: {
      ...{ name: "s", weight: 1, weightStep: 1, weightPeriodMs: 1, procs: 1, minBytesPerSec: 1, minBytes: 1 },
      ...{ sources: [], blockBytes: 1, connections: 1, ahead: 1, delivery: "lines", command: ["true"] },
      ...{ environment: {}, restarts: 0 },
    },
  };
  return streamView(record, undefined);
}

it("a stream that ended before the end of its data is FAILED, and says why", () => {
  const failure = "detect could not be started";
  const failed = ended({ ...figures, state: "failed", failure });
  expect(failed).toMatchObject({ state: "FAILED", figures: { failure } });
  expect(ended(figures)).toMatchObject({ state: "DONE" });
  expect(ended(figures).figures).not.toHaveProperty("failure");
  expect(ended(null).state).toBe("DONE");
});

it("between its trials and its own job a stream is SELECTED, whatever a trial reported", () => {
  const record = { endedAtMs: null, admittedAtMs: 1 } as StreamRecord;
  const trial = { className: "old", bytesPerSec: 7 };
  for (const state of ["stopped", "done", "failed"]) {
    expect(streamState({ ...record, trials: ["new"] }, { ...figures, state, trial })).toBe("TRIAL");
    expect(streamState(record, { ...figures, state, trial })).toBe("SELECTED");
  }
});

it("every state of a wrapper is shown as a documented state", () => {
  const record = { endedAtMs: null, admittedAtMs: 1 } as StreamRecord;
  const shown = ["running", "stopped", "diskFull", "stalled"].map((state) =>
    streamState(record, { ...figures, state }),
  );
  expect(shown).toEqual(["RUNNING", "SELECTED", "HALTED", "STALLED"]);
});
