import fc from "fast-check";
import { expect, it } from "vitest";
import { type PlainShareNode, plainFairTree } from "../../../test/plain/plain-fair-tree.ts";
import { type FairTreeNode, setFairTreeFactors } from "./fair-tree.ts";

/** Shares and uses from few values, so that there are ties. */
const few = fc.constantFrom(0, 1, 2, 3, 7);

const tree = fc.letrec<{ node: PlainShareNode }>((tie) => ({
  node: fc.record({
    name: fc.uuid(),
    shares: few,
    usage: few,
    children: fc.option(fc.array(tie("node"), { maxLength: 5 }), { nil: undefined, maxDepth: 3 }),
  }) as fc.Arbitrary<PlainShareNode>,
})).node;

type Live = FairTreeNode & { usage: number };

/** The same tree with places to remember in; lists all that is in it. */
function live({ children, ...node }: PlainShareNode, all: Live[]): FairTreeNode {
  const below = children === undefined ? {} : { children: children.map((child) => live(child, all)) };
  const made = { ...node, ...below, factor: 0, levelShare: 0 };
  all.push(made);
  return made;
}

it("a tree that remembers its ranking gives the same as ranking it again, whatever was used", () => {
  const uses = fc.array(fc.array(few, { minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(tree, { maxLength: 5 }), uses, (children, courses) => {
      const all: Live[] = [];
      const root = live({ name: "root", shares: 1, usage: 1, children }, all);
      const users = all.filter((node) => node.children === undefined);
      for (const course of courses) {
        for (const [i, node] of all.entries()) node.usage = course[i % course.length];
        setFairTreeFactors(root, users.length);
        const factors = new Map(users.map(({ name, factor }) => [name, factor]));
        expect(factors).toEqual(plainFairTree(root));
      }
    }),
  );
});
