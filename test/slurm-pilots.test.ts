/** Pilots on a real cluster: jobs of Stint share few jobs of Slurm's, and outlive the end of one. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { JOB_DEFAULTS } from "../src/model/index.ts";
import { type SlurmBroker, slurmBroker } from "./slurm-broker.ts";
import { hasSlurm, howToInstallSlurm } from "./slurm-clusters.ts";
import { type OwnCluster, ownCluster } from "./slurm-daemons.ts";

const SECOND = 1000;
const POLL = { timeout: 300 * SECOND, interval: SECOND };
/** Longer than the broker's own patience, which says what hangs. */
const about = { timeout: 900 * SECOND };

describe.skipIf(!hasSlurm)(`pilots on a real cluster${howToInstallSlurm}`, about, () => {
  let cluster: OwnCluster;
  let broker: SlurmBroker;

  beforeAll(async () => {
    cluster = await ownCluster("J", 1, { KillWait: "2" });
    const pilots = { max: 1, procs: 2, wallTimeMs: 600 * SECOND, idleMs: 0, consumer: "pilots" };
    broker = await slurmBroker(cluster, { procs: 4, pilots });
    await broker.troubled(false);
  });
  afterAll(() => broker?.stop());

  const pilots = () => broker.brokerApi.query("pilots");
  const wallTimeMs = 60 * SECOND;

  it("EN-301 EN-303 jobs share a pilot, and those of a killed one run again", async () => {
    const line = "echo $SLURM_JOB_ID $$; sleep 2; echo done";
    for (let at = 0; at < 6; at++) await broker.submit(`p${at}`, line, { wallTimeMs });
    for (let at = 0; at < 6; at++)
      expect(await broker.until(`p${at}`, "DONE")).toMatchObject({ result: "ok" });
    const outputs = await Promise.all([0, 1, 2, 3, 4, 5].map((at) => broker.output(`p${at}`)));
    expect(new Set(outputs.map((text) => text.split(" ")[0])).size).toBe(1);
    await expect.poll(() => pilots().map(({ state }) => state), POLL).toEqual(["ENDED"]);
    expect(pilots()).toMatchObject([{ taken: 6, drained: "idle" }]);

    const remembered = `echo $$ $STINT_PILOT >> ${broker.folder}/ran; exec sleep 600`;
    await broker.submit("long", remembered, { wallTimeMs: 300 * SECOND });
    const runs = () => readFileSync(`${broker.folder}/ran`, "utf8").trim().split("\n");
    for (const [at, how] of ["scancel", "kill -9"].entries()) {
      const { pilot = "" } = await broker.until("long", "RUNNING");
      await expect.poll(() => existsSync(`${broker.folder}/ran`) && runs().length, POLL).toBe(at + 1);
      const [program, shell] = runs()[at].split(" ").map(Number);
      if (how === "kill -9") process.kill(shell, "SIGKILL");
      else await cluster.slurm("scancel", (await broker.job(pilot)).siteJob ?? "");
      await expect.poll(async () => (await broker.job("long")).attempt, POLL).toBe(at + 2);
      expect(stateOf(program)).toMatch(/^(gone|Z)$/);
      expect(await broker.until("long", "RUNNING")).toMatchObject({ retried: { deep: at + 1 } });
      expect((await broker.job("long")).pilot).not.toBe(pilot);
    }
    await broker.ask("cancel", "long");
    expect(await broker.until("long", "CANCELLED")).toMatchObject({ state: "CANCELLED" });
    await expect.poll(() => pilots().every(({ state }) => state === "ENDED"), POLL).toBe(true);
  });

  it("EN-301 a suspended job stands still with its time limit, and a held one has not begun", async () => {
    const line = `echo $$ > ${broker.folder}/pid; for at in 1 2 3 4 5 6; do sleep 1; done; echo done`;
    await broker.submit("still", line, { wallTimeMs: 10 * SECOND });
    await broker.until("still", "RUNNING");
    const file = `${broker.folder}/pid`;
    const pidIn = () => (existsSync(file) ? Number(readFileSync(file, "utf8")) : 0);
    await expect.poll(pidIn, POLL).toBeGreaterThan(0);
    const pid = pidIn();
    await broker.ask("suspend", "still");
    await expect.poll(() => stateOf(pid), POLL).toBe("T");
    await broker.submit("held", "echo ran", { wallTimeMs });
    await broker.ask("hold", "held");
    await broker.until("held", "HELD");
    await new Promise((resolve) => setTimeout(resolve, 8 * SECOND));
    expect(await broker.job("still")).toMatchObject({ state: "SUSPENDED" });
    await broker.ask("resume", "still");
    // On a busy machine it may have ended before it is seen running again.
    expect(await broker.until("still", "DONE")).toMatchObject({ result: "ok" });
    expect(await broker.job("held")).toMatchObject({ state: "HELD", startedAtMs: null });
    await broker.ask("release", "held");
    expect(await broker.until("held", "DONE")).toMatchObject({ result: "ok" });
  });

  const isRoot = process.getuid?.() === 0;
  const canSudo = ["sudo", "setfacl"].every((program) => spawnSync("which", [program]).status === 0);
  const modes = canSudo ? (["setpriv", "sudo"] as const) : (["setpriv"] as const);

  it.skipIf(!isRoot).each(modes)(
    "EN-304 EN-305 programs run as their owners' accounts, banned owners are refused (%s)",
    async (mode) => {
      const rule = { executable: null, fromMs: 0, untilMs: 24 * 3600 * SECOND };
      const identity = {
        ...{ mode, helper: resolve("bin/stint-as") },
        rules: [
          { ...rule, path: "vo/one", account: "daemon" },
          { ...rule, path: "vo", account: "nobody" },
        ],
        banned: ["vo/eve"],
      };
      const size = { max: 1, procs: 2, wallTimeMs: 600 * SECOND, idleMs: 0, consumer: "pilots" };
      const other = await slurmBroker(cluster, { procs: 4, pilots: { ...size, identity } });
      chmodSync(other.folder, 0o711);
      try {
        await other.troubled(false);
        const text = "id -un; touch secret; cat ../../*/?ork/secret; env | grep -c ^SLURM";
        const description = { ...JOB_DEFAULTS, executable: "sh", arguments: ["-c", text], wallTimeMs };
        for (const name of ["one", "two", "eve"]) {
          const job = {
            kind: "submit",
            job: name,
            description,
            consumer: `vo/${name}`,
            owner: name,
          } as const;
          expect(await other.brokerApi.ask(job)).toMatchObject({ ok: true });
        }
        await other.until("one", "DONE");
        await other.until("two", "DONE");
        expect([await other.output("one"), await other.output("two")]).toEqual([
          "daemon\n0\n",
          "nobody\n0\n",
        ]);
        expect(await other.job("eve")).toMatchObject({ state: "WAITING" });
        // Its share of the node of Slurm (4 processors, 4 GiB), whatever the machine has.
        expect(other.brokerApi.query("pilots")[0].memoryBytes).toBeLessThanOrEqual(2 ** 31);
        const audited = other.brokerApi
          .query("audit", {})
          .map(({ job, account, refusal }) => [job, account, refusal]);
        expect(audited).toContainEqual(["one", "daemon", null]);
        expect(audited).toContainEqual(["two", "nobody", null]);
        expect(audited).toContainEqual(["eve", null, { why: "banned", banned: "vo/eve" }]);
      } finally {
        await other.stop();
      }
    },
  );
});

/** Letter of a process's state; `gone` without one. One that has ended may not be collected yet: `Z`. */
function stateOf(pid: number): string {
  try {
    return /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1] ?? "unknown";
  } catch {
    return "gone";
  }
}
