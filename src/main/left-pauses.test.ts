import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { forgetPauses, leftPauses, pausesLeft } from "./left-pauses.ts";

function stateDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "stint-pauses-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

describe("pauses left for a broker that does not run", () => {
  it("are files that their owner alone reads, found when it starts, and forgotten then", async () => {
    const directory = stateDirectory();
    const { leave } = await leftPauses({ STINT_STATE_DIR: directory });
    const file = join(directory, "pause", "here");
    expect([await leave("here"), await leave("far.1"), await leave("here")]).toEqual([
      file,
      join(directory, "pause", "far.1"),
      file,
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(directory, "pause")).mode & 0o777).toBe(0o700);
    expect(await pausesLeft(directory)).toEqual(["far.1", "here"]);
    await forgetPauses(directory, ["far.1", "here"]);
    expect(await pausesLeft(directory)).toEqual([]);
  });

  it("are taken back, once", async () => {
    const directory = stateDirectory();
    const { leave, takeBack } = await leftPauses({ STINT_STATE_DIR: directory });
    await leave("here");
    expect([await takeBack("here"), await takeBack("here")]).toEqual([true, false]);
    expect(await pausesLeft(directory)).toEqual([]);
  });

  it("are left nowhere else: by a path, for a broker elsewhere, or for none", async () => {
    const directory = stateDirectory();
    const here = await leftPauses({ STINT_STATE_DIR: directory });
    expect([await here.leave("../evil"), await here.leave(""), await here.takeBack("..")]).toEqual([
      ...[undefined, undefined],
      false,
    ]);
    const elsewhere = await leftPauses({ STINT_STATE_DIR: directory, STINT_URL: "http://127.0.0.1:1" });
    expect(await elsewhere.leave("here")).toBeUndefined();
    const none = await leftPauses({ STINT_STATE_DIR: join(directory, "none") });
    expect(await none.leave("here")).toBeUndefined();
    expect(existsSync(join(directory, "none"))).toBe(false);
    expect(await pausesLeft(directory)).toEqual([]);
  });

  it("what else lies there is passed over", async () => {
    const directory = stateDirectory();
    await (await leftPauses({ STINT_STATE_DIR: directory })).leave("here");
    writeFileSync(join(directory, "pause", ".here.swp"), "");
    expect(await pausesLeft(directory)).toEqual(["here"]);
  });
});
