/** Options of a line of directives, by the conventions of their batch system. */
import type { OptionStyle } from "./dialect.ts";
import type { MarkedLine } from "./marked-lines.ts";
import type { OptionRow } from "./option-table.ts";
import type { Word } from "./words.ts";

/** One option, as it was written. */
export interface WrittenOption {
  readonly at: number;
  /** Offset behind it. */
  readonly end: number;
  /** Undefined where the batch system has no such option. */
  readonly row: OptionRow | undefined;
  /** The option's name as written. */
  readonly name: string;
  readonly value: string;
  /** One of several letters of a word: it is not written by itself. */
  readonly isGrouped?: boolean;
  /** A value is missing, or there is one where none belongs. */
  readonly fault?: "noValue" | "strayValue" | "ambiguous" | "noOption";
}

/** Options among the words of one line. */
export function optionsIn(
  words: readonly Word[],
  style: Exclude<OptionStyle, "keyword">,
  rows: ReadonlyMap<string, OptionRow>,
): readonly WrittenOption[] {
  const options: WrittenOption[] = [];
  let index = 0;
  while (index < words.length) {
    const found = style === "getopt" ? getoptAt(words, index, rows) : wordAt(words, index, rows);
    options.push(...found.options);
    index = found.next;
  }
  return options;
}

interface Found {
  readonly options: readonly WrittenOption[];
  readonly next: number;
}

/** `--opt=value`, `--opt value`, `-o value`, `-ovalue`, `-abovalue`. */
function getoptAt(words: readonly Word[], index: number, rows: ReadonlyMap<string, OptionRow>): Found {
  const word = words[index];
  if (word.text.startsWith("--") && word.text.length > 2) return longAt(words, index, rows);
  if (!/^-[^-]/.test(word.text)) return { options: [stray(word)], next: index + 1 };
  const options: WrittenOption[] = [];
  for (let at = 1; at < word.text.length; at++) {
    const name = `-${word.text[at]}`;
    const row = rows.get(name);
    // Letters of one word have places of their own, so that each has its account.
    const place = { at: word.at + at - 1, end: word.end, row, name, ...(at > 1 && { isGrouped: true }) };
    if (row === undefined || row.takes === 0) {
      options.push({ ...place, value: "" });
      if (row === undefined) break;
      continue;
    }
    const rest = word.text.slice(at + 1).replace(/^=/, "");
    if (rest !== "" || row.takes === "maybe") {
      options.push({ ...place, value: rest });
      return { options, next: index + 1 };
    }
    return { options: [...options, valued(place, words, index)], next: index + 2 };
  }
  return { options, next: index + 1 };
}

/** An option whose value is the next word. */
function valued(
  place: Omit<WrittenOption, "value" | "fault">,
  words: readonly Word[],
  index: number,
): WrittenOption {
  const value = words.at(index + 1);
  if (value === undefined) return { ...place, value: "", fault: "noValue" };
  return { ...place, end: value.end, value: value.text };
}

/** A long option, which may be cut short where one alone begins so. */
function longAt(words: readonly Word[], index: number, rows: ReadonlyMap<string, OptionRow>): Found {
  const { text, at, end } = words[index];
  const equals = text.indexOf("=");
  const name = equals === -1 ? text : text.slice(0, equals);
  const begun = [...rows.keys()].filter((one) => one.startsWith(name));
  const meant = new Set(begun.map((one) => rows.get(one)));
  const row = rows.get(name) ?? (meant.size === 1 ? [...meant][0] : undefined);
  const place = { at, end, row, name };
  const value = equals === -1 ? "" : text.slice(equals + 1);
  if (row === undefined) {
    const fault = meant.size > 1 ? { fault: "ambiguous" as const } : {};
    return { options: [{ ...place, value, ...fault }], next: index + 1 };
  }
  if (equals !== -1) {
    const fault = row.takes === 0 ? { fault: "strayValue" as const } : {};
    return { options: [{ ...place, value, ...fault }], next: index + 1 };
  }
  if (row.takes === 0 || row.takes === "maybe") return { options: [{ ...place, value }], next: index + 1 };
  return { options: [valued(place, words, index)], next: index + 2 };
}

/** `-name`, followed by as many words as it takes: Grid Engine and LSF. */
function wordAt(words: readonly Word[], index: number, rows: ReadonlyMap<string, OptionRow>): Found {
  const word = words[index];
  if (!word.text.startsWith("-")) return { options: [stray(word)], next: index + 1 };
  const row = rows.get(word.text);
  if (row === undefined) return gluedAt(words, index, rows);
  const place = { at: word.at, end: word.end, row, name: word.text };
  const count = row.takes === "maybe" ? maybeWord(words, index) : row.takes;
  const values = words.slice(index + 1, index + 1 + count);
  const option = {
    ...place,
    end: values.at(-1)?.end ?? word.end,
    value: values.map(({ text }) => text).join(" "),
    ...(values.length < count && { fault: "noValue" as const }),
  };
  return { options: [option], next: index + 1 + count };
}

/** 1 where the next word is not an option. */
function maybeWord(words: readonly Word[], index: number): number {
  const next = words.at(index + 1);
  return next === undefined || next.text.startsWith("-") ? 0 : 1;
}

/** `-n4`: a value directly behind an option of one letter; else nothing known, with its words. */
function gluedAt(words: readonly Word[], index: number, rows: ReadonlyMap<string, OptionRow>): Found {
  const { text, at, end } = words[index];
  const row = rows.get(text.slice(0, 2));
  if (row?.takes === 1 && text.length > 2) {
    const option = { at, end, row, name: text.slice(0, 2), value: text.slice(2) };
    return { options: [option], next: index + 1 };
  }
  const next = index + 1 + maybeWord(words, index);
  const value = words.slice(index + 1, next).map((one) => one.text);
  return {
    options: [{ at, end: words[next - 1].end, row: undefined, name: text, value: value.join(" ") }],
    next,
  };
}

function stray({ text, at, end }: Word): WrittenOption {
  return { at, end, row: undefined, name: text, value: "", fault: "noOption" };
}

/** `name = value` of LoadLeveler. */
export function keywordIn(
  { rest, restAt }: Pick<MarkedLine, "rest" | "restAt">,
  rows: ReadonlyMap<string, OptionRow>,
): WrittenOption {
  const [, blanks = "", name = "", value = ""] = /^(\s*)([^\s=]*)\s*=?\s*(.*)$/s.exec(rest) ?? [];
  const at = restAt + blanks.length;
  const plain = name.toLowerCase();
  return { at, end: restAt + rest.length, row: rows.get(plain), name: plain, value: value.trim() };
}
