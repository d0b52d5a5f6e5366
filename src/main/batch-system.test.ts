import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { batchSystemHere, slurmIsUp } from "./batch-system.ts";

const folder = mkdtempSync(join(tmpdir(), "stint-login-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A PATH on which scontrol is this script. */
function withScontrol(script: string) {
  writeFileSync(join(folder, "scontrol"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { PATH: [folder, process.env.PATH].join(delimiter) };
}

describe("whether a batch system answers here", () => {
  it.each([
    ["one controller", "Slurmctld(primary) at head is UP\n", true],
    ["the backup only", "Slurmctld(primary) at a is DOWN\nSlurmctld(backup) at b is UP\n", true],
    ["of an older version", "Slurmctld(primary/backup) at a/b are DOWN/UP\n", true],
    ["down", "Slurmctld(primary) at head is DOWN\n*****\n** RESTORE SLURMCTLD DAEMON TO SERVICE **\n", false],
    ["both down", "Slurmctld(primary/backup) at a/b are DOWN/DOWN\n", false],
    ["a host called UP", "Slurmctld(primary) at UP is DOWN\n", false],
    ["not configured", "scontrol: fatal: Could not establish a configuration source\n", false],
    ["nothing", "", false],
  ])("%s", (_, answer, isUp) => {
    expect(slurmIsUp(answer)).toBe(isUp);
  });

  it("asks its client, whatever that ends with", async () => {
    const up = withScontrol('[ "$1" = ping ] && echo "Slurmctld(primary) at head is UP"; exit 1');
    expect(await batchSystemHere(up)).toBe("Slurm");
    const down = withScontrol('echo "Slurmctld(primary) at head is DOWN"; exit 1');
    expect(await batchSystemHere(down)).toBeUndefined();
    expect(await batchSystemHere({ PATH: join(folder, "empty") })).toBeUndefined();
  });

  it("one that hangs, its children included, is not waited for", async () => {
    const hanging = withScontrol('echo "Slurmctld(primary) at head is UP"; sleep 30 & sleep 30');
    expect(await batchSystemHere(hanging, 200)).toBeUndefined();
  });
});
