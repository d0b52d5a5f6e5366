/**
 * Accounts, associations and QOS, as commands for one `sacctmgr`.
 *
 * sacctmgr takes commands from its standard input: one process and one connection for all of them. What is
 * there already is not sent again, because "Nothing new added" and a failure have the same exit code.
 * Source: sacctmgr(1) of Slurm 22.05.
 */
import { type ClusterShape, slurmName } from "./shape.ts";

/**
 * An ordinary user of the test clusters, with the accounts that may be charged; the first is the default.
 */
export interface TestUser {
  readonly name: string;
  readonly accounts: readonly string[];
  /** True if the user may hold, suspend and reserve for others. */
  readonly isOperator?: boolean;
}

/** Content of the accounting database about one cluster. */
export interface AccountingFacts {
  /** Associations as `account|user`, with an empty user for the account itself. */
  readonly associations: ReadonlySet<string>;
  /** QOS that the cluster's own association allows. */
  readonly clusterQos: ReadonlySet<string>;
  readonly qos: ReadonlySet<string>;
}

/** Accounts of every cluster, with their shares in percent. */
const accounts = [
  { name: "physics", share: 20 },
  { name: "biology", share: 80 },
];

/** QOS of a rich cluster beside Slurm's own `normal`. */
const qualities = [
  { name: "short", limits: "Priority=100 MaxWall=10 MaxTRESPerUser=cpu=4" },
  { name: "limited", limits: "MaxJobsPerUser=2 MaxSubmitJobsPerUser=4" },
];

/** Users that `--users` makes. */
export const testUsers: readonly TestUser[] = [
  { name: "stint-alice", accounts: ["physics"] },
  { name: "stint-bob", accounts: ["biology"] },
  { name: "stint-carol", accounts: ["physics", "biology"] },
  { name: "stint-operator", accounts: ["physics", "biology"], isOperator: true },
];

/** Missing commands for sacctmgr, one a line; empty if the accounting is complete. */
export function accountingCommands(
  shape: ClusterShape,
  users: readonly TestUser[],
  there: AccountingFacts,
): string[] {
  const cluster = `cluster=${slurmName(shape)}`;
  const newAccounts = accounts.filter(({ name }) => !there.associations.has(`${name}|`));
  return [
    ...newAccounts.map(({ name, share }) => `add account ${name} ${cluster} fairshare=${share}`),
    ...(shape.kind === "rich" ? qosCommands(cluster, there) : []),
    ...users.flatMap((user) => userCommand(user, cluster, there)),
  ];
}

function userCommand({ name, accounts: of, isOperator }: TestUser, cluster: string, there: AccountingFacts) {
  const missing = of.filter((account) => !there.associations.has(`${account}|${name}`));
  if (missing.length === 0) return [];
  const level = isOperator ? " adminlevel=Operator" : "";
  return [`add user ${name} account=${missing.join(",")} defaultaccount=${of[0]} ${cluster}${level}`];
}

function qosCommands(cluster: string, there: AccountingFacts): string[] {
  const missing = qualities.filter(({ name }) => !there.qos.has(name));
  const isAllowed = qualities.every(({ name }) => there.clusterQos.has(name));
  const allowed = ["normal", ...qualities.map(({ name }) => name)].join(",");
  return [
    ...missing.map(({ name, limits }) => `add qos ${name} ${limits}`),
    ...(isAllowed ? [] : [`modify account root set qos=${allowed} where ${cluster}`]),
  ];
}

/** Parses `sacctmgr -nP show assoc format=account,user,qos` and `sacctmgr -nP show qos format=name`. */
export function readAccounting(associations: string, qos: string): AccountingFacts {
  const rows = lines(associations).map((line) => line.split("|"));
  const root = rows.find(([account, user]) => account === "root" && user === "");
  return {
    associations: new Set(rows.map(([account, user]) => `${account}|${user}`)),
    clusterQos: new Set(root?.[2]?.split(",") ?? []),
    qos: new Set(lines(qos)),
  };
}

function lines(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}
