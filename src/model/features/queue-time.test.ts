import { expect, it } from "vitest";
import { queueTime } from "./queue-time.ts";

it("the rest of a queue time is told in whole seconds", () => {
  const cause = { kind: "queueTime", site: "west", queueTimeMs: 5000 } as const;
  const text = (leftMs: number) => queueTime.causes?.queueTime({ ...cause, leftMs }, String);
  expect(text(3891)).toBe(
    "its queue time of 5s ends in 4s: then it leaves the queue of west and is matched again",
  );
  expect(text(0)).toContain("at west is over: it leaves the queue there");
});
