import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { capturedProgram } from "../../test/captured-program.ts";
import type { Up } from "./up.ts";

/** Ctrl-C while a broker starts up, which ends by `ended`. */
async function interrupted(ended: (signal: AbortSignal) => Promise<void>) {
  let begun = () => {};
  const isBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const up: Up = (_, { signal }) => {
    begun();
    return ended(signal);
  };
  const program = capturedProgram({}, { up: async () => up });
  const called = program.call("up");
  await isBegun;
  program.request("interrupt");
  return called;
}

describe("stint up that is interrupted while it starts", () => {
  it.each<[string, (signal: AbortSignal) => Promise<void>]>([
    [
      "by the reason itself",
      (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    ],
    ["by the end of a pause", (signal) => sleep(60_000, undefined, { signal })],
  ])("ends without an error, %s", async (_, ended) => {
    expect(await interrupted(ended)).toEqual({
      code: 0,
      out: "",
      err: "stint: stopped before it was ready\n",
    });
  });

  it("still tells of another error", async () => {
    const called = await interrupted(
      (signal) =>
        new Promise((_, reject) =>
          signal.addEventListener("abort", () => reject(new Error("a disk is full"))),
        ),
    );
    expect(called).toMatchObject({ code: 1, err: expect.stringContaining("a disk is full") });
  });
});
