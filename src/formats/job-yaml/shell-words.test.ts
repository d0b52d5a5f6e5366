import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import { splitShellWords } from "./shell-words.ts";

/** What a shell makes of the line; undefined where it finds it unfinished. */
function shellSays(line: string): string[] | undefined {
  const script = 'eval "set -- x $1"; shift; for word do printf "%s\\000" "$word"; done';
  const { status, stdout } = spawnSync("sh", ["-c", script, "sh", line], { encoding: "utf8" });
  return status === 0 ? stdout.split("\0").slice(0, -1) : undefined;
}

const hasShell = spawnSync("sh", ["-c", "exit 0"]).status === 0;

describe("splitting a line into words", () => {
  it.each([
    ["", []],
    ["  ", []],
    ["-v  file", ["-v", "file"]],
    ["'two words' one", ["two words", "one"]],
    ['a"b c"d', ["ab cd"]],
    ["''", [""]],
    ['"" x', ["", "x"]],
    ["a\\ b", ["a b"]],
    ["a\\\nb", ["ab"]],
    ["\\\n", []],
    ["a\nb\tc", ["a", "b", "c"]],
    ["'a\\b'", ["a\\b"]],
    ['"a\\b\\"\\\\\\$x\\`"', ['a\\b"\\$x`']],
    ['"a\\\nb"', ["ab"]],
    ["it\\'s", ["it's"]],
    ["a#b #c", ["a#b", "#c"]],
    ["*.txt ~ {a,b}", ["*.txt", "~", "{a,b}"]],
  ])("FO-28 %j is %j", (line, words) => {
    expect(splitShellWords(line)).toEqual({ ok: true, value: { words } });
  });

  it.each([
    ["echo $HOME", "$"],
    ['"$HOME"', "$"],
    ["a | b", "|"],
    ["a > b", ">"],
    ['a "`b`"', "`"],
    ["a;b", ";"],
    ["a & b | c", "&"],
  ])("FO-28 %j is not expanded, and %s is a warning", (line, unexpanded) => {
    expect(splitShellWords(line)).toMatchObject({ ok: true, value: { unexpanded } });
  });

  it.each([["'$a|b'"], ["\\$a \\|"], ['"\\$a | b > c"']])("FO-28 %j has no warning", (line) => {
    const split = splitShellWords(line);
    expect(split.ok && split.value.unexpanded).toBe(undefined);
  });

  it.each([
    ["a 'b", "'", 2],
    ['a"b c', '"', 1],
    ['"a\\"', '"', 0],
    ["a\\", "\\", 1],
  ])("FO-28 %j has an unclosed %s at %i", (line, mark, index) => {
    expect(splitShellWords(line)).toEqual({ ok: false, refusal: { mark, index } });
  });

  it.skipIf(!hasShell)("FO-28 words are those of sh for any quoting", () => {
    const quoted = fc.stringMatching(/^[a-z *?$|\\\n#;]{0,6}$/);
    const piece = fc.oneof(
      fc.stringMatching(/^[a-z=,.+/é-]{1,4}$/),
      fc.constantFrom(" ", "  ", "\t", "''", '""'),
      quoted.map((text) => `'${text}'`),
      fc.stringMatching(/^([a-z *?|\n#;']|\\[$`"\\\n]|\\[a-z ]){0,5}$/).map((text) => `"${text}"`),
      fc.constantFrom("$", "`", '"', "'", "\\", " ", "\n", "*", "|", "a", "&").map((char) => `\\${char}`),
      fc.constantFrom("'", '"'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const line = pieces.join("");
        // An open quote may turn what was quoted into what sh would run or expand.
        if (/[$`|&;#*?]/.test(outsideQuotes(line))) return;
        const split = splitShellWords(line);
        expect(split.ok ? split.value.words : undefined).toEqual(shellSays(line));
      }),
      draws(400),
    );
  });
});

/**
 * What is left of a line without its quoted parts; harmless lines only go to a shell. From the first quote
 * on that does not close, or within which a shell expands, all counts as unquoted.
 */
function outsideQuotes(line: string): string {
  const token = /\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"\\$`])*"|([^'"\\])/y;
  let bare = "";
  let end = 0;
  for (let found = token.exec(line); found !== null; found = token.exec(line)) {
    bare += found[1] ?? "";
    end = token.lastIndex;
  }
  bare += line.slice(end);
  return bare.includes("\n") ? `${bare};` : bare;
}
