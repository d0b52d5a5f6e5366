/**
 * Compilation of a regular expression to instructions for a parallel search.
 *
 * Source: Thompson's algorithm and Pike's virtual machine [PIKE]: all alternatives are followed at once
 * instead of one after the other, so that no search takes longer than instructions × characters.
 */
import type { CodeRange } from "./character-classes.ts";
import { type Anchor, parseRegexp, type RegexpNode, type RegexpOptions } from "./syntax.ts";

/** One instruction. */
export type Instruction =
  | { readonly kind: "set"; readonly ranges: readonly CodeRange[]; readonly isNegated: boolean }
  | { readonly kind: "anchor"; readonly anchor: Anchor }
  /** Continue at both places; the first is preferred. */
  | { readonly kind: "fork"; readonly first: number; readonly second: number }
  | { readonly kind: "jump"; readonly to: number }
  /** Record the position: slot 2 · group is its beginning, 2 · group + 1 its end. */
  | { readonly kind: "mark"; readonly slot: number }
  | { readonly kind: "found" };

/** A compiled regular expression. */
export interface RegexpProgram {
  readonly instructions: readonly Instruction[];
  readonly groups: number;
}

/** Counted repetitions are expanded; an expression that becomes longer than this is unsupported. */
const INSTRUCTION_LIMIT = 5_000;

/** Ends the compilation of an expression that becomes too long. */
class TooLong extends Error {}

/** Compiles an expression; a text says why it is unsupported. */
export function compileRegexp(text: string, options: RegexpOptions): RegexpProgram | string {
  const syntax = parseRegexp(text, options);
  if (typeof syntax === "string") return syntax;
  const instructions: Instruction[] = [];
  try {
    emit({ kind: "group", index: 0, node: syntax.node }, instructions);
    push(instructions, { kind: "found" });
    return { instructions, groups: syntax.groups };
  } catch (error) {
    if (error instanceof TooLong) return `it has more than ${INSTRUCTION_LIMIT} instructions`;
    throw error;
  }
}

function push(instructions: Instruction[], instruction: Instruction): number {
  if (instructions.length >= INSTRUCTION_LIMIT) throw new TooLong("too many instructions");
  return instructions.push(instruction) - 1;
}

function emit(node: RegexpNode, out: Instruction[]): void {
  switch (node.kind) {
    case "set":
    case "anchor":
      push(out, node);
      return;
    case "group":
      push(out, { kind: "mark", slot: 2 * node.index });
      emit(node.node, out);
      push(out, { kind: "mark", slot: 2 * node.index + 1 });
      return;
    case "sequence":
      for (const part of node.nodes) emit(part, out);
      return;
    case "choice":
      emitChoice(node.nodes, out);
      return;
    case "repeat":
      emitRepeat(node, out);
  }
}

function emitChoice(nodes: readonly RegexpNode[], out: Instruction[]): void {
  const ends: number[] = [];
  for (const [at, node] of nodes.entries()) {
    const isLast = at === nodes.length - 1;
    const fork = isLast ? undefined : push(out, { kind: "jump", to: 0 });
    emit(node, out);
    if (!isLast) ends.push(push(out, { kind: "jump", to: 0 }));
    if (fork !== undefined) out[fork] = { kind: "fork", first: fork + 1, second: out.length };
  }
  for (const end of ends) out[end] = { kind: "jump", to: out.length };
}

function emitRepeat(
  { node, fewest, most, isGreedy }: Extract<RegexpNode, { kind: "repeat" }>,
  out: Instruction[],
): void {
  for (let count = 0; count < fewest; count++) emit(node, out);
  if (most === Number.POSITIVE_INFINITY) {
    const fork = push(out, { kind: "jump", to: 0 });
    emit(node, out);
    push(out, { kind: "jump", to: fork });
    out[fork] = forked(fork + 1, out.length, isGreedy);
    return;
  }
  const forks: number[] = [];
  for (let count = fewest; count < most; count++) {
    forks.push(push(out, { kind: "jump", to: 0 }));
    emit(node, out);
  }
  for (const fork of forks) out[fork] = forked(fork + 1, out.length, isGreedy);
}

function forked(inside: number, behind: number, isGreedy: boolean): Instruction {
  const [first, second] = isGreedy ? [inside, behind] : [behind, inside];
  return { kind: "fork", first, second };
}
