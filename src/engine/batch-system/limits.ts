/**
 * Limits of QOS, of the partition's QOS and of associations: what running jobs have of them already.
 *
 * Source: "Resource Limits" of Slurm's documentation. Where several of them say something of the same
 * thing the first counts: the partition's QOS, the job's (the other way round with OverPartQOS), the
 * user's association, the account's. Limits on submitted jobs refuse at submission and keep nobody
 * waiting; used-up wall time (GrpWall) is not shown, and not looked at. A group limit of an account counts
 * the jobs of all accounts below it, and holds for them. Cost: one pass over the jobs.
 */
import type { ClusterAssociation, ClusterJob, ClusterLimits, ClusterQos } from "../../model/index.ts";
import type { Blocker, BlockerFacts, LimitScope, Remedy } from "./blocker.ts";
import type { ClusterView } from "./view.ts";

type LimitFacts = Extract<BlockerFacts, { kind: "limit" }>;

/** One limit that concerns the job, and whose jobs count for it. */
interface Check {
  readonly holder: NonNullable<LimitFacts["holder"]>;
  readonly name: string;
  readonly scope: LimitScope;
  readonly what: string;
  readonly limit: number;
  readonly counts: (other: ClusterJob) => boolean;
}

/** All limits that the job would exceed if it started now. */
export function limitBlockers(view: ClusterView, job: ClusterJob): readonly Blocker[] {
  if (!view.enforcesLimits) return [];
  const checks = checksOf(view, job);
  const used = checks.map(() => 0);
  const shared = checks.flatMap(({ scope }, at) => (scope === "job" ? [] : [at]));
  if (shared.length > 0) {
    for (const other of view.snapshot.jobs) {
      if (other.state !== "running" && other.state !== "suspended") continue;
      for (const at of shared) if (checks[at].counts(other)) used[at] += amountOf(other, checks[at].what);
    }
  }
  return [...checks.flatMap((check, at) => exceeded(check, job, used[at])), ...minimumBlockers(view, job)];
}

function exceeded(check: Check, job: ClusterJob, used: number): readonly Blocker[] {
  const { holder, name, scope, what, limit } = check;
  const wanted = amountOf(job, what);
  if (wanted === 0 || used + wanted <= limit) return [];
  const isAlone = wanted > limit;
  const facts = { holder, name, scope, what, limit, wanted, isAlone };
  return [{ kind: "limit", ...facts, used: scope === "job" ? null : used, remedies: remediesFor(facts) }];
}

function remediesFor({
  holder,
  what,
  limit,
  isAlone,
}: Omit<LimitFacts, "kind" | "used" | "scope">): Remedy[] {
  const other: Remedy[] = holder === "association" ? [] : [{ kind: "otherQos", qos: null }];
  if (!isAlone) return [{ kind: "wait" }, ...other];
  if (limit === null) return other;
  if (what === "wall") return [{ kind: "limitAtMost", limitMs: limit }, ...other];
  if (what === "node") return [{ kind: "nodesAtMost", nodes: limit }, ...other];
  const countable = what === null ? undefined : COUNTABLE.get(what);
  return countable === undefined ? other : [{ kind: "askAtMost", what: countable, amount: limit }, ...other];
}

const COUNTABLE = new Map([
  ["cpu", "procs"],
  ["mem", "memory"],
  ["gres/gpu", "gpus"],
] as const) as ReadonlyMap<string, "procs" | "memory" | "gpus">;

function checksOf(view: ClusterView, job: ClusterJob): readonly Check[] {
  const own = qosChecks(view.qos.get(job.qos ?? ""), "qos", job);
  const ofPartition = job.partitions.length === 1 ? view.partitions.get(job.partitions[0])?.qos : null;
  const [partition] = job.partitions;
  const inPartition = qosChecks(view.qos.get(ofPartition ?? ""), "partitionQos", job).map((check) => ({
    ...check,
    counts: (other: ClusterJob) => isSameOwner(check.scope, job, other) && other.partitions[0] === partition,
  }));
  const isOver = view.qos.get(job.qos ?? "")?.flags.includes("OverPartQOS") ?? false;
  const ordered = isOver ? [...own, ...inPartition] : [...inPartition, ...own];
  const first = firstOfEach(ordered);
  const taken = new Set(first.map(keyOf));
  const rest = associationChecks(view, job).filter((check) => !taken.has(keyOf(check)));
  return [...first, ...rest];
}

function keyOf({ scope, what }: Check): string {
  return `${scope} ${what}`;
}

function firstOfEach(checks: readonly Check[]): readonly Check[] {
  const seen = new Set<string>();
  return checks.filter((check) => !seen.has(keyOf(check)) && seen.add(keyOf(check)));
}

function qosChecks(
  qos: ClusterQos | undefined,
  holder: "qos" | "partitionQos",
  job: ClusterJob,
): readonly Check[] {
  if (qos === undefined) return [];
  const { name } = qos;
  const scopes = [
    ["job", qos.perJob],
    ["user", qos.perUser],
    ["account", qos.perAccount],
    ["group", qos.group],
  ] as const;
  return scopes.flatMap(([scope, limits]) =>
    entriesOf(limits, scope).map(([what, limit]) => ({
      holder,
      name,
      scope,
      what,
      limit,
      counts: (other: ClusterJob) => other.qos === name && isSameOwner(scope, job, other),
    })),
  );
}

function isSameOwner(scope: LimitScope, job: ClusterJob, other: ClusterJob): boolean {
  if (scope === "user") return other.user === job.user && job.user !== null;
  if (scope === "account") return other.account === job.account && job.account !== null;
  return true;
}

/** The user's own rows before the account's: of limits per job the nearest counts, of groups each. */
function associationChecks(view: ClusterView, job: ClusterJob): readonly Check[] {
  const { snapshot } = view;
  const rows = snapshot.associations
    .filter(({ account, user, partition }) => {
      if (account !== job.account || (user !== null && user !== job.user)) return false;
      return partition === null || job.partitions.includes(partition);
    })
    .sort((a, b) => (a.user === null ? 1 : 0) - (b.user === null ? 1 : 0));
  const single = rows.flatMap((row) => {
    const name = nameOf(row);
    const counts = (other: ClusterJob) => other.account === row.account && other.user === job.user;
    const most = row.maxJobs === null ? [] : ([["user", "jobs", row.maxJobs]] as const);
    const perJob = entriesOf(row.perJob, "job").map(([what, limit]) => ["job", what, limit] as const);
    return [...most, ...perJob].map(([scope, what, limit]) => {
      return { holder: "association" as const, name, scope, what, limit, counts };
    });
  });
  const above = accountsAbove(view, job.account);
  const isAbove = ({ account, user }: ClusterAssociation) => user === null && above.includes(account);
  const groups = [...rows, ...snapshot.associations.filter(isAbove)].flatMap((row) => {
    const limits = entriesOf(row.group, "group");
    const counts = limits.length === 0 ? () => false : countedFor(view, row);
    const facts = { holder: "association" as const, name: nameOf(row), scope: "group" as const, counts };
    return limits.map(([what, limit]) => ({ ...facts, what, limit }));
  });
  return [...firstOfEach(single), ...groups];
}

/** A user's own jobs in the account, or those of everybody in it and below it. */
function countedFor(view: ClusterView, { account, user }: ClusterAssociation) {
  if (user !== null) return (other: ClusterJob) => other.account === account && other.user === user;
  const all = view.snapshot.associations.map((it) => it.account);
  const below = new Set(all.filter((it) => accountsAbove(view, it).includes(account)));
  return (other: ClusterJob) =>
    other.account === account || (other.account !== null && below.has(other.account));
}

/** The accounts above one, the nearest first. */
function accountsAbove({ snapshot }: ClusterView, account: string | null): readonly string[] {
  const parents = new Map(
    snapshot.associations.flatMap((it) => (it.parent === null ? [] : [[it.account, it.parent] as const])),
  );
  const above: string[] = [];
  let next = parents.get(account ?? "");
  while (next !== undefined && next !== account && !above.includes(next)) {
    above.push(next);
    next = parents.get(next);
  }
  return above;
}

function nameOf({ account, user }: { readonly account: string; readonly user: string | null }): string {
  return user === null ? account : `${account}/${user}`;
}

function entriesOf(limits: ClusterLimits, scope: LimitScope): readonly (readonly [string, number])[] {
  const found: (readonly [string, number])[] = Object.entries(limits.tres);
  if (limits.jobs !== null && scope !== "job") found.push(["jobs", limits.jobs]);
  if (limits.wallMs !== null && scope === "job") found.push(["wall", limits.wallMs]);
  return found;
}

/** Amount of a limited resource that a job uses or requests. */
function amountOf(job: ClusterJob, what: string): number {
  switch (what) {
    case "jobs":
      return 1;
    case "wall":
      return job.limitMs ?? 0;
    case "cpu":
      return job.procs;
    case "node":
      return job.nodeCount;
    case "mem":
      return job.tres.mem ?? job.memoryBytes ?? 0;
    case "gres/gpu":
      return job.gpus;
    default:
      return job.tres[what] ?? 0;
  }
}

function minimumBlockers({ qos }: ClusterView, job: ClusterJob): readonly Blocker[] {
  const found = qos.get(job.qos ?? "");
  if (found === undefined) return [];
  return Object.entries(found.minimumTres).flatMap(([what, minimum]): Blocker[] => {
    const wanted = amountOf(job, what);
    if (wanted >= minimum) return [];
    const remedies: Remedy[] = [
      { kind: "askAtLeast", what, amount: minimum },
      { kind: "otherQos", qos: null },
    ];
    return [{ kind: "minimum", qos: found.name, what, minimum, wanted, remedies }];
  });
}
