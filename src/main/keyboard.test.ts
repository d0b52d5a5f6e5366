import { afterEach, expect, it, vi } from "vitest";
import { keyboardHere } from "./keyboard.ts";

afterEach(() => vi.unstubAllGlobals());

it.each([
  ["of no size has none", 0, 0, undefined],
  ["without columns has none", 24, 0, undefined],
  ["tells its size", 30, 100, { rows: 30, columns: 100 }],
])("a terminal %s", (_, rows, columns, size) => {
  vi.stubGlobal("process", { stdin: { isTTY: true }, stdout: { isTTY: true, rows, columns } });
  expect(keyboardHere().size()).toEqual(size);
});
