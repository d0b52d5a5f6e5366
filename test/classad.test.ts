import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { classAdTools } from "../src/main/classad-tools.ts";
import { capturedProgram } from "./captured-program.ts";
import { temporaryFolder } from "./stint.ts";

const folder = join(temporaryFolder(), "classads");
mkdirSync(folder);

/** A file with this text. */
function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const job = file(
  "job.jdl",
  "CpuNumber = 4\nRequirements = other.Free >= CpuNumber && other.Tag == 1\nRank = other.Free",
);
const site = file("site.ad", "[ Free = 8; Tag = 1 ]");
const full = file("full.ad", "[ Free = 2; Requirements = other.CpuNumber < 2 ]");

/** Runs `stint classad …`. */
const call = (...words: readonly string[]) =>
  capturedProgram({}, { classAds: async () => classAdTools }).call("classad", ...words);

describe("stint classad eval", () => {
  it("prints the canonical value", async () => {
    expect(await call("eval", "{1, 0x10, 'a b'}")).toEqual({
      code: 0,
      out: "{ 1, 16, undefined }\n",
      err: "",
    });
    expect((await call("eval", "1 / 0")).code).toBe(0);
    expect((await call("eval", "time()")).out).toBe("1780228800\n");
  });

  it("looks names up in ads on file, a line for each of several", async () => {
    expect((await call("eval", "Free * 2", "--ad", site)).out).toBe("16\n");
    const several = await call("eval", "Free * 2", "--ad", site, full);
    expect(several.out).toBe(`${site}: 16\n${full}: 4\n`);
    expect((await call("eval", "other.Free - CpuNumber", "--ad", job, "--other", site)).out).toBe("4\n");
  });

  it("has one item for each ad in JSON", async () => {
    const value = { ad: null, expression: "{ 1.0 }", kind: "list", text: "{ 1.0 }", value: [1] };
    expect(JSON.parse((await call("eval", "{1.0}", "-o", "json")).out)).toEqual({
      items: [value],
      next: null,
    });
    const several = JSON.parse((await call("eval", "Free", "--ad", site, full, "-o", "json")).out);
    expect(several.items.map(({ value: free }: { value: unknown }) => free)).toEqual([8, 2]);
  });

  it("says where a text cannot be read", async () => {
    const { code, err } = await call("eval", "1 +\n* 2");
    expect(code).toBe(2);
    expect(err).toMatch(/^stint: expression:2:1: unexpected \*\n {2}why: .+\n {2}do: {2}.+\n$/);
    const broken = file("broken.ad", "a = 1\nb = (2\n");
    expect((await call("eval", "a", "--ad", broken)).err).toContain(
      `${broken}:3:1: unexpected end of the text`,
    );
    expect(await call("eval", "a", "--ad", join(folder, "none.ad"))).toMatchObject({ code: 2, out: "" });
  });

  it("harms no terminal", async () => {
    expect((await call("eval", '"\u001b[31m"')).out).not.toContain("\u001b");
  });
});

describe("stint classad match", () => {
  it("says that two ads match, and their ranks", async () => {
    const { code, out } = await call("match", job, site);
    expect({ code, out }).toEqual({
      code: 0,
      out: `they match\n${job}: Requirements true, Rank 8\n${site}: Requirements true, Rank undefined\n`,
    });
  });

  it("says what stands in the way, and ends with 1", async () => {
    const { code, out } = await call("match", job, full);
    expect(code).toBe(1);
    expect(out.split("\n").slice(0, 6)).toEqual([
      "they do not match",
      `${job}: Requirements false, Rank 2`,
      "  other.Free >= CpuNumber is false",
      "  other.Tag == 1 is undefined",
      `${full}: Requirements false, Rank undefined`,
      "  other.CpuNumber < 2 is false",
    ]);
    const { matches, sides } = JSON.parse((await call("match", job, full, "-o", "json")).out);
    expect([matches, sides[0].failing[0].clause]).toEqual([false, "other.Free >= CpuNumber"]);
  });
});

describe("stint classad script", () => {
  it("runs statements in order; what is open goes on in the next line", async () => {
    const script = file(
      "a.classad",
      "x = {1,\n  2}\neval sum(\n x)\nx = 5\neval x // again\n\necho so  far\nsame x, 5",
    );
    expect(await call("script", script)).toEqual({ code: 0, out: "3\n5\nso  far\n", err: "" });
  });

  it("tells demands that are not met, goes on, and ends with 1", async () => {
    const script = file("b.classad", 'same 1, 1.0\ndiff "a",\n "a"\neval 7');
    const { code, out, err } = await call("script", script);
    expect({ code, out }).toEqual({ code: 1, out: "7\n" });
    expect(err).toBe(`${script}:1:1: 1 is not the same as 1.0\n${script}:2:1: both are "a"\n`);
  });

  it.each([
    ["eval 1\neval 2 +* 3\neval 4", "2:9"],
    ["x = [\n a = 1;\n b = ;\n]", "3:6"],
    ["same 1", "1:1"],
    ["eval (1", "1:8"],
    ["nonsense", "1:9"],
  ])("ends at what cannot be read: %s at %s", async (text, place) => {
    const script = file("c.classad", text);
    const { code, err } = await call("script", script);
    expect(code).toBe(2);
    expect(err).toContain(`stint: ${script}:${place}: `);
  });
});
