/**
 * Where everything of the test clusters lies: one state directory, in it a folder for each cluster and one
 * for what they share (authentication and accounting database).
 */
import { join } from "node:path";

/** The paths of what all clusters of a state directory share. */
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
  /** Named in slurmdbd's environment only to say where slurmdbd.conf is; no such file has to exist. */
  readonly slurmdbdEnvironment: string;
  /** What was chosen once and is kept: ports and the database's password. */
  readonly kept: string;
}

/** The paths of one cluster. */
export interface ClusterLayout {
  readonly folder: string;
  readonly etc: string;
  readonly slurmConf: string;
  readonly state: string;
  readonly spool: string;
  readonly log: string;
  readonly run: string;
  /** What was chosen once and is kept: shape and ports. */
  readonly kept: string;
}

/** The paths of what is shared in the state directory `dir`. */
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

/** The paths of the cluster `name` in the state directory `dir`. */
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
