/**
 * Usage policies of a site as settings of its batch system, Slurm (rule EN-82): the second
 * of the two solutions of [UP] slide 13, in which the batch system enforces and Stint observes.
 *
 * An account gets its share among its siblings as fair share, and a burst limit as GrpTRES; QOS express the
 * rest, and needs of the configuration are reported. A policy that Slurm cannot express is reported, not
 * approximated. Each change has its inverse.
 */
import { mulDiv } from "../../../base/index.ts";
import type {
  ChangedSetting,
  CompiledShares,
  NativeShares,
  Policy,
  ShareChange,
} from "../../../model/index.ts";
import { type ShareNode, type ShareTree, type SiteResource, WHOLE_SHARE } from "../../../policy/index.ts";
import type { SharesToCompile } from "../../../runtime/index.ts";
import { configurationFor, windowRemarks } from "./compile-configuration.ts";
import {
  accountIn,
  accountSetting,
  added,
  groupLimit,
  inheritsQos,
  isPlainName,
  modified,
  ONE_MORE_QOS,
  ONE_MORE_TO_PREEMPT,
  qosName,
  qosSetting,
} from "./compile-words.ts";

/** Changes that bring a cluster to the policies; empty if it is there already. */
export function compileShares(asked: SharesToCompile): CompiledShares {
  const { shares, snapshot, capacity, consumers } = asked;
  const levels = shareLevels(shares, consumers);
  const qos = compileQos({ levels, there: snapshot, capacity });
  const changes = levels.flatMap((level) =>
    level.accounts.flatMap((account) => accountChange(asked, level, account, qos.byPath.get(level.path))),
  );
  const windows = levels.flatMap(({ path, shares: of }) =>
    path.includes("/")
      ? []
      : of.flatMap(({ resource, policy }) => (resource === "cpu" ? [policy.epoch.window] : [])),
  );
  const needs = {
    windows,
    policies: levels.flatMap(({ shares: of }) => of.map(({ policy }) => policy)),
    isNested: levels.some(({ path }) => path.includes("/")),
    hasPreemption: levels.some(isPreempting),
  };
  const remarks = [
    ...windowRemarks(windows, snapshot.settings),
    ...levels.flatMap(wordless),
    ...lentRemark(qos.byPath),
  ];
  return {
    changes: [...qos.changes, ...changes],
    configuration: configurationFor(needs, snapshot.settings),
    remarks: [...new Set(remarks)],
  };
}

function accountChange(
  { snapshot, capacity }: SharesToCompile,
  level: ShareLevel,
  account: string,
  qos: LevelQos | undefined,
): readonly ShareChange[] {
  const there = accountIn(snapshot, account);
  const wanted = [...ownSettings(level, capacity), ...qosSettings(qos)];
  const settings = wanted.map((it) => ({
    ...it,
    before: there === undefined ? null : accountSetting(there, it),
  }));
  const about = { entity: "account", name: account, consumer: level.path, cluster: snapshot.name } as const;
  if (there === undefined) {
    const isNewName = snapshot.accountNames !== undefined && !snapshot.accountNames.includes(account);
    return [added({ ...about, settings, isNewName, parent: level.parent ?? "root" })];
  }
  const differing = settings.filter(({ before, after }) => before !== after);
  return differing.length === 0
    ? []
    : [modified({ ...about, settings: differing, inheritsQos: inheritsQos(snapshot, there) })];
}

type Setting = Omit<ChangedSetting, "before">;

/** Share among the siblings and, for the only account of a level, its limit on simultaneous use. */
function ownSettings(
  { shares, accounts }: ShareLevel,
  capacity: SharesToCompile["capacity"],
): readonly Setting[] {
  const settings: Setting[] = [];
  const cpu = shares.find(({ resource }) => resource === "cpu");
  if (cpu !== undefined) {
    const thousandths = mulDiv(cpu.policy.epoch.sharePpm, 1, 1000 * accounts.length, "nearest");
    settings.push({ name: "fairshare", after: String(Math.max(1, thousandths)) });
  }
  if (accounts.length > 1) return settings;
  for (const { resource, node } of shares) {
    if (node.burstShare >= WHOLE_SHARE) continue;
    settings.push(groupLimit(resource, mulDiv(node.burstShare, capacity[resource], WHOLE_SHARE, "down")));
  }
  return settings;
}

function qosSettings(qos: LevelQos | undefined): readonly Setting[] {
  const names = [qos?.usual ?? null, qos?.lent ?? null].filter((name) => name !== null);
  const usual = qos?.usual == null ? [] : [{ name: "defaultqos", after: qos.usual }];
  return [...names.map((after) => ({ name: ONE_MORE_QOS, after })), ...usual];
}

const FORGIVEN =
  "what is used beyond a share counts against it there until it has faded: nothing is forgiven";

/** Parts of a level's policies that Slurm cannot express. */
function wordless(level: ShareLevel): readonly string[] {
  const { path, shares, accounts } = level;
  const told = shares.flatMap(({ resource, policy }) => {
    const settingOf: string[] = [];
    if (resource !== "cpu" && !isPreempting(level)) {
      settingOf.push(
        `the epoch share of ${resource} of ${path} has no word there: its fair share is of processors`,
      );
    }
    if (policy.rule === "cap")
      settingOf.push(`the cap of ${path} has no word there: shares only order the queue`);
    if (resource === "cpu" && policy.carry === "forgive") settingOf.push(FORGIVEN);
    if (policy.mode === "dedicated")
      settingOf.push(`what ${path} does not use would be lent: it is dedicated`);
    return settingOf;
  });
  if (accounts.length === 0)
    told.push(`${path} is no account there: name one for it in the site's consumers`);
  if (accounts.length > 1) {
    told.push(`${path} has several accounts there: its share is divided among them in equal parts`);
    if (isPreempting(level) && shares.some(({ node }) => node.burstShare < WHOLE_SHARE)) {
      told.push(`the burst of ${path} over several accounts has no word there beside a preempting share`);
    }
  }
  return told;
}

function lentRemark(byPath: ReadonlyMap<string, LevelQos>): readonly string[] {
  const lent = [...byPath.values()].find((qos) => qos.lent !== null)?.lent;
  if (lent == null) return [];
  return [
    `what is lent must be asked for there (sbatch --qos=${lent}), and is put back into the queue at once`,
  ];
}

// The QOS that say what accounts alone cannot (rule EN-82).
//
// - A consumer with several accounts there has one limit over all of them: a QOS counts its jobs whatever
//   their account is.
// - A `preempting` share has two classes of jobs: those of the QOS of its consumer use no more than the share
//   and push aside those of the QOS for what is lent, which give way at once (and are put back).
//
// Source: Slurm's manual, qos.html and preempt.html; the pair of an entitled and a lent QOS is what sites do.

/** QOS of a level's accounts. */
interface LevelQos {
  /** Default QOS; null: unchanged. */
  readonly usual: string | null;
  /** QOS for lent resources; null: none is lent through a QOS. */
  readonly lent: string | null;
}

/** Input of the QOS. */
interface QosAsked {
  readonly levels: readonly ShareLevel[];
  readonly there: Pick<NativeShares, "name" | "qos">;
  readonly capacity: Readonly<Record<SiteResource, number>>;
}

/** QOS of each level's accounts, by path, and the changes that make them. */
function compileQos({ levels, there, capacity }: QosAsked): {
  readonly changes: readonly ShareChange[];
  readonly byPath: ReadonlyMap<string, LevelQos>;
} {
  const lent = levels.some(isPreempting) ? qosName(there.name, "lent") : null;
  const changes = lent === null ? [] : changeOf(there, lent, "", [{ name: "PreemptMode", after: "requeue" }]);
  const byPath = new Map<string, LevelQos>();
  for (const level of levels) {
    if (level.accounts.length === 0) continue;
    const limits = limitsOf(level, capacity);
    const usual = limits.length === 0 ? null : qosName(there.name, level.path);
    byPath.set(level.path, { usual, lent });
    if (usual === null) continue;
    const gives = isPreempting(level) && lent !== null ? [{ name: ONE_MORE_TO_PREEMPT, after: lent }] : [];
    changes.push(...changeOf(there, usual, level.path, [...limits, ...gives]));
  }
  return { changes, byPath };
}

/** True if lent resources return at once, by preemption. */
function isPreempting({ shares, accounts }: ShareLevel): boolean {
  return accounts.length > 0 && shares.some(({ policy }) => policy.mode === "preempting");
}

/** Limits of a QOS: the share itself if it preempts; for several accounts their common limit. */
function limitsOf(
  level: ShareLevel,
  capacity: QosAsked["capacity"],
): readonly Omit<ChangedSetting, "before">[] {
  const isOurs = isPreempting(level);
  if (!isOurs && level.accounts.length < 2) return [];
  return level.shares.flatMap(({ resource, node }) => {
    const share = isOurs ? node.epochShare : node.burstShare;
    const amount = mulDiv(share, capacity[resource], WHOLE_SHARE, "down");
    return share >= WHOLE_SHARE ? [] : [groupLimit(resource, amount)];
  });
}

function changeOf(
  { name: cluster, qos }: QosAsked["there"],
  name: string,
  consumer: string,
  wanted: readonly Omit<ChangedSetting, "before">[],
): ShareChange[] {
  const there = qos.find((it) => it.name === name);
  const settings = wanted.map((it) => ({
    ...it,
    before: there === undefined ? null : qosSetting(there, it),
  }));
  const about = { entity: "qos", name, consumer, cluster } as const;
  if (there === undefined) return [added({ ...about, settings })];
  const differing = settings.filter(({ before, after }) => before !== after);
  return differing.length === 0 ? [] : [modified({ ...about, settings: differing })];
}

/** Policy of a level for one resource. */
interface LevelShare {
  readonly resource: SiteResource;
  readonly node: ShareNode;
  readonly policy: Policy;
}

/** A level of consumers. */
interface ShareLevel {
  readonly path: string;
  readonly shares: readonly LevelShare[];
  /** Slurm accounts of the consumer; empty if none is configured. */
  readonly accounts: readonly string[];
  /** Parent account. */
  readonly parent: string | undefined;
}

/** All levels that a policy names, parents first. */
function shareLevels(tree: ShareTree, consumers: Readonly<Record<string, string>>): readonly ShareLevel[] {
  const paths = new Set<string>();
  for (const byPath of tree.nodes.values()) {
    for (const node of byPath.values()) if (node.policy !== null) paths.add(node.path);
  }
  return [...paths]
    .sort((a, b) => a.split("/").length - b.split("/").length)
    .map((path) => {
      const above = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
      const parent = above === "" ? "root" : accountsOf(above, consumers)[0];
      const accounts = parent === undefined ? [] : accountsOf(path, consumers);
      return { path, shares: sharesOf(tree, path), accounts, parent };
    });
}

function sharesOf({ nodes }: ShareTree, path: string): readonly LevelShare[] {
  return (["cpu", "gpu", "memory"] as const).flatMap((resource) => {
    const node = nodes.get(resource)?.get(path);
    return node?.policy == null ? [] : [{ resource, node, policy: node.policy }];
  });
}

/** Accounts configured for a consumer, else the account with the name of the VO. */
function accountsOf(path: string, consumers: Readonly<Record<string, string>>): readonly string[] {
  const named = Object.entries(consumers).flatMap(([account, consumer]) =>
    consumer === path ? [account] : [],
  );
  const byName = path.includes("/") ? [] : [path];
  return (named.length > 0 ? named : byName).filter(isPlainName);
}
