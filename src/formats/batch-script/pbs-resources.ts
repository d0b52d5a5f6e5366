/**
 * Resources of PBS: `-l walltime=1:00:00,nodes=2:ppn=4,mem=4gb`, and chunks, `-l select=2:ncpus=4:mem=8gb`.
 *
 * Source: pbs_resources(7B) of Torque 6 and PBS Pro.
 */
import { echoText } from "../echo-text.ts";
import {
  clockMs,
  consumerOutcome,
  countIn,
  countOutcome,
  lacking,
  limitOutcome,
  memoryOutcome,
  notTranslated,
  type Outcome,
  type Size,
  sizeIn,
  sizes,
  wrong,
} from "../job-draft/index.ts";

type Read = (value: string, name: string) => Outcome | readonly Outcome[];

/** Each resource, with what it becomes. */
export const PBS_RESOURCES: Readonly<Record<string, Read>> = {
  walltime: (value) => limitOutcome(clockMs(value), "walltime=01:30:00"),
  nodes: nodesOutcome,
  select: selectOutcome,
  procs: (value) => countOutcome(value, "procs"),
  ncpus: (value) => countOutcome(value, "procs"),
  mem: (value) => memoryOutcome(value, "b", "memoryBytes"),
  pmem: (value) => memoryOutcome(value, "b", "memoryPerProcBytes", "PBS counts it for each process"),
  ngpus: (value) => countOutcome(value, "gpus"),
  gpus: (value) => countOutcome(value, "gpus"),
  cput: (value, name) => lacking("cpuTime", { name: "cpuTime", value: `${name}=${value}` }),
  pcput: () => lacking("cpuTime"),
  vmem: (value) => lacking("virtualMemory", { name: "virtualMemory", value }),
  pvmem: () => lacking("virtualMemory"),
  file: (value) => lacking("scratch", { name: "scratch", value }),
  place: (value) =>
    value.includes("excl") ? notTranslated("Stint gives processors and not whole nodes") : lacking("binding"),
  software: (value) => lacking("licences", { name: "licences", value }),
  feature: (value) => lacking("features", { name: "constraint", value }),
  host: () => lacking("hosts"),
  arch: () => lacking("features"),
  opsys: () => lacking("features"),
  qos: (value) => lacking("queue", { name: "qos", value }),
  advres: () => lacking("reservation"),
  signal: (value) => lacking("signal", { name: "signalBefore", value }),
  nice: () => lacking("priority"),
  account: consumerOutcome,
};

/** Resources between commas. */
export function pbsResources(text: string): readonly Outcome[] {
  return text.split(",").flatMap((part) => {
    const equals = part.indexOf("=");
    const name = (equals === -1 ? part : part.slice(0, equals)).trim().toLowerCase();
    const value = equals === -1 ? "" : part.slice(equals + 1).trim();
    const read = Object.hasOwn(PBS_RESOURCES, name) ? PBS_RESOURCES[name] : undefined;
    if (read === undefined) return [notTranslated(`the resource ${echoText(name)} belongs to one cluster`)];
    const outcomes = read(value, name);
    return "kind" in outcomes ? [outcomes] : outcomes;
  });
}

interface Chunk {
  readonly count: number;
  readonly words: readonly string[];
}

/** `2:ppn=4+1:ppn=8`: how many, and words about each; a name of a host counts once. */
function chunksOf(text: string): readonly Chunk[] {
  return text.split("+").map((chunk) => {
    const [first = "", ...words] = chunk.split(":");
    const count = countIn(first);
    return count === undefined ? { count: 1, words: [first, ...words] } : { count, words };
  });
}

const NODE_WORDS: Readonly<Record<string, string>> = { ppn: "procs", gpus: "gpus" };

function nodesOutcome(text: string): readonly Outcome[] {
  return sumOf(chunksOf(text), NODE_WORDS, "write for instance nodes=2:ppn=4");
}

const CHUNK_WORDS: Readonly<Record<string, string>> = { ncpus: "procs", ngpus: "gpus", mem: "memory" };

function selectOutcome(text: string): readonly Outcome[] {
  return sumOf(chunksOf(text), CHUNK_WORDS, "write for instance select=2:ncpus=4:mem=8gb");
}

/** Sizes of all chunks together; what words besides these say has no equal. */
function sumOf(
  chunks: readonly Chunk[],
  known: Readonly<Record<string, string>>,
  remedy: string,
): readonly Outcome[] {
  const sums = new Map<string, number>();
  const others: string[] = [];
  let nodes = 0;
  for (const { count, words } of chunks) {
    nodes += count;
    let procs = 1;
    for (const word of words) {
      const [name = "", value = ""] = word.split("=");
      const kind = Object.hasOwn(known, name.toLowerCase()) ? known[name.toLowerCase()] : undefined;
      const each = kind === "memory" ? sizeIn(value, "b") : countIn(value);
      if (kind === undefined) {
        if (!/^(mpiprocs|ompthreads)$/.test(name)) others.push(word);
      } else if (each === undefined) return [wrong(`${echoText(word)} is not a number`, remedy)];
      else if (kind === "procs") procs = each;
      else sums.set(kind, (sums.get(kind) ?? 0) + each * count);
    }
    sums.set("procs", (sums.get("procs") ?? 0) + procs * count);
  }
  const size: Size = {
    nodes,
    procs: sums.get("procs") ?? nodes,
    ...(sums.has("gpus") && { gpus: sums.get("gpus") ?? 0 }),
    ...(sums.has("memory") && { memoryBytes: sums.get("memory") ?? 0 }),
  };
  const lost = others.map((word) =>
    notTranslated(`what a node is called belongs to one cluster: ${echoText(word)}`),
  );
  return [sizes(size), ...lost];
}
