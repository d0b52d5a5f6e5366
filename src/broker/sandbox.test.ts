import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Sandboxes, sandboxesIn } from "./index.ts";
import { inputHashes } from "./job-commands.ts";

let folder: string;
/** What the sandboxes of a test are made with. */
const limits = {
  mostBytes: 1000,
  get ownDirectory() {
    return place("state");
  },
  get tokenRoot() {
    return place("for-tokens");
  },
};
let sandboxes: Sandboxes;
const place = (name: string): string => join(folder, name);
const copies = (): readonly string[] => readdirSync(place("kept/copies"));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stint-sandbox-"));
  sandboxes = sandboxesIn(place("kept"), limits);
  for (const name of ["state", "for-tokens"]) mkdirSync(place(name));
  writeFileSync(place("state/admin.token"), "secret");
  writeFileSync(place("for-tokens/data"), "data");
  writeFileSync(place("a"), "one");
  writeFileSync(place("b"), "one");
  writeFileSync(place("c"), "three");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("input files", () => {
  it("BR-13 have hashes, as sha256sum gives them", async () => {
    await sandboxes.keep("1", [place("a"), place("c")]);
    const hashes = sandboxes.hashesOf("1");
    const said = (name: string) =>
      execFileSync("sha256sum", [place(name)], { encoding: "utf8" }).slice(0, 64);
    expect(hashes).toEqual({ a: said("a"), c: said("c") });
    const lines = `${said("a")}  a\n${said("c")}  c\n`;
    const all = execFileSync("sha256sum", [], { input: lines, encoding: "utf8" }).slice(0, 64);
    expect(inputHashes(hashes)).toEqual({ digest: all, files: hashes });
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`f${at}`, hashes.a]));
    expect(inputHashes(many)).not.toHaveProperty("files");
  });

  it("BR-13 are kept once by content, whatever happens to the originals", async () => {
    await sandboxes.keep("1", [place("a"), place("c")]);
    await sandboxes.keep("2", [place("b")]);
    rmSync(place("a"));
    expect(copies()).toHaveLength(2);
    const [a, c] = sandboxes.filesOf("1", [place("a"), place("c")]);
    expect([a.name, c.name]).toEqual(["a", "c"]);
    expect(readFileSync(a.source, "utf8") + readFileSync(c.source, "utf8")).toBe("onethree");
    const [b] = sandboxes.filesOf("2", [place("b")]);
    expect(statSync(b.source).ino).toBe(statSync(a.source).ino);
    await sandboxes.drop("1");
    expect(copies()).toHaveLength(1);
    await sandboxes.drop("2");
    await sandboxes.drop("2");
    expect(copies()).toEqual([]);
  });

  it("BR-13 keep their permission to execute, whoever has the same content without it", async () => {
    const ownerMayExecute = ({ source }: { source: string }) => (statSync(source).mode & 0o100) !== 0;
    chmodSync(place("b"), 0o755);
    await sandboxes.keep("1", [place("a"), place("b")]);
    await sandboxes.keep("2", [place("b")]);
    const paths = [place("a"), place("b")];
    expect(sandboxes.filesOf("1", paths).map(ownerMayExecute)).toEqual([false, true]);
    expect(sandboxes.filesOf("2", [place("b")]).map(ownerMayExecute)).toEqual([true]);
    const { a, b } = sandboxes.hashesOf("1");
    expect(b).toBe(a);
    await sandboxes.drop("1");
    await sandboxes.drop("2");
    expect(copies()).toEqual([]);
  });

  it.each([
    ["a link", "sandboxNotRegular", () => symlinkSync(place("a"), place("x"))],
    ["a directory", "sandboxNotRegular", () => execFileSync("mkdir", [place("x")])],
    ["a pipe", "sandboxNotRegular", () => execFileSync("mkfifo", [place("x")])],
    ["nothing", "sandboxUnreadable", () => undefined],
    ["too large", "sandboxTooLarge", () => writeFileSync(place("x"), "x".repeat(998))],
  ])("BR-13 %s is refused, and nothing is kept", async (_, code, make) => {
    make();
    await expect(sandboxes.keep("1", [place("a"), place("x")])).rejects.toMatchObject({ code });
    expect(copies()).toEqual([]);
    expect(readdirSync(place("kept/coming"))).toEqual([]);
    expect(existsSync(place("kept/jobs/1"))).toBe(false);
  });

  it("BR-13 a file that grows while it is copied is refused", async () => {
    const large = sandboxesIn(place("kept"));
    writeFileSync(place("x"), "x".repeat(50_000_000));
    const keeping = large.keep("1", [place("x")]);
    const growing = setInterval(() => appendFileSync(place("x"), "more"), 1);
    await expect(keeping).rejects.toMatchObject({ code: "sandboxChanged" });
    clearInterval(growing);
  });

  it("BR-13 copies of ended jobs are gone after a restart", async () => {
    await sandboxes.keep("1", [place("a")]);
    await sandboxes.keep("2", [place("c")]);
    await sandboxes.sweep((job) => job === "2");
    expect(copies()).toHaveLength(1);
    expect(existsSync(sandboxes.filesOf("2", [place("c")])[0].source)).toBe(true);
  });
});

describe("whose files are taken", () => {
  const codeOf = (path: string, isByToken: boolean): Promise<string | undefined> =>
    sandboxes.keep("1", [path], { isByToken }).then(
      () => undefined,
      (error: { readonly code?: string }) => error.code,
    );

  beforeEach(() => {
    symlinkSync(place("state"), place("harmless"));
    symlinkSync(place("."), place("for-tokens/out"));
  });

  it.each([
    { path: "a", isByToken: false },
    { path: "for-tokens/data", isByToken: true },
    { path: "for-tokens/../for-tokens/data", isByToken: true },
  ])("$path, by a token: $isByToken, is taken", async ({ path, isByToken }) => {
    expect(await codeOf(place(path), isByToken)).toBeUndefined();
  });

  it.each([
    { path: "state/admin.token", isByToken: false },
    { path: "harmless/admin.token", isByToken: false },
    { path: "a", isByToken: true },
    { path: "not-there", isByToken: true },
    { path: "for-tokens/../a", isByToken: true },
    { path: "for-tokens/out/a", isByToken: true },
    { path: "state/admin.token", isByToken: true },
  ])("$path, by a token: $isByToken, is not, and nothing is kept", async ({ path, isByToken }) => {
    expect(await codeOf(place(path), isByToken)).toBe("inputNotAllowed");
    expect(existsSync(place("kept/jobs/1"))).toBe(false);
  });

  it("without a root, a token opens no file", async () => {
    sandboxes = sandboxesIn(place("kept"));
    expect(await codeOf(place("for-tokens/data"), true)).toBe("inputNotAllowed");
  });

  it("stored files of a job go with another job, and nothing else of the broker does", async () => {
    const own = sandboxesIn(place("state/sandboxes"), limits);
    await own.keep("stream", [place("a")]);
    const [{ source }] = own.filesOf("stream", [place("a")]);
    await expect(own.keep("trial", [source])).rejects.toMatchObject({ code: "inputNotAllowed" });
    const token = own.keep("trial", [place("state/admin.token")], { ofJob: "stream" });
    await expect(token).rejects.toMatchObject({ code: "inputNotAllowed" });
    expect(await own.keep("trial", [source], { ofJob: "stream" })).toBe(3);
    expect(Object.keys(own.hashesOf("trial"))).toEqual(["a"]);
  });
});
