/** Reservations on a real cluster: with an operator's rights, without them, and beside others'. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SLURM_ENVIRONMENT } from "../src/formats/slurm/index.ts";
import type { SlurmSiteSpec } from "../src/model/index.ts";
import type { ForeignSite, ReservationOrder } from "../src/runtime/index.ts";
import { leaveSlurmSite, openSlurmSite, type RunCommand } from "../src/sites/slurm/index.ts";
import { slurmSpec } from "./conformance/slurm-harness.ts";
import { asUser, hasSlurm, howToInstallSlurm, type TestUserName } from "./slurm-clusters.ts";
import { type OwnCluster, ownCluster } from "./slurm-daemons.ts";
import type { Ran } from "./stint.ts";

const LOOK_EVERY_MS = 250;
const about = { retry: 1, timeout: 400_000 };

describe.skipIf(!hasSlurm)(`reservations on a real cluster${howToInstallSlurm}`, about, () => {
  let folder: string;
  let cluster: OwnCluster;
  let site: ForeignSite;
  /** The site as it is for this account there. */
  const siteOf = (user: TestUserName, more: Partial<SlurmSiteSpec> = {}): Promise<ForeignSite> => {
    const run: RunCommand = async ({ words }) => {
      const settings = Object.entries(SLURM_ENVIRONMENT).map(([name, value]) => `${name}=${value}`);
      const { code, out, err } = await asUser(user, ["env", ...settings, ...words], cluster);
      return { code, stdout: Buffer.from(out), stderr: err, isTimedOut: false, notStarted: null };
    };
    const spec = { ...slurmSpec(cluster, folder), ...more };
    const directory = join(folder, user);
    return openSlurmSite({ name: "real", spec, directory, clock: { nowMs: () => Date.now() }, run });
  };
  const show = async (name: string): Promise<string> =>
    (await cluster.slurm("scontrol", "-o", "show", "reservation", name)).out;
  const create = (name: string, ...words: string[]): Promise<Ran> =>
    cluster.slurm("scontrol", "create", "reservation", `ReservationName=${name}`, ...words);
  const batch = (user: TestUserName, ...words: string[]): Promise<Ran> =>
    asUser(user, ["sbatch", "--parsable", "-o", "/dev/null", ...words], cluster);
  const order = (fromSeconds: number, toSeconds: number, procs = 2, token = "r-1"): ReservationOrder => {
    const after = (seconds: number): number => Date.now() + seconds * 1000;
    return { token, procs, memoryBytes: 0, startMs: after(fromSeconds), endMs: after(toSeconds) };
  };
  /** For others, at the same time. */
  const times = ({ startMs, endMs }: ReservationOrder): readonly string[] =>
    [`StartTime=uts${Math.floor(startMs / 1000)}`, `EndTime=uts${Math.ceil(endMs / 1000)}`] as const;
  const stateOf = async (job: string): Promise<string> =>
    (await cluster.slurm("squeue", "-h", "-j", job, "-o", "%T")).out.trim();

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "stint-reservations-"));
    cluster = await ownCluster("R", 2, { KillWait: "2" });
  });
  beforeEach(async () => {
    site = await siteOf("stint-operator", { account: "physics" });
  });
  afterEach(async () => {
    await cluster.slurm("scancel", "--state=PENDING", "--state=RUNNING", "--me");
    for (const user of ["stint-alice", "stint-bob", "stint-carol"])
      await cluster.slurm("scancel", "-u", user);
    while ((await cluster.slurm("squeue", "-h", "-a")).out.trim() !== "") await delay(LOOK_EVERY_MS);
    const { out } = await cluster.slurm("scontrol", "-o", "show", "reservation");
    for (const [, name] of out.matchAll(/^ReservationName=(\S+)/gm)) {
      await cluster.slurm("scontrol", "delete", `ReservationName=${name}`);
    }
  });
  afterAll(() => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  it("is for our user and the account of the settings, and for nobody else", async () => {
    const wanted = order(60, 91);
    const name = await site.reserve(wanted);
    const text = await show(name);
    expect(text).toMatch(/ Users=stint-operator .*Accounts=physics /);
    expect(text).toMatch(/ TRES=cpu=2 /);
    expect((await site.survey()).reservations).toMatchObject([
      { token: "r-1", siteReservation: name, procs: 2 },
    ]);
    const stranger = await batch("stint-carol", "-A", "physics", `--reservation=${name}`, "--wrap=true");
    expect(stranger.err).toContain("Access denied");
    await site.unreserve("r-1");
    expect(await show(name)).toContain("not found");
  });

  it("without an operator's rights it says which, and makes nothing", async () => {
    const alice = await siteOf("stint-alice", { account: "physics" });
    await expect(alice.reserve(order(60, 90))).rejects.toMatchObject({
      kind: "notAllowed",
      code: "siteMayNotReserve",
      remedy: expect.stringContaining("AdminLevel=Operator"),
    });
    expect((await cluster.slurm("scontrol", "show", "reservation")).out).toContain("No reservations");
  });

  it("SU-21 never overlaps what others reserved by nodes: it goes beside, or is refused", async () => {
    const wanted = order(60, 90, 4);
    expect((await create("whole", ...times(wanted), "NodeCnt=1", "Users=stint-bob")).code).toBe(0);
    const beside = await site.reserve(wanted);
    const nodeOf = async (name: string) => / Nodes=(\S+)/.exec(await show(name))?.[1];
    expect(await nodeOf(beside)).not.toBe(await nodeOf("whole"));
    const conflict = { kind: "refused", code: "reservationConflict" };
    await expect(site.reserve(order(70, 80, 1, "r-2"))).rejects.toMatchObject(conflict);
    expect((await site.survey()).reservations).toHaveLength(1);
  });

  it("SU-21 where Slurm itself let whole nodes overlap, a later one of ours is refused", async () => {
    const wanted = order(60, 90, 1);
    await site.reserve(wanted);
    // Its own rules would forbid it; this is why ours are never by nodes.
    const { code } = await create("whole", ...times(wanted), "NodeCnt=2", "Users=stint-bob");
    if (code === 0) expect(await show("whole")).toMatch(/ TRES=cpu=8 /);
    const conflict = { kind: "refused", code: "reservationConflict" };
    await expect(site.reserve(order(60, 90, 1, "r-2"))).rejects.toMatchObject(conflict);
  });

  it("Slurm moves an end over what follows: here it is refused, and nothing has moved", async () => {
    const wanted = order(60, 90, 6);
    const name = await site.reserve(wanted);
    const before = await show(name);
    const next = await create("next", ...times(order(93, 120)), "TRES=cpu=6", "Users=stint-bob");
    expect(next.code).toBe(0);
    await expect(site.reserve({ ...wanted, endMs: wanted.endMs + 20_000 })).rejects.toMatchObject({
      code: "reservationConflict",
    });
    expect(await show(name)).toBe(before);
    await site.reserve({ ...wanted, endMs: wanted.endMs - 20_000 });
    expect(await show(name)).not.toBe(before);
  });

  it("SU-17 a site that is left takes its reservations with it, and no others", async () => {
    const spec = slurmSpec(cluster, join(folder, "jobs"));
    const directory = join(folder, "left");
    const clock = { nowMs: () => Date.now() };
    const left = await openSlurmSite({ name: "left", spec, directory, clock });
    const name = await left.reserve(order(60, 90));
    const others = await site.reserve(order(60, 90));
    await left.close();
    expect((await leaveSlurmSite(spec, directory, false)).left).toEqual([`reservations of ours: ${name}`]);
    expect((await leaveSlurmSite(spec, directory, true)).removed[0]).toBe(`reservations of ours: ${name}`);
    expect(await show(name)).toContain("not found");
    expect(await show(others)).toContain(`ReservationName=${others}`);
  });

  it("a job whose limit runs beyond its reservation starts there, and is ended with it", async () => {
    const wanted = order(0, 60, 4);
    const name = await site.reserve(wanted);
    const words = ["-A", "physics", `--reservation=${name}`, "-n4", "-t60", "--wrap=sleep 600"];
    const inside = (await batch("stint-operator", ...words)).out.trim();
    const outside = (await batch("stint-bob", "-A", "biology", "-n8", "-t60", "--wrap=sleep 600")).out.trim();
    await expect.poll(() => stateOf(inside), { timeout: 200_000 }).toBe("RUNNING");
    expect(await stateOf(outside)).toBe("PENDING");
    await site.reserve({ ...wanted, endMs: Date.now() });
    await expect.poll(() => stateOf(outside), { timeout: 200_000 }).toBe("RUNNING");
    expect(await stateOf(inside)).not.toBe("RUNNING");
  });
});

describe.skipIf(!hasSlurm)("a real cluster that gives whole nodes only", about, () => {
  it("has no processors to set aside, and says so", async () => {
    const folder = mkdtempSync(join(tmpdir(), "stint-linear-"));
    const selecting = { SelectType: "select/linear", SelectTypeParameters: "CR_Memory" };
    const cluster = await ownCluster("N", 1, selecting);
    const spec = slurmSpec(cluster, folder);
    const clock = { nowMs: () => Date.now() };
    const site = await openSlurmSite({ name: "linear", spec, directory: join(folder, "site"), clock });
    const [startMs, endMs] = [Date.now() + 60_000, Date.now() + 90_000];
    const order = { token: "r-1", procs: 1, memoryBytes: 0, startMs, endMs };
    await expect(site.reserve(order)).rejects.toMatchObject({
      kind: "refused",
      code: "siteMayNotReserve",
      remedy: expect.stringContaining("cons_tres"),
    });
    await site.close();
    rmSync(folder, { recursive: true, force: true });
  });
});
