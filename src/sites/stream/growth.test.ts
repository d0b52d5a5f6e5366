import { expect, it } from "vitest";
import { followGrowth } from "./growth.ts";

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
