/**
 * The words of a priority in the manner of Slurm, and what holds where they are not said.
 */
import { MS_PER_HOUR, MS_PER_MINUTE } from "../../base/index.ts";
import type { SlurmRules } from "../../model/index.ts";
import { wordOf } from "../stint-yaml/index.ts";
import { durationOf, type NamedValue, numberOrText, oneText } from "../yaml/index.ts";
import { namesOf, numberIn, type Read, wordsOf } from "./shapes.ts";

const WEEK_MS = 7 * 24 * MS_PER_HOUR;

/**
 * Periods as Slurm's own defaults. Its weights are all 0, which is order of arrival; ours let fair share
 * decide and age break what it leaves equal.
 */
const DEFAULTS: SlurmRules = {
  kind: "slurm",
  weights: { age: 1000, fairShare: 10_000, jobSize: 0, partition: 0, qos: 0 },
  maxAgeMs: WEEK_MS,
  halfLifeMs: WEEK_MS,
  calcPeriodMs: 5 * MS_PER_MINUTE,
  fairShare: "fairTree",
  favour: "large",
  accounts: {},
  users: {},
  queues: {},
  partitions: {},
};

const weight = numberIn({ least: 0, most: 2 ** 32 - 1, example: "age: 1000" });
const shares = numberIn({ least: 0, example: "shares: 10" });
const priority = numberIn({ least: 0, example: '"1": 100' });
const isZero = { why: "it is a length of time above 0", remedy: "leave it out for what is usual" };

const readWords = wordsOf(
  {
    weights: wordsOf<SlurmRules["weights"]>(
      { age: weight, fairShare: weight, jobSize: weight, partition: weight, qos: weight },
      "weights: { age: 1000, fairShare: 10000 }",
    ),
    maxAge: (it: NamedValue) => durationOf(it, { example: "maxAge: 7d", ifZero: isZero }),
    halfLife: halfLifeOf,
    calcPeriod: (it: NamedValue) => durationOf(it, { example: "calcPeriod: 5m", ifZero: isZero }),
    fairShare: (it: NamedValue) => wordOf(it, ["fairTree", "classic"] as const, "fairShare: classic"),
    favour: (it: NamedValue) => wordOf(it, ["small", "large"] as const, "favour: small"),
    accounts: namesOf(
      wordsOf<SlurmRules["accounts"][string]>(
        { shares, parent: (it) => oneText(it, "parent: science")?.text },
        "{ shares: 40 }",
      ),
      'accounts: { "3": { shares: 40 } }',
    ),
    users: namesOf(
      wordsOf<SlurmRules["users"][string]>(
        { shares, nice: numberIn({ least: -2_147_483_645, most: 2_147_483_645, example: "nice: 100" }) },
        "{ shares: 2 }",
      ),
      'users: { "7": { shares: 2 } }',
    ),
    queues: namesOf(priority, 'queues: { "1": 100 }'),
    partitions: namesOf(priority, 'partitions: { "1": 100 }'),
  },
  "weights: { age: 1000, fairShare: 10000 }",
);

/** The rules that a file asks for, completed. */
export const readSlurm: Read<SlurmRules> = (named) => {
  const said = readWords(named);
  if (said === undefined) return undefined;
  const { weights, maxAge, halfLife, calcPeriod, accounts = {}, users = {}, ...others } = said;
  return {
    ...DEFAULTS,
    ...others,
    weights: { ...DEFAULTS.weights, ...weights },
    maxAgeMs: maxAge ?? DEFAULTS.maxAgeMs,
    halfLifeMs: halfLife === undefined ? DEFAULTS.halfLifeMs : halfLife.ms,
    calcPeriodMs: calcPeriod ?? DEFAULTS.calcPeriodMs,
    accounts: mapped(accounts, (account) => ({ shares: 1, ...account })),
    users: mapped(users, (user) => ({ shares: 1, nice: 0, ...user })),
  };
};

function halfLifeOf(named: NamedValue): { readonly ms: number | null } | undefined {
  const example = "halfLife: 7d, or halfLife: none";
  const written = numberOrText(named, example);
  if (written === undefined) return undefined;
  if (written.text === "none") return { ms: null };
  const ms = durationOf(named, { example, ifZero: { ...isZero, remedy: "write none to forget nothing" } });
  return ms === undefined ? undefined : { ms };
}

function mapped<From, To>(
  by: Readonly<Record<string, From>>,
  to: (from: From) => To,
): Readonly<Record<string, To>> {
  return Object.fromEntries(Object.entries(by).map(([name, from]) => [name, to(from)]));
}
