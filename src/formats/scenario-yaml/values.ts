/**
 * Values that only scenarios have: fractions, seeds, names of runs, files that must be there.
 */
import { echoText } from "../echo-text.ts";
import {
  type NamedValue,
  oneText,
  readPath,
  type Surroundings,
  shown,
  wholeNumberOf,
  wrongType,
} from "../yaml/index.ts";

const MOST_LOAD = 100;
/** Seeds are 32 bits. */
const MOST_SEED = 2 ** 32 - 1;

/** A seed, 0 … 2^32 − 1; undefined, with a problem, where it is none. */
export function seedOf(named: NamedValue): number | undefined {
  return wholeNumberOf(named, { least: 0, most: MOST_SEED, example: "seed: 1" });
}

/** A share of the machine above 0 and at most 100; undefined, with a problem, where it is none. */
export function loadOf(named: NamedValue): number | undefined {
  const load = numberOf(named, "load: 0.8");
  if (load === undefined || (load > 0 && load <= MOST_LOAD)) return load;
  named.notes.problem(named.value.at, {
    code: "badLoad",
    what: `${shown(named.name)}: ${load} is no load`,
    why: `it is a share of the machine above 0 and at most ${MOST_LOAD}`,
    remedy: "write for instance load: 0.8",
  });
  return undefined;
}

/** Any finite number; undefined, with a problem, where it is none. */
export function numberOf({ name, value, notes }: NamedValue, example: string): number | undefined {
  if (value.kind === "scalar" && typeof value.value === "number" && Number.isFinite(value.value)) {
    return value.value;
  }
  notes.problem(value.at, wrongType(name, value, example));
  return undefined;
}

/** true or false; undefined, with a problem, where it is neither. */
export function truthOf({ name, value, notes }: NamedValue, example: string): boolean | undefined {
  if (value.kind === "scalar" && typeof value.value === "boolean") return value.value;
  notes.problem(value.at, wrongType(name, value, example));
  return undefined;
}

/** A name that can be part of a file's name; undefined, with a problem, where it is none. */
export function nameOf(named: NamedValue, example: string): string | undefined {
  const written = oneText(named, example);
  if (written === undefined || /^[A-Za-z0-9][A-Za-z0-9 ._=+-]{0,62}$/.test(written.text))
    return written?.text;
  named.notes.problem(written.at, {
    code: "badName",
    what: `${shown(named.name)}: ${echoText(written.text)} cannot be a name`,
    why: "a name is up to 63 letters, digits, blanks and . _ = + -, and begins with a letter or a digit",
    remedy: `write for instance ${example}`,
  });
  return undefined;
}

/** What is written where a run is to do without a word that its site has. */
export const NONE = "none";

/** The absolute path of a file that is there; undefined, with a problem, where it is not. */
export function readableFileOf(
  named: NamedValue,
  surroundings: Surroundings,
  example: string,
): string | undefined {
  return readPath({ ...named, example }, { kind: "path", unreadable }, surroundings);
}

const unreadable = {
  code: "fileUnreadable",
  noun: "the file",
  remedy: "relative paths begin at the folder of the scenario",
};
