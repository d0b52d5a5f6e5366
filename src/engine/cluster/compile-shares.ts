/**
 * The usage policies of a site in the words of its own batch system, Slurm (rule EN-72): the second of the
 * two solutions of [UP] slide 13, where the batch system enforces and Stint observes.
 *
 * An account gets its share among its siblings as fair share, and a burst limit as GrpTRES. What Slurm has no
 * word for is told, not bent. Each change has the one that takes it back.
 */
import { mulDiv } from "../../base/index.ts";
import type { ClusterAssociation, ClusterSnapshot, Policy } from "../../model/index.ts";
import { type ShareNode, type ShareTree, type SiteResource, WHOLE_SHARE } from "../../policy/index.ts";

/** What is compiled, for which cluster. */
export interface SharesToCompile {
  readonly shares: ShareTree;
  readonly snapshot: Pick<ClusterSnapshot, "name" | "associations" | "settings">;
  readonly capacity: Readonly<Record<SiteResource, number>>;
  /** Which consumer an account is, where it is not the one of its name. */
  readonly consumers: Readonly<Record<string, string>>;
}

/** A change of an account, as commands in words, and what takes it back. */
export interface AccountChange {
  readonly account: string;
  readonly consumer: string;
  readonly kind: "add" | "modify";
  /** Name and value, before (null: none) and after. */
  readonly settings: readonly {
    readonly name: string;
    readonly before: string | null;
    readonly after: string;
  }[];
  readonly command: readonly string[];
  readonly undo: readonly string[];
}

/** What the cluster would have to be told. */
export interface CompiledShares {
  /** In an order in which they can be made; they are taken back in the opposite one. */
  readonly changes: readonly AccountChange[];
  /** What Slurm has no word for, or what keeps it from going by the shares, in sentences. */
  readonly remarks: readonly string[];
}

const TRES: Readonly<Record<SiteResource, string>> = { cpu: "cpu", gpu: "gres/gpu", memory: "mem" };
const BYTES_PER_MEBIBYTE = 1_048_576;
/** Names that need no quotes anywhere. */
const PLAIN_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,62}$/;

/** The changes that bring a cluster's accounts to the policies; none where they are there already. */
export function compileShares(asked: SharesToCompile): CompiledShares {
  const { shares, snapshot } = asked;
  const remarks = settingRemarks(snapshot.settings);
  const changes: AccountChange[] = [];
  for (const path of pathsOf(shares)) {
    const nodes = nodesOf(shares, path);
    const account = accountOf(path, asked.consumers);
    const parent = accountOf(parentOf(path), asked.consumers);
    remarks.push(...nodes.flatMap((node) => wordless(node)));
    if (account === undefined || (parent === undefined && path.includes("/"))) {
      remarks.push(`${path} is no account there: name one for it in the site's consumers`);
      continue;
    }
    const there = snapshot.associations.find((it) => it.account === account && it.user === null);
    const settings = settingsOf(asked, nodes, there);
    const differing = settings.filter(({ before, after }) => before !== after);
    if (there !== undefined && differing.length === 0) continue;
    const about = { account, consumer: path, parent: parent ?? "root", cluster: snapshot.name };
    changes.push(there === undefined ? added(about, settings) : modified(about, differing));
  }
  return { changes, remarks: [...new Set(remarks)] };
}

/** All levels that a policy names, the upper before the lower ones. */
function pathsOf({ nodes }: ShareTree): readonly string[] {
  const paths = new Set<string>();
  for (const byPath of nodes.values()) {
    for (const node of byPath.values()) if (node.policy !== null) paths.add(node.path);
  }
  return [...paths].sort((a, b) => a.split("/").length - b.split("/").length);
}

interface Named {
  readonly resource: SiteResource;
  readonly node: ShareNode;
  readonly policy: Policy;
}

function nodesOf({ nodes }: ShareTree, path: string): readonly Named[] {
  return (["cpu", "gpu", "memory"] as const).flatMap((resource) => {
    const node = nodes.get(resource)?.get(path);
    return node?.policy == null ? [] : [{ resource, node, policy: node.policy }];
  });
}

function parentOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}

/** The account of a consumer: the one that the site names for it, else that of its name where it is a VO. */
function accountOf(path: string, consumers: Readonly<Record<string, string>>): string | undefined {
  if (path === "") return undefined;
  const named = Object.entries(consumers).find(([, consumer]) => consumer === path)?.[0];
  const account = named ?? (path.includes("/") ? undefined : path);
  return account !== undefined && PLAIN_NAME.test(account) ? account : undefined;
}

function settingsOf({ capacity }: SharesToCompile, nodes: readonly Named[], there?: ClusterAssociation) {
  const settings: { name: string; before: string | null; after: string }[] = [];
  const cpu = nodes.find(({ resource }) => resource === "cpu");
  if (cpu !== undefined) {
    const before = there?.shares ?? null;
    const thousandths = Math.max(1, mulDiv(cpu.policy.epoch.sharePpm, 1, 1000, "nearest"));
    settings.push({
      name: "fairshare",
      before: before === null ? null : String(before),
      after: String(thousandths),
    });
  }
  for (const { resource, node } of nodes) {
    if (node.burstShare >= WHOLE_SHARE) continue;
    const amount = mulDiv(node.burstShare, capacity[resource], WHOLE_SHARE, "down");
    const before = there?.group.tres[TRES[resource]];
    settings.push({
      name: `GrpTRES=${TRES[resource]}`,
      before: before === undefined ? null : tresText(resource, before),
      after: tresText(resource, amount),
    });
  }
  return settings;
}

function tresText(resource: SiteResource, amount: number): string {
  return resource === "memory" ? `${Math.floor(amount / BYTES_PER_MEBIBYTE)}M` : String(amount);
}

interface AboutAccount {
  readonly account: string;
  readonly consumer: string;
  readonly parent: string;
  readonly cluster: string | null;
}

type Settings = AccountChange["settings"];

function added({ account, consumer, parent, cluster }: AboutAccount, settings: Settings): AccountChange {
  const where = clusterWord(cluster);
  const values = settings.map(({ name, after }) => `${name}=${after}`);
  return {
    ...{ account, consumer, kind: "add", settings },
    command: ["sacctmgr", "-i", "add", "account", account, ...where, `parent=${parent}`, ...values],
    undo: ["sacctmgr", "-i", "delete", "account", "where", `name=${account}`, ...where],
  };
}

function modified({ account, consumer, cluster }: AboutAccount, settings: Settings): AccountChange {
  const which = ["sacctmgr", "-i", "modify", "account", "where", `name=${account}`, ...clusterWord(cluster)];
  const to = (value: (setting: Settings[number]) => string) =>
    settings.map((setting) => `${setting.name}=${value(setting)}`);
  return {
    ...{ account, consumer, kind: "modify", settings },
    command: [...which, "set", ...to(({ after }) => after)],
    // A limit of −1 is none; a share of 1 is what an account has of which nothing was said.
    undo: [...which, "set", ...to(({ name, before }) => before ?? (name === "fairshare" ? "1" : "-1"))],
  };
}

function clusterWord(cluster: string | null): readonly string[] {
  return cluster === null || !PLAIN_NAME.test(cluster) ? [] : [`cluster=${cluster}`];
}

/** What of a policy Slurm has no word for. */
function wordless({ resource, node: { path }, policy }: Named): readonly string[] {
  const told: string[] = [];
  if (resource !== "cpu") {
    told.push(`the epoch share of ${resource} of ${path} has no word there: its fair share is of processors`);
  }
  if (policy.rule === "cap") told.push(`the cap of ${path} has no word there: shares only order the queue`);
  if (policy.mode === "dedicated") told.push(`what ${path} does not use would be lent: it is dedicated`);
  if (policy.mode === "preempting") {
    told.push(`what was lent of ${path} comes back when the borrower's jobs end, not at once`);
  }
  return told;
}

function settingRemarks(settings: Readonly<Record<string, string>>): string[] {
  const remarks: string[] = [];
  if (settings.PriorityType !== "priority/multifactor") {
    remarks.push("the cluster does not go by shares: PriorityType is not priority/multifactor");
  }
  if (!(Number(settings.PriorityWeightFairShare ?? settings.PriorityWeightFairshare ?? 0) > 0)) {
    remarks.push("shares weigh nothing there: PriorityWeightFairshare is 0");
  }
  if (!/limits|safe/.test(settings.AccountingStorageEnforce ?? "")) {
    remarks.push("limits are not kept there: AccountingStorageEnforce has no limits");
  }
  return remarks;
}
