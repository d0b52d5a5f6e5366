/**
 * The queues of a cluster: `scontrol -o show partition`.
 */
import type { AllowedNames, ClusterPartition } from "../../model/index.ts";
import { hostList } from "./host-list.ts";
import { keyValueLines, type Row } from "./rows.ts";
import { durationMs, listOf, saidNumber, saidText, sizeBytes } from "./words.ts";

/** The command that asks for them, those that are hidden from us too. */
export const PARTITIONS_COMMAND: readonly string[] = ["scontrol", "--all", "--oneliner", "show", "partition"];

/** Reads what it printed. */
export function readPartitions(text: string): readonly ClusterPartition[] {
  return keyValueLines(text, "PartitionName").map(partitionOf);
}

/** Partitions with what holds for the whole cluster where they set nothing of their own. */
export function withClusterMemory(
  partitions: readonly ClusterPartition[],
  settings: Readonly<Record<string, string>>,
): readonly ClusterPartition[] {
  const usual = {
    defaultMemoryPerNodeBytes: setSize(settings.DefMemPerNode),
    defaultMemoryPerProcBytes: setSize(settings.DefMemPerCPU),
  };
  const most = {
    maxMemoryPerNodeBytes: setSize(settings.MaxMemPerNode),
    maxMemoryPerProcBytes: setSize(settings.MaxMemPerCPU),
  };
  // Of both kinds of a rule one is set, in the partition or else for all.
  return partitions.map((it) => ({
    ...it,
    ...(it.defaultMemoryPerNodeBytes === null && it.defaultMemoryPerProcBytes === null ? usual : {}),
    ...(it.maxMemoryPerNodeBytes === null && it.maxMemoryPerProcBytes === null ? most : {}),
  }));
}

function partitionOf(row: Row): ClusterPartition {
  return {
    name: row.PartitionName ?? "",
    state: row.State ?? "",
    isDefault: row.Default === "YES",
    isHidden: row.Hidden === "YES",
    nodes: hostList(saidText(row.Nodes) ?? ""),
    maxTimeMs: durationMs(row.MaxTime),
    defaultTimeMs: durationMs(row.DefaultTime),
    minNodes: saidNumber(row.MinNodes) ?? 0,
    maxNodes: saidNumber(row.MaxNodes),
    maxProcsPerNode: saidNumber(row.MaxCPUsPerNode),
    maxMemoryPerNodeBytes: setSize(row.MaxMemPerNode),
    maxMemoryPerProcBytes: setSize(row.MaxMemPerCPU),
    defaultMemoryPerNodeBytes: setSize(row.DefMemPerNode),
    defaultMemoryPerProcBytes: setSize(row.DefMemPerCPU),
    accounts: allowedOf(row.AllowAccounts, row.DenyAccounts),
    qosNames: allowedOf(row.AllowQos, row.DenyQos),
    groups: allowedOf(row.AllowGroups, undefined),
    qos: saidText(row.QoS),
    priorityTier: saidNumber(row.PriorityTier) ?? 1,
    priorityFactor: saidNumber(row.PriorityJobFactor) ?? 1,
    oversubscribe: row.OverSubscribe ?? "NO",
    isExclusiveUser: row.ExclusiveUser === "YES",
    isReservationNeeded: row.ReqResv === "YES",
    isRootOnly: row.RootOnly === "YES",
    preemptMode: saidText(row.PreemptMode),
    totalProcs: saidNumber(row.TotalCPUs) ?? 0,
  };
}

/** Nothing and 0 are what is not set. */
function setSize(text: string | undefined): number | null {
  const bytes = sizeBytes(text);
  return bytes === 0 ? null : bytes;
}

/** Slurm writes either the permitted names or the denied ones. */
function allowedOf(allow: string | undefined, deny: string | undefined): AllowedNames {
  const isOpen = allow === undefined || allow === "ALL";
  return { allowed: isOpen ? null : listOf(allow), denied: listOf(deny) };
}
