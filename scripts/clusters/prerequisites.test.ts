import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { installCommand, makeStateDirectory, missingPackages } from "./prerequisites.ts";

const folder = mkdtempSync(join(tmpdir(), "stint-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("what a test cluster needs", () => {
  it("is named as packages to install, each once", () => {
    const all = missingPackages(folder);
    expect(all).toContain("slurm-client");
    expect(all.filter((name) => name === "util-linux")).toHaveLength(1);
    writeFileSync(join(folder, "sbatch"), "", { mode: 0o755 });
    expect(missingPackages(folder)).toEqual(all.filter((name) => name !== "slurm-client"));
    expect(installCommand(["munge"])).toBe("apt-get install -y --no-install-recommends munge");
  });

  it("is a state directory that the cluster's users may enter, and in which sockets can lie", () => {
    chmodSync(folder, 0o700);
    const dir = join(folder, "clusters");
    expect(() => makeStateDirectory(dir)).toThrow(`may not enter ${folder}`);
    chmodSync(folder, 0o755);
    expect(() => makeStateDirectory(dir)).not.toThrow();
    expect(() => makeStateDirectory(`/tmp/${"x".repeat(60)}`)).toThrow("60 characters at most");
    expect(() => makeStateDirectory("/tmp/a b")).toThrow("letters, digits");
  });

  it("is a directory where nobody else may write", () => {
    const dir = join(folder, "open");
    mkdirSync(dir);
    chmodSync(dir, 0o777);
    expect(() => makeStateDirectory(dir)).toThrow("somebody else's, or others may write there");
  });
});
