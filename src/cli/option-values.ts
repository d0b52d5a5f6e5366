/**
 * Values of options: read at the edge, with an error that says what would be right.
 */
import { Fault, nearestWord } from "../base/index.ts";

/** One of a few words; a near miss is answered with "did you mean" (rule CL-4). */
export function oneOf<Word extends string>(option: string, words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const known = words.find((word) => word === text);
    if (known !== undefined) return known;
    const nearest = nearestWord(text, words);
    throw new Fault({
      kind: "badInput",
      code: "optionValueUnknown",
      what: `${option}: "${shortened(text)}" is not known`,
      why: `it is one of ${words.join(", ")}`,
      remedy: nearest === undefined ? "choose one of these" : `did you mean ${option} ${nearest}?`,
    });
  };
}

/** A number of processors or the like: a whole number above zero. */
export function positiveInteger(option: string): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : 0;
    if (value > 0) return value;
    throw new Fault({
      kind: "badInput",
      code: "optionValueNotPositiveInteger",
      what: `${option}: "${shortened(text)}" is not a number of them`,
      why: "it is a whole number above zero, in decimal digits",
      remedy: `write for instance ${option} 128`,
    });
  };
}

/** A whole number, zero among them. */
export function wholeNumber(option: string): (text: string) => number {
  return (text) => {
    if (/^\d{1,15}$/.test(text)) return Number(text);
    throw new Fault({
      kind: "badInput",
      code: "optionValueNotWholeNumber",
      what: `${option}: "${shortened(text)}" is not a whole number`,
      why: "it is zero or more, in decimal digits",
      remedy: `write for instance ${option} 7`,
    });
  };
}

/** A number of seconds on a clock that counts them, fractions allowed, in ms. */
export function secondsValue(option: string): (text: string) => number {
  return (text) => {
    if (/^\d{1,12}(\.\d{1,9})?$/.test(text)) return Math.round(Number(text) * 1000);
    throw new Fault({
      kind: "badInput",
      code: "optionValueNotSeconds",
      what: `${option}: "${shortened(text)}" is not a number of seconds`,
      why: "it counts on the clock of the file, from 0",
      remedy: `write for instance ${option} 3600`,
    });
  };
}

/** A part of all, from 0 to 1, with up to six decimals. */
export function millionthsOption(option: string): (text: string) => number {
  return (text) => {
    const value = /^[01](\.\d{1,6})?$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
    if (value <= 1) return value;
    throw new Fault({
      kind: "badInput",
      code: "optionValueNotPart",
      what: `${option}: "${shortened(text)}" is not a part of all`,
      why: "it is a number from 0 to 1, with up to six decimals",
      remedy: `write for instance ${option} 0.5`,
    });
  };
}

/** An amount of money in SU, none among them; below it only where `isBelowZero`. */
export function suValue(option: string, isBelowZero = false): (text: string) => number {
  return (text) => {
    const value = /^-?\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NEGATIVE_INFINITY;
    if (value >= 0 || (isBelowZero && Number.isFinite(value))) return value;
    throw new Fault({
      kind: "badInput",
      code: "optionValueNotSu",
      what: `${option}: "${shortened(text)}" is not an amount of SU`,
      why: "it is a decimal number; an SU is one processor for one hour",
      remedy: `write for instance ${option} 12.5`,
    });
  };
}

/** A port of TCP; 0 stands for any that is free. */
export function portValue(option: string): (text: string) => number {
  return (text) => {
    const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
    if (value <= 65_535) return value;
    throw new Fault({
      kind: "badInput",
      code: "optionValueNoPort",
      what: `${option}: "${shortened(text)}" is not a port`,
      why: "it is a whole number from 0 to 65535",
      remedy: `write for instance ${option} 7846, or ${option} 0 for any that is free`,
    });
  };
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
