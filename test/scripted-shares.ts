/**
 * A cluster's accounting as a script: accounts and QOS in memory, changed by sacctmgr's words, failing where
 * the test says so.
 */
import type { ClusterAssociation, ClusterQos, NativeShares } from "../src/model/index.ts";
import type { ShareOrder, SiteShares } from "../src/runtime/index.ts";
import { slurmShareLanguage } from "../src/sites/slurm/index.ts";

const NO_LIMITS = { tres: {}, jobs: null, submittedJobs: null, wallMs: null };

/** The accounting. */
export interface ScriptedShares {
  readonly accounts: Map<string, ClusterAssociation>;
  readonly qos: Map<string, ClusterQos>;
  /** Names, which stay when the last cluster has lost the account. */
  readonly names: Set<string>;
  /** What was run, and took effect or not. */
  readonly asked: string[];
  /** Called with each command before it takes effect; a throw keeps it from that. */
  before: (command: string) => Promise<void> | void;
  /** Called when it took effect, before it is answered. */
  after: (command: string) => Promise<void> | void;
}

/** One with these accounts and their shares. */
export function scriptedShares(shares: Readonly<Record<string, number>>): ScriptedShares {
  const accounts = Object.entries(shares).map(([name, share]) => [name, association(name, share)] as const);
  return {
    accounts: new Map(accounts),
    qos: new Map(),
    names: new Set(Object.keys(shares)),
    asked: [],
    before: () => undefined,
    after: () => undefined,
  };
}

function association(account: string, shares: number | null): ClusterAssociation {
  return {
    ...{ account, parent: "root", user: null, partition: null, shares, perJob: NO_LIMITS, group: NO_LIMITS },
    ...{ maxJobs: null, maxSubmittedJobs: null, qos: ["normal"], defaultQos: null },
  };
}

/** The shares of a site, over it. */
export function sharesOf(there: ScriptedShares): SiteShares {
  return {
    language: slurmShareLanguage,
    async look(): Promise<NativeShares> {
      return {
        ...{ name: "tiny", settings: {}, gpus: 0, associations: [...there.accounts.values()] },
        ...{ qos: [...there.qos.values()], accountNames: [...there.names] },
        usedAccountNames: [...there.accounts.keys()],
      };
    },
    async change({ words }: ShareOrder): Promise<void> {
      const command = words.slice(2).join(" ");
      there.asked.push(command);
      await there.before(command);
      change(there, words);
      await there.after(command);
    },
  };
}

function change(there: ScriptedShares, [, , verb, entity, ...rest]: readonly string[]): void {
  const name = verb === "add" ? rest[0] : (rest.find((word) => word.startsWith("name=")) ?? "").slice(5);
  const table: Map<string, unknown> = entity === "qos" ? there.qos : there.accounts;
  if (verb === "delete") {
    if (entity === "account" && !there.accounts.has(name)) there.names.delete(name);
    table.delete(name);
    return;
  }
  const settings = verb === "add" ? rest.slice(1) : rest.slice(rest.indexOf("set") + 1);
  if (entity === "account") {
    const before = there.accounts.get(name) ?? association(name, 1);
    there.accounts.set(name, settings.reduce(setAccount, before));
    there.names.add(name);
  } else {
    const before = there.qos.get(name) ?? newQos(name);
    there.qos.set(name, settings.reduce(setGroup, before));
  }
}

function newQos(name: string): ClusterQos {
  return {
    ...{ name, priority: 0, flags: [], preempts: [], preemptMode: "cluster", minimumTres: {} },
    ...{ perJob: NO_LIMITS, perUser: NO_LIMITS, perAccount: NO_LIMITS, group: NO_LIMITS },
  };
}

function setAccount(account: ClusterAssociation, word: string): ClusterAssociation {
  const value = word.slice(word.indexOf("=") + 1);
  if (word.startsWith("fairshare=")) return { ...account, shares: Number(value) };
  if (word.startsWith("qos+=")) return { ...account, qos: [...account.qos, ...value.split(",")] };
  if (word.startsWith("qos-=")) {
    const gone = value.split(",");
    return { ...account, qos: account.qos.filter((name) => !gone.includes(name)) };
  }
  if (word === "qos=") return { ...account, qos: ["normal"] };
  if (word.startsWith("defaultqos=")) return { ...account, defaultQos: value === "-1" ? null : value };
  return setGroup(account, word);
}

function setGroup<Limited extends Pick<ClusterQos, "group">>(limited: Limited, word: string): Limited {
  const match = /^GrpTRES=cpu=(-?\d+)$/.exec(word);
  if (match === null) return limited;
  const tres: Readonly<Record<string, number>> = match[1] === "-1" ? {} : { cpu: Number(match[1]) };
  return { ...limited, group: { ...limited.group, tres } };
}
