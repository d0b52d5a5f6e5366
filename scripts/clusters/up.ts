/**
 * Brings a test cluster up: makes it if absent, and starts missing daemons. Running ones are left alone, so
 * `up` may run at any time, and repairs a cluster after a kill -9.
 */
import { accountingCommands, readAccounting, testUsers } from "./accounting.ts";
import {
  asCluster,
  registerCluster,
  startCluster,
  waitForNodes,
  writeClusterFiles,
} from "./cluster-daemons.ts";
import { forgetCluster, stopCluster } from "./down.ts";
import { makeFolder, root } from "./folders.ts";
import { type KeptCluster, keep, keptPorts, readKeptCluster, readKeptShared } from "./kept.ts";
import { clusterLayout } from "./layout.ts";
import { choosePorts, isPortFree } from "./ports.ts";
import { type ClusterShape, type ShapeRequest, shapeOf, slurmName } from "./shape.ts";
import { startShared } from "./shared-daemons.ts";
import { makeUsers, usersThere } from "./users.ts";

/** Options of `up`. */
export interface UpOptions {
  readonly request: ShapeRequest;
  readonly isFresh: boolean;
  readonly withUsers: boolean;
}

/** Result of `up`. */
export interface UpReport {
  readonly shape: ClusterShape;
  readonly slurmConf: string;
  readonly started: readonly string[];
  readonly madeUsers: readonly string[];
}

/**
 * Brings the cluster up, and waits until all its nodes answer.
 *
 * @throws Fault (badInput, refused, failed)
 */
export async function bringUp(dir: string, { request, isFresh, withUsers }: UpOptions): Promise<UpReport> {
  const before = readKeptCluster(dir, request.name);
  const shape = shapeOf(request, isFresh ? undefined : before?.shape);
  if (isFresh && before !== undefined) {
    await stopCluster(dir, shape.name);
    await forgetCluster(dir, shape.name);
  }
  const cluster = (isFresh ? undefined : before) ?? (await newCluster(dir, shape));
  const madeUsers = withUsers ? makeUsers() : [];
  const started = [...(await startShared(dir)), ...startDaemons(dir, cluster)];
  await waitForNodes(dir, cluster);
  return { shape, slurmConf: clusterLayout(dir, shape.name).slurmConf, started, madeUsers };
}

async function newCluster(dir: string, shape: ClusterShape): Promise<KeptCluster> {
  const seed = `${dir} ${shape.name}`;
  const ports = await choosePorts({ count: 1 + shape.nodes, seed, kept: keptPorts(dir), isFree: isPortFree });
  const layout = clusterLayout(dir, shape.name);
  makeFolder(layout.folder, root);
  keep(layout.kept, { shape, ports });
  return { shape, ports };
}

/** Writes the files first: those of an older version of this script may differ. */
function startDaemons(dir: string, cluster: KeptCluster): string[] {
  const shared = readKeptShared(dir);
  if (shared === undefined) throw new Error("the shared daemons run, so what they were given is kept");
  writeClusterFiles(dir, cluster, shared);
  registerCluster(dir, cluster);
  // Before the controller's first start: every change costs half a second once there is somebody to tell.
  settleAccounts(dir, cluster.shape);
  return startCluster(dir, cluster);
}

/** Adds associations for existing users only: Slurm refuses the jobs of others anyway. */
function settleAccounts(dir: string, shape: ClusterShape): void {
  const { all } = usersThere();
  const users = testUsers.filter(({ name }) => all.includes(name));
  const show = (words: readonly string[]) =>
    asCluster(dir, shape.name, ["sacctmgr", "-nP", "show", ...words]);
  const facts = (): string[] => {
    const associations = show(["assoc", `cluster=${slurmName(shape)}`, "format=account,user,qos"]);
    return accountingCommands(shape, users, readAccounting(associations, show(["qos", "format=name"])));
  };
  const commands = facts();
  if (commands.length === 0) return;
  asCluster(dir, shape.name, ["sacctmgr", "-i"], `${commands.join("\n")}\n`);
  const left = facts();
  if (left.length > 0) throw new Error(`sacctmgr did not do this: ${left.join("; ")}`);
}
