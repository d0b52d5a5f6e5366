/**
 * slurmdbd.conf: the accounting database that all clusters of a state directory share.
 *
 * Source: slurmdbd.conf(5) of Slurm 22.05. The file has to be SlurmUser's and readable by nobody else.
 */
import type { SharedLayout } from "./layout.ts";

/** Input of the file. */
export interface SlurmdbdConfFacts {
  readonly shared: SharedLayout;
  readonly port: number;
  readonly databasePort: number;
  readonly password: string;
  readonly host: string;
}

/** Name of the database, and of its user. */
export const DATABASE = { name: "slurm_acct_db", user: "slurm" } as const;

/** The text of slurmdbd.conf. */
export function slurmdbdConf({ shared, port, databasePort, password, host }: SlurmdbdConfFacts): string {
  const lines = [
    "AuthType=auth/munge",
    `AuthInfo=socket=${shared.mungeSocket}`,
    `DbdHost=${host}`,
    "DbdAddr=127.0.0.1",
    `DbdPort=${port}`,
    "SlurmUser=slurm",
    `LogFile=${shared.accounting}/slurmdbd.log`,
    // The manual does not say so, but it heeds the word that keeps the other daemons on one address.
    "CommunicationParameters=NoInAddrAny",
    `PidFile=${shared.accounting}/slurmdbd.pid`,
    "StorageType=accounting_storage/mysql",
    "StorageHost=127.0.0.1",
    `StoragePort=${databasePort}`,
    `StorageUser=${DATABASE.user}`,
    `StoragePass=${password}`,
    `StorageLoc=${DATABASE.name}`,
  ];
  return `${lines.join("\n")}\n`;
}
