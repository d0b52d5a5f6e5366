/**
 * `Dependencies` of a DAG: pairs of nodes or lists of nodes, each of the left before each of the right.
 *
 * Names are read from the syntax, not evaluated: `{ { a, b } }` says that b follows a.
 */

import { nearestWord } from "../../base/index.ts";
import type { Node } from "../../classad/index.ts";
import { echoText } from "../echo-text.ts";
import type { JdlAttribute } from "./jdl-ad.ts";
import { itemPlaces, type JdlText } from "./jdl-text.ts";

/** One dependency, with the place of its pair. */
export interface Dependency {
  readonly before: string;
  readonly after: string;
  readonly at: number;
}

const MOST_DEPENDENCIES = 100_000;

/** Dependencies between these nodes; unknown names and cycles are problems. */
export function readDependencies(
  attribute: JdlAttribute,
  names: readonly string[],
  source: JdlText,
): readonly Dependency[] {
  const { node, at } = attribute;
  if (node.kind !== "list") {
    source.notes.problem(at, noPair);
    return [];
  }
  const known = new Map(names.map((name) => [name.toLowerCase(), name]));
  const places = itemPlaces(source.text, at);
  const found: Dependency[] = [];
  for (const [index, pair] of node.items.entries()) {
    const pairAt = places[index] ?? at;
    if (pair.kind !== "list" || pair.items.length !== 2) {
      source.notes.problem(pairAt, noPair);
      continue;
    }
    const sides = itemPlaces(source.text, pairAt);
    const [befores, afters] = pair.items.map((side, which) =>
      namesOf(side, sides[which] ?? pairAt, { known, source }),
    );
    for (const before of befores) for (const after of afters) found.push({ before, after, at: pairAt });
    if (found.length > MOST_DEPENDENCIES) {
      source.notes.problem(at, tooMany);
      return [];
    }
  }
  const cycle = cycleIn(names, found);
  if (cycle !== undefined) source.notes.problem(cycle.at, cyclic(cycle.names));
  return found;
}

function namesOf(
  side: Node,
  at: number,
  within: { readonly known: ReadonlyMap<string, string>; readonly source: JdlText },
): readonly string[] {
  const { known, source } = within;
  if (side.kind === "list") {
    const places = itemPlaces(source.text, at);
    return side.items.flatMap((item, index) =>
      item.kind === "list" ? notName(at, source) : namesOf(item, places[index] ?? at, within),
    );
  }
  const written = nameIn(side);
  if (written === undefined) return notName(at, source);
  const name = known.get(written.toLowerCase());
  if (name === undefined) source.notes.problem(at, unknownNode(written, [...known.values()]));
  return name === undefined ? [] : [name];
}

function nameIn(node: Node): string | undefined {
  if (node.kind === "reference") return node.name;
  return node.kind === "literal" && node.value.kind === "string" ? node.value.value : undefined;
}

function notName(at: number, source: JdlText): readonly string[] {
  source.notes.problem(at, noPair);
  return [];
}

/** A cycle, by its names and the place of its last pair; undefined where there is none. */
function cycleIn(
  names: readonly string[],
  dependencies: readonly Dependency[],
): { readonly names: readonly string[]; readonly at: number } | undefined {
  const following = new Map<string, Dependency[]>();
  for (const one of dependencies) {
    const list = following.get(one.before);
    if (list === undefined) following.set(one.before, [one]);
    else list.push(one);
  }
  const done = new Set<string>();
  for (const start of names) {
    const path: { readonly name: string; next: number }[] = [{ name: start, next: 0 }];
    const open = new Set([start]);
    for (let top = path.at(-1); top !== undefined && !done.has(start); top = path.at(-1)) {
      const step = following.get(top.name)?.[top.next++];
      if (step === undefined) {
        done.add(top.name);
        open.delete(top.name);
        path.pop();
      } else if (open.has(step.after)) {
        const all = path.map(({ name }) => name);
        return { names: [...all.slice(all.indexOf(step.after)), step.after], at: step.at };
      } else if (!done.has(step.after)) {
        open.add(step.after);
        path.push({ name: step.after, next: 0 });
      }
    }
  }
  return undefined;
}

const noPair = {
  code: "badDependency",
  what: "this is not a dependency",
  why: "a dependency is a pair of nodes, or of lists of nodes: the right ones follow the left ones",
  remedy: "write for instance Dependencies = { { a, b }, { { b, c }, d } }, or {} for none",
};

const tooMany = {
  code: "tooManyDependencies",
  what: "there are too many dependencies",
  why: `a DAG may have at most ${MOST_DEPENDENCIES}`,
  remedy: "put a node between two large groups, on which the second group depends",
};

function unknownNode(name: string, names: readonly string[]) {
  const nearest = nearestWord(name, names);
  return {
    code: "nodeUnknown",
    what: `${echoText(name)} is not a node`,
    why: "Dependencies may only name nodes that are defined in Nodes",
    remedy: nearest === undefined ? "add it to Nodes, or take it out" : `did you mean ${nearest}?`,
  };
}

function cyclic(names: readonly string[]) {
  const shown = names.length > 10 ? [...names.slice(0, 9), "…", ...names.slice(-1)] : names;
  return {
    code: "cycle",
    what: `the dependencies are a cycle: ${shown.join(" → ")}`,
    why: "each of these nodes waits for itself, directly or indirectly",
    remedy: "take one of its dependencies out",
  };
}
