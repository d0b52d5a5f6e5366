/**
 * Parametric jobs: one description, and a job for each parameter.
 *
 * Source: the JDL specification of EGEE/gLite: a number in `Parameters` is the bound at which the parameters
 * end; it is itself none of them, so that there are (Parameters − ParameterStart) ÷ ParameterStep jobs.
 */
import type { ClassAdValue } from "../../classad/index.ts";
import { valueText } from "../../classad/index.ts";
import { attributeIn, type JdlAd } from "./jdl-ad.ts";
import type { JdlText } from "./jdl-text.ts";
import type { Substitute } from "./typed-value.ts";

/** Limit on jobs of one description. */
const MOST_JOBS = 10_000;

/** Substitutions of the parameters, one for each job; none, with a problem, where they cannot be read. */
export function substitutions(ad: JdlAd, source: JdlText): readonly Substitute[] {
  const parameters = attributeIn(ad, "Parameters");
  if (parameters === undefined) {
    source.notes.problem(ad.at, noParameters);
    return [];
  }
  const value = parameters.value();
  const texts = value.kind === "list" ? value.items.map(plainText) : numbers(ad, value);
  if (texts === undefined || texts.length === 0) {
    source.notes.problem(parameters.at, badParameters);
    return [];
  }
  if (texts.length > MOST_JOBS) {
    source.notes.problem(parameters.at, tooMany(texts.length));
    return [];
  }
  return texts.map((text) => (written: string) => written.replaceAll("_PARAM_", () => text));
}

function plainText(value: ClassAdValue): string {
  return value.kind === "string" ? value.value : valueText(value);
}

/** Parameters up to a bound; undefined where start, step and bound do not fit together. */
function numbers(ad: JdlAd, bound: ClassAdValue): readonly string[] | undefined {
  const start = wholeNumber(ad, "ParameterStart", 0);
  const step = wholeNumber(ad, "ParameterStep", 1);
  if (bound.kind !== "integer" || start === undefined || step === undefined || step === 0) return undefined;
  const count = Math.ceil((bound.value - start) / step);
  if (!(count >= 1)) return undefined;
  // One more than are allowed is enough to say that there are too many.
  return Array.from({ length: Math.min(count, MOST_JOBS + 1) }, (_, at) => String(start + at * step));
}

function wholeNumber(ad: JdlAd, name: string, usual: number): number | undefined {
  const value = attributeIn(ad, name)?.value();
  if (value === undefined) return usual;
  return value.kind === "integer" ? value.value : undefined;
}

const noParameters = {
  code: "wordMissing",
  what: "Parameters is missing",
  why: "a parametric job runs once for each parameter",
  remedy: 'write for instance Parameters = 10, or Parameters = { "a", "b" }',
};

const badParameters = {
  code: "badParameters",
  what: "there are no parameters",
  why: "it must be a list, or the whole number that ParameterStart reaches in steps of ParameterStep",
  remedy: "write for instance Parameters = 10; ParameterStart = 0; ParameterStep = 1",
};

function tooMany(count: number) {
  return {
    code: "tooManyJobs",
    what: `there are ${count > MOST_JOBS ? `more than ${MOST_JOBS}` : count} jobs`,
    why: `one description may have at most ${MOST_JOBS}`,
    remedy: "write several descriptions, each with a part of the parameters",
  };
}
