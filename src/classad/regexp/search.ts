/**
 * Search with a compiled regular expression: all alternatives in parallel, character by character.
 *
 * Cost: at most instructions × (characters + 1), whatever the expression; there is no backtracking.
 */
import type { CodeRange } from "./character-classes.ts";
import type { Instruction, RegexpProgram } from "./program.ts";
import type { Anchor } from "./syntax.ts";

/** Begin and end of the match and its groups, in pairs; −1 for a group that took no part. */
export type Marks = readonly number[];

/** A thread of the search, with its recorded positions. */
interface Way {
  readonly at: number;
  readonly marks: Marks;
}

/** The first match from `from` on, preferred as in Perl; undefined where there is none. */
export function searchRegexp(program: RegexpProgram, text: string, from = 0): Marks | undefined {
  const none: Marks = Array(2 * (program.groups + 1)).fill(-1);
  const seen = new Int32Array(program.instructions.length).fill(-1);
  let ways: readonly Way[] = [];
  let best: Marks | undefined;
  for (let place = from; place <= text.length; place++) {
    // Threads that began earlier come first; after a match none begins any more.
    const begun = best === undefined ? [...ways, { at: 0, marks: none }] : ways;
    const following: Way[] = [];
    for (const { at, marks } of expand(program, begun, { text, place, seen })) {
      const instruction = program.instructions[at];
      if (instruction.kind === "found") {
        best = marks;
        break;
      }
      const isTaken = instruction.kind === "set" && place < text.length;
      if (isTaken && isIn(instruction, text.charCodeAt(place))) {
        following.push({ at: at + 1, marks });
      }
    }
    if (best !== undefined && following.length === 0) return best;
    ways = following;
  }
  return best;
}

interface Place {
  readonly text: string;
  readonly place: number;
  /** The position at which each instruction was last reached. */
  readonly seen: Int32Array;
}

/** The threads up to where each needs a character or has matched, in order of preference. */
function expand({ instructions }: RegexpProgram, begun: readonly Way[], place: Place): readonly Way[] {
  const open: Way[] = [...begun].reverse();
  const waiting: Way[] = [];
  for (let way = open.pop(); way !== undefined; way = open.pop()) {
    if (place.seen[way.at] === place.place) continue;
    place.seen[way.at] = place.place;
    const instruction = instructions[way.at];
    if (instruction.kind === "set" || instruction.kind === "found") waiting.push(way);
    else open.push(...continued(instruction, way, place));
  }
  return waiting;
}

/** The successors of a thread that need no character, the preferred one last. */
function continued(
  instruction: Exclude<Instruction, { kind: "set" | "found" }>,
  { at, marks }: Way,
  place: Place,
): readonly Way[] {
  switch (instruction.kind) {
    case "jump":
      return [{ at: instruction.to, marks }];
    case "fork":
      return [
        { at: instruction.second, marks },
        { at: instruction.first, marks },
      ];
    case "mark":
      return [{ at: at + 1, marks: marks.with(instruction.slot, place.place) }];
    case "anchor":
      return holds(instruction.anchor, place) ? [{ at: at + 1, marks }] : [];
  }
}

function holds(anchor: Anchor, { text, place }: Place): boolean {
  switch (anchor) {
    case "begin":
      return place === 0;
    case "end":
      return place === text.length;
    case "lineBegin":
      return place === 0 || text[place - 1] === "\n";
    case "lineEnd":
      return place === text.length || text[place] === "\n";
    case "finalEnd":
      return place === text.length || (place === text.length - 1 && text[place] === "\n");
    case "word":
      return isWord(text[place - 1]) !== isWord(text[place]);
    case "noWord":
      return isWord(text[place - 1]) === isWord(text[place]);
  }
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /\w/.test(character);
}

function isIn(
  { ranges, isNegated }: { readonly ranges: readonly CodeRange[]; readonly isNegated: boolean },
  code: number,
): boolean {
  return ranges.some(([first, last]) => code >= first && code <= last) !== isNegated;
}
