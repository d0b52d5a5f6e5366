/** Where the nodes of a graph without cycles are drawn: by layers, in an order with few crossings. */

/** What the order needs to know of a node. */
export interface LayeredNode {
  readonly key: string;
  readonly parents: readonly string[];
}

/** Passes over all layers, forth and back in turn. */
const SWEEPS = 6;

/** Keys by layer: each node is one layer after its last parent, beside those with the same neighbours. */
export function layersOf(nodes: readonly LayeredNode[]): readonly (readonly string[])[] {
  const depths = depthsOf(nodes);
  const layers: string[][] = [];
  for (const { key } of nodes) {
    const depth = depths.get(key) ?? 0;
    while (layers.length <= depth) layers.push([]);
    layers[depth]?.push(key);
  }
  const parents = new Map(nodes.map((node) => [node.key, node.parents]));
  const children = childrenOf(nodes);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isForth = sweep % 2 === 0;
    const inTurn = isForth ? layers : [...layers].reverse();
    const places = new Map<string, number>();
    for (const layer of inTurn) arrange(layer, isForth ? parents : children, places);
  }
  return layers;
}

/** Number of nodes on the longest chain before each. */
export function depthsOf(nodes: readonly LayeredNode[]): ReadonlyMap<string, number> {
  const children = childrenOf(nodes);
  const known = new Set(nodes.map(({ key }) => key));
  const left = new Map(nodes.map(({ key, parents }) => [key, parents.filter((it) => known.has(it)).length]));
  const depths = new Map<string, number>();
  const ready = nodes.filter(({ key }) => left.get(key) === 0).map(({ key }) => key);
  for (const key of ready) {
    const next = (depths.get(key) ?? 0) + 1;
    depths.set(key, next - 1);
    for (const child of children.get(key) ?? []) {
      depths.set(child, Math.max(next, depths.get(child) ?? 0));
      const waits = (left.get(child) ?? 0) - 1;
      left.set(child, waits);
      if (waits === 0) ready.push(child);
    }
  }
  return depths;
}

function childrenOf(nodes: readonly LayeredNode[]): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, string[]>(nodes.map(({ key }) => [key, []]));
  for (const { key, parents } of nodes) for (const parent of parents) children.get(parent)?.push(key);
  return children;
}

/** Sorts a layer by the mean place of the neighbours that already have one, and notes its places. */
function arrange(
  layer: string[],
  neighbours: ReadonlyMap<string, readonly string[]>,
  places: Map<string, number>,
): void {
  const wish = new Map(
    layer.map((key, at) => {
      const beside = (neighbours.get(key) ?? []).flatMap((it) => places.get(it) ?? []);
      const sum = beside.reduce((total, place) => total + place, 0);
      return [key, beside.length === 0 ? at - (layer.length - 1) / 2 : sum / beside.length];
    }),
  );
  layer.sort((a, b) => (wish.get(a) ?? 0) - (wish.get(b) ?? 0));
  for (const [at, key] of layer.entries()) places.set(key, at - (layer.length - 1) / 2);
}
