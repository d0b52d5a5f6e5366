/** Sums of jobs as people ask for them, on a real broker, each within its rights. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { stint, temporaryFolder } from "./stint.ts";

interface Row {
  readonly group: Readonly<Record<string, string | null>>;
  readonly jobs: number;
  readonly ok: number;
  readonly failed: number;
  readonly usedProcSec: number;
  readonly askedProcSec: number;
  readonly limitUse: number | null;
  readonly cpuEfficiency: number | null;
  readonly costProcMs: number;
  readonly wait: { readonly medianSec: number } | null;
}

describe("stint report", () => {
  const folder = temporaryFolder();
  let broker: LiveBroker;
  beforeAll(async () => {
    broker = await startLiveBroker(folder);
  });
  afterAll(() => broker.end("SIGTERM"));
  const admin = (...words: string[]) => stint(words, folder, broker.environment);
  const holderOf = (role: string, consumer: string) => {
    const { out } = admin("token", "create", "--role", role, "--vo", consumer);
    const environment = { STINT_URL: broker.url, STINT_TOKEN: out.trim() };
    return (...words: string[]) => stint(words, folder, { ...broker.environment, ...environment });
  };
  const reported = (who: typeof admin, ...words: string[]): readonly Row[] =>
    JSON.parse(who("report", "-o", "json", ...words).out).items;

  it("sums jobs by dimensions within the caller's rights, and shows the efficiency of one", () => {
    const [ann, bob] = [holderOf("user", "cms/ann"), holderOf("user", "cms/bob")];
    const [cms, auditor] = [holderOf("voAdmin", "cms"), holderOf("auditor", "local/audit")];
    const busy = ["sh", "-c", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done"];
    const id = ann("submit", "-t", "1m", "--tag", "project=snow", "--", ...busy).out.trim();
    const failing = ann("submit", "-t", "1m", "--", "false").out.trim();
    const other = bob("submit", "--", "true").out.trim();
    const local = admin("submit", "--", "true").out.trim();
    expect(admin("wait", id, other, local).code).toBe(0);
    expect(admin("wait", failing).code).toBe(1);
    const users = (rows: readonly Row[]) => rows.map(({ group, jobs }) => [group.user, jobs]);
    expect(users(reported(ann, "--by", "user"))).toEqual([["cms/ann", 2]]);
    expect(users(reported(bob, "--by", "user"))).toEqual([["cms/bob", 1]]);
    expect(users(reported(cms, "--by", "user"))).toEqual([
      ["cms/ann", 2],
      ["cms/bob", 1],
    ]);
    const groups = reported(auditor, "--by", "vo,state").map(({ group, jobs }) => [
      group.vo,
      group.state,
      jobs,
    ]);
    expect(groups).toContainEqual(["cms", "DONE", 3]);
    expect(groups).toHaveLength(2);
    expect(reported(auditor, "--vo", "cms/bob")).toMatchObject([{ group: {}, jobs: 1 }]);
    expect(reported(ann, "--vo", "cms/bob")).toEqual([]);

    const { endedAt, submittedAt, startedAt, ranSec, cpuSec } = JSON.parse(
      ann("status", id, "-o", "json").out,
    );
    const [snow] = reported(ann, "--by", "tag:project,month", "--tag", "project");
    expect(snow).toMatchObject({
      group: { "tag:project": "snow", month: endedAt.slice(0, 7) },
      ...{ jobs: 1, ok: 1, failed: 0, usedProcSec: ranSec, askedProcSec: 60 },
      wait: { medianSec: (Date.parse(startedAt) - Date.parse(submittedAt)) / 1000 },
    });
    expect(snow?.limitUse).toBeCloseTo(ranSec / 60, 9);
    expect(snow?.cpuEfficiency).toBeCloseTo(cpuSec / ranSec, 9);
    expect(snow?.cpuEfficiency).toBeGreaterThan(0);
    const postings: readonly { readonly about: string; readonly procMs: number }[] = JSON.parse(
      admin("account", "cms/ann", "-o", "json").out,
    ).postings;
    expect(snow?.costProcMs).toBe(-(postings.find(({ about }) => about === id)?.procMs ?? 0));
    expect(reported(ann, "--until", endedAt, "--tag", "project")).toEqual([]);
    expect(reported(ann, "--since", endedAt, "--tag", "project")).toHaveLength(1);

    const table = ann("report", "--by", "user");
    expect(table.out).toMatch(
      /^USER +JOBS +FAILED +USED +REQUESTED +LIMIT% +CPU% +WAIT +MAX +COST\ncms\/ann +2 +1 /,
    );
    const byUse = (...words: string[]) =>
      auditor("report", "--by", "vo", "--columns", "used,failed", ...words).out;
    const rows = byUse("--sort", "-used", "-o", "csv").split("\r\n");
    expect(rows[0]).toBe("vo,usedProcSec,failed,aborted");
    expect([rows[1], rows[2]]).toEqual([expect.stringMatching(/^cms,/), expect.stringMatching(/^local,/)]);
    expect(byUse("--sort", "used")).toMatch(/^VO +USED +FAILED\nlocal .*\ncms /);
    expect(ann("report", "--columns", "jobs", "-o", "json")).toMatchObject({ code: 2 });
    const csv = ann("report", "--by", "user,site", "-o", "csv").out.split("\r\n");
    expect(csv[0]).toMatch(/^user,site,jobs,ok,failed,/);
    expect(ann("report", id).out).toMatch(
      /ran +\S+ of 1m requested \(\d+%\)\ncpu time +\S+ of \S+ \(\d+%\)\n/,
    );
    expect(JSON.parse(ann("report", id, "-o", "json").out)).toMatchObject({ id, limitUse: ranSec / 60 });
    expect(bob("report", id).code).toBe(3);
    expect(ann("report", "--by", "usre")).toMatchObject({ code: 2 });
    expect(ann("report", "--by", "usre").err).toContain("user, group, vo, owner, site");
    expect(ann("report", id, "--by", "user").err).toContain("ids cannot be combined");
  });
});
