import { describe, expect, it } from "vitest";
import { leavingKeys } from "./keyboard.ts";

/** What of these keys the job gets; `<` where the user leaves. */
function read(...pieces: readonly string[]): string {
  const words = leavingKeys();
  return pieces
    .map((piece) => {
      const { keys, isLeaving } = words.read(Buffer.from(piece));
      return Buffer.from(keys).toString() + (isLeaving ? "<" : "");
    })
    .join("");
}

describe("keys that leave a terminal", () => {
  it.each([
    [["~."], "<"],
    [["ls\r~."], "ls\r<"],
    [["ls\r", "~", "."], "ls\r<"],
    [["ls ~.\r"], "ls ~.\r"],
    [["~~/x\r"], "~/x\r"],
    [["~/x\r~~.\r"], "~/x\r~.\r"],
    [["~\r~."], "~\r<"],
    [["\x03\x1a~."], "\x03\x1a~."],
  ])("%j give the job %j", (pieces, expected) => {
    expect(read(...pieces)).toBe(expected);
  });
});
