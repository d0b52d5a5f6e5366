/** Archives read back as they were written, by any tar, and whatever was done to one shows. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import { readTar, type TarEntry, writeTar } from "./index.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
async function* of<Item>(...items: readonly Item[]): AsyncIterable<Item> {
  yield* items;
}
const file = (path: string, text: string): TarEntry => {
  const bytes = bytesOf(text);
  return { kind: "file", path, mode: 0o600, sizeBytes: bytes.length, content: of(bytes) };
};

async function archived(...entries: readonly TarEntry[]): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeTar(of(...entries))) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function readBack(bytes: Uint8Array, cut = 1000): Promise<readonly object[]> {
  async function* chunks(): AsyncIterable<Uint8Array> {
    for (let at = 0; at < bytes.length; at += cut) yield bytes.subarray(at, at + cut);
  }
  const found: object[] = [];
  for await (const entry of readTar(chunks())) {
    if (entry.kind !== "file") {
      found.push(entry);
      continue;
    }
    const parts: Uint8Array[] = [];
    for await (const part of entry.content) parts.push(part);
    found.push({ path: entry.path, text: Buffer.concat(parts).toString() });
  }
  return found;
}

const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 120 }).filter((it) => {
  return !/[/\0]/.test(it) && it !== "." && it !== ".." && Buffer.from(it).toString() === it;
});

describe("an archive", () => {
  it("FO-116 reads back, whatever names and contents it has and however it arrives", async () => {
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
    const files = fc.array(fc.tuple(path, fc.string({ maxLength: 1500 })), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(files, fc.integer({ min: 1, max: 3000 }), async (all, cut) => {
        const bytes = await archived(...all.map(([at, text]) => file(at, text)));
        expect(await readBack(bytes, cut)).toEqual(
          all.map(([at, text]) => ({ path: at, text: Buffer.from(text).toString() })),
        );
      }),
      draws(60),
    );
  });

  it("FO-116 is one that the system's tar extracts", async () => {
    const folder = mkdtempSync(join(tmpdir(), "stint-tar-"));
    const long = `${"d".repeat(90)}/${"é".repeat(60)}.txt`;
    writeFileSync(
      join(folder, "a.tar"),
      await archived(
        { kind: "directory", path: "d".repeat(90), mode: 0o700 },
        file(long, "long\n"),
        file("short", "short\n"),
        { kind: "link", path: "link", target: "short" },
      ),
    );
    execFileSync("tar", ["xf", "a.tar"], { cwd: folder });
    expect(readFileSync(join(folder, long), "utf8")).toBe("long\n");
    expect(readFileSync(join(folder, "short"), "utf8")).toBe("short\n");
    expect(readlinkSync(join(folder, "link"))).toBe("short");
    rmSync(folder, { recursive: true });
  });

  it("FO-116 that is cut short anywhere is refused", async () => {
    const bytes = await archived(file("a", "x".repeat(700)), file("b", "y"));
    for (const length of [0, 100, 512, 900, 1536, 2560]) {
      await expect(readBack(bytes.subarray(0, length))).rejects.toMatchObject({ code: "archiveTruncated" });
    }
  });

  it.each(["../x", "/etc/x", "a/../../x", "a//b", "."])(
    "FO-116 that leads out of its folder is refused: %s",
    async (path) => {
      const bytes = await archived(file(path, "x"));
      await expect(readBack(bytes)).rejects.toMatchObject({ code: "archiveDamaged" });
    },
  );

  it("FO-116 with a changed header is refused", async () => {
    const bytes = await archived(file("a", "x"));
    bytes[0] ^= 1;
    await expect(readBack(bytes)).rejects.toMatchObject({ code: "archiveDamaged" });
  });
});
