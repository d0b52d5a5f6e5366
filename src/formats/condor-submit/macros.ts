/**
 * Macros of submit files: `$(X)`, `$(X:default)`, `$ENV(X)`, `$INT(X)`, `$REAL(X)`, `$CHOICE(…)`, `$F…(X)`.
 *
 * Expansion is bounded in depth and in length, so that macros that name each other end. Source: the manual of
 * HTCondor 23, Submit File Macros.
 */
import { basename, dirname, extname } from "node:path";

/** Values of macros by name in small letters. */
export type Macros = ReadonlyMap<string, string>;

/** A text with its macros replaced, or why they cannot be. */
export type Expanded = { readonly text: string } | { readonly fault: string };

const MOST_DEPTH = 32;
const MOST_CHARACTERS = 65_536;
const MOST_STEPS = 10_000;

/** Values of macros. */
export interface MacroWorld {
  readonly macros: Macros;
  /** Value of a variable of the submitter's environment. */
  readonly environment: (name: string) => string | undefined;
}

/** Replaces macros, those in values as well. */
export function expand(text: string, world: MacroWorld): Expanded {
  if (text.length > MOST_CHARACTERS) return { fault: `it is longer than ${MOST_CHARACTERS} characters` };
  const state = { steps: 0, fault: "" };
  const expanded = replaced(text, world, { state, open: [] });
  if (state.fault !== "") return { fault: state.fault };
  return { text: expanded };
}

interface Course {
  readonly state: { steps: number; fault: string };
  /** Names of the macros whose values are being expanded. */
  readonly open: readonly string[];
}

// `$$(X)` is replaced at the place of execution, and stays. A default may have one pair of parentheses.
const MACRO = /\$\$\([^()]*\)|\$([A-Za-z]*)\(((?:[^()]|\([^()]*\))*)\)/g;

function replaced(text: string, world: MacroWorld, course: Course): string {
  const { state, open } = course;
  if (state.fault !== "" || !text.includes("$")) return text;
  if (open.length > MOST_DEPTH) return failed(state, `it never ends: ${open.slice(0, 3).join(", ")}, …`);
  const result = text.replace(MACRO, (whole, kind: string | undefined, content: string | undefined) => {
    if (kind === undefined || content === undefined) return whole;
    state.steps++;
    if (state.steps > MOST_STEPS) return failed(state, `it has more than ${MOST_STEPS} macros`);
    return macroValue(kind, content, world, course) ?? whole;
  });
  if (result.length > MOST_CHARACTERS) {
    return failed(state, `it becomes longer than ${MOST_CHARACTERS} characters`);
  }
  return result;
}

function failed(state: Course["state"], why: string): string {
  if (state.fault === "") state.fault = why;
  return "";
}

/** Value of one macro; undefined where there is no function of this name. */
function macroValue(kind: string, content: string, world: MacroWorld, course: Course): string | undefined {
  if (kind === "") return named(content, world, course);
  if (kind === "ENV") {
    const [name = "", ...rest] = content.split(":");
    return world.environment(name.trim()) ?? (rest.length === 0 ? "UNDEFINED" : rest.join(":"));
  }
  const plain = replaced(content, world, course);
  const [first = "", ...others] = plain.split(",").map((part) => part.trim());
  const value = world.macros.has(first.toLowerCase()) ? named(first, world, course) : first;
  if (kind === "INT") return String(Math.trunc(arithmetic(value, course)));
  if (kind === "REAL") return String(arithmetic(value, course));
  if (kind === "STRING") return value;
  if (kind === "CHOICE") return others[Math.trunc(arithmetic(value, course))] ?? "";
  if (kind === "SUBSTR") {
    const [start = 0, length] = others.map(Number);
    return value.slice(start, length === undefined ? undefined : start + length);
  }
  return /^F[a-z]*$/.test(kind) ? fileParts(kind.slice(1), value) : undefined;
}

/** `X`, `X:default`: the value of a macro, expanded; empty where it has none. */
function named(content: string, world: MacroWorld, course: Course): string {
  const colon = content.indexOf(":");
  const name = (colon === -1 ? content : content.slice(0, colon)).trim().toLowerCase();
  if (name === "dollar") return "$";
  const value = world.macros.get(name) ?? (colon === -1 ? "" : content.slice(colon + 1));
  if (course.open.includes(name)) {
    return failed(course.state, `it never ends: ${[...course.open, name].slice(-4).join(" names ")}`);
  }
  return replaced(value, world, { ...course, open: [...course.open, name] });
}

/** Parts of a path: `p` directory, `n` name, `x` extension, `d` last directory, `q` in quotes. */
function fileParts(letters: string, path: string): string {
  const extension = extname(path);
  const name = basename(path, extension);
  const folder = path.includes("/") ? `${dirname(path)}/` : "";
  const parts: string[] = [];
  if (letters.includes("p")) parts.push(folder);
  else if (letters.includes("d")) parts.push(folder === "" ? "" : `${basename(dirname(path))}/`);
  if (letters.includes("n")) parts.push(name);
  if (letters.includes("x")) parts.push(extension);
  const text = parts.length === 0 ? path : parts.join("");
  return letters.includes("q") ? `"${text}"` : text;
}

/** Value of sums and products of numbers, `7 * 1024 + 1`. */
function arithmetic(text: string, { state }: Course): number {
  const tokens = text.match(/\d+(?:\.\d+)?|[-+*/%()]/g) ?? [];
  if (text.length > 1000 || tokens.join("") !== text.replace(/\s/g, "")) {
    failed(state, `${text.slice(0, 40)} is not a number`);
    return 0;
  }
  let index = 0;
  const factor = (): number => {
    const token = tokens[index++];
    if (token === "-") return -factor();
    if (token !== "(") return Number(token);
    const inner = sum();
    index++;
    return inner;
  };
  const product = (): number => {
    let value = factor();
    while ("*/%".includes(tokens[index] ?? " ")) {
      const operator = tokens[index++];
      const right = factor();
      if (operator === "*") value *= right;
      else value = operator === "/" ? value / right : value % right;
    }
    return value;
  };
  const sum = (): number => {
    let value = product();
    while ("+-".includes(tokens[index] ?? " ")) value += tokens[index++] === "+" ? product() : -product();
    return value;
  };
  const value = sum();
  if (Number.isFinite(value) && index >= tokens.length) return value;
  failed(state, `${text.slice(0, 40)} is not a number`);
  return 0;
}
