import { describe, expect, it } from "vitest";
import { readManifest } from "./manifest.ts";
import { numbered } from "./source-list.ts";

const HREF = "https://data.example/run7/list";
const read = (text: string, isWhole = true, href = HREF) =>
  readManifest(Buffer.from(text), { href, from: 0, isWhole });

describe("a manifest", () => {
  it("SW-10 has files with sizes and checksums, relative to itself, up to its end", () => {
    const md5 = `md5:${"0".repeat(32)}`;
    const text = `# run 7\n\na.dat 100 ${md5}\nhttp://mirror.example/b.dat ${md5} 5\r\nend\nc.dat\n`;
    const { files, isEnded } = read(text);
    expect(files.map(({ file }) => file)).toEqual([
      { href: ["https://data.example/run7/a.dat"], bytes: 100, checksum: md5 },
      { href: ["http://mirror.example/b.dat"], bytes: 5, checksum: md5 },
    ]);
    expect(isEnded).toBe(true);
  });

  it("SW-10 goes on after the last whole line", () => {
    const { files } = read("a.dat\nb.da", false);
    expect(files).toEqual([{ file: { href: ["https://data.example/run7/a.dat"] }, upTo: 6 }]);
    expect(read("a.dat\nb.dat").files.map(({ upTo }) => upTo)).toEqual([6, 11]);
  });

  it.each([
    ["a.dat\nb.dat 12 many", "byte 6: a line is an address"],
    ["a.dat 1 2 3", "byte 0: a line is an address"],
    ["file:///etc/passwd", "cannot be read by file:"],
    ["s3://bucket/a", "cannot be read by s3:"],
  ])("SW-10 %j is refused with its place", (text, words) => {
    expect(() => read(text)).toThrow(words);
  });

  it("of a generator has a number, with leading zeros where asked for", () => {
    expect(numbered("https://data.example/{n}/h-{n:3}.gwf", 7)).toBe("https://data.example/7/h-007.gwf");
  });
});
