/**
 * `sweep:` of a job: an array whose jobs differ in the values of parameters.
 *
 * Values are a list, a range, draws of a seeded generator, or a column of a CSV file; every combination is a
 * point, or with `zip` the first values, the second ones and so on. `where` leaves points out.
 */
import { isAbsolute, join } from "node:path";
import { createRandom, drawFraction } from "../../base/index.ts";
import { adOf, type Expression, evaluate, parseExpression } from "../../classad/index.ts";
import {
  type JobDescription,
  MOST_MEMBERS,
  pointsOf,
  type Sweep,
  type SweepParameter,
  valuesAt,
} from "../../model/index.ts";
import { echoText } from "../echo-text.ts";
import type { ReadJob } from "./attributes.ts";
import { fine, readSearch } from "./search.ts";

type Said = NonNullable<ReadJob["said"]["sweep"]>;
type SaidParameter = Said["parameters"][string];

/** The sweep, and the array of its points; problems are reported. */
export function readSweep(job: ReadJob): Pick<JobDescription, "sweep" | "array"> {
  const { said, notes, at } = job;
  const { sweep: given } = said;
  if (given === undefined) return {};
  const place = at(said, "sweep");
  if (said.array !== undefined) {
    notes.problem(at(said, "array"), ARRAY_TOO);
    return {};
  }
  const parameters = Object.entries(given.parameters).flatMap(([name, values]) => {
    const read = parameterOf(name, values, job);
    if (typeof read !== "string") return read;
    notes.problem(at(given.parameters, name), badParameter(name, read));
    return [];
  });
  if (parameters.length < Object.keys(given.parameters).length) return {};
  if (parameters.length === 0) {
    notes.problem(place, NO_PARAMETERS);
    return {};
  }
  if (given.search !== undefined) {
    const search = readSearch(job, given);
    if (search === undefined) return {};
    const each = parameters.map((one) => {
      const range = given.parameters[one.name];
      return isList(range) ? one : fine(one, range.step !== undefined, range.to ?? 0);
    });
    return {
      sweep: { parameters: each, combine: "product", search },
      array: `0-${search.evaluations - 1}%${search.parallel}`,
    };
  }
  const sweep = { parameters, combine: given.combine ?? "product" } as const;
  const count = pointsOf(sweep);
  if (count > MOST_MEMBERS) {
    notes.problem(place, tooMany(count));
    return {};
  }
  const { where } = given;
  const chosen = where === undefined ? undefined : chosenOf(sweep, count, where);
  if (typeof chosen === "string" || chosen?.length === 0) {
    notes.problem(at(given, "where"), badCondition(typeof chosen === "string" ? chosen : NONE_LEFT));
    return {};
  }
  const size = chosen?.length ?? count;
  const scouts = given.scouts === undefined ? {} : { scouts: given.scouts };
  const throttle = given.atMost === undefined ? "" : `%${given.atMost}`;
  return {
    sweep: {
      ...sweep,
      ...(chosen === undefined || size === count ? {} : { points: rangesText(chosen) }),
      ...scouts,
    },
    array: `0-${size - 1}${throttle}`,
  };
}

function parameterOf(name: string, given: SaidParameter, job: ReadJob): SweepParameter | string {
  if (isList(given)) return given.length === 0 ? "the list is empty" : { name, values: given };
  const { from, to, step, random, seed, csv, column } = given;
  if (csv !== undefined) return columnOf(name, { csv, column: column ?? name }, job);
  if (from === undefined || to === undefined) return "it is a list, or has from and to, or csv";
  if (random !== undefined) {
    const generator = createRandom(seed ?? 1);
    const draw = () => String(Number((from + drawFraction(generator) * (to - from)).toPrecision(12)));
    return { name, values: Array.from({ length: random }, draw) };
  }
  const by = step ?? 1;
  const count = by === 0 ? 0 : Math.floor((to - from) / by + 1e-9) + 1;
  return count >= 1 ? { name, from, step: by, count } : "to is not reached from from in steps of step";
}

function isList(given: SaidParameter): given is Extract<SaidParameter, readonly string[]> {
  return Array.isArray(given);
}

/** A column of a CSV file with a line of names. */
function columnOf(
  name: string,
  { csv, column }: { readonly csv: string; readonly column: string },
  { surroundings: { folder, readText } }: ReadJob,
): SweepParameter | string {
  const text = readText?.(isAbsolute(csv) ? csv : join(folder, csv));
  if (text === undefined) return "a CSV file is read only for a description in a file";
  if (!text.ok) return text.refusal.why;
  const [head = [], ...rows] = text.value
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .map(cellsOf);
  const at = head.indexOf(column);
  if (at === -1) return `${echoText(csv)} has the columns ${head.map((one) => echoText(one)).join(", ")}`;
  if (rows.length === 0) return `${echoText(csv)} has no rows`;
  return { name, values: rows.map((cells) => cells[at] ?? "") };
}

function cellsOf(line: string): readonly string[] {
  const cells = line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g);
  return [...cells].map(([, quoted, plain = ""]) => quoted?.replaceAll('""', '"') ?? plain.trim());
}

/** Numbers of the points at which a condition is true; a text says why it cannot be evaluated. */
function chosenOf(sweep: Sweep, count: number, where: string): readonly number[] | string {
  const read = parseExpression(where);
  if (!read.ok) return read.refusal.what;
  const chosen: number[] = [];
  for (let point = 0; point < count; point++) if (isTrueAt(read.value, sweep, point)) chosen.push(point);
  return chosen;
}

function isTrueAt(expression: Expression, sweep: Sweep, point: number): boolean {
  const values = Object.entries(valuesAt(sweep, point)).map(([name, text]) => [
    name,
    text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text,
  ]);
  const value = evaluate(expression, { self: adOf(Object.fromEntries(values)) });
  return value.kind === "boolean" && value.value;
}

/** Ascending numbers as ranges: `0-4,7`. */
function rangesText(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(",");
}

const ARRAY_TOO = {
  code: "wordsExclude",
  what: "array and sweep are given",
  why: "the points of a sweep are its array",
  remedy: "remove array; in place of %50 write atMost: 50 in sweep",
};

const NO_PARAMETERS = {
  code: "wordMissing",
  what: "sweep has no parameters",
  why: "its points are the values of parameters",
  remedy: "write for instance parameters: { t: [280, 300] }",
};

const NONE_LEFT = "it is true at no point";

function badParameter(name: string, why: string) {
  return {
    code: "badParameter",
    what: `the values of ${echoText(name)} cannot be read`,
    why,
    remedy:
      "write for instance [1, 2, 5], { from: 1, to: 10 }, { random: 10, from: 0, to: 1 } or { csv: FILE }",
  };
}

function tooMany(count: number) {
  const shown = Number.isSafeInteger(count) ? count.toLocaleString("en-US") : count.toExponential(1);
  return {
    code: "sweepTooLarge",
    what: `the sweep has ${shown} points`,
    why: `a sweep has at most ${MOST_MEMBERS.toLocaleString("en-US")}`,
    remedy: "take values out, combine: zip, or draw some points with random",
  };
}

function badCondition(why: string) {
  return {
    code: "badCondition",
    what: "the condition `where` is true at no point",
    why,
    remedy: "write a ClassAd expression of the parameters, for instance where: t < 300 || seed == 1",
  };
}
