/**
 * Shape of a test cluster: number, size and kind of its nodes.
 *
 * Two kinds, as unlike as two real clusters, so that what works at both was not made for one:
 * `plain` allocates processors and enforces nothing; `rich` allocates cores with memory, has two hardware
 * threads a core, generic GPUs, two overlapping partitions, QOS with limits, and hides other people's jobs.
 */
import { Fault, formatSize, parseSize } from "../../src/base/index.ts";

/** Kind of a cluster; see the header. */
type ClusterKind = "plain" | "rich";

/** One cluster. `name` is ours (a letter, then letters and digits); Slurm uses lower case. */
export interface ClusterShape {
  readonly name: string;
  readonly kind: ClusterKind;
  readonly nodes: number;
  /** Processors of a node in Slurm, independent of this machine. */
  readonly cpus: number;
  readonly memoryBytes: number;
}

/** Options of the command line; a missing one is as before, or the default. */
export type ShapeRequest = { readonly name: string } & {
  readonly [Key in "kind" | "nodes" | "cpus" | "memory"]?: string | undefined;
};

/** Every slurmd is a process of its own, with a port of its own. */
const MOST_NODES = 64;
const MOST_CPUS = 1024;
const MEBIBYTE = 1024 ** 2;
const USUAL = { nodes: 4, cpus: 4, memoryBytes: 4096 * MEBIBYTE } as const;

/**
 * Shape for the options.
 *
 * @throws Fault (badInput) for an invalid value, and for a change of an existing cluster
 */
export function shapeOf(request: ShapeRequest, kept?: ClusterShape): ClusterShape {
  const name = clusterName(request.name);
  const base = kept ?? { ...USUAL, name, kind: name.toLowerCase() === "b" ? "rich" : "plain" };
  const shape: ClusterShape = {
    name,
    kind: request.kind === undefined ? base.kind : kindOf(request.kind),
    nodes: request.nodes === undefined ? base.nodes : count("--nodes", request.nodes, MOST_NODES),
    cpus: request.cpus === undefined ? base.cpus : count("--cpus", request.cpus, MOST_CPUS),
    memoryBytes: request.memory === undefined ? base.memoryBytes : memoryOf(request.memory),
  };
  if (kept !== undefined && describeShape(kept) !== describeShape(shape)) {
    throw new Fault({
      kind: "refused",
      code: "clusterIsOther",
      what: `cluster ${name} is not made anew`,
      why: `it is there with ${describeShape(kept)}, and you ask for ${describeShape(shape)}`,
      remedy: `Take other numbers, another --name, or \`up --name ${name} --fresh …\`, which forgets it.`,
    });
  }
  return shape;
}

/** Shape in words, as in `up` and `status`. */
export function describeShape({ kind, nodes, cpus, memoryBytes }: ClusterShape): string {
  const each = nodes === 1 ? "1 node" : `${nodes} nodes`;
  return `${each} of ${cpus} CPUs and ${formatSize(memoryBytes)}, ${kind}`;
}

/** Name of the cluster in Slurm: the database has lower case only. */
export function slurmName({ name }: Pick<ClusterShape, "name">): string {
  return name.toLowerCase();
}

/** The names of the nodes, in order. */
export function nodeNames(shape: Pick<ClusterShape, "name" | "nodes">): string[] {
  return Array.from({ length: shape.nodes }, (_, at) => `${slurmName(shape)}n${at + 1}`);
}

/** Hardware threads per core: with two, a job of one processor occupies both. */
export function threadsPerCore({ kind, cpus }: ClusterShape): number {
  return kind === "rich" && cpus % 2 === 0 ? 2 : 1;
}

/** Memory of a node in Slurm's unit, MiB rounded down. */
export function memoryMebibytes({ memoryBytes }: ClusterShape): number {
  return Math.floor(memoryBytes / MEBIBYTE);
}

/** First node with GPUs, from 0; all later ones have some too. For a rich cluster. */
export function firstGpuNode({ nodes }: ClusterShape): number {
  return Math.floor(nodes / 2);
}

/**
 * Name that is valid in Slurm's tables, host names and paths.
 *
 * @throws Fault (badInput)
 */
export function clusterName(text: string): string {
  if (/^[A-Za-z][A-Za-z0-9]{0,11}$/.test(text) && text !== "shared") return text;
  const why = "a name is a letter and up to 11 letters and digits, and not shared";
  throw badWord("--name", text, why);
}

function kindOf(text: string): ClusterKind {
  if (text === "plain" || text === "rich") return text;
  throw badWord("--kind", text, "the kinds are plain and rich");
}

function count(option: string, text: string, most: number): number {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= most) return number;
  throw badWord(option, text, `a whole number from 1 to ${most}`);
}

function memoryOf(text: string): number {
  const size = parseSize(text);
  if (!size.ok) throw badWord("--memory", text, `${size.refusal.why}; ${size.refusal.remedy}`);
  if (size.value < 64 * MEBIBYTE) throw badWord("--memory", text, "a node has 64M at least");
  return size.value;
}

function badWord(option: string, text: string, why: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "clusterOption",
    what: `${option} ${text} is not understood`,
    why,
    remedy: "See `scripts/clusters/slurm up --help`.",
  });
}
