/**
 * Changes of accounts and QOS in the words of sacctmgr, and what a cluster has of each setting now.
 *
 * Source: sacctmgr(1) of Slurm 22.05: a limit of -1 is none, `qos+=` and `qos-=` change a list that may be
 * inherited, an empty list is the inherited one, a share is `parent` where users of the account count as the
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
/** Names that need no quotes anywhere. */
const PLAIN_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,62}$/;
const MOST_IN_A_NAME = 40;
/** The setting that is one more QOS among those that an account allows. */
export const ONE_MORE_QOS = "qos+";
/** The setting that is one more QOS among those whose jobs a QOS pushes aside. */
export const ONE_MORE_TO_PREEMPT = "Preempt+";

/** Whether a name can stand in a command as it is. */
export function isPlainName(name: string): boolean {
  return PLAIN_NAME.test(name);
}

/** The name of a QOS of ours at a cluster; those of one accounting database are of all its clusters. */
export function qosName(cluster: string | null, of: string): string {
  const plain = of.replace(/[^A-Za-z0-9_.-]/g, "_").slice(0, MOST_IN_A_NAME);
  return cluster !== null && isPlainName(cluster)
    ? `stint_${cluster.slice(0, 16)}_${plain}`
    : `stint_${plain}`;
}

/** A limit on what a group uses at once: `GrpTRES=cpu` → `19`. */
export function groupLimit(resource: SiteResource, amount: number): Omit<ChangedSetting, "before"> {
  return { name: `GrpTRES=${TRES[resource]}`, after: tresText(TRES[resource], amount) };
}

function tresText(tres: string, amount: number): string {
  return tres === "mem" ? `${Math.floor(amount / BYTES_PER_MEBIBYTE)}M` : String(amount);
}

/** The account itself, not its users. */
export function accountIn({ associations }: Pick<NativeShares, "associations">, name: string) {
  return associations.find(
    ({ account, user, partition }) => account === name && user === null && partition === null,
  );
}

/** Whether an account's list of QOS is that of the account above it. */
export function inheritsQos(
  shares: Pick<NativeShares, "associations">,
  { parent, qos }: ClusterAssociation,
): boolean {
  const above = accountIn(shares, parent ?? "root");
  return above !== undefined && [...above.qos].sort().join(",") === [...qos].sort().join(",");
}

/** What an account has of a setting; null: nothing of its own. */
export function accountSetting(
  there: ClusterAssociation,
  { name, after }: Pick<ChangedSetting, "name" | "after">,
) {
  if (name === "fairshare") return there.shares === null ? "parent" : String(there.shares);
  if (name === ONE_MORE_QOS) return there.qos.includes(after) ? after : null;
  if (name === "defaultqos") return there.defaultQos;
  return limitOf(there, name);
}

/** What a QOS has of a setting; null: nothing. */
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

/** What is to be changed, before it is put into words. */
export type WantedChange = Pick<ShareChange, "entity" | "name" | "consumer" | "settings"> & {
  /** Of the cluster; null where it does not say. */
  readonly cluster: string | null;
  /** Of an account that is not there: the one above it. */
  readonly parent?: string;
  /** Of an account: its name is new to the whole accounting. */
  readonly isNewName?: boolean;
  /** Of an account that is there: its list of QOS is that of the one above. */
  readonly inheritsQos?: boolean;
};

/** A change that adds an account or a QOS. */
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

/** A change of one that is there, in what differs. */
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

/** `GrpTRES=cpu=3,gres/gpu=1`: what is of one option goes into one word; a second would replace it. */
function wordsOf(
  settings: readonly ChangedSetting[],
  said: (setting: ChangedSetting) => string,
  more: "+" | "-" = "+",
): readonly string[] {
  const values = new Map<string, string[]>();
  for (const setting of settings) {
    const [option, tres] = setting.name.split("=");
    const word = option.replace(/\+$/, more);
    const value = tres === undefined ? said(setting) : `${tres}=${said(setting)}`;
    values.set(word, [...(values.get(word) ?? []), value]);
  }
  return [...values].map(([option, all]) => `${option}=${all.join(",")}`);
}

/** What takes away a setting that there was not. */
function nothingOf({ name, after }: ChangedSetting): string {
  if (name.endsWith("+")) return after;
  return name === "PreemptMode" ? "cluster" : "-1";
}

function clusterWord(cluster: string | null): readonly string[] {
  return cluster === null || !isPlainName(cluster) ? [] : [`cluster=${cluster}`];
}
