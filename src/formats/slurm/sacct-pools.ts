/**
 * Pools of an imported workload: partitions that share machines, and their amounts.
 *
 * Partitions that share nodes are one pool, because their jobs compete for the same nodes; the limit of each
 * partition is not modelled. The size of a pool is that of scontrol's output, else the maximum in use at
 * once, which is a lower bound.
 */
import { readNodes } from "./nodes.ts";
import { readPartitions } from "./partitions.ts";

/** A pool; its amounts are those of the whole. */
export interface ImportedPool {
  readonly name: string;
  readonly partitions: readonly string[];
  readonly procs: number;
  /** Undefined where it is not scheduled. */
  readonly memoryBytes: number | undefined;
  readonly gpus: number;
}

/** Use of a pool by a job over time. */
export interface Use {
  readonly partition: string;
  readonly startMs: number;
  /** Infinite while it runs. */
  readonly endMs: number;
  readonly procs: number;
  readonly memoryBytes: number;
  readonly gpus: number;
}

/** The site as scontrol shows it. */
export interface ShownSite {
  /** Node names by partition. */
  readonly nodesOf: ReadonlyMap<string, readonly string[]>;
  readonly amountsOf: ReadonlyMap<string, Amounts>;
  readonly limitMsOf: ReadonlyMap<string, number | null>;
  /** Nodes that are down or drained now, which may have worked then. */
  readonly outOfOrder: number;
}

interface Amounts {
  readonly procs: number;
  readonly memoryBytes: number;
  readonly gpus: number;
}

const NONE: Amounts = { procs: 0, memoryBytes: 0, gpus: 0 };
const MOST_NAME = 120;

/** Reads `scontrol -o show node` and `scontrol -o show partition`, one after the other in one text. */
export function shownSite(text: string): ShownSite {
  const nodes = readNodes(text);
  const partitions = readPartitions(text);
  const amounts = nodes.map(({ name, procs, memoryBytes, gpus }) => {
    const all = Object.values(gpus).reduce((sum, count) => sum + count, 0);
    return [name, { procs, memoryBytes, gpus: all }] as const;
  });
  return {
    nodesOf: new Map(partitions.map(({ name, nodes: names }) => [name, names])),
    amountsOf: new Map(amounts),
    limitMsOf: new Map(partitions.map(({ name, maxTimeMs }) => [name, maxTimeMs])),
    outOfOrder: nodes.filter(({ states }) => states.some((state) => /^(DOWN|DRAIN)/.test(state))).length,
  };
}

/** Partitions in groups that share nodes, each group in order of name. */
export function sharingPartitions(
  nodesOf: ReadonlyMap<string, Iterable<string>>,
): readonly (readonly string[])[] {
  const groupOf = new Map<string, string[]>();
  const firstOn = new Map<string, string>();
  for (const [partition, nodes] of nodesOf) {
    groupOf.set(partition, [partition]);
    for (const node of nodes) {
      const other = firstOn.get(node) ?? partition;
      firstOn.set(node, other);
      unite(groupOf, partition, other);
    }
  }
  return [...new Set(groupOf.values())].map((group) => group.toSorted());
}

function unite(groupOf: Map<string, string[]>, one: string, other: string): void {
  const into = groupOf.get(one) ?? [one];
  const from = groupOf.get(other) ?? [other];
  if (into === from) return;
  into.push(...from);
  for (const partition of from) groupOf.set(partition, into);
}

/** Pools from the record alone. Memory is left open: use of jobs does not show what exists. */
export function poolsFromUse(groups: readonly (readonly string[])[], uses: readonly Use[]): ImportedPool[] {
  return groups.map((partitions) => {
    const most = mostAtOnce(uses, partitions);
    const { procs, gpus } = most;
    return { ...{ name: poolName(partitions), partitions, procs, gpus }, memoryBytes: undefined };
  });
}

/** Pools of a site by scontrol's output, with warnings. */
export function poolsOfSite(
  groups: readonly (readonly string[])[],
  site: ShownSite,
  uses: readonly Use[],
): { readonly pools: readonly ImportedPool[]; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  const sized = groups.map((partitions) => {
    const nodes = new Set(partitions.flatMap((partition) => site.nodesOf.get(partition) ?? []));
    const there = [...nodes].map((node) => site.amountsOf.get(node) ?? NONE).reduce(added, NONE);
    const most = mostAtOnce(uses, partitions);
    const name = poolName(partitions);
    for (const what of ["procs", "gpus"] as const) {
      if (most[what] <= there[what]) continue;
      warnings.push(
        `pool ${name}: ${most[what]} ${what} were in use at once, ${there[what]} are there now; ` +
          "the larger number counts",
      );
    }
    const procs = Math.max(there.procs, most.procs);
    return { name, partitions, procs, gpus: Math.max(there.gpus, most.gpus), there, most };
  });
  // Memory is scheduled in all pools or in none.
  const isScheduled = sized.every(({ there, most }) => most.memoryBytes <= there.memoryBytes);
  if (!isScheduled) {
    warnings.push("more memory was asked for at once than there is, so it is not scheduled here either");
  }
  if (site.outOfOrder > 0) {
    warnings.push(`${site.outOfOrder} nodes are down or drained now; they are taken as in order`);
  }
  const pools = sized
    .filter(({ procs }) => procs > 0)
    .map(({ there, most: _, ...pool }) => ({
      ...pool,
      memoryBytes: isScheduled ? there.memoryBytes : undefined,
    }));
  return { pools, warnings };
}

function added(one: Amounts, other: Amounts): Amounts {
  return {
    procs: one.procs + other.procs,
    memoryBytes: one.memoryBytes + other.memoryBytes,
    gpus: one.gpus + other.gpus,
  };
}

/** `batch+debug`; of very many partitions the first one and how many more. */
function poolName(partitions: readonly string[]): string {
  const whole = partitions.join("+") || "site";
  if (whole.length <= MOST_NAME) return whole;
  return `${partitions[0].slice(0, MOST_NAME)}+${partitions.length - 1}`;
}

/** The most of each at any one time. */
function mostAtOnce(uses: readonly Use[], partitions: readonly string[]): Amounts {
  const changes = uses
    .filter(({ partition }) => partitions.includes(partition))
    .flatMap((use) => [
      { atMs: use.startMs, sign: 1, use },
      { atMs: use.endMs, sign: -1, use },
    ])
    // What ends frees its room for what starts at the same instant.
    .sort((one, other) => one.atMs - other.atMs || one.sign - other.sign);
  let now = NONE;
  let most = NONE;
  for (const { sign, use } of changes) {
    now = {
      procs: now.procs + sign * use.procs,
      memoryBytes: now.memoryBytes + sign * use.memoryBytes,
      gpus: now.gpus + sign * use.gpus,
    };
    most = {
      procs: Math.max(most.procs, now.procs),
      memoryBytes: Math.max(most.memoryBytes, now.memoryBytes),
      gpus: Math.max(most.gpus, now.gpus),
    };
  }
  return most;
}
