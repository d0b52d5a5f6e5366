import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { clusterProcesses, sharedProcesses } from "../scripts/clusters/processes.ts";
import type { ClusterStatus } from "../scripts/clusters/status.ts";
import { commandsOf } from "./guide-commands.ts";
import {
  asUser,
  clusterStatus,
  clusterUp,
  hasSlurm,
  howToInstallSlurm,
  runCommand,
  slurmScript,
} from "./slurm-clusters.ts";

const root = resolve(import.meta.dirname, "..");
// A cluster is some fifteen processes; on a machine that is busy besides, they take their time.
vi.setConfig({ testTimeout: 400_000 });
const patience = { timeout: 200_000, interval: 200 };

/** 127.0.0.1 as the kernel writes it. */
const LOOPBACK = "0100007F:";

/** Where a process listens for TCP, as `address:port` in hexadecimal (proc(5), net/tcp). */
function listeningOf(pid: number): readonly string[] {
  const folder = `/proc/${pid}/fd`;
  const inodes = new Set(
    readdirSync(folder).map((fd) => /^socket:\[(\d+)\]$/.exec(readlinkSync(join(folder, fd)))?.[1]),
  );
  return readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === "0A" && inodes.has(fields[9]))
    .map(([, address = ""]) => address);
}

/** A folder with a short path that every user may enter, and the state directory in it, for a describe. */
function useStateDirectory(): { readonly folder: string; readonly dir: string } {
  const place = { folder: "", dir: "" };
  beforeAll(() => {
    place.folder = mkdtempSync(join(tmpdir(), "stint-"));
    place.dir = join(place.folder, "stint-clusters");
    chmodSync(place.folder, 0o755);
  });
  afterAll(async () => {
    await slurmScript(["down", "--all", "--purge", "--dir", place.dir]);
    rmSync(place.folder, { recursive: true, force: true });
  });
  return place;
}

describe.skipIf(!hasSlurm)(`test clusters of Slurm${howToInstallSlurm}`, { retry: 2 }, () => {
  describe("two clusters side by side, killed and brought up again", () => {
    const place = useStateDirectory();
    const up = (name: string) => slurmScript(["up", "--name", name, "--nodes", "2", "--dir", place.dir]);
    const slurm = async (name: string, command: readonly string[]): Promise<string> => {
      const [cluster] = await clusterStatus(place.dir, name);
      const { out, err, code } = await runCommand(command, { SLURM_CONF: cluster?.slurmConf ?? "" });
      if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}: ${err}`);
      return out;
    };
    const statesOf = (cluster: string, job: string) =>
      slurm(cluster, ["sacct", "-X", "-D", "-n", "-P", "-o", "state", `--name=${job}`]);
    // By name: a controller that was killed before it saved gives an id a second time.
    const runJob = async (cluster: string, job: string): Promise<void> => {
      await slurm(cluster, ["sbatch", "-J", job, "--output=/dev/null", "--wrap=true"]);
      await vi.waitFor(async () => expect(await statesOf(cluster, job)).toBe("COMPLETED\n"), patience);
    };

    it("runs a job on each, which accounting knows", async () => {
      expect(await up("A")).toContain("A is up: 2 nodes of 4 CPUs and 4G, plain\n");
      expect(await up("B")).toContain("B is up: 2 nodes of 4 CPUs and 4G, rich\n");
      await Promise.all([runJob("A", "first"), runJob("B", "first")]);
    });

    it("listens on the loopback address alone", () => {
      const ids = [...sharedProcesses(place.dir), ...clusterProcesses(place.dir, "A")].map(({ pid }) => pid);
      const places = [...new Set(ids.flatMap(listeningOf))];
      expect(places.length).toBeGreaterThan(3);
      expect(places.filter((it) => !it.startsWith(LOOPBACK))).toEqual([]);
    });

    it("says that all is there already", async () => {
      expect(await up("A")).toContain("all of it ran already\n");
    });

    it("does not change a cluster behind your back", async () => {
      await expect(slurmScript(["up", "--nodes", "3", "--dir", place.dir])).rejects.toThrow("--fresh");
    });

    it("starts what was killed, and nothing else", async () => {
      const [before] = await clusterStatus(place.dir, "A");
      for (const daemon of ["slurmctld", "slurmd:an2"]) process.kill(pidOf(before, daemon), "SIGKILL");
      expect((await clusterStatus(place.dir)).map(({ state }) => state)).toEqual(["partly", "up"]);
      expect(await up("A")).toContain("started: slurmctld slurmd:an2\n");
      expect((await clusterStatus(place.dir)).map(({ state }) => state)).toEqual(["up", "up"]);
      await runJob("A", "after-the-controller");
    });

    it("starts the shared daemons again, and still knows the jobs of the past", async () => {
      const ids = sharedProcesses(place.dir).map(({ pid }) => pid);
      expect(ids).toHaveLength(3);
      for (const pid of ids) process.kill(pid, "SIGKILL");
      expect(await up("A")).toContain("started: munged mariadbd slurmdbd\n");
      await runJob("A", "after-the-database");
      expect(await statesOf("A", "first")).toBe("COMPLETED\n");
    });

    it("forgets what was there with --fresh, of this cluster alone", async () => {
      await slurmScript(["up", "--fresh", "--nodes", "1", "--dir", place.dir]);
      expect(await slurm("A", ["sacct", "-X", "-n", "-a", "-P", "-o", "jobid"])).toBe("");
      expect(await slurm("A", ["sbatch", "--parsable", "-o", "/dev/null", "--wrap=true"])).toBe("1\n");
      await runJob("B", "after-the-other");
    });

    it("leaves no process, not even a job's, and in the end no file", async () => {
      await slurm("A", ["sbatch", "-o", "/dev/null", "--wrap", "env -i setsid sleep 1001; sleep 1002"]);
      await vi.waitFor(async () => expect(await slurm("A", ["squeue", "-h"])).toContain(" R "), patience);
      await slurmScript(["down", "--name", "A", "--dir", place.dir]);
      expect(clusterProcesses(place.dir, "A")).toEqual([]);
      expect((await clusterStatus(place.dir)).map(({ state }) => state)).toEqual(["down", "up"]);
      await slurmScript(["down", "--all", "--purge", "--dir", place.dir]);
      expect([...clusterProcesses(place.dir, "B"), ...sharedProcesses(place.dir)]).toEqual([]);
      expect(await clusterStatus(place.dir)).toEqual([]);
    });
  });

  describe("what tests get", () => {
    it("hides other people's jobs on B and not on A", async () => {
      for (const [name, seen] of [
        ["A", 1],
        ["B", 0],
      ] as const) {
        const cluster = await clusterUp(name);
        const job = await asUser(
          "stint-alice",
          ["sbatch", "--parsable", "--hold", "-J", "hidden", "--wrap=true"],
          cluster,
        );
        expect(job.err).toBe("");
        const found = await asUser("stint-bob", ["squeue", "-h", "-n", "hidden", "-o", "%i"], cluster);
        expect(found.out.split("\n").filter((id) => id === job.out.trim())).toHaveLength(seen);
        await asUser("stint-alice", ["scancel", job.out.trim()], cluster);
      }
    });

    it("refuses on B what limits, partitions and generic resources do not allow", async () => {
      const cluster = await clusterUp("B");
      const submit = (...words: readonly string[]) =>
        asUser("stint-bob", ["sbatch", "-o", "/dev/null", ...words, "--wrap=true"], cluster);
      const hold = (...words: readonly string[]) => submit("--hold", ...words);
      expect((await submit("-A", "physics")).err).toContain("Invalid account");
      expect((await submit("-p", "batch", "--gres=gpu:5")).err).toContain("not available");
      expect((await submit("--array=1-101")).err).toContain("Invalid job array specification");
      expect((await hold("-p", "gpu", "--gres=gpu:2", "--qos=short")).err).toBe("");
      for (let job = 0; job < 4; job += 1) expect((await hold("--qos=limited")).err).toBe("");
      expect((await hold("--qos=limited")).err).toContain("QOSMaxSubmitJobPerUserLimit");
      await asUser("stint-bob", ["scancel", "-u", "stint-bob"], cluster);
    });
  });

  describe("what docs/guides/test-clusters.md shows is what happens", () => {
    const place = useStateDirectory();
    beforeAll(() => symlinkSync(join(root, "scripts"), join(place.folder, "scripts")));

    it.each(commandsOf("docs/guides/test-clusters.md"))("$command", async ({ command, output }) => {
      const options = { XDG_STATE_HOME: place.folder, NO_COLOR: "1" };
      const ran = await runCommand(["sh", "-c", `cd "${place.folder}" && ${command}`], options);
      const isError = output.startsWith("slurm:");
      expect(ran.code === 0, ran.err).toBe(!isError);
      expect((isError ? ran.err : ran.out).slice(0, output.length)).toBe(output);
    });
  });
});

function pidOf(cluster: ClusterStatus | undefined, daemon: string): number {
  const pid = cluster?.daemons.find(({ name }) => name === daemon)?.pid;
  if (typeof pid !== "number") throw new Error(`${daemon} does not run`);
  return pid;
}
