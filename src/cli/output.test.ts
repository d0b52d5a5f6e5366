import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { aFault, aJob, capturedProgram, jobFiles } from "../../test/captured-program.ts";
import { temporaryFolder } from "../../test/stint.ts";
import type { JobView, StintClient } from "../api/client/index.ts";

const folder = temporaryFolder();
const texts = {
  stdout: "hello\n",
  stderr: "",
  "result.tar.gz": "packed already",
  "a.dat": "aaaa",
  "b.dat": "bbbb",
  "secret+x": "not asked for",
};
const job: JobView = aJob({ state: "DONE", result: "ok", exitCode: 0 });

/** A program in a fresh directory, with a job that left these files and wants these home. */
function programIn(name: string, outputSandbox: string[] = [], change: Partial<StintClient> = {}) {
  const directory = join(folder, name);
  mkdirSync(directory);
  const left: JobView = { ...job, outputSandbox };
  const client = { job: async () => left, ...jobFiles(texts), ...change };
  return { directory, program: capturedProgram(client, { directory }) };
}

const contents = (directory: string) =>
  Object.fromEntries(
    readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), "utf8")]),
  );

describe("stint output", () => {
  it("CL-11 brings stdout, stderr and what the output sandbox names, byte for byte, into ./ID", async () => {
    const { directory, program } = programIn("plain", ["*.dat", "result.tar.gz", "none-?", "secret.x"]);
    const { code, out, err } = await program.call("output", "7f3a");
    expect(code).toBe(0);
    expect(contents(join(directory, job.id))).toEqual({
      stdout: "hello\n",
      stderr: "",
      "result.tar.gz": "packed already",
      "a.dat": "aaaa",
      "b.dat": "bbbb",
    });
    expect(out.trim().split("\n")).toContain(join(job.id, "a.dat"));
    expect(err).toContain('"none-?"');
    expect(err).toContain('"secret.x"');
  });

  const tree = {
    ...{ "results/a.csv": "a", "results/deep/b": "b", "results/.x/c": "c", "out/d.csv": "d" },
    ...{ "out/run1/e.csv": "e", "out/run1/f.txt": "f", ".h/g.csv": "g", "x.dat/h": "h", "results2/i": "i" },
  };
  it.each([
    ["a directory", ["results/"], ["results/.x/c", "results/a.csv", "results/deep/b"]],
    ["a directory without its slash", ["results"], ["results/.x/c", "results/a.csv", "results/deep/b"]],
    ["a pattern in a directory", ["out/*.csv"], ["out/d.csv"]],
    ["a pattern at any depth", ["out/**/*.csv"], ["out/d.csv", "out/run1/e.csv"]],
    ["directories that a pattern matches", ["x.d*"], ["x.dat/h"]],
    ["directories alone", ["out/*/"], ["out/run1/e.csv", "out/run1/f.txt"]],
    ["one character", ["out/run?/e.csv"], ["out/run1/e.csv"]],
    ["a file in a directory", ["out/d.csv", "results/deep"], ["out/d.csv", "results/deep/b"]],
  ])("CL-11 brings %s into the same tree", async (what, wanted, names) => {
    const { directory, program } = programIn(`tree ${what}`, wanted, jobFiles({ ...texts, ...tree }));
    const { code, out, err } = await program.call("output", "7f3a", "--to", "home");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const brought = out
      .trim()
      .split("\n")
      .filter((path) => !/std(out|err)$/.test(path));
    expect(brought.sort()).toEqual(names.map((name) => join("home", name)));
    for (const name of names) {
      expect(readFileSync(join(directory, "home", name), "utf8")).toBe(tree[name as keyof typeof tree]);
    }
  });

  it("says so where a job has more files than are listed", async () => {
    const many = Array.from({ length: 10_000 }, (_, at) => ({ name: `f${at}`, sizeBytes: 1 }));
    const { program } = programIn("many", [], { files: async () => many });
    expect((await program.call("output", "7f3a")).err).toContain("10000 files or more");
  });

  it("a job without an output sandbox leaves its two streams", async () => {
    const { directory, program } = programIn("silent");
    await program.call("output", "7f3a", "--to", "deep/er");
    expect(Object.keys(contents(join(directory, "deep/er")))).toEqual(["stderr", "stdout"]);
  });

  it("brings streams that go by other names", async () => {
    const named: JobView = { ...job, stdOutput: "a.dat", stdError: "b.dat" };
    const { directory, program } = programIn("named", [], { job: async () => named });
    await program.call("output", "7f3a", "--to", ".");
    expect(contents(directory)).toEqual({ "a.dat": "aaaa", "b.dat": "bbbb" });
    expect((await program.call("logs", "7f3a", "--stderr")).out).toBe("bbbb");
  });

  it.each(["file", "dangling link"])(
    "CL-11 refuses to overwrite a %s, before anything is brought",
    async (what) => {
      const { directory, program } = programIn(`there-${what}`, ["*.dat"]);
      if (what === "file") writeFileSync(join(directory, "b.dat"), "mine");
      else symlinkSync("nowhere", join(directory, "b.dat"));
      const { code, err } = await program.call("output", "7f3a", "--to", ".");
      expect(code).toBe(5);
      expect(err).toContain("--force");
      expect(readdirSync(directory)).toEqual(["b.dat"]);
    },
  );

  it("CL-11 overwrites with --force", async () => {
    const { directory, program } = programIn("force", ["b.dat"]);
    writeFileSync(join(directory, "b.dat"), "mine");
    expect((await program.call("output", "7f3a", "--to", ".", "--force")).code).toBe(0);
    expect(contents(directory)).toMatchObject({ "b.dat": "bbbb" });
  });

  it.each(["../out", "/tmp/x", "..", "", "a\\b", "a/../../b", "a//b"])(
    "CL-11 writes no name that leads out: %j",
    async (name) => {
      const files = async () => [
        { name: "stdout", sizeBytes: 6 },
        { name, sizeBytes: 1 },
      ];
      const at = `strange-${[...name].map((character) => character.charCodeAt(0)).join("-")}`;
      const { directory, program } = programIn(at, ["*", ".*"], { files });
      expect((await program.call("output", "7f3a", "--to", "out")).code).toBe(1);
      expect(readdirSync(directory)).toEqual([]);
    },
  );

  it("CL-11 a transfer that breaks leaves nothing half-written", async () => {
    async function* breaking(): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode("hel");
      throw aFault("unreachable");
    }
    const { directory, program } = programIn("broken", [], { readFile: () => breaking() });
    expect((await program.call("output", "7f3a", "--to", ".")).code).toBe(69);
    expect(readdirSync(directory)).toEqual([]);
  });

  it("a job that is not over: exit 5, and says how to follow it", async () => {
    const { program } = programIn("running", [], { job: async () => aJob() });
    const { code, err } = await program.call("output", "7f3a");
    expect(code).toBe(5);
    expect(err).toContain("stint logs");
  });

  it("a directory that cannot be made: three lines", async () => {
    const { directory, program } = programIn("blocked");
    writeFileSync(join(directory, "file"), "");
    const { code, err } = await program.call("output", "7f3a", "--to", "file/below");
    expect(code).toBe(1);
    expect(err).toMatch(
      /^stint: cannot write file\/below\n {2}why: a part of this path is a file, not a directory\n {2}do: /,
    );
  });
});
