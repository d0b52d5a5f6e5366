import { afterEach, expect, it, vi } from "vitest";
import { followGrowth } from "./growth.ts";

afterEach(() => vi.useRealTimers());

it.each([
  { text: "a line\nEND\n", hasEnded: true },
  { text: "a line\r\nEND\r\n", hasEnded: true },
  { text: "END\n", hasEnded: true },
  { text: "a line\nEND", hasEnded: false },
  { text: "a line\nEND\nmore\n", hasEnded: false },
  { text: "a line\nWEEKEND\n", hasEnded: false },
  { text: "WEEKEND\n", hasEnded: false },
  { text: "", hasEnded: false },
])("SW-15 $text ends with the last line: $hasEnded", async ({ text, hasEnded }) => {
  const file = Buffer.from(text);
  const growth = followGrowth({ line: "END" }, async ({ start, end }) => file.subarray(start, end));
  expect(await growth.hasEndedAt(file.length, new AbortController().signal)).toBe(hasEnded);
});

it("SW-15 a file has ended after a time without new data", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const growth = followGrowth({ silenceMs: 1000 }, async () => Buffer.alloc(0));
  const hasEnded = () => growth.hasEndedAt(10, new AbortController().signal);
  expect(await hasEnded()).toBe(false);
  vi.advanceTimersByTime(999);
  expect(await hasEnded()).toBe(false);
  growth.noteData();
  vi.advanceTimersByTime(1);
  expect(await hasEnded()).toBe(false);
  vi.advanceTimersByTime(1000);
  expect(await hasEnded()).toBe(true);
});

it("SW-15 the last line is looked up again where its file could not be read", async () => {
  const file = Buffer.from("a line\nEND\n");
  let [reads, isReachable] = [0, false];
  const growth = followGrowth({ line: "END" }, async ({ start, end }) => {
    reads++;
    if (!isReachable) throw new Error("no connection");
    return file.subarray(start, end);
  });
  const { signal } = new AbortController();
  await expect(growth.hasEndedAt(file.length, signal)).rejects.toThrow("no connection");
  isReachable = true;
  expect(await growth.hasEndedAt(file.length, signal)).toBe(true);
  // What has been compared is not read again.
  expect(await growth.hasEndedAt(10, signal)).toBe(false);
  expect(await growth.hasEndedAt(10, signal)).toBe(false);
  expect(reads).toBe(3);
});
