/** Named levels, term by term, with their limits over time. */
import { type EpochWindow, SHARED_RESOURCES, type SharedResource } from "../../model/index.ts";
import { type ShareNode, type ShareTree, shareTree } from "../share-tree.ts";
import type { Evidence } from "./evidence.ts";
import type { LimitSteps } from "./limit-steps.ts";

/** A level that a term names, for a resource with known capacity. */
interface NamedLevel {
  readonly resource: SharedResource;
  readonly node: ShareNode;
  /** Limits over all consecutive terms that name it with the same window. */
  readonly limits: LimitSteps;
  /** True for the first of these consecutive terms. */
  readonly isFirst: boolean;
}

/** A term with its levels. */
export interface TermLevels {
  readonly fromMs: number;
  readonly tree: ShareTree;
  readonly levels: readonly NamedLevel[];
}

/** The terms in order. Before the first agreement no consumer has a share. */
export function levelsByTerm(evidence: Evidence): readonly TermLevels[] {
  const { place, terms } = evidence;
  const resources = SHARED_RESOURCES.filter((resource) => hasCapacity(evidence, resource));
  const trees = [{ fromMs: null, policies: [] }, ...terms].map(({ fromMs, policies }) => ({
    fromMs: fromMs ?? Number.NEGATIVE_INFINITY,
    tree: shareTree(policies, place),
  }));
  return trees.map(({ fromMs, tree }, index) => {
    const levels = resources.flatMap((resource) =>
      namedIn(tree, resource).map((node): NamedLevel => {
        const nodes = trees.map((one) => followed(one.tree.nodes.get(resource)?.get(node.path), node));
        const first = nodes.findLastIndex((one, at) => at < index && one === undefined) + 1;
        const last = nodes.findIndex((one, at) => at > index && one === undefined);
        const run = trees.slice(first, last === -1 ? undefined : last);
        const limits = limitsOver(evidence, run, { resource, path: node.path });
        return { resource, node, limits, isFirst: first === index };
      }),
    );
    return { fromMs, tree, levels };
  });
}

/** The resources that policies name at the place, without a known capacity. */
export function unmeasuredResources(evidence: Evidence): readonly SharedResource[] {
  const { place, terms } = evidence;
  return SHARED_RESOURCES.filter(
    (resource) =>
      !hasCapacity(evidence, resource) &&
      terms.some(({ policies }) => namedIn(shareTree(policies, place), resource).length > 0),
  );
}

function hasCapacity({ capacity }: Evidence, resource: SharedResource): boolean {
  return capacity.some(({ amounts }) => (amounts[resource] ?? 0) > 0);
}

function namedIn(tree: ShareTree, resource: SharedResource): readonly ShareNode[] {
  return [...(tree.nodes.get(resource)?.values() ?? [])].filter(({ policy }) => policy !== null);
}

/** Node of the level in another term, where that names it with the same window. */
function followed(other: ShareNode | undefined, { window }: ShareNode): ShareNode | undefined {
  return other !== undefined && other.policy !== null && isSame(other.window, window) ? other : undefined;
}

function limitsOver(
  { capacity }: Evidence,
  run: readonly Pick<TermLevels, "fromMs" | "tree">[],
  { resource, path }: { readonly resource: SharedResource; readonly path: string },
): LimitSteps {
  const later = [...run, ...capacity.slice(1)].map(({ fromMs }) => fromMs);
  const instants = [Number.NEGATIVE_INFINITY, ...later];
  const atMs = [...new Set(instants.sort((one, other) => one - other))];
  const values = atMs.map((instantMs) => {
    const term = run.findLast(({ fromMs }) => fromMs <= instantMs) ?? run[0];
    const step = capacity.findLast(({ fromMs }) => fromMs <= instantMs) ?? capacity[0];
    const share = term.tree.nodes.get(resource)?.get(path)?.epochShare ?? 0;
    return BigInt(share) * BigInt(step.amounts[resource] ?? 0);
  });
  return { atMs, values };
}

function isSame(one: EpochWindow, other: EpochWindow): boolean {
  if (one.kind === "sliding") return other.kind === "sliding" && one.lengthMs === other.lengthMs;
  return other.kind === "fixed" && one.unit === other.unit && one.offsetMs === other.offsetMs;
}
