/**
 * Paths of the test clusters: one state directory, with a folder for each cluster and one for shared data
 * (authentication and accounting database).
 */
import { join } from "node:path";

/** Paths of shared data in a state directory. */
export interface SharedLayout {
  /** The state directory itself. */
  readonly dir: string;
  readonly lock: string;
  readonly folder: string;
  readonly munge: string;
  readonly mungeSocket: string;
  readonly mungeKey: string;
  readonly database: string;
  readonly databaseFiles: string;
  readonly databaseSocket: string;
  readonly accounting: string;
  readonly slurmdbdConf: string;
  /** Location of slurmdbd.conf in slurmdbd's environment; the file need not exist. */
  readonly slurmdbdEnvironment: string;
  /** Stored choices: ports and the database's password. */
  readonly kept: string;
}

/** Paths of one cluster. */
export interface ClusterLayout {
  readonly folder: string;
  readonly etc: string;
  readonly slurmConf: string;
  readonly state: string;
  readonly spool: string;
  readonly log: string;
  readonly run: string;
  /** Stored choices: shape and ports. */
  readonly kept: string;
}

/** Paths of shared data in the state directory `dir`. */
export function sharedLayout(dir: string): SharedLayout {
  const folder = join(dir, "shared");
  const munge = join(folder, "munge");
  const database = join(folder, "database");
  const accounting = join(folder, "slurmdbd");
  return {
    dir,
    lock: join(dir, "lock"),
    folder,
    munge,
    mungeSocket: join(munge, "socket"),
    mungeKey: join(munge, "key"),
    database,
    databaseFiles: join(database, "files"),
    databaseSocket: join(database, "socket"),
    accounting,
    slurmdbdConf: join(accounting, "slurmdbd.conf"),
    slurmdbdEnvironment: join(accounting, "slurm.conf"),
    kept: join(folder, "kept.json"),
  };
}

/** Paths of the cluster `name` in the state directory `dir`. */
export function clusterLayout(dir: string, name: string): ClusterLayout {
  const folder = join(dir, name);
  const etc = join(folder, "etc");
  return {
    folder,
    etc,
    slurmConf: join(etc, "slurm.conf"),
    state: join(folder, "state"),
    spool: join(folder, "spool"),
    log: join(folder, "log"),
    run: join(folder, "run"),
    kept: join(folder, "kept.json"),
  };
}
