import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { steppedStart } from "../../test/plain/stepped-start.ts";
import { pastJobs, queuesWithPast } from "../../test/queues-with-past.ts";
import { copyQueue, nextInstant, note, outlookOf, settle, startIn } from "../queue/index.ts";

describe("the outlook on a queue", () => {
  it("EN-5 gives the start of one more job as a simulation of the queue does", () => {
    fc.assert(
      fc.property(queuesWithPast, pastJobs, fc.nat(40), ({ queue, nowMs }, one, laterMs) => {
        const outlook = outlookOf(copyQueue(queue), nowMs);
        const atMs = nowMs + laterMs;
        const played = copyQueue(queue);
        for (settle(played, nowMs); nextInstant(played) < atMs; ) settle(played, nextInstant(played));
        note(played, { kind: "arrive", job: "new", need: one.need, estimateMs: one.estimateMs });
        expect(startIn(outlook, one, atMs)).toBe(steppedStart(played, "new", atMs));
      }),
      draws(600),
    );
  });
});
