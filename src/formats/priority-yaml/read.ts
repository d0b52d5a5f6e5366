/**
 * Reads the rules of a priority (`stint sim --priority-config`). Everything that is wrong is told at once,
 * with its place; docs/schemas/priority.schema.json says the same for editors, and a test holds the two
 * together.
 */
import { MS_PER_HOUR } from "../../base/index.ts";
import type { CondorRules, PlainPriorityRules, PriorityName, PriorityRules } from "../../model/index.ts";
import { wordOf } from "../stint-yaml/index.ts";
import { durationOf, type NamedValue, type Remark, type Words, yamlDocuments } from "../yaml/index.ts";
import { readMaui } from "./read-maui.ts";
import { readSlurm } from "./read-slurm.ts";
import { namesOf, numberIn, type Read, wordsOf } from "./shapes.ts";

/** The rules, completed with what is usual; they count when there are no problems. */
export interface PriorityReading {
  readonly rules: PriorityRules;
  readonly problems: readonly Remark[];
}

/** Reads the rules of this priority; an empty text asks for what is usual. */
export function readPriorityYaml(text: string, name: PriorityName): PriorityReading {
  const { notes, documents } = yamlDocuments(text);
  const read = readers[name];
  let rules: PriorityRules | undefined;
  let count = 0;
  for (const { value } of documents()) {
    count++;
    if (count === 1) rules = read({ name: "", value, notes });
    else if (count === 2) notes.problem(value.at, secondDocument);
  }
  const { problems, warnings } = notes.collected();
  return { rules: rules ?? usualRules(name), problems: [...problems, ...warnings] };
}

function usualRules(name: PriorityName): PriorityRules {
  const nothing = { kind: "mapping", at: 0, entries: [] } as const;
  const { notes } = yamlDocuments("");
  const rules = readers[name]({ name: "", value: nothing, notes });
  if (rules === undefined) throw new Error("what must hold: a file that says nothing can be read");
  return rules;
}

/** Half-life and factor as HTCondor's own defaults. */
const CONDOR_DEFAULTS = { kind: "condor", halfLifeMs: 24 * MS_PER_HOUR, factor: 1000 } as const;

const factor = numberIn({ least: 1e-6, most: 1e12, example: "factor: 100" });

const condorWords = wordsOf(
  {
    halfLife: (it: NamedValue) =>
      durationOf(it, {
        example: "halfLife: 1d",
        ifZero: { why: "it is a length of time above 0", remedy: "leave it out for one day" },
      }),
    factor,
    users: namesOf(wordsOf({ factor }, "{ factor: 100 }"), 'users: { "7": { factor: 100 } }'),
  },
  "halfLife: 1d",
);

const readCondor: Read<CondorRules> = (named) => {
  const said = condorWords(named);
  if (said === undefined) return undefined;
  const { halfLife, users = {}, factor: usual = CONDOR_DEFAULTS.factor } = said;
  return {
    ...CONDOR_DEFAULTS,
    factor: usual,
    halfLifeMs: halfLife ?? CONDOR_DEFAULTS.halfLifeMs,
    users: Object.fromEntries(
      Object.entries(users).map(([name, own]) => [name, { factor: own.factor ?? usual }]),
    ),
  };
};

const plainWords = wordsOf(
  { favour: (it: NamedValue) => wordOf(it, ["small", "large"] as const, "favour: small") },
  "favour: small",
);

function readPlain(kind: PlainPriorityRules["kind"]): Read<PlainPriorityRules> {
  return (named) => {
    const said = plainWords(named);
    // Who has waited longest goes first, and so does what is small.
    const usual = kind === "age" ? "large" : "small";
    return said === undefined ? undefined : { kind, favour: said.favour ?? usual };
  };
}

const readers: Readonly<Record<PriorityName, Read<PriorityRules>>> = {
  slurm: readSlurm,
  maui: readMaui,
  condor: readCondor,
  age: readPlain("age"),
  size: readPlain("size"),
  length: readPlain("length"),
};

const secondDocument: Words = {
  code: "secondDocument",
  what: "a second document begins here",
  why: "the rules of a priority are one document, and only one of two could be meant",
  remedy: "put all of it together, without a line of three dashes",
};
