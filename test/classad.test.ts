import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
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

  it("reads ads in all forms, many to a file", async () => {
    const lines = 'Name = "one"\nFree = 8\n\nName = "two"\nFree = 4\n';
    const long = file("two.ads", lines);
    expect((await call("eval", "Free + 1", "--ad", long)).out).toBe("one: 9\ntwo: 5\n");
    for (const form of ["xml", "json", "new"]) {
      const other = file(`two.${form}`, (await call("convert", long, "--to", form)).out);
      expect((await call("eval", "Free + 1", "--ad", other)).out).toBe("one: 9\ntwo: 5\n");
    }
    const unnamed = file("unnamed.json", '[{"Free": 1}, {"Free": 2}]');
    expect((await call("eval", "Free", "--ad", unnamed)).out).toBe(`${unnamed} #1: 1\n${unnamed} #2: 2\n`);
    const single = file("one.xml", '<classads><c><a n="Free"><i>6</i></a></c></classads>');
    expect((await call("eval", "Free + other.Free", "--ad", single, "--other", single)).out).toBe("12\n");
    const { code, err } = await call("eval", "other.Free", "--other", long);
    expect([code, err]).toEqual([2, expect.stringContaining(`${long}: the file holds 2 ads`)]);
  });

  it("puts in place what an ad decides", async () => {
    const flat = await call("eval", "Requirements", "--ad", job, "--flatten");
    expect(flat).toEqual({ code: 0, out: "other.Free >= 4 && other.Tag == 1\n", err: "" });
    const [item] = JSON.parse(
      (await call("eval", "Free + 1", "--ad", site, "--flatten", "-o", "json")).out,
    ).items;
    expect(item).toMatchObject({ kind: "integer", text: "9", value: 9 });
    expect((await call("eval", "a", "--flatten", "--other", site)).code).toBe(2);
  });

  it("warns once why a pattern is not supported", async () => {
    const pattern = 'regexp("a(?=b)", other.x) || regexp("a(?=b)", "ab")';
    expect(await call("eval", pattern)).toEqual({
      ...{ code: 0, out: "error\n" },
      err: expect.stringMatching(/^stint: warning: the pattern "a\(\?=b\)" is not supported: look.+\n$/),
    });
    const { err } = await call("eval", String.raw`replace("(a)\\1", "aa", "b")`, "-o", "json");
    expect(err).toContain("a reference to a group would not end in time proportional to the text");
    expect((await call("eval", 'regexp("a", "b")')).err).toBe("");
  });

  it("says where a text cannot be read", async () => {
    const { code, err } = await call("eval", "1 +\n* 2");
    expect(code).toBe(2);
    expect(err).toMatch(/^stint: expression:2:1: unexpected \*\n {2}why: .+\n {2}do: {2}.+\n$/);
    const broken = file("broken.ad", "a = 1\nb = (2\n");
    expect((await call("eval", "a", "--ad", broken)).err).toContain(
      `${broken}:2:7: unexpected end of the text`,
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

const pool = file(
  "pool.ads",
  'Name = "a"\nFree = 8\nTag = 1\n\nName = "b"\nFree = 16\nTag = 1\n\nName = "c"\nFree = 2\nTag = 1\n',
);

describe("stint classad match with many ads", () => {
  it("ranks those that match, from several files", async () => {
    const { code, out } = await call("match", job, pool, site);
    expect(code).toBe(0);
    const [first, , head, best, ...others] = out.split("\n");
    expect([first, head, best]).toEqual(["3 of 4 ads match", "RANK  AD", "  16  b"]);
    expect(others.slice(0, 2).sort()).toEqual([`   8  ${site} #1`, "   8  a"]);
    expect((await call("match", job, pool, site)).out).toBe(out);
    const { items } = JSON.parse((await call("match", job, pool, "-o", "json")).out);
    expect(items[0]).toEqual({ ad: "b", file: pool, number: 2, rank: 16 });
  });

  it("draws the order under --fuzzy and FuzzyRank, the same for one job id", async () => {
    const orders = await Promise.all(
      Array.from({ length: 20 }, async (_, id) => {
        const { out } = await call("match", job, pool, "--fuzzy", "0.01", "--job-id", `j${id}`, "-o", "json");
        return JSON.parse(out)
          .items.map(({ ad }: { ad: string }) => ad)
          .join("");
      }),
    );
    expect([...new Set(orders)].sort()).toEqual(["ab", "ba"]);
    expect((await call("match", job, pool, "--fuzzy", "-1")).err).toContain("is not a factor");
  });

  it("ends with 1 where none matches, with 2 where the job is several ads", async () => {
    const none = file("none.jdl", "Requirements = other.Free > 99");
    expect(await call("match", none, pool)).toMatchObject({
      code: 1,
      out: "0 of 3 ads match\nstint classad analyze shows which condition costs how many ads\n",
    });
    expect((await call("match", pool, pool)).err).toContain(`${pool}: the file holds 3 ads`);
    const parted = file("parted.ad", "CpuNumber = 4\n\nRequirements = other.Free > CpuNumber\n");
    expect((await call("match", parted, pool)).out).toContain("2 of 3 ads match");
  });
});

describe("stint classad analyze", () => {
  it("shows what each condition costs and what wins ads", async () => {
    const wanting = file("wanting.jdl", "Cpus = 20\nRequirements = other.Free >= Cpus && other.Tga == 1");
    const { code, out } = await call("analyze", wanting, pool);
    expect(code).toBe(1);
    expect(out).toBe(`0 of 3 ads match

#  BY   ALONE  LEFT  ONLY  CONDITION
1  job    0/3     0     0  other.Free >= Cpus
2  job    0/3     0     0  other.Tga == 1

no ad has Tga, which 2 looks up; is Tag meant?

+3  change Cpus from 20 to 2, and leave out condition 2
`);
    const { changes, conditions } = JSON.parse((await call("analyze", wanting, pool, "-o", "json")).out);
    expect([changes[0].parts[1], conditions[1].by]).toEqual([
      { kind: "removal", condition: 2, text: "other.Tga == 1" },
      "job",
    ]);
  });
});

describe("stint classad convert", () => {
  it("writes all ads in one form, whatever theirs are", async () => {
    const { out } = await call("convert", pool, site, "--to", "json");
    expect(JSON.parse(out)).toHaveLength(4);
    const json = file("pool.json", out);
    expect((await call("convert", json, "--to", "long")).out).toContain('Name = "b"\nFree = 16\n');
    expect((await call("convert", json, "--to", "xml")).out).toContain('<a n="Free"><i>16</i></a>');
    expect((await call("convert", json, "--to", "new")).out).toContain('[\n  Name = "a";\n  Free = 8;');
  });

  it("lays ads out on several lines, or one on a line", async () => {
    const long = Array.from({ length: 9 }, (_, at) => `(other.Free > ${at}||x)`).join("&&");
    const ad = file("layout.ad", `[ s = [ t = {[ u = 1 ], 2} ]; Requirements = ${long} && (a && b) ]`);
    const pretty = await call("convert", ad, "--to", "new", "--pretty");
    expect(pretty.out).toContain(
      "[\n  s = [\n    t = {\n      [\n        u = 1;\n      ],\n      2\n    };\n  ];\n",
    );
    expect(pretty.out).toContain("  Requirements = (other.Free > 0 || x) &&\n    (other.Free > 1 || x) &&\n");
    const canonical = await call("convert", ad, "--to", "new", "--canonical");
    expect(canonical.out).toMatch(
      /^\[ s = \[ t = \{ \[ u = 1 \], 2 \} \]; Requirements = .+ && \(a && b\) \]\n$/,
    );
    const again = file("pretty.ad", pretty.out);
    expect((await call("convert", again, "--to", "new", "--canonical")).out).toBe(canonical.out);
    expect((await call("convert", ad, "--to", "new", "--pretty", "--canonical")).code).toBe(2);
  });

  it("says where a file cannot be read", async () => {
    const broken = file("broken.json", '[ { "a": 1,\n "b" 2 } ]');
    const { code, err } = await call("convert", broken, "--to", "new");
    expect(code).toBe(2);
    expect(err).toContain(`stint: ${broken}:2:6: unexpected "2"`);
    expect((await call("convert", pool, "--to", "yaml")).code).toBe(2);
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

  it("keeps expressions and values as variables, put in place as text", async () => {
    const lines = [
      "eval v = 2 * 3",
      "  let e = v - 1 // of v",
      "v = 5",
      "print $e",
      "eval $e * 2",
      "eval $v",
    ];
    const script = file("d.classad", [...lines, 'print "$v" // $none'].join("\n"));
    expect(await call("script", script)).toEqual({
      ...{ code: 0, err: "" },
      out: 'v - 1\n3\n6\n"$v"\n',
    });
  });

  it("compares expressions as they are written by sameq and diffq", async () => {
    const met =
      "let e = 1 + 2\nsameq $e, (1+2)\ndiffq $e, 3\nsame $e, 3\ndiffq a, A\nsameq [x=1], [ x = 1; ]";
    expect(await call("script", file("e.classad", met))).toEqual({ code: 0, out: "", err: "" });
    const unmet = file("f.classad", "sameq 1 + 2, 3\ndiffq f( 1 ), f(1)");
    expect(await call("script", unmet)).toEqual({
      ...{ code: 1, out: "" },
      err: `${unmet}:1:1: 1 + 2 is not the same as 3\n${unmet}:2:1: both are f(1)\n`,
    });
  });

  it("writes and reads ads in XML", async () => {
    const path = join(folder, "written.xml");
    const lines = [
      `writexml ${path} { [ a = 1; b = a + $n ],`,
      ' [ c = "x" ] }',
      `readxml back ${path}`,
      "print $back",
      "same $back[0].b, 3",
    ];
    const script = file("g.classad", ["let n = 2", ...lines].join("\n"));
    expect(await call("script", script)).toEqual({
      ...{ code: 0, err: "" },
      out: '{ [ a = 1; b = a + 2 ], [ c = "x" ] }\n',
    });
    expect(readFileSync(path, "utf8")).toContain("<e>a + 2</e>");
    const nowhere = file("h.classad", `writexml ${join(folder, "no", "x.xml")} [ a = 1 ]`);
    const { code, err } = await call("script", nowhere);
    expect([code, err]).toEqual([2, expect.stringContaining("x.xml: it cannot be written")]);
    expect((await call("script", file("i.classad", `readxml x ${script}`))).code).toBe(2);
  });

  it.each([
    ["let x = 12345\neval $x + * 3", "2:11"],
    ["eval 1 + $nobody", "1:10"],
    ["let 1", "1:1"],
    ["readxml x", "1:1"],
    ["writexml", "1:1"],
    ["writexml x.xml { 1 }", "1:1"],
    ["print", "1:6"],
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
