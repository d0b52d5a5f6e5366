/**
 * slurm.conf of a test cluster.
 *
 * Source: slurm.conf(5) of Slurm 22.05. Several slurmd on one host: `NodeHostname`, a `Port` each, `%n` in
 * their paths, and `SlurmdParameters=config_overrides`, because this machine has fewer processors than
 * the nodes together. An empty value makes every command fail, so what a kind does not have is left out.
 */
import type { ClusterLayout, SharedLayout } from "./layout.ts";
import {
  type ClusterShape,
  firstGpuNode,
  memoryMebibytes,
  nodeNames,
  slurmName,
  threadsPerCore,
} from "./shape.ts";

/** Input of the file beside the shape. `ports` are the controller's, then the nodes' in order. */
export interface SlurmConfFacts {
  readonly shape: ClusterShape;
  readonly layout: ClusterLayout;
  readonly shared: SharedLayout;
  readonly ports: readonly number[];
  readonly accountingPort: number;
  /** This machine's short name, which the controller compares with its own. */
  readonly host: string;
}

/** Number of GPUs of a node with GPUs. */
export const GPUS_PER_NODE = 2;

/** The text of slurm.conf. */
export function slurmConf(facts: SlurmConfFacts): string {
  const lines = [
    ...identity(facts),
    ...scheduling,
    ...accounting(facts),
    ...(facts.shape.kind === "rich" ? rich : plain),
    ...nodes(facts),
    ...partitions(facts.shape),
  ];
  return `${lines.join("\n")}\n`;
}

function identity({ shape, layout, shared, ports, host }: SlurmConfFacts): string[] {
  return [
    `ClusterName=${slurmName(shape)}`,
    `SlurmctldHost=${host}(127.0.0.1)`,
    `SlurmctldPort=${ports[0]}`,
    "SlurmUser=slurm",
    "SlurmdUser=root",
    "AuthType=auth/munge",
    "CredType=cred/munge",
    // A requeued job starts again only when its credential has run out, after two minutes as a rule.
    `AuthInfo=cred_expire=5,socket=${shared.mungeSocket}`,
    // The daemons listen on the loopback address alone.
    "CommunicationParameters=NoCtldInAddrAny,NoInAddrAny",
    `StateSaveLocation=${layout.state}`,
    `SlurmdSpoolDir=${layout.spool}/%n`,
    `SlurmctldPidFile=${layout.run}/slurmctld.pid`,
    `SlurmdPidFile=${layout.run}/slurmd.%n.pid`,
    `SlurmctldLogFile=${layout.log}/slurmctld.log`,
    `SlurmdLogFile=${layout.log}/slurmd.%n.log`,
    "MailProg=/bin/true",
    "MpiDefault=none",
    "ProctrackType=proctrack/linuxproc",
    "TaskPlugin=task/none",
    "SwitchType=switch/none",
    "SlurmdParameters=config_overrides",
  ];
}

/** Short intervals: a test waits a second where an operator would wait a minute. */
const scheduling = [
  "ReturnToService=2",
  "KillWait=5",
  "MessageTimeout=10",
  "SlurmctldTimeout=30",
  "SlurmdTimeout=30",
  "InactiveLimit=0",
  "MinJobAge=300",
  // Ten thousand, as usual, are too few for measurements with ten thousand that wait.
  "MaxJobCount=60000",
  "SchedulerType=sched/backfill",
  [
    "SchedulerParameters=sched_interval=1",
    "sched_min_interval=1000",
    "default_queue_depth=1000",
    "bf_interval=1",
    "bf_resolution=1",
    "bf_window=1440",
    "bf_max_job_test=1000",
    "bf_continue",
  ].join(","),
  "PriorityType=priority/multifactor",
  "PriorityDecayHalfLife=0-01:00:00",
  "PriorityCalcPeriod=1",
  "PriorityMaxAge=1-0",
  "PriorityWeightFairshare=100000",
  "PriorityWeightAge=1000",
  "PriorityWeightQOS=10000",
  "PreemptType=preempt/none",
  "PreemptMode=OFF",
  "SelectType=select/cons_tres",
];

function accounting({ shared, accountingPort }: SlurmConfFacts): string[] {
  return [
    "AccountingStorageType=accounting_storage/slurmdbd",
    "AccountingStorageHost=127.0.0.1",
    `AccountingStoragePort=${accountingPort}`,
    // To slurmdbd the "password" is the socket of the munged to use; AuthInfo is not looked at for it.
    `AccountingStoragePass=${shared.mungeSocket}`,
    "AccountingStoreFlags=job_comment",
    "JobAcctGatherType=jobacct_gather/linux",
    "JobAcctGatherFrequency=task=5",
    "JobCompType=jobcomp/none",
  ];
}

const plain = ["SelectTypeParameters=CR_CPU", "MaxArraySize=1001"];

const rich = [
  "SelectTypeParameters=CR_Core_Memory",
  "DefMemPerCPU=100",
  "MaxArraySize=101",
  "PrivateData=jobs",
  "AccountingStorageEnforce=associations,limits,qos",
  "AccountingStorageTRES=gres/gpu",
  "GresTypes=gpu",
];

function nodes({ shape, ports, host }: SlurmConfFacts): string[] {
  const threads = threadsPerCore(shape);
  const size = [
    `Sockets=1 CoresPerSocket=${Math.floor(shape.cpus / threads)} ThreadsPerCore=${threads}`,
    `RealMemory=${memoryMebibytes(shape)}`,
  ].join(" ");
  return nodeNames(shape).map((name, at) => {
    const hasGpus = shape.kind === "rich" && at >= firstGpuNode(shape);
    const gpus = hasGpus ? ` Gres=gpu:fake:${GPUS_PER_NODE}` : "";
    const place = `NodeHostname=${host} NodeAddr=127.0.0.1 Port=${ports[at + 1]}`;
    return `NodeName=${name} ${place} ${size}${gpus} State=UNKNOWN`;
  });
}

function partitions(shape: ClusterShape): string[] {
  const names = nodeNames(shape);
  const always = "DefaultTime=5 State=UP OverSubscribe=NO";
  if (shape.kind === "plain")
    return [`PartitionName=main Nodes=${names.join(",")} Default=YES MaxTime=INFINITE ${always}`];
  const firstGpu = firstGpuNode(shape);
  // One node at least is in both.
  const batch = names.slice(0, Math.max(names.length - 1, firstGpu + 1));
  return [
    `PartitionName=batch Nodes=${batch.join(",")} Default=YES MaxTime=1-0 ${always}`,
    `PartitionName=gpu Nodes=${names.slice(firstGpu).join(",")} Default=NO MaxTime=60 ${always}`,
  ];
}
