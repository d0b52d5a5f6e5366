/**
 * A site whose disk is full: what is held back, what is said of it, and that nothing is lost.
 *
 * The site's folder is a file system of one MB of its own, which only root may mount.
 */
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { liveSetting } from "./live-setting.ts";
import { temporaryFolder } from "./stint.ts";

const PAGE = 4096;

function mounts(): boolean {
  const folder = temporaryFolder();
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], { stdio: "ignore" });
    execFileSync("umount", [folder]);
    return true;
  } catch {
    return false;
  }
}

const canMount = mounts();

describe.skipIf(!canMount)(`a full disk${canMount ? "" : " (needs the right to mount: run as root)"}`, () => {
  let site = "";
  beforeAll(() => {
    site = join(setting.stateDirectory, "site");
    mkdirSync(site, { recursive: true, mode: 0o700 });
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m,mode=700", "tmpfs", site]);
  });
  const setting = liveSetting(["  - { name: local, type: managed, procs: 4 }"]);
  const { ask, status, until } = setting;
  const shell = (script: string) =>
    setting.submit("executable: sh", `arguments: ${JSON.stringify(["-c", script])}`);
  afterAll(() => execFileSync("umount", ["-l", site]));
  afterEach(empty);

  /** Takes all that is left. */
  function fill(): void {
    for (let size = 256 * 1024; size >= PAGE; ) {
      try {
        appendFileSync(join(site, "filler"), Buffer.alloc(size));
      } catch {
        size /= 2;
      }
    }
  }

  function empty(): void {
    rmSync(join(site, "filler"), { force: true });
  }

  it("holds launches back and says so; none is lost; one that is cancelled is over at once", async () => {
    fill();
    const ids = Array.from({ length: 8 }, () => shell("echo done"));
    while (!ask("site", "list").out.includes("trouble")) await setTimeout(100);
    await setTimeout(1500);
    for (const id of ids) expect(["SCHEDULED", "RUNNING"]).toContain(status(id).state);
    expect(ask("why", ids[0]).out).toMatch(/local has a problem: cannot launch .*ENOSPC.*free some space/);
    expect(ask("cancel", ids[1]).code).toBe(0);
    await until(ids[1], "CANCELLED");
    empty();
    for (const id of ids.filter((it) => it !== ids[1])) {
      await until(id, ["DONE", "ABORTED", "CANCELLED"]);
      expect(status(id)).toMatchObject({ state: "DONE", exitCode: 0 });
    }
    expect(ask("site", "list").out).not.toContain("trouble");
  });

  it("an end is told when there is room again, also over a kill -9 of the broker", async () => {
    const elsewhere = temporaryFolder();
    const [full, ended] = [join(elsewhere, "full"), (code: number) => join(elsewhere, `ended-${code}`)];
    const whenFull = `while [ ! -e ${full} ]; do sleep 0.1; done`;
    const ids = Array.from({ length: 3 }, (_, code) =>
      shell(`${whenFull}; touch ${ended(code)}; exit ${code}`),
    );
    for (const id of ids) await until(id, "RUNNING");
    const spool = join(site, "spool");
    for (const name of readdirSync(spool)) {
      const file = join(spool, name);
      writeFileSync(file, "\n".repeat(PAGE - statSync(file).size), { flag: "a" });
    }
    fill();
    writeFileSync(full, "");
    while (!ids.every((_, code) => existsSync(ended(code)))) await setTimeout(100);
    await setTimeout(1000);
    await setting.end("SIGKILL");
    await setting.up();
    for (const id of ids) expect(status(id).state).toBe("RUNNING");
    const waiting = shell("exit 7");
    await setTimeout(1500);
    empty();
    for (const [code, id] of [...ids, waiting].entries()) {
      await until(id, ["DONE", "ABORTED", "CANCELLED"]);
      expect(status(id)).toMatchObject({ state: "DONE", exitCode: id === waiting ? 7 : code });
    }
  });
});
