import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { uploadPath } from "../../model/index.ts";
import { type Sandboxes, sandboxesIn } from "../sandbox.ts";

const limits = { mostBytes: 100, uploads: { quotaBytes: 150, most: 3 } };
let folder: string;
let sandboxes: Sandboxes;
const place = (name: string): string => join(folder, name);
const hash = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Sends the whole of a text, or what of it is said. */
function send(owner: string, text: string, { from = 0, to = text.length, as = hash(text) } = {}) {
  const piece = { owner, sha256: as, sizeBytes: text.length, fromByte: from };
  return sandboxes.uploads.append(piece, bytes(text.slice(from, to)));
}

async function* bytes(...pieces: readonly string[]) {
  for (const piece of pieces) yield Buffer.from(piece);
}

/** A file in the input sandbox of a job. */
function named(text: string, name: string, isExecutable = false): string {
  return uploadPath({ sha256: hash(text), name, isExecutable });
}

/** Makes it look as if nothing had been used for so long. */
function age(days: number): void {
  const then = Date.now() / 1000 - days * 86_400;
  for (const owner of readdirSync(place("uploads"))) {
    for (const one of readdirSync(place(`uploads/${owner}`)))
      utimesSync(place(`uploads/${owner}/${one}`), then, then);
  }
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stint-uploads-"));
  sandboxes = sandboxesIn(folder, limits);
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("an upload", () => {
  it("BR-220 comes in pieces, from where it was cut off, also after a restart", async () => {
    expect(await send("ann", "hello world", { to: 5 })).toMatchObject({ receivedBytes: 5, isWhole: false });
    sandboxes = sandboxesIn(folder, limits);
    expect(await sandboxes.uploads.find("ann", hash("hello world"))).toMatchObject({ receivedBytes: 5 });
    await expect(send("ann", "hello world")).rejects.toMatchObject({ code: "uploadOffset" });
    const whole = await send("ann", "hello world", { from: 5 });
    expect(whole).toMatchObject({ receivedBytes: 11, sizeBytes: 11, isWhole: true });
    expect(await send("ann", "hello world")).toEqual(whole);
  });

  it("BR-220 keeps what came before its connection broke", async () => {
    async function* broken() {
      yield Buffer.from("hello");
      throw new Error("connection lost");
    }
    const piece = { owner: "ann", sha256: hash("hello world"), sizeBytes: 11, fromByte: 0 };
    await expect(sandboxes.uploads.append(piece, broken())).rejects.toMatchObject({
      code: "uploadInterrupted",
    });
    expect(await send("ann", "hello world", { from: 5 })).toMatchObject({ isWhole: true });
  });

  it("BR-220 goes on over a new connection while the lost one is still open", async () => {
    async function* stalled() {
      yield Buffer.from("hello");
      await sleep(60_000, undefined, { ref: false });
    }
    const piece = { owner: "ann", sha256: hash("hello world"), sizeBytes: 11, fromByte: 0 };
    const lost = expect(sandboxes.uploads.append(piece, stalled())).rejects.toMatchObject({
      code: "uploadInterrupted",
    });
    await expect
      .poll(() => sandboxes.uploads.find("ann", piece.sha256), { timeout: 200_000 })
      .toMatchObject({
        receivedBytes: 5,
      });
    expect(await send("ann", "hello world", { from: 5 })).toMatchObject({ isWhole: true });
    await lost;
  });

  it("BR-220 may be empty", async () => {
    expect(await send("ann", "")).toMatchObject({ sizeBytes: 0, isWhole: true });
  });

  it("BR-221 is discarded where its content has another hash, and has no more bytes than said", async () => {
    await expect(send("ann", "one", { as: hash("two") })).rejects.toMatchObject({
      code: "uploadHashDiffers",
    });
    expect(await sandboxes.uploads.list("ann")).toEqual([]);
    const short = { owner: "ann", sha256: hash("one"), sizeBytes: 2, fromByte: 0 };
    await expect(sandboxes.uploads.append(short, bytes("one"))).rejects.toMatchObject({
      code: "uploadTooLong",
    });
    // Another size was meant: it begins anew.
    expect(await send("ann", "one")).toMatchObject({ isWhole: true });
  });

  it("BR-222 is its owner's alone: nobody learns that somebody else has the content", async () => {
    await send("ann", "secret");
    expect(await sandboxes.uploads.find("bob", hash("secret"))).toMatchObject({ receivedBytes: 0 });
    expect(await sandboxes.uploads.list("bob")).toEqual([]);
    const job = sandboxes.keep("1", [named("secret", "s")], { owner: "bob" });
    await expect(job).rejects.toMatchObject({ code: "notUploaded" });
    expect(await send("bob", "secret", { to: 3 })).toMatchObject({ receivedBytes: 3, isWhole: false });
    await sandboxes.uploads.remove("bob", hash("secret"));
    expect(await sandboxes.uploads.find("ann", hash("secret"))).toMatchObject({ isWhole: true });
  });

  it("BR-223 counts at its whole size against its owner's quota", async () => {
    await expect(send("ann", "x".repeat(101))).rejects.toMatchObject({ code: "uploadTooLarge" });
    await send("ann", "a".repeat(90), { to: 1 });
    await expect(send("ann", "b".repeat(61))).rejects.toMatchObject({ code: "uploadQuota" });
    await send("bob", "b".repeat(61));
    await send("ann", "b".repeat(60));
    await send("ann", "");
    await expect(send("ann", "c")).rejects.toMatchObject({ code: "uploadsTooMany" });
    await sandboxes.uploads.remove("ann", hash("a".repeat(90)));
    expect(await send("ann", "c")).toMatchObject({ isWhole: true });
  });

  it("BR-223 is removed a day after its last use, and is then not on the disk", async () => {
    await send("ann", "used");
    await send("ann", "unused");
    age(2);
    await sandboxes.keep("1", [named("used", "u")], { owner: "ann" });
    await sandboxes.sweep(() => true);
    expect((await sandboxes.uploads.list("ann")).map(({ sha256 }) => sha256)).toEqual([hash("used")]);
    age(2);
    await sandboxes.sweep(() => true);
    expect(await sandboxes.uploads.list("ann")).toEqual([]);
    const [kept] = sandboxes.filesOf("1", [named("used", "u")]);
    expect(readFileSync(kept?.source ?? "", "utf8")).toBe("used");
    await sandboxes.drop("1");
    expect(readdirSync(place("copies"))).toEqual([]);
  });
});

describe("the input files of a job", () => {
  it("BR-221 are links to what was uploaded, with permission to execute where it is asked for", async () => {
    await send("ann", "#!/bin/sh");
    const paths = [named("#!/bin/sh", "data/a"), named("#!/bin/sh", "run", true)];
    expect(await sandboxes.keep("1", paths, { owner: "ann" })).toBe(18);
    await sandboxes.keep("2", paths, { owner: "ann" });
    const [data, run] = sandboxes.filesOf("1", paths);
    expect([data?.name, run?.name]).toEqual(["data/a", "run"]);
    const mode = (file: string) => statSync(file).mode & 0o777;
    expect([mode(data?.source ?? ""), mode(run?.source ?? "")]).toEqual([0o600, 0o700]);
    // The upload, its shared copy, and a link for each job.
    expect(statSync(data?.source ?? "").nlink).toBe(4);
    expect(statSync(run?.source ?? "").nlink).toBe(3);
    expect(sandboxes.hashesOf("1")).toEqual({ "data/a": hash("#!/bin/sh"), run: hash("#!/bin/sh") });
    await sandboxes.drop("1");
    await sandboxes.drop("2");
    expect(readdirSync(place("copies"))).toEqual([hash("#!/bin/sh")]);
  });

  it("BR-221 are refused where one was not uploaded wholly, or they are too large in all", async () => {
    await send("ann", "part", { to: 2 });
    await expect(sandboxes.keep("1", [named("part", "p")], { owner: "ann" })).rejects.toMatchObject({
      code: "notUploaded",
    });
    await send("ann", "a".repeat(60));
    const twice = [named("a".repeat(60), "a"), named("a".repeat(60), "b")];
    await expect(sandboxes.keep("1", twice, { owner: "ann" })).rejects.toMatchObject({
      code: "sandboxTooLarge",
    });
    const outside = `upload:${hash("a".repeat(60))}/..`;
    await expect(sandboxes.keep("1", [outside], { owner: "ann" })).rejects.toMatchObject({
      code: "notUploaded",
    });
    expect(existsSync(place("jobs/1"))).toBe(false);
  });
});
