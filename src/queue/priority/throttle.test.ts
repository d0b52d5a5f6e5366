import { describe, expect, it } from "vitest";
import { throttleSite } from "../drive/ordered-site.ts";
import {
  createArrivals,
  createDrive,
  createOrderedSite,
  feedOf,
  observe,
  observeEnds,
  type ReplayJob,
} from "../index.ts";
import { createThrottle } from "./throttle.ts";

describe("a throttle", () => {
  it("PF-7 admits, in order of submission, jobs that fit under the user's limit", () => {
    const throttle = createThrottle<string>((user) => (user === "free" ? undefined : 4));
    throttle.submit("a", 3, "a1");
    throttle.submit("free", 100, "f1");
    throttle.submit("a", 2, "a2");
    throttle.submit("a", 1, "a3");
    expect(throttle.entering()).toEqual(["a1", "f1", "a3"]);
    expect(throttle.entering()).toEqual([]);
    throttle.left("a", 3);
    expect(throttle.entering()).toEqual(["a2"]);
  });

  it("PF-7 a job wider than the limit enters when its user has nothing else there", () => {
    const throttle = createThrottle<string>(() => 4);
    throttle.submit("a", 2, "a1");
    throttle.submit("a", 9, "wide");
    expect(throttle.entering()).toEqual(["a1"]);
    throttle.left("a", 2);
    expect(throttle.entering()).toEqual(["wide"]);
  });

  it("PF-7 a job kept out takes no place in the queue, and enters when the other ends", () => {
    const starts: string[] = [];
    const order = { capacity: [[4]], discipline: "fcfs" } as const;
    const { site, submit: submitNow } = createOrderedSite<ReplayJob>(order);
    const userOf = ({ id }: ReplayJob) => (id < 10 ? "a" : "b");
    const { submit, actors } = throttleSite(site, { submit: submitNow, userOf, limitOf: () => 2 });
    observe(site, { started: (handle, atMs) => starts.push(`${site.jobs[handle].id}@${atMs}`) });
    observeEnds(site, ({ job: { id, submitMs } }) => starts.push(`${id} submitted ${submitMs}`));
    const arrivals = createArrivals<ReplayJob>(submit);
    const feed = feedOf(createDrive(site, [arrivals, ...actors]), arrivals);
    const job = (id: number, submitMs: number) => ({
      id,
      submitMs,
      need: [2],
      estimateMs: 10,
      runtimeMs: 10,
    });
    for (const one of [job(1, 0), job(2, 0), job(10, 1), job(11, 1)]) feed.offer(one);
    feed.finish();
    // Without a limit fcfs would start 1 and 2 at once.
    expect(starts.filter((text) => text.includes("@"))).toEqual(["1@0", "10@1", "2@10", "11@11"]);
    expect(starts).toContain("2 submitted 0");
  });
});
