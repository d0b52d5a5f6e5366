/** Opening trace files: gzip or not, hash, progress, and everything that a file can do wrong. */
import { createHash } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { withoutPrivileges } from "../../test/without-privileges.ts";
import { Fault } from "../base/index.ts";
import { readSwf } from "./swf/read.ts";
import { traceBytes } from "./trace-bytes.ts";

const directory = mkdtempSync(join(tmpdir(), "stint-trace-"));
afterAll(() => rmSync(directory, { recursive: true }));

const row = "1 0 5 10 4 -1 -1 4 20 -1 1 3 1 -1 1 -1 -1 -1\n";
const text = row.repeat(5000);
const packed = gzipSync(text);

function stored(name: string, bytes: string | Uint8Array): string {
  const file = join(directory, name);
  writeFileSync(file, bytes);
  return file;
}

async function readAll(file: string, chunkBytes?: number) {
  const trace = traceBytes(file, chunkBytes === undefined ? {} : { chunkBytes });
  const chunks: Uint8Array[] = [];
  for await (const chunk of trace) chunks.push(chunk);
  return {
    trace,
    text: Buffer.concat(chunks).toString(),
    longest: Math.max(0, ...chunks.map((c) => c.length)),
  };
}

async function faultOf(reading: Promise<unknown>): Promise<Fault> {
  const error = await reading.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof Fault) return error;
  throw new Error(`a Fault was expected, not ${String(error)}`);
}

/** Reads rows, and says how many came before the fault. */
async function swfFault(file: string, lenient = false): Promise<{ fault: Fault; lines: number }> {
  const reader = readSwf(traceBytes(file), { file, lenient });
  const drain = async () => {
    for await (const batch of reader) expect(batch.count).toBeGreaterThan(0);
  };
  return { fault: await faultOf(drain()), lines: reader.lines };
}

describe("what is read", () => {
  it.each([
    ["FO-1 a plain file named .gz is read as it is", "plain.swf.gz", Buffer.from(text), text],
    ["FO-1 a packed file without .gz is unpacked", "packed.swf", packed, text],
    ["FO-1 two members are one file", "two.gz", Buffer.concat([packed, gzipSync("end\n")]), `${text}end\n`],
    [
      "FO-1 zero padding after the data is ignored",
      "pad.gz",
      Buffer.concat([packed, Buffer.alloc(700)]),
      text,
    ],
    ["FO-1 an empty packed file is empty", "none.gz", gzipSync(""), ""],
    ["FO-1 an empty file is empty", "empty.swf", Buffer.alloc(0), ""],
    ["FO-1 a file of one byte is read", "one.swf", Buffer.from("1"), "1"],
  ])("%s", async (_, name, bytes, expected) => {
    const found = await readAll(stored(name, bytes));
    expect(found.text).toBe(expected);
    expect(found.trace.sha256()).toBe(createHash("sha256").update(bytes).digest("hex"));
    expect(found.trace.bytesRead).toBe(bytes.length);
    expect(found.trace.bytesTotal).toBe(bytes.length);
  });

  it("FO-1 members that begin anywhere in a chunk are one file", async () => {
    const parts = Array.from({ length: 40 }, (_, index) => gzipSync(row.repeat(index)));
    const found = await readAll(stored("many.gz", Buffer.concat(parts)), 100);
    expect(found.text).toBe(row.repeat((39 * 40) / 2));
    expect(found.longest).toBeLessThanOrEqual(100);
  });

  it("nothing is known before reading; the hash is known at the end", () => {
    const trace = traceBytes(stored("hash.gz", packed));
    expect(trace.bytesRead).toBe(0);
    expect(trace.bytesTotal).toBeUndefined();
    expect(() => trace.sha256()).toThrow("after the file was read to its end");
  });
});

describe("gzip that is not whole", () => {
  it("FO-1 truncated anywhere, it is a fault after complete lines, lenient or not", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: packed.length - 1 }), fc.boolean(), async (cut, lenient) => {
        const { fault, lines } = await swfFault(stored("cut.gz", packed.subarray(0, cut)), lenient);
        expect(fault).toMatchObject({ kind: "badInput", code: "gzipTruncated" });
        const bytes = Number(/after (\d+) unpacked bytes/.exec(fault.why)?.[1]);
        expect(fault.why).toContain(`the last complete line is ${lines}`);
        expect(Math.floor(bytes / row.length)).toBe(lines);
      }),
      draws(60),
    );
  });

  it("FO-1 the fault of a truncated file states the bytes and lines read", async () => {
    const { fault } = await swfFault(stored("tail.gz", packed.subarray(0, packed.length - 4)));
    expect(fault.why).toContain(`after ${text.length} unpacked bytes; the last complete line is 5000`);
  });

  it("FO-1 a truncated second member is a fault, too", async () => {
    const two = Buffer.concat([packed, packed.subarray(0, 30)]);
    const { fault, lines } = await swfFault(stored("cut-two.gz", two));
    expect(fault.code).toBe("gzipTruncated");
    expect(lines).toBeGreaterThanOrEqual(5000);
  });

  it.each([
    ["FO-1 a wrong checksum", packed.length - 8],
    ["FO-1 a wrong byte in the middle", packed.length >> 1],
    ["FO-1 a wrong compression method", 2],
  ])("%s", async (_, at) => {
    const damaged = Uint8Array.from(packed);
    damaged[at] = (damaged[at] ?? 0) ^ 0xff;
    const { fault } = await swfFault(stored("damaged.gz", damaged), true);
    expect(fault).toMatchObject({ kind: "badInput", code: "gzipDamaged" });
    expect(fault.why).toMatch(/after \d+ unpacked bytes; the last complete line is \d+/);
    expect(fault.remedy).not.toBe("");
  });
});

describe("files that cannot be read", () => {
  it.each([
    ["a missing file", join(directory, "absent.swf"), "badInput", "fileNotFound"],
    ["a path below a file", join(stored("file", "x"), "in"), "badInput", "fileNotFound"],
    ["a directory", directory, "badInput", "isDirectory"],
    ["a name that is too long", join(directory, "x".repeat(300)), "badInput", "badFileName"],
    ["a name with a zero byte", "a\0b", "badInput", "badFileName"],
  ])("%s", async (_, file, kind, code) => {
    expect(await faultOf(readAll(file))).toMatchObject({ kind, code, what: `cannot read ${file}` });
  });

  it("a file without read permission", async () => {
    const file = stored("secret.swf", row);
    chmodSync(file, 0);
    const fault = await withoutPrivileges(dirname(file), () => faultOf(readAll(file)));
    expect(fault).toMatchObject({ kind: "notAllowed", code: "fileNotReadable" });
  });

  it.skipIf(process.platform !== "linux").each([
    ["closed when the consumer stops early, packed", "early.gz", packed],
    ["closed when the consumer stops early, plain", "early.swf", Buffer.from(text)],
  ])("%s", async (_, name, bytes) => {
    const file = stored(name, bytes);
    const isOpen = () =>
      readdirSync("/proc/self/fd").some((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`) === file;
        } catch {
          return false;
        }
      });
    for await (const chunk of traceBytes(file, { chunkBytes: 64 })) {
      expect(chunk.length).toBeGreaterThan(0);
      expect(isOpen()).toBe(true);
      break;
    }
    expect(isOpen()).toBe(false);
  });
});
