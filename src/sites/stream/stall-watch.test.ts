import { expect, it } from "vitest";
import { createStallWatch, stallOf } from "./stall-watch.ts";
import { createAttempts, type Trouble } from "./trouble.ts";

it("a transfer is stalled when all its connections fail, or nothing has come for two seconds", () => {
  let now = 0;
  const watch = createStallWatch(() => now);
  const trouble = { with: "source", message: "lost", sinceMs: 0 } as const;
  expect(watch.isStalled(1)).toBe(false);
  watch.noteTrouble(4, trouble);
  expect([1, 2].map(watch.isStalled)).toEqual([true, false]);
  watch.noteBytes(4);
  expect([watch.isStalled(1), watch.trouble()]).toEqual([false, undefined]);
  now = 2001;
  expect(watch.isStalled(1)).toBe(true);
  // After a halt nothing has been silent.
  watch.begin();
  expect(watch.isStalled(1)).toBe(false);
});

it("silence is a trouble, after which a connection is made again", () => {
  let now = 0;
  const watch = createStallWatch(() => now);
  now = 5000;
  const {
    sinceMs,
    nextAtMs = 0,
    message,
  } = watch.silence({ href: ["http://a/b"], isAwaited: false }, 30_000);
  expect(message).toBe("http://a/b sends no data");
  expect(nextAtMs - sinceMs).toBe(30_000);
  expect(watch.silence({ href: ["http://a/b"], isAwaited: true }, 30_000)).not.toHaveProperty("nextAtMs");
  expect(watch.silence(undefined, 30_000).message).toBe("no further file is listed yet");
});

it("attempts fail since the first of them, and the next one is after the wait", async () => {
  let now = 1000;
  const attempts = createAttempts("sink", () => now);
  const troubles: Trouble[] = [];
  const { signal } = new AbortController();
  const fail = () => attempts.failed({ message: "503", signal, tell: (it) => void troubles.push(it) });
  await fail();
  now = 1200;
  await fail();
  attempts.succeeded();
  now = 9000;
  await fail();
  expect(troubles.map(({ sinceMs }) => sinceMs)).toEqual([1000, 1000, 9000]);
  const waits = troubles.map(({ nextAtMs = 0 }, at) => nextAtMs - [1000, 1200, 9000][at]);
  for (const [at, most] of [200, 400, 200].entries()) {
    expect(waits[at]).toBeGreaterThanOrEqual(most / 2);
    expect(waits[at]).toBeLessThanOrEqual(most);
  }
  expect(stallOf({ ...troubles[0], nextAtMs: 1600 })).toEqual({
    ...{ with: "sink", since: "1970-01-01T00:00:01.000Z", nextAttempt: "1970-01-01T00:00:01.600Z" },
  });
});
