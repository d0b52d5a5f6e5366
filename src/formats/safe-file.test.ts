/** Safe writing: the old file or the whole new one, whatever happens. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withoutPrivileges } from "../../test/without-privileges.ts";
import { Fault } from "../base/index.ts";
import { abortOpenFiles, openSafeFile, writeSafeFile } from "./safe-file.ts";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "stint-safe-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const inside = (name: string) => join(directory, name);
const content = (name: string) => readFileSync(inside(name), "utf8");

async function faultOf(writing: Promise<unknown>): Promise<Fault> {
  const error = await writing.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof Fault) return error;
  throw new Error(`a Fault was expected, not ${String(error)}`);
}

describe("committing and aborting", () => {
  it("FO-14 the former file stays until the new one is complete", async () => {
    writeFileSync(inside("a.swf"), "old");
    const file = await openSafeFile(inside("a.swf"));
    file.write("new");
    file.write(new TextEncoder().encode(" bytes"));
    await file.drained();
    expect(content("a.swf")).toBe("old");
    expect(readdirSync(directory)).toHaveLength(2);
    await file.commit();
    expect(content("a.swf")).toBe("new bytes");
    expect(readdirSync(directory)).toEqual(["a.swf"]);
  });

  it("FO-14 an aborted write leaves nothing", async () => {
    writeFileSync(inside("a.swf"), "old");
    for (const name of ["a.swf", "b.swf", "c.swf.gz"]) {
      const file = await openSafeFile(inside(name));
      file.write("x".repeat(1_000_000));
      await file.abort();
      await file.abort();
    }
    expect(readdirSync(directory)).toEqual(["a.swf"]);
    expect(content("a.swf")).toBe("old");
  });

  it("FO-14 an abort after the commit changes nothing", async () => {
    const file = await openSafeFile(inside("a.swf"));
    file.write("kept");
    await file.commit();
    await file.abort();
    expect(content("a.swf")).toBe("kept");
    expect(() => file.write("late")).toThrow("nothing is written after");
    await expect(file.commit()).rejects.toThrow("once");
  });

  it("FO-14 a large text is written completely and in order", async () => {
    const file = await openSafeFile(inside("big.swf"));
    const lines: string[] = [];
    for (let block = 0; block < 200; block++) {
      const text = `${block} `.repeat(10_000);
      lines.push(text);
      file.write(text);
      await file.drained();
    }
    await file.commit();
    expect(content("big.swf") === lines.join("")).toBe(true);
  });

  it("FO-14 a commit into a removed directory fails and leaves nothing", async () => {
    mkdirSync(inside("d"));
    const file = await openSafeFile(inside("d/a.swf"));
    rmSync(inside("d"), { recursive: true });
    expect(await faultOf(file.commit())).toMatchObject({ kind: "badInput", code: "directoryNotFound" });
    expect(readdirSync(directory)).toEqual([]);
  });

  it("FO-14 a replaced file keeps its permissions; a new one has the default ones", async () => {
    writeFileSync(inside("private.swf"), "old");
    chmodSync(inside("private.swf"), 0o600);
    await writeSafeFile(inside("private.swf"), "new");
    await writeSafeFile(inside("new.swf"), "new");
    const mode = (name: string) => statSync(inside(name)).mode & 0o777;
    expect(mode("private.swf")).toBe(0o600);
    expect(mode("new.swf")).toBe(0o666 & ~process.umask());
  });

  it("FO-14 a link stays a link and its target is replaced", async () => {
    writeFileSync(inside("real.swf"), "old");
    symlinkSync("real.swf", inside("link.swf"));
    await writeSafeFile(inside("link.swf"), "new");
    expect(lstatSync(inside("link.swf")).isSymbolicLink()).toBe(true);
    expect(content("real.swf")).toBe("new");
  });

  it("FO-14 a name of the system's maximum length is accepted", async () => {
    const name = `${"n".repeat(250)}.swf`;
    await writeSafeFile(inside(name), "x");
    expect(content(name)).toBe("x");
  });

  it("FO-14 abortOpenFiles removes every temporary file", async () => {
    const files = await Promise.all(["a.swf", "b.swf.gz"].map((name) => openSafeFile(inside(name))));
    for (const file of files) file.write("x".repeat(100_000));
    expect(readdirSync(directory)).toHaveLength(2);
    abortOpenFiles();
    abortOpenFiles();
    expect(readdirSync(directory)).toEqual([]);
    await Promise.all(files.map((file) => file.abort()));
  });
});

describe("processes and pipes", () => {
  const module = join(import.meta.dirname, "safe-file.ts");
  const run = (script: string) =>
    spawnSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
      encoding: "utf8",
    });

  it.each([
    ["FO-14 a process that exits during a write leaves nothing", "process.exit(3)"],
    ["FO-14 a process that throws during a write leaves nothing", 'throw new Error("unforeseen")'],
  ])("%s", (_, end) => {
    const script = `
      const { openSafeFile } = await import(${JSON.stringify(module)});
      const file = await openSafeFile(${JSON.stringify(inside("a.swf"))});
      file.write("half");
      await file.drained();
      console.log((await import("node:fs")).readdirSync(${JSON.stringify(directory)}).length);
      ${end}`;
    const { stdout, status } = run(script);
    expect({ stdout, failed: status !== 0 }).toEqual({ stdout: "1\n", failed: true });
    expect(readdirSync(directory)).toEqual([]);
  });

  it.skipIf(process.platform === "win32")("FO-14 a FIFO is written directly and not replaced", async () => {
    execFileSync("mkfifo", [inside("pipe")]);
    const text = "1 2 3\n".repeat(100_000);
    const reading = readFile(inside("pipe"), "utf8");
    await writeSafeFile(inside("pipe"), text);
    expect((await reading) === text).toBe(true);
    expect(lstatSync(inside("pipe")).isFIFO()).toBe(true);
  });
});

describe("packing", () => {
  it("FO-1 a name that ends in .gz is packed, with the same bytes in each run", async () => {
    const text = "1 2 3\n".repeat(100_000);
    await writeSafeFile(inside("a.swf.gz"), text);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await writeSafeFile(inside("b.swf.gz"), text);
    const [first, second] = [readFileSync(inside("a.swf.gz")), readFileSync(inside("b.swf.gz"))];
    expect(first.equals(second)).toBe(true);
    expect([...first.subarray(4, 8)]).toEqual([0, 0, 0, 0]);
    expect(gunzipSync(first).toString() === text).toBe(true);
    expect(first.length).toBeLessThan(text.length / 5);
  });
});

describe("special files and faults", () => {
  it.skipIf(!existsSync("/dev/null"))("FO-14 /dev/null is written directly", async () => {
    await writeSafeFile("/dev/null", "x".repeat(1_000_000));
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
  });

  it.skipIf(!existsSync("/dev/fd"))("FO-14 /dev/fd/N is written to the file open there", async () => {
    const { openSync, closeSync } = await import("node:fs");
    const descriptor = openSync(inside("out.swf"), "a");
    writeFileSync(descriptor, "before ");
    await writeSafeFile(`/dev/fd/${descriptor}`, "within ");
    writeFileSync(descriptor, "after");
    closeSync(descriptor);
    expect(content("out.swf")).toBe("before within after");
    expect(readdirSync(directory)).toEqual(["out.swf"]);
  });

  it.skipIf(!existsSync("/dev/full"))("a full disk", async () => {
    for (const text of ["x", "x".repeat(5_000_000)]) {
      const fault = await faultOf(writeSafeFile("/dev/full", text));
      expect(fault).toMatchObject({ kind: "failed", code: "diskFull", what: "cannot write /dev/full" });
      expect(fault.remedy).toContain("free some space");
    }
    const file = await openSafeFile("/dev/full");
    const fill = async () => {
      for (let count = 0; count < 1000; count++) {
        file.write("x".repeat(100_000));
        await file.drained();
      }
    };
    expect(await faultOf(fill())).toMatchObject({ code: "diskFull" });
    await file.abort();
  });

  it.each([
    ["a missing directory", "absent/a.swf", "badInput", "directoryNotFound"],
    ["a file as directory", "file/a.swf", "badInput", "directoryNotFound"],
    ["a directory", "dir", "badInput", "isDirectory"],
    ["a name that ends in /", "new/", "badInput", "isDirectory"],
    ["a name that is too long", "x".repeat(300), "badInput", "badFileName"],
    ["a name with a zero byte", "a\0b", "badInput", "badFileName"],
  ])("%s", async (_, name, kind, code) => {
    writeFileSync(inside("file"), "");
    mkdirSync(inside("dir"));
    const fault = await faultOf(openSafeFile(`${directory}/${name}`));
    expect(fault).toMatchObject({ kind, code, what: `cannot write ${directory}/${name}` });
    expect(readdirSync(directory).sort()).toEqual(["dir", "file"]);
  });

  it.each([
    ["a directory without write permission", "dir/a.swf"],
    ["a file without write permission", "file"],
  ])("%s", async (_, name) => {
    mkdirSync(inside("dir"));
    writeFileSync(inside("file"), "old");
    chmodSync(inside("dir"), 0o555);
    chmodSync(inside("file"), 0o444);
    const fault = await withoutPrivileges(directory, () => faultOf(openSafeFile(inside(name))));
    expect(fault).toMatchObject({ kind: "notAllowed", code: "fileNotWritable" });
  });
});
