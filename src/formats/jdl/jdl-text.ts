/**
 * A JDL text under reading: offsets, remarks and translations.
 *
 * An attribute that several jobs inherit is read once for each; what is said about it is kept once.
 */
import type { Translation } from "../job-reading/index.ts";
import { type TextPositions, textPositions } from "../text-positions.ts";
import { type Notes, takeNotes, type Words } from "../yaml/index.ts";

/** A text with its remarks and translations. */
export interface JdlText {
  readonly text: string;
  readonly notes: Notes;
  /** Offset of a line and a column, both from 1. */
  readonly offsetOf: TextPositions["offsetOf"];
  /** Records the translation of the attribute at an offset; the first one counts. */
  readonly translate: (at: number, translation: Omit<Translation, "line">) => void;
  readonly translations: () => readonly Translation[];
}

/** Begins a text. */
export function beginText(text: string): JdlText {
  const { positionOf, offsetOf } = textPositions(text);
  const notes = takeNotes(positionOf);
  const told = new Set<string>();
  const once = (tell: Notes["problem"], sort: string) => (at: number, words: Words) => {
    const key = `${sort} ${at} ${words.code} ${words.what}`;
    if (!told.has(key)) tell(at, words);
    told.add(key);
  };
  const byPlace = new Map<number, Translation>();
  return {
    text,
    notes: {
      ...notes,
      problem: once(notes.problem, "problem"),
      warning: once(notes.warning, "warning"),
    },
    offsetOf,
    translate: (at, translation) => {
      if (!byPlace.has(at)) byPlace.set(at, { line: positionOf(at).line, ...translation });
    },
    translations: () => [...byPlace].sort(([one], [other]) => one - other).map(([, it]) => it),
  };
}

const QUOTED = /"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'/.source;
const COMMENT = /\/\/[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\//.source;
const TOKEN = new RegExp(`\\s+|${COMMENT}|${QUOTED}|[\\s\\S]`, "y");

/** Offsets of the items of the list that begins at an offset; none where no list begins there. */
export function itemPlaces(text: string, at: number): readonly number[] {
  if (text[at] !== "{") return [];
  const places: number[] = [];
  let depth = 0;
  let isExpected = true;
  TOKEN.lastIndex = at + 1;
  for (let begin = at + 1; begin < text.length; begin = TOKEN.lastIndex) {
    const [token] = TOKEN.exec(text) ?? [""];
    if (token === "" || (depth === 0 && token === "}")) break;
    if (/^(?:\s|\/\/|#|\/\*)/.test(token)) continue;
    if (depth === 0 && token === ",") isExpected = true;
    else if (isExpected) {
      places.push(begin);
      isExpected = false;
    }
    if (/^[{[(]$/.test(token)) depth++;
    if (/^[}\])]$/.test(token)) depth--;
  }
  return places;
}

/** Offset of the name of the attribute whose expression begins at an offset. */
export function namePlace(text: string, expressionAt: number): number {
  const before = text.slice(Math.max(0, expressionAt - 400), expressionAt);
  const found = /(?:'(?:\\.|[^'\\])*'|[A-Za-z_]\w*)\s*=\s*$/.exec(before);
  return found === null ? expressionAt : expressionAt - before.length + found.index;
}
