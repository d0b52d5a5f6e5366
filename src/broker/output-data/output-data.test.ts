import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { JOB_DEFAULTS, type KeptOutput } from "../../model/index.ts";
import { stagedCommand } from "../stages.ts";
import { LEFT_FILE } from "./keep-script.ts";
import { readLeft } from "./register-outputs.ts";

/** Runs a text of a shell as a job with these outputs, in a directory of its own. */
function run(
  text: string,
  outputs: (store: string) => readonly Partial<KeptOutput>[],
  searched = process.env.PATH,
) {
  const attempt = mkdtempSync(join(tmpdir(), "stint-outputs-"));
  const [work, store] = [join(attempt, "work"), join(attempt, "store")];
  for (const folder of [work, join(attempt, "tmp"), store]) mkdirSync(folder);
  const description = { ...JOB_DEFAULTS, executable: "sh" };
  const kept = outputs(store).map((one) => ({
    ...{ file: "a", name: "/vo/a", store: "disk", path: join(store, "vo/a") },
    ...one,
  }));
  const [program = "", ...words] = stagedCommand(description, ["sh", "-c", text], 1000, kept);
  const { status, stderr } = spawnSync(program, words, {
    ...{ cwd: work, encoding: "utf8" },
    env: { PATH: searched, STINT_DIRECTORY: work },
  });
  const left = join(work, LEFT_FILE);
  return {
    ...{ status, stderr, store },
    stage: readFileSync(join(attempt, "tmp/stint-stage"), "utf8").trim(),
    left: existsSync(left) ? readLeft(readFileSync(left, "utf8")) : undefined,
  };
}

describe("BR-240 output data", () => {
  it("are in the store with their folders, and reported with sizes and checksums", () => {
    const { status, store, left, stage } = run("mkdir d; printf abc > 'd/x y'; : > a", (at) => [
      { file: "d/x y", name: "/vo/run/x", path: join(at, "vo/run/x") },
      {},
    ]);
    expect({ status, stage }).toEqual({ status: 0, stage: "done" });
    expect(readFileSync(join(store, "vo/run/x"), "utf8")).toBe("abc");
    expect(left?.map(({ name, bytes }) => [name, bytes])).toEqual([
      ["/vo/run/x", 3],
      ["/vo/a", 0],
    ]);
    expect(left?.[0]?.checksum).toBe(
      "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
  });

  it("an equal file that is there already is as good; one that differs stays, and the job fails", () => {
    const again = run("echo 1 > a", (at) => {
      mkdirSync(join(at, "vo"));
      writeFileSync(join(at, "vo/a"), "1\n");
      return [{}];
    });
    expect(again).toMatchObject({ status: 0, left: [{ name: "/vo/a", bytes: 2 }] });
    const other = run("echo 2 > a", (at) => {
      mkdirSync(join(at, "vo"));
      writeFileSync(join(at, "vo/a"), "1\n");
      return [{}];
    });
    expect(other).toMatchObject({ status: 74, stage: "output", left: undefined });
    expect(other.stderr).toContain("is there already, and differs");
    expect(readFileSync(join(other.store, "vo/a"), "utf8")).toBe("1\n");
  });

  it("a file that another job leaves under the name meanwhile is not replaced", () => {
    const tools = mkdtempSync(join(tmpdir(), "stint-outputs-tools-"));
    writeFileSync(
      join(tools, "cp"),
      '#!/bin/sh\n/bin/cp "$@"\nfor place; do :; done\necho other > "${place%.new.*}"\n',
      {
        mode: 0o755,
      },
    );
    const raced = run("echo 1 > a", () => [{}], `${tools}:${process.env.PATH}`);
    expect(raced).toMatchObject({ status: 74, stage: "output", left: undefined });
    expect(raced.stderr).toContain("is there already, and differs");
    expect(readFileSync(join(raced.store, "vo/a"), "utf8")).toBe("other\n");
    expect(readdirSync(join(raced.store, "vo"))).toEqual(["a"]);
  });

  it("a missing file, or a store without a directory, fails the job; a failed program leaves nothing", () => {
    const missing = run(":", () => [{}]);
    expect(missing).toMatchObject({ status: 66, stage: "output", left: undefined });
    expect(missing.stderr).toContain("./a was not written");
    const nowhere = run("echo 1 > a", () => [{ path: null }]);
    expect(nowhere).toMatchObject({ status: 78, left: undefined });
    const failed = run("echo 1 > a; exit 3", () => [{}]);
    expect(failed).toMatchObject({ status: 3, stage: "program", left: undefined });
    expect(readdirSync(failed.store)).toEqual([]);
  });

  it("lines that are none of ours are not read", () => {
    expect(readLeft("x\n1 zz /vo/a\n12  /vo/b\n99999999999999999 /vo/c\n1 /vo/d/\n")).toEqual([
      { name: "/vo/b", bytes: 12 },
      { name: "/vo/d/", bytes: 1 },
    ]);
  });
});
