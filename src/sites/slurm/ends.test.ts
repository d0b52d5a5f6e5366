import { describe, expect, it } from "vitest";
import type { EndedJob } from "../../formats/slurm/index.ts";
import { endOfAttempt, type WrapperReport } from "./ends.ts";

const row: EndedJob = {
  siteJob: "7",
  ...{ name: "n", comment: null, workDirectory: null },
  stateText: "COMPLETED",
  reason: null,
  submittedAtMs: 0,
  startedAtMs: 1000,
  endedAtMs: 9000,
  exitCode: 0,
  signal: null,
};
const report: WrapperReport = {
  token: "a/1",
  siteJob: "7",
  cause: "ended",
  exitCode: 0,
  signal: null,
  startedAtMs: 1500,
  endedAtMs: 8000,
  cpu: "",
};
const killed = { ...report, exitCode: null, signal: "SIGKILL" };
const ended = { ...report, exitCode: null, signal: "SIGTERM" };

const late = { ...ended, cause: "timeLimit" };
const requeued = { ...report, cause: "requeued", exitCode: null };
/** Report of a shell whose program was killed for its memory. */
const shell = { ...report, exitCode: 137 };
/** Report of a run that ended two seconds before the run in the queue began. */
const before = { ...ended, startedAtMs: -9000, endedAtMs: -1000 };

describe("SU-11 how an attempt ended", () => {
  it.each([
    { what: "the kernel killed it", state: "OUT_OF_MEMORY", left: killed, cause: "lost", says: "memory" },
    { what: "and its wrapper", state: "OUT_OF_MEMORY", left: undefined, cause: "lost", says: "memory" },
    { what: "one process of it was killed, and it went on", state: "OUT_OF_MEMORY", left: report },
    { what: "its wrapper saw TERM", state: "PREEMPTED", left: ended, cause: "lost", says: "preempted" },
    { what: "it said nothing", state: "PREEMPTED", left: undefined, cause: "lost", says: "preempted" },
    { what: "its node failed", state: "NODE_FAIL", left: undefined, cause: "lost", says: "NODE_FAIL" },
    { what: "its node failed after its end", state: "NODE_FAIL", left: report },
    { what: "its wrapper saw TERM", state: "NODE_FAIL", left: ended, cause: "lost", says: "node failed" },
    {
      what: "the shell around it went on",
      state: "OUT_OF_MEMORY",
      left: shell,
      cause: "lost",
      says: "memory",
    },
    {
      what: "it was requeued while it ran",
      state: "FAILED",
      left: before,
      cause: "lost",
      says: "requeued it",
    },
    {
      what: "it was requeued after its end",
      state: "FAILED",
      left: { ...before, signal: null, exitCode: 0 },
    },
    { what: "its limit came first", state: "OUT_OF_MEMORY", left: late, cause: "timeLimit" },
    { what: "its first run was killed", state: "FAILED", left: requeued, cause: "lost", says: "requeued it" },
    { what: "somebody killed it", state: "FAILED", left: killed, cause: "signalled" },
  ])("$state: $what", ({ state, left, cause = "exited", says }) => {
    const { end } = endOfAttempt("a/1", { ...row, stateText: state }, left);
    expect(end.cause).toBe(cause);
    expect(end.shortOf).toBe(says === "memory" ? "memory" : undefined);
    if (says === undefined) expect(end.detail).toBeNull();
    else expect(end.detail).toContain(says);
  });

  it.each([
    { number: 15, name: "SIGTERM" },
    { number: 34, name: "SIG34" },
    { number: 64, name: "SIG64" },
  ])("a signal that is told by its number, or by a code of 128 and more: $name", ({ number, name }) => {
    const failed = { ...row, stateText: "FAILED" };
    const asSignal = endOfAttempt("a/1", { ...failed, exitCode: 0, signal: number }, undefined);
    const asCode = endOfAttempt("a/1", { ...failed, exitCode: 128 + number, signal: null }, undefined);
    for (const { end } of [asSignal, asCode]) {
      expect(end).toMatchObject({ cause: "signalled", exitCode: null, signal: name });
    }
  });
});
