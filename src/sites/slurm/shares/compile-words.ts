/**
 * Changes of accounts and QOS as sacctmgr words, and the present value of each setting.
 *
 * Source: sacctmgr(1) of Slurm 22.05: a limit of -1 is none, `qos+=` and `qos-=` change a list that may be
 * inherited, an empty list is the inherited one, a share is `parent` if users of the account count as the
 * parent's.
 */
import type {
  ChangedSetting,
  ClusterAssociation,
  ClusterQos,
  NativeShares,
  ShareChange,
} from "../../../model/index.ts";
import type { SiteResource } from "../../../policy/index.ts";

const TRES: Readonly<Record<SiteResource, string>> = { cpu: "cpu", gpu: "gres/gpu", memory: "mem" };
const BYTES_PER_MEBIBYTE = 1_048_576;
/** Names that need no quotes. */
const PLAIN_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,62}$/;
const MOST_IN_A_NAME = 40;
/** Setting that adds a QOS to those of an account. */
export const ONE_MORE_QOS = "qos+";
/** Setting that adds a QOS to those that a QOS preempts. */
export const ONE_MORE_TO_PREEMPT = "Preempt+";

/** True if a name needs no quotes in a command. */
export function isPlainName(name: string): boolean {
  return PLAIN_NAME.test(name);
}

/** Name of one of our QOS; those of one accounting database are shared by all its clusters. */
export function qosName(cluster: string | null, of: string): string {
  const plain = of.replace(/[^A-Za-z0-9_.-]/g, "_").slice(0, MOST_IN_A_NAME);
  return cluster !== null && isPlainName(cluster)
    ? `stint_${cluster.slice(0, 16)}_${plain}`
    : `stint_${plain}`;
}

/** Limit on simultaneous use of a group: `GrpTRES=cpu` → `19`. */
export function groupLimit(resource: SiteResource, amount: number): Omit<ChangedSetting, "before"> {
  return { name: `GrpTRES=${TRES[resource]}`, after: tresText(TRES[resource], amount) };
}

function tresText(tres: string, amount: number): string {
  return tres === "mem" ? `${Math.floor(amount / BYTES_PER_MEBIBYTE)}M` : String(amount);
}

/** Association of the account itself, not of its users. */
export function accountIn({ associations }: Pick<NativeShares, "associations">, name: string) {
  return associations.find(
    ({ account, user, partition }) => account === name && user === null && partition === null,
  );
}

/** True if an account inherits its list of QOS from its parent. */
export function inheritsQos(
  shares: Pick<NativeShares, "associations">,
  { parent, qos }: ClusterAssociation,
): boolean {
  const above = accountIn(shares, parent ?? "root");
  return above !== undefined && [...above.qos].sort().join(",") === [...qos].sort().join(",");
}

/** Own value of an account's setting; null: none. */
export function accountSetting(
  there: ClusterAssociation,
  { name, after }: Pick<ChangedSetting, "name" | "after">,
) {
  if (name === "fairshare") return there.shares === null ? "parent" : String(there.shares);
  if (name === ONE_MORE_QOS) return there.qos.includes(after) ? after : null;
  if (name === "defaultqos") return there.defaultQos;
  return limitOf(there, name);
}

/** Value of a QOS's setting; null: none. */
export function qosSetting(
  there: ClusterQos,
  { name, after }: Pick<ChangedSetting, "name" | "after">,
): string | null {
  if (name === ONE_MORE_TO_PREEMPT) return there.preempts.includes(after) ? after : null;
  if (name === "PreemptMode") return there.preemptMode === null ? null : there.preemptMode.toLowerCase();
  return limitOf(there, name);
}

function limitOf({ group }: Pick<ClusterAssociation, "group">, name: string): string | null {
  const tres = name.slice(name.indexOf("=") + 1);
  const amount = group.tres[tres];
  return amount === undefined ? null : tresText(tres, amount);
}

/** A wanted change, before it is put into sacctmgr's words. */
export type WantedChange = Pick<ShareChange, "entity" | "name" | "consumer" | "settings"> & {
  /** Name of the cluster; null if it is unknown. */
  readonly cluster: string | null;
  /** Parent of an account that does not exist yet. */
  readonly parent?: string;
  /** True if the account's name is new to the whole accounting. */
  readonly isNewName?: boolean;
  /** True if an existing account inherits its list of QOS. */
  readonly inheritsQos?: boolean;
};

/** Change that adds an account or a QOS. */
export function added(wanted: WantedChange): ShareChange {
  const { entity, name, consumer, settings, parent, isNewName = false } = wanted;
  const where = entity === "account" ? clusterWord(wanted.cluster) : [];
  const above = parent === undefined ? [] : [`parent=${parent}`];
  const words = wordsOf(settings, ({ after }) => after);
  return {
    ...{ entity, name, consumer, kind: "add", settings },
    command: ["sacctmgr", "-i", "add", entity, name, ...where, ...above, ...words],
    undo: ["sacctmgr", "-i", "delete", entity, "where", `name=${name}`, ...where],
    ...(isNewName ? { forget: ["sacctmgr", "-i", "delete", "account", "where", `name=${name}`] } : {}),
  };
}

/** Change of an existing account or QOS, with the settings that differ. */
export function modified(wanted: WantedChange): ShareChange {
  const { entity, name, consumer, settings, cluster, inheritsQos = false } = wanted;
  const where = entity === "account" ? clusterWord(cluster) : [];
  const which = ["sacctmgr", "-i", "modify", entity, "where", `name=${name}`, ...where, "set"];
  const back = wordsOf(settings, (setting) => setting.before ?? nothingOf(setting), "-");
  // Taken from a list that is inherited, a name would stay there as one that is taken away.
  const undo = back.map((word) => (inheritsQos && word.startsWith("qos-=") ? "qos=" : word));
  return {
    ...{ entity, name, consumer, kind: "modify", settings },
    command: [...which, ...wordsOf(settings, ({ after }) => after)],
    undo: [...which, ...undo],
  };
}

/**
 * Words of settings, joined by option (`GrpTRES=cpu=3,gres/gpu=1`): a second word would replace the first.
 */
function wordsOf(
  settings: readonly ChangedSetting[],
  settingOf: (setting: ChangedSetting) => string,
  more: "+" | "-" = "+",
): readonly string[] {
  const values = new Map<string, string[]>();
  for (const setting of settings) {
    const [option, tres] = setting.name.split("=");
    const word = option.replace(/\+$/, more);
    const value = tres === undefined ? settingOf(setting) : `${tres}=${settingOf(setting)}`;
    values.set(word, [...(values.get(word) ?? []), value]);
  }
  return [...values].map(([option, all]) => `${option}=${all.join(",")}`);
}

/** Value that removes a setting which did not exist before. */
function nothingOf({ name, after }: ChangedSetting): string {
  if (name.endsWith("+")) return after;
  return name === "PreemptMode" ? "cluster" : "-1";
}

function clusterWord(cluster: string | null): readonly string[] {
  return cluster === null || !isPlainName(cluster) ? [] : [`cluster=${cluster}`];
}
