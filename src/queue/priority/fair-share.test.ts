import { describe, expect, it } from "vitest";
import { setClassicFactors } from "./classic-share.ts";
import { type FairTreeNode, setFairTreeFactors } from "./fair-tree.ts";

const node = (name: string, shares: number, usage: number): FairTreeNode => ({
  name,
  shares,
  usage,
  factor: Number.NaN,
  levelShare: Number.NaN,
});
const user = node;

/** An account; its use is that of those below it unless told otherwise. */
function account(
  name: string,
  shares: number,
  children: readonly FairTreeNode[],
  usage?: number,
): FairTreeNode {
  const sum = children.reduce((all, child) => all + child.usage, 0);
  return { ...node(name, shares, usage ?? sum), children };
}

const usersOf = (at: FairTreeNode): readonly FairTreeNode[] => at.children?.flatMap(usersOf) ?? [at];

const byName = (root: FairTreeNode, digits: number): Record<string, number> =>
  Object.fromEntries(usersOf(root).map(({ name, factor }) => [name, Number(factor.toFixed(digits))]));

function classic(root: FairTreeNode, digits: number): Record<string, number> {
  setClassicFactors(root);
  return byName(root, digits);
}

function fairTree(root: FairTreeNode, digits: number): Record<string, number> {
  setFairTreeFactors(root, usersOf(root).length);
  return byName(root, digits);
}

describe("the classic fair-share factor", () => {
  it("gives the factors of Slurm's documented example", () => {
    // 0.2, 0.25 and 0.25 of the machine; what is left of it counts as used by nobody here.
    const root = account(
      "root",
      1,
      [
        account("A", 40, [
          account("B", 30, [user("1", 1, 0.2)]),
          account("C", 10, [user("2", 1, 0.25), user("3", 1, 0)]),
        ]),
        account("D", 60, [account("E", 25, [user("4", 1, 0.25)]), account("F", 35, [user("5", 1, 0)])]),
      ],
      1,
    );
    expect(classic(root, 6)).toEqual({
      1: 0.408479,
      2: 0.022097,
      3: 0.125,
      4: 0.5,
      5: 0.749154,
    });
  });

  it("gives the factors that OpenPBS gives for its four users", () => {
    // OpenPBS begins every group and user with a use of 1, which stays in the sums above.
    const root = account(
      "root",
      1,
      [
        account("group1", 40, [user("a", 50, 100), user("b", 50, 100)], 201),
        account("group2", 60, [user("c", 60, 1), user("d", 40, 1000)], 1001),
      ],
      1201,
    );
    expect(classic(root, 4)).toEqual({ a: 0.6477, b: 0.6477, c: 0.3816, d: 0.0902 });
  });

  it("is 1 without any use, 0.5 at exactly the share, 0 without shares", () => {
    const idle = account("root", 1, [user("a", 1, 0), user("b", 0, 0)]);
    expect(classic(idle, 6)).toEqual({ a: 1, b: 0 });
    const even = account("root", 1, [user("a", 3, 30), user("b", 1, 10)]);
    expect(classic(even, 6)).toEqual({ a: 0.5, b: 0.5 });
  });
});

describe("the fair tree", () => {
  it("every user of a better account comes before every user of its sibling", () => {
    // Level fair share of A = (40 ÷ 100) ÷ (30 ÷ 100) = 1.33, of D = 0.6 ÷ 0.7 = 0.86.
    const root = account("root", 1, [
      account("D", 60, [user("d1", 1, 0), user("d2", 9, 70)]),
      account("A", 40, [
        account("B", 30, [user("b1", 1, 25), user("b2", 2, 2)]),
        account("C", 10, [user("c1", 1, 3)]),
      ]),
    ]);
    // C: 0.25 ÷ 0.1 = 2.5 before B: 0.75 ÷ 0.9; in B b2 before b1; in D d1, who has used nothing.
    expect(fairTree(root, 1)).toEqual({ c1: 1, b2: 0.8, b1: 0.6, d1: 0.4, d2: 0.2 });
  });

  it("tied siblings share a rank, and the next rank counts both", () => {
    const root = account("root", 1, [user("a", 1, 2), user("b", 1, 0), user("c", 1, 2), user("d", 1, 4)]);
    expect(fairTree(root, 2)).toEqual({ b: 1, a: 0.75, c: 0.75, d: 0.25 });
  });

  it("a user tied with an account has the rank of its best user", () => {
    const root = account("root", 1, [
      account("A", 1, [user("low", 1, 3), user("best", 1, 1)]),
      user("tied", 1, 4),
      user("last", 1, 8),
    ]);
    expect(fairTree(root, 2)).toEqual({ tied: 1, best: 1, low: 0.5, last: 0.25 });
  });

  it("tied accounts have their children merged", () => {
    const root = account("root", 1, [
      account("A", 1, [user("a1", 1, 8), user("a2", 1, 2)]),
      account("B", 1, [user("b1", 1, 4), user("b2", 1, 6)]),
      account("C", 1, [user("c1", 1, 40)]),
    ]);
    expect(fairTree(root, 1)).toEqual({ a2: 1, b1: 0.8, b2: 0.6, a1: 0.4, c1: 0.2 });
  });

  it("a user without shares comes after siblings with shares", () => {
    const root = account("root", 1, [user("none", 0, 0), user("some", 1, 9)]);
    expect(fairTree(root, 1)).toEqual({ some: 1, none: 0.5 });
  });
});
