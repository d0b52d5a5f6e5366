import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/stint.ts";
import { sandboxName } from "../../model/index.ts";
import { absoluteInput, expandInput } from "./index.ts";

const folder = temporaryFolder();
const FILES = [
  ...["data/a.csv", "data/b.csv", "data/notes.txt", "data/deep/c.csv", "data/.hidden/d.csv"],
  ...["run1/in.dat", "run2/in.dat", "lone*star.txt", "with\nline/x y.txt", "linked/real.txt"],
];

beforeAll(() => {
  for (const file of FILES) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), file);
  }
  mkdirSync(join(folder, "empty"));
  symlinkSync("/etc/passwd", join(folder, "linked", "there"));
  symlinkSync("/etc", join(folder, "run1", "etc"));
});

const namesOf = (text: string): readonly string[] | string => {
  const files = expandInput(text, folder);
  return files.ok ? files.value.map(sandboxName) : `${files.refusal.code}: ${files.refusal.why}`;
};

describe("files to send along", () => {
  const tree = ["data/.hidden/d.csv", "data/a.csv", "data/b.csv", "data/deep/c.csv", "data/notes.txt"];
  it.each([
    ["a file", "data/a.csv", ["a.csv"]],
    ["a file that is missing, which is refused later", "none.txt", ["none.txt"]],
    ["a directory", "data", tree],
    ["a directory with a slash", "./data/", tree],
    ["a directory itself", "data/.", tree.map((name) => name.slice(5))],
    ["a pattern", "data/*.csv", ["a.csv", "b.csv"]],
    ["one character", "data/?.csv", ["a.csv", "b.csv"]],
    ["at any depth", "data/**/*.csv", ["a.csv", "b.csv", "deep/c.csv"]],
    ["all at any depth", "data/**", ["a.csv", "b.csv", "deep/c.csv", "notes.txt"]],
    ["a directory that a pattern matches", "data/dee?", ["deep/c.csv"]],
    ["directories alone", "data/*/", ["deep/c.csv"]],
    ["a part before the name", "run?/in.dat", ["run1/in.dat", "run2/in.dat"]],
    ["a file whose name looks like a pattern", "lone*star.txt", ["lone*star.txt"]],
    ["names with blanks and line ends", "with*", ["with\nline/x y.txt"]],
  ])("%s", (_, text, names) => expect(namesOf(text)).toEqual(names));

  it.each([
    ["a link in a directory", "linked", '"linked/there" in it is a link'],
    ["a link to a directory", "run1", '"run1/etc" in it is a link'],
    ["a directory without files", "empty", "sandboxFile: there is no file"],
    ["a pattern without a match", "data/*.dat", "sandboxFile: there is no file"],
    ["a pattern below nothing", "none/*.dat", "sandboxFile: there is no file"],
  ])("refuses %s", (_, text, why) => expect(namesOf(text)).toContain(why));

  it("are named by absolute paths, and keep their names", () => {
    const files = expandInput("data/**/*.csv", ".");
    expect(files.ok).toBe(false);
    expect(absoluteInput("/data", "jobs/./data/a.csv")).toBe("/data/jobs/./data/a.csv");
    expect(absoluteInput("/data", "/./a/b")).toBe("/./a/b");
    expect(absoluteInput("/data", "../a.csv")).toBe("/a.csv");
  });
});

describe("a directory with too many files", () => {
  it("is refused with the limit and a remedy", () => {
    const many = join(folder, "many");
    mkdirSync(many);
    for (let at = 0; at <= 10_000; at++) writeFileSync(join(many, String(at)), "");
    const files = expandInput("many", folder);
    expect(files).toMatchObject({
      ok: false,
      refusal: { why: expect.stringContaining("10000"), remedy: expect.stringContaining("tar") },
    });
  });
});
