/** What goes wrong on a real cluster, each fault made for real and told from the others. */
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openSlurmSite } from "../src/sites/slurm/index.ts";
import { commandRunner } from "../src/sites/slurm/run-command.ts";
import { slurmFault } from "../src/sites/slurm/slurm-fault.ts";
import { slurmSpec } from "./conformance/slurm-harness.ts";
import { type SlurmBroker, slurmBroker } from "./slurm-broker.ts";
import { hasSlurm, howToInstallSlurm } from "./slurm-clusters.ts";
import { type OwnCluster, ownCluster } from "./slurm-daemons.ts";

const MIB = 2 ** 20;
const clock = { nowMs: () => Date.now() };

describe.skipIf(!hasSlurm)(
  `faults of a real cluster${howToInstallSlurm}`,
  { retry: 1, timeout: 400_000 },
  () => {
    let cluster: OwnCluster;
    let broker: SlurmBroker;
    let folder: string;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "stint-faults-"));
      const settings = {
        PreemptType: "preempt/partition_prio",
        PreemptMode: "REQUEUE",
        KillWait: "2",
        EnforcePartLimits: "ALL",
        AccountingStorageEnforce: "associations,limits,qos",
        SelectTypeParameters: "CR_CPU_Memory",
        DefMemPerCPU: "100",
        JobAcctGatherParams: "OverMemoryKill",
        JobAcctGatherFrequency: "task=1",
      };
      const urgent = "PartitionName=urgent Nodes=ALL PriorityTier=10 MaxTime=60 DefaultTime=5 State=UP";
      cluster = await ownCluster("F", 2, settings, [urgent]);
      broker = await slurmBroker(cluster, { partition: "main" });
    });
    afterAll(async () => {
      await broker?.stop();
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    });

    /** A site of its own at the same cluster, or at what another slurm.conf says. */
    const siteAt = (slurmConf = cluster.environment.SLURM_CONF) =>
      openSlurmSite({
        name: "other",
        spec: { ...slurmSpec(cluster, folder), slurmConf },
        directory: join(folder, "site"),
        clock,
      });

    describe("SU-3 what its commands say", () => {
      const wrong = [
        { words: ["sbatch", "-A", "nosuch", "--wrap=true"], code: "siteAccountUnknown", kind: "refused" },
        { words: ["sbatch", "--qos=nosuch", "--wrap=true"], code: "siteAccountUnknown", kind: "refused" },
        {
          words: ["sbatch", "-p", "urgent", "-t", "99", "--wrap=true"],
          code: "siteRefused",
          kind: "refused",
        },
        { words: ["sbatch", "-p", "nosuch", "--wrap=true"], code: "siteRefused", kind: "refused" },
        { words: ["sbatch", "--mem-per-cpu=99G", "--wrap=true"], code: "siteRefused", kind: "refused" },
        { words: ["sbatch", "-n", "999", "--wrap=true"], code: "siteRefused", kind: "refused" },
        { words: ["sbatch", "-t", "soon", "--wrap=true"], code: "siteRefused", kind: "refused" },
        { words: ["scontrol", "hold", "999999"], code: "siteJobUnknown", kind: "notFound" },
        { words: ["scontrol", "release", "999999"], code: "siteJobUnknown", kind: "notFound" },
        { words: ["squeue", "-j", "999999"], code: "siteJobUnknown", kind: "notFound" },
        { words: ["no-such-command"], code: "siteCommandMissing", kind: "unreachable" },
      ];
      it.each(wrong)("$words: $code", async ({ words, code, kind }) => {
        const slurmConf = cluster.environment.SLURM_CONF;
        const run = commandRunner({ sshHost: null, slurmConf, socketDirectory: folder });
        const result = await run({ words, timeoutMs: 20_000 });
        const fault = slurmFault("cannot do it", result);
        expect(fault, result.stderr).toMatchObject({ code, kind });
        expect(fault.remedy).not.toBe("");
      });

      it("without a slurm.conf they would wait for a minute: they end in their time", async () => {
        const slurmConf = join(folder, "none.conf");
        const run = commandRunner({ sshHost: null, slurmConf, socketDirectory: folder });
        const result = await run({ words: ["squeue"], timeoutMs: 1500 });
        expect(slurmFault("cannot see its queue", result)).toMatchObject({ kind: "unreachable" });
      });
    });

    describe("SU-3 credentials that the cluster does not take", () => {
      /** The same slurm.conf with another munge. */
      const withMunge = (name: string, socket: string): string => {
        const file = join(folder, name);
        const text = readFileSync(cluster.environment.SLURM_CONF, "utf8");
        writeFileSync(file, text.replaceAll(/socket=[^,\n]*/g, `socket=${socket}`));
        return file;
      };

      it("no munge", async () => {
        const site = await siteAt(withMunge("no-munge.conf", join(folder, "nobody")));
        await expect(site.survey()).rejects.toMatchObject({
          code: "siteCredentials",
          remedy: expect.stringContaining("munge"),
        });
      });

      it("a munge with another key", async () => {
        const place = join(folder, "munge");
        mkdirSync(place);
        writeFileSync(join(place, "key"), Buffer.alloc(64, "another"), { mode: 0o600 });
        for (const open of [folder, place]) chmodSync(open, 0o755);
        const files = ["key", "socket", "pid", "log", "seed"].map((it) => `--${it}-file=${join(place, it)}`);
        const words = files.map((it) => it.replace("--socket-file", "--socket"));
        const munged = spawn("munged", ["--foreground", "--force", ...words], { stdio: "ignore" });
        try {
          const site = await siteAt(withMunge("other-munge.conf", join(place, "socket")));
          const said = async (): Promise<string> =>
            site.survey().then(
              () => "seen",
              (error: { readonly code?: string }) => error.code ?? String(error),
            );
          // Until it listens there is no munge at all, which is told by other words.
          while (!(await said()).startsWith("site")) await delay(100);
          expect(await said()).toBe("siteCredentials");
        } finally {
          munged.kill("SIGTERM");
        }
      });
    });

    describe("SU-11 how a job of ours ends", () => {
      it("an account that is unknown: certain, and told to whoever submitted it", async () => {
        const other = await slurmBroker(cluster, { account: "nosuch" });
        await other.submit("wrong-account", "true");
        const { abortReason } = await other.until("wrong-account", "ABORTED");
        expect(abortReason?.kind).toBe("launchFailed");
        expect(abortReason?.detail).toContain("Invalid account");
        await other.stop();
      });

      it("its time limit", async () => {
        await broker.submit("long", "sleep 60", { wallTimeMs: 1000 });
        expect(await broker.until("long", "DONE", "ABORTED")).toMatchObject({ isTimeLimit: true });
      });

      it("preempted: not cancelled by anybody, and with what to do", async () => {
        await broker.submit("low", "sleep 60", { procs: 8, wallTimeMs: 90_000 });
        await broker.until("low", "RUNNING");
        await cluster.slurm("sbatch", "-p", "urgent", "-n8", "-o", "/dev/null", "--wrap=sleep 1");
        const { abortReason } = await broker.until("low", "ABORTED", "DONE", "CANCELLED");
        expect(abortReason).toMatchObject({ kind: "lost", detail: expect.stringContaining("preempted") });
      });

      // Here the node's own watch kills for memory; where the kernel does, Slurm says OUT_OF_MEMORY
      // (ends.test.ts).
      it("more memory than it asked for", async () => {
        const hog = "head -c 400000000 /dev/zero | tail -c 400000000 | { sleep 30; cat; }";
        const big = "exec perl -e '$x = \"x\" x 400000000; sleep 30'";
        await broker.submit("hog", `command -v perl >/dev/null && ${big}; ${hog}`, { memoryBytes: 50 * MIB });
        const { abortReason } = await broker.until("hog", "ABORTED", "DONE", "CANCELLED");
        expect(abortReason?.detail).toContain("memory");
      });
    });

    describe("the controller", () => {
      const times = (file: string): number => readFileSync(file, "utf8").length;
      const tallyOf = (name: string): string => join(mkdtempSync(join(folder, "tally-")), name);

      // Whatever a test left half done, the next one begins with a controller that answers.
      afterEach(() => cluster.ensure("slurmctld"), 60_000);

      it("BR-8 hung: calls time out, and a job it accepted nevertheless runs once", async () => {
        const tally = tallyOf("hung");
        const site = await siteAt();
        await cluster.signal("slurmctld", "SIGSTOP");
        await broker.submit("doubtful", `printf x >> ${tally}`);
        await expect(site.survey()).rejects.toMatchObject({
          code: "siteHung",
          remedy: expect.stringContaining("sdiag"),
        });
        expect(await broker.troubled(true)).toContain("Socket timed out");
        await expect.poll(() => broker.warnings.join(), { timeout: 200_000 }).toContain("did not confirm it");
        await cluster.signal("slurmctld", "SIGCONT");
        expect(await broker.until("doubtful", "DONE", "ABORTED")).toMatchObject({ result: "ok" });
        expect(times(tally)).toBe(1);
        expect(await broker.troubled(false)).toBe(null);
      });

      it("slow: it stands still for seconds at a time, and no job is lost or runs twice", async () => {
        const tally = tallyOf("slow");
        const ids = Array.from({ length: 6 }, (_, at) => `slow${at}`);
        for (const id of ids.slice(0, 3)) await broker.submit(id, `printf x >> ${tally}; sleep 1`);
        await cluster.signal("slurmctld", "SIGSTOP");
        for (const id of ids.slice(3)) await broker.submit(id, `printf x >> ${tally}`);
        await delay(3000);
        await cluster.signal("slurmctld", "SIGCONT");
        await delay(500);
        await cluster.signal("slurmctld", "SIGSTOP");
        await delay(3000);
        await cluster.signal("slurmctld", "SIGCONT");
        for (const id of ids)
          expect(await broker.until(id, "DONE", "ABORTED")).toMatchObject({ result: "ok" });
        expect(times(tally)).toBe(ids.length);
      });

      it("BR-10 SU-4 down: the queue is not taken as empty, jobs go on, new ones wait", async () => {
        await broker.submit("lasting", "sleep 8");
        await broker.until("lasting", "RUNNING");
        await delay(6000);
        const site = await siteAt();
        await cluster.signal("slurmctld", "SIGKILL");
        await expect(site.survey()).rejects.toMatchObject({
          code: "siteUnreachable",
          remedy: expect.stringContaining("scontrol ping"),
        });
        expect(await broker.troubled(true)).toContain("Unable to contact slurm controller");
        await broker.submit("meanwhile", "true");
        expect((await broker.job("meanwhile")).state).toBe("WAITING");
        await cluster.start("slurmctld");
        for (const id of ["lasting", "meanwhile"]) {
          expect(await broker.until(id, "DONE", "ABORTED")).toMatchObject({ result: "ok" });
        }
      });
    });
  },
);
