/** Parsers of option values, whose errors show a correct value. */
import { Fault, nearestWord, shortened } from "../base/index.ts";
import { isConsumerPath } from "../model/index.ts";
import { printable } from "./text-table.ts";

/** A parser of an option value, with the words that completion offers for it. */
export interface Choosing {
  readonly words: readonly string[];
}

/**
 * One of a few words; near misses are answered with "did you mean".
 *
 * @param prefix what stood before the word
 */
export function oneOf<Word extends string>(
  option: string,
  words: readonly Word[],
  prefix = "",
): ((text: string) => Word) & Choosing {
  const parse = (text: string): Word => {
    const known = words.find((word) => word === text);
    if (known !== undefined) return known;
    const nearest = nearestWord(text, words);
    throw new Fault({
      kind: "badInput",
      code: "optionValueUnknown",
      what: `${option}: "${shortened(text)}" is unknown`,
      why: `it is one of ${words.join(", ")}`,
      remedy: nearest === undefined ? "choose one of these" : `did you mean ${option} ${prefix}${nearest}?`,
    });
  };
  return Object.assign(parse, { words });
}

/** Collects words of a few, all small or all capital, written in any case, comma-separated or repeated. */
export function listOf<Word extends string>(
  option: string,
  words: readonly Word[],
  letters: "small" | "capital" = "small",
): ((text: string, before?: readonly Word[]) => Word[]) & Choosing {
  const one = oneOf(option, words);
  const cased = (word: string): string => (letters === "small" ? word.toLowerCase() : word.toUpperCase());
  const parse = (text: string, before: readonly Word[] = []): Word[] => [
    ...before,
    ...text.split(",").map((word) => one(cased(word.trim()))),
  ];
  return Object.assign(parse, { words });
}

/** A column to sort by, one of a few, with - before it descending. */
export function sortValue<Column extends string>(
  option: string,
  columns: readonly Column[],
): ((text: string) => Column | `-${Column}`) & Choosing {
  const ascending = oneOf(option, columns);
  const descending = oneOf(option, columns, "-");
  const parse = (text: string): Column | `-${Column}` =>
    text.startsWith("-") ? `-${descending(text.slice(1))}` : ascending(text);
  return Object.assign(parse, { words: columns.flatMap((column) => [column, `-${column}`]) });
}

/** A whole number above zero, such as of processors. */
export function positiveInteger(option: string, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : 0;
    if (value > 0 && value <= most) return value;
    const bound = most === Number.MAX_SAFE_INTEGER ? "above zero" : `from 1 to ${most}`;
    throw new Fault({
      kind: "badInput",
      code: "optionValueNotPositiveInteger",
      what: `${option}: "${shortened(text)}" is not a valid number`,
      why: `it must be a whole number ${bound}, in decimal digits`,
      remedy: `write for instance ${option} ${Math.min(128, most)}`,
    });
  };
}

/** A factor: a number above zero. */
export function factorValue(option: string): (text: string) => number {
  return (text) => {
    const value = /^\d{0,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : 0;
    if (value > 0) return value;
    throw new Fault({
      kind: "badInput",
      code: "optionValueNotFactor",
      what: `${option}: "${shortened(text)}" is not a factor`,
      why: "it must be a number above zero, in decimal digits",
      remedy: `write for instance ${option} 0.5`,
    });
  };
}

/** A whole number from zero. */
export function wholeNumber(option: string): (text: string) => number {
  return (text) => {
    if (/^\d{1,15}$/.test(text)) return Number(text);
    throw new Fault({
      kind: "badInput",
      code: "optionValueNotWholeNumber",
      what: `${option}: "${shortened(text)}" is not a whole number`,
      why: "it must be zero or more, in decimal digits",
      remedy: `write for instance ${option} 7`,
    });
  };
}

/** Seconds on a file's clock, with fractions, in ms. */
export function secondsValue(option: string): (text: string) => number {
  return (text) => {
    if (/^\d{1,12}(\.\d{1,9})?$/.test(text)) return Math.round(Number(text) * 1000);
    throw new Fault({
      kind: "badInput",
      code: "optionValueNotSeconds",
      what: `${option}: "${shortened(text)}" is not a number of seconds`,
      why: "times in the file count in seconds from 0",
      remedy: `write for instance ${option} 3600`,
    });
  };
}

/** A fraction from 0 to 1, with up to six decimals. */
export function millionthsOption(option: string): (text: string) => number {
  return (text) => {
    const value = /^[01](\.\d{1,6})?$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
    if (value <= 1) return value;
    throw new Fault({
      kind: "badInput",
      code: "optionValueNotPart",
      what: `${option}: "${shortened(text)}" is not a fraction`,
      why: "it must be a number from 0 to 1, with up to six decimals",
      remedy: `write for instance ${option} 0.5`,
    });
  };
}

/** An amount of SU from zero; negative only where `isBelowZero`. */
export function suValue(option: string, isBelowZero = false): (text: string) => number {
  return (text) => {
    const value = /^-?\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NEGATIVE_INFINITY;
    if (value >= 0 || (isBelowZero && Number.isFinite(value))) return value;
    throw new Fault({
      kind: "badInput",
      code: "optionValueNotSu",
      what: `${option}: "${shortened(text)}" is not an amount of SU`,
      why: "it must be a decimal number; an SU is one processor for one hour",
      remedy: `write for instance ${option} 12.5`,
    });
  };
}

/** A TCP port; 0 stands for any free one. */
export function portValue(option: string): (text: string) => number {
  return (text) => {
    const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
    if (value <= 65_535) return value;
    throw new Fault({
      kind: "badInput",
      code: "optionValueNoPort",
      what: `${option}: "${shortened(text)}" is not a port`,
      why: "it must be a whole number from 0 to 65535",
      remedy: `write for instance ${option} 7846, or ${option} 0 for any free port`,
    });
  };
}

/** A consumer path: `cms/production/ann`. */
export function consumerValue(option: string): (text: string) => string {
  return (text) => {
    if (isConsumerPath(text)) return text;
    throw new Fault({
      kind: "badInput",
      code: "optionValueNoConsumer",
      what: `${option}: "${printable(shortened(text))}" is not a consumer path`,
      why: "it must be one to eight names separated by /",
      remedy: `write for instance ${option} cms/production/ann`,
    });
  };
}

/** Collects the values of an option that may be repeated. */
export function collected(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
