/** A cluster reached through the system's ssh: one connection, kept, opened again, and never a question. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectByHand, openSlurmSite } from "../src/sites/slurm/index.ts";
import { connectionWords } from "../src/sites/slurm/run-command.ts";
import { slurmSpec } from "./conformance/slurm-harness.ts";
import { hasSshd, PASSPHRASE, type PrivateSshd, privateSshd } from "./private-sshd.ts";
import { type SlurmBroker, slurmBroker } from "./slurm-broker.ts";
import { clusterUp, hasSlurm, howToInstallSlurm, type TestCluster } from "./slurm-clusters.ts";

const USER = "stint-alice";

/** The process that keeps the connection of a site's directory open. */
function masterOf(directory: string): number {
  const [program = "", ...words] = connectionWords({ sshHost: "login", socketDirectory: directory }).check;
  const { stderr } = spawnSync(program, words, { encoding: "utf8" });
  return Number(/pid=(\d+)/.exec(stderr)?.[1]);
}
const why = hasSshd ? howToInstallSlurm : " (skipped: no sshd; as root: apt-get install openssh-server)";

describe.skipIf(!hasSlurm || !hasSshd)(`a cluster through ssh${why}`, { retry: 1, timeout: 400_000 }, () => {
  const path = process.env.PATH;
  let folder: string;
  let cluster: TestCluster;
  let sshd: PrivateSshd;
  let broker: SlurmBroker;

  beforeAll(async () => {
    cluster = await clusterUp("A");
    folder = mkdtempSync("/tmp/stint-ssh-");
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, "jobs"));
    execFileSync("chown", [`${USER}:`, join(folder, "jobs")]);
    sshd = await privateSshd(folder, USER);
    process.env.PATH = `${sshd.bin}:${path}`;
    broker = await slurmBroker(cluster, {
      sshHost: "login",
      account: "physics",
      submitDirectory: join(folder, "jobs"),
    });
  });
  afterAll(async () => {
    await broker?.stop();
    sshd?.stop();
    process.env.PATH = path;
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  it("jobs go in, are seen and end, as that user, all through one connection", async () => {
    const words = ["it's", "$HOME", "a\nb", "*"];
    const line = 'id -un; printf "%s|" "$@"';
    await broker.submit("words", line, { arguments: ["-c", line, "sh", ...words] });
    const ids = Array.from({ length: 12 }, (_, at) => `many${at}`);
    await Promise.all(ids.map((id) => broker.submit(id, "true")));
    for (const id of [...ids, "words"]) {
      expect(await broker.until(id, "DONE", "ABORTED")).toMatchObject({ result: "ok" });
    }
    expect(await broker.output("words")).toBe(`${USER}\n${words.map((it) => `${it}|`).join("")}`);
    expect(sshd.accepted()).toBe(1);
  });

  it("a connection that breaks is opened again, and no job fails for it", async () => {
    const before = sshd.accepted();
    await broker.submit("across", "sleep 2");
    await broker.until("across", "RUNNING");
    sshd.breakConnections();
    // What is on its way then is in doubt, and looked for in the queue for half a minute (rule BR-8).
    await delay(500);
    await broker.submit("after", "true");
    for (const id of ["across", "after"]) {
      expect(await broker.until(id, "DONE", "ABORTED")).toMatchObject({ result: "ok" });
    }
    expect(sshd.accepted()).toBe(before + 1);
  });

  it("a login node that asks is logged in to by hand, once, and no job fails meanwhile", async () => {
    const askpass = join(folder, "askpass");
    writeFileSync(askpass, `#!/bin/sh\necho '${PASSPHRASE}'\n`, { mode: 0o755 });
    sshd.useKey("locked");
    sshd.breakConnections();
    await expect.poll(() => broker.troubled(true), { timeout: 200_000 }).toContain("Permission denied");
    await broker.submit("patient", "true");
    const directory = join(broker.folder, "sites", "cluster");
    expect(await connectByHand("login", directory)).toBe("failed");
    // What a person types at the terminal comes from a program here.
    const typing = { SSH_ASKPASS: askpass, SSH_ASKPASS_REQUIRE: "force" };
    Object.assign(process.env, typing);
    expect(await connectByHand("login", directory)).toBe("opened");
    // Killed, it leaves its socket behind, with nobody at it.
    const master = masterOf(directory);
    process.kill(master, "SIGKILL");
    await expect.poll(() => existsSync(`/proc/${master}`)).toBe(false);
    expect(await connectByHand("login", directory)).toBe("opened");
    for (const name of Object.keys(typing)) delete process.env[name];
    const before = sshd.accepted();
    expect(await connectByHand("login", directory)).toBe("open");
    expect(await broker.until("patient", "DONE", "ABORTED")).toMatchObject({ result: "ok" });
    expect(await broker.troubled(false)).toBe(null);
    expect(sshd.accepted()).toBe(before);
  });

  it("SU-3 a key that is not let in is told as that; the job waits for a good one", async () => {
    sshd.useKey("other");
    sshd.breakConnections();
    await expect.poll(() => broker.troubled(true), { timeout: 200_000 }).toContain("Permission denied");
    await broker.submit("waiting", "true");
    const spec = { ...slurmSpec(cluster, join(folder, "jobs")), sshHost: "login" };
    const directory = join(folder, "site");
    const site = await openSlurmSite({ name: "other", spec, directory, clock: { nowMs: () => Date.now() } });
    await expect(site.survey()).rejects.toMatchObject({
      code: "siteCredentials",
      remedy: expect.stringContaining("ssh logs this user in"),
    });
    sshd.useKey("good");
    expect(await broker.until("waiting", "DONE", "ABORTED")).toMatchObject({ result: "ok" });
    expect(await broker.troubled(false)).toBe(null);
  });
});
