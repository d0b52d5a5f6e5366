/**
 * The machines of a cluster: `scontrol -o -d show node`; the details are which GPUs are taken.
 */
import type { ClusterNode } from "../../model/index.ts";
import { keyValueLines, type Row } from "./rows.ts";
import { gpusOf, instantMs, listOf, saidNumber, saidText, sizeBytes, sumOf, tresOf } from "./words.ts";

/** The command that asks for them. */
export const NODES_COMMAND: readonly string[] = [
  "scontrol",
  "--all",
  "--oneliner",
  "--details",
  "show",
  "node",
];

/** Reads what it printed. */
export function readNodes(text: string): readonly ClusterNode[] {
  return keyValueLines(text, "NodeName").map(nodeOf);
}

function nodeOf(row: Row): ClusterNode {
  const allocated = tresOf(row.AllocTRES);
  return {
    name: row.NodeName ?? "",
    states: statesOf(row.State ?? ""),
    partitions: listOf(row.Partitions),
    // What is set aside for the system (CoreSpecCount) is not for jobs.
    procs: saidNumber(row.CPUEfctv) ?? saidNumber(row.CPUTot) ?? 0,
    threadsPerCore: saidNumber(row.ThreadsPerCore) ?? 1,
    memoryBytes: bytesForJobs(row),
    gpus: gpusOf(row.Gres),
    features: listOf(row.ActiveFeatures ?? row.AvailableFeatures),
    allocatedProcs: saidNumber(row.CPUAlloc) ?? 0,
    allocatedMemoryBytes: sizeBytes(row.AllocMem) ?? 0,
    allocatedGpus: allocated["gres/gpu"] ?? sumOf(gpusOf(row.GresUsed)),
    allocatedGpuTypes: saidText(row.GresUsed) === null ? null : gpusOf(row.GresUsed),
    weight: saidNumber(row.Weight) ?? 1,
    ...reasonOf(row.Reason),
    bootedAtMs: instantMs(row.BootTime),
    ...machineOf(row),
  };
}

/** Architecture, operating system and local disk (TmpDisk, in MiB), as far as they are shown. */
function machineOf(row: Row): Pick<ClusterNode, "architecture" | "osName" | "osRelease" | "scratchBytes"> {
  const architecture = saidText(row.Arch);
  const [osName, osRelease] = (saidText(row.OS) ?? "").split(" ");
  const scratchBytes = sizeBytes(row.TmpDisk) ?? 0;
  return {
    ...(architecture === null ? {} : { architecture }),
    ...(osName === undefined || osName === "" ? {} : { osName }),
    ...(osRelease === undefined || osRelease.startsWith("#") ? {} : { osRelease }),
    ...(scratchBytes === 0 ? {} : { scratchBytes }),
  };
}

function bytesForJobs(row: Row): number {
  const reserved = sizeBytes(row.MemSpecLimit) ?? 0;
  return Math.max(0, (sizeBytes(row.RealMemory) ?? 0) - reserved);
}

/** `IDLE+DRAIN` and its marks: `*` does not answer, `~ # ! % @ ^ $ -` power, maintenance and plans. */
function statesOf(text: string): readonly string[] {
  const words = text.replace(/[~#!%@^$-]+$/, "").split("+");
  return words.flatMap((word) => (word.endsWith("*") ? [word.slice(0, -1), "NOT_RESPONDING"] : [word]));
}

/** `disk swap [root@1795304818]`; without a user all of it is the reason. */
function reasonOf(text: string | undefined) {
  const said = saidText(text) ?? "";
  const open = said.endsWith("]") ? said.lastIndexOf("[") : -1;
  const [by, sinceText, ...rest] = open < 0 ? [] : said.slice(open + 1, -1).split("@");
  const isSigned = by !== undefined && sinceText !== undefined && rest.length === 0 && !by.includes("]");
  return {
    reason: saidText(isSigned ? said.slice(0, open) : said),
    reasonSinceMs: isSigned ? instantMs(sinceText) : null,
  };
}
