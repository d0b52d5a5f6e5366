/**
 * The words of a priority in the manner of Maui, and what holds where they are not said.
 */
import { MS_PER_HOUR } from "../../base/index.ts";
import type {
  MauiComponent,
  MauiCredential,
  MauiParts,
  MauiRules,
  MauiTarget,
  MauiUser,
} from "../../model/index.ts";
import { echoText } from "../echo-text.ts";
import { durationOf, type NamedValue, numberOrText, shown, wholeNumberOf } from "../yaml/index.ts";
import { namesOf, numberIn, type Read, wordsOf } from "./shapes.ts";

/**
 * Maui alone counts minutes in the queue, which is order of arrival; ours adds that a user ten percent of
 * the machine over his target stands back as if he had come 100 minutes later.
 */
const DEFAULTS: MauiRules = {
  kind: "maui",
  weights: { credential: 1, fairShare: 1, service: 1, resource: 1 },
  parts: {
    credential: { user: 0, group: 0, queue: 0 },
    fairShare: { user: 10, group: 0, queue: 0 },
    service: { queueTime: 1, xFactor: 0 },
    resource: { procs: 0, wallTime: 0, procSeconds: 0 },
  },
  caps: {},
  intervalMs: 24 * MS_PER_HOUR,
  depth: 7,
  decay: 0.8,
  users: {},
  groups: {},
  queues: {},
};

const weight = numberIn({ least: -1e9, most: 1e9, example: "queueTime: 1" });
const cap = numberIn({ least: 0, example: "fairShare: 1000" });
const kinds = { user: weight, group: weight, queue: weight };
const credentialWords = { target: targetOf, priority: weight };
const credentials = namesOf(
  wordsOf<MauiCredential>(credentialWords, "{ target: 25+ }"),
  'groups: { "3": { target: 25+ } }',
);

const readWords = wordsOf(
  {
    weights: wordsOf<Record<MauiComponent, number>>(
      { credential: weight, fairShare: weight, service: weight, resource: weight },
      "weights: { fairShare: 10 }",
    ),
    parts: wordsOf(
      {
        credential: wordsOf<MauiParts["credential"]>(kinds, "credential: { queue: 1 }"),
        fairShare: wordsOf<MauiParts["fairShare"]>(kinds, "fairShare: { user: 10 }"),
        service: wordsOf<MauiParts["service"]>(
          { queueTime: weight, xFactor: weight },
          "service: { queueTime: 1 }",
        ),
        resource: wordsOf<MauiParts["resource"]>(
          { procs: weight, wallTime: weight, procSeconds: weight },
          "resource: { procs: 1 }",
        ),
      },
      "parts: { service: { queueTime: 1 } }",
    ),
    caps: wordsOf<Record<MauiComponent, number>>(
      { credential: cap, fairShare: cap, service: cap, resource: cap },
      "caps: { fairShare: 1000 }",
    ),
    interval: (it: NamedValue) =>
      durationOf(it, {
        example: "interval: 24h",
        ifZero: { why: "it is a length of time above 0", remedy: "leave it out for what is usual" },
      }),
    depth: (it: NamedValue) => wholeNumberOf(it, { least: 1, most: 1000, example: "depth: 7" }),
    decay: numberIn({ least: 0, most: 1, example: "decay: 0.8" }),
    users: namesOf(
      wordsOf<MauiUser>(
        {
          ...credentialWords,
          maxProcs: (it) =>
            wholeNumberOf(it, { least: 1, most: Number.MAX_SAFE_INTEGER, example: "maxProcs: 64" }),
        },
        "{ target: 25+, maxProcs: 64 }",
      ),
      'users: { "7": { target: 25+ } }',
    ),
    groups: credentials,
    queues: credentials,
  },
  "parts: { fairShare: { user: 10 } }",
);

/** The rules that a file asks for, completed. */
export const readMaui: Read<MauiRules> = (named) => {
  const said = readWords(named);
  if (said === undefined) return undefined;
  const { weights, parts, interval, users, groups, queues, ...others } = said;
  const usual = DEFAULTS.parts;
  return {
    ...DEFAULTS,
    ...others,
    weights: { ...DEFAULTS.weights, ...weights },
    parts: {
      credential: { ...usual.credential, ...parts?.credential },
      fairShare: { ...usual.fairShare, ...parts?.fairShare },
      service: { ...usual.service, ...parts?.service },
      resource: { ...usual.resource, ...parts?.resource },
    },
    intervalMs: interval ?? DEFAULTS.intervalMs,
    users: completed(users),
    groups: completed(groups),
    queues: completed(queues),
  };
};

/** What is said of `default` holds for every other name as far as that says nothing itself. */
function completed<Credential extends MauiCredential>(
  said: Readonly<Record<string, Partial<Credential>>> = {},
): Readonly<Record<string, Partial<Credential> & { readonly priority: number }>> {
  const named = Object.entries(said);
  const usual = said.default;
  return Object.fromEntries(named.map(([name, own]) => [name, { priority: 0, ...usual, ...own }]));
}

/** `25` to be met, `25+` not to fall below, `25-` not to exceed; percent of what is delivered. */
function targetOf(named: NamedValue): MauiTarget | undefined {
  const written = numberOrText(named, "target: 25+");
  if (written === undefined) return undefined;
  const [, number, sign] = /^(\d{1,3}(?:\.\d{1,9})?)([+-]?)$/.exec(written.text) ?? [];
  const percent = Number(number);
  const kind = TARGET_KINDS[sign as keyof typeof TARGET_KINDS];
  if (percent <= 100) return { percent, kind };
  named.notes.problem(written.at, {
    code: "badTarget",
    what: `${shown(named.name)}: ${echoText(written.text)} is no target`,
    why: "it is a number of percent up to 100, with + where more is welcome, with - where less is",
    remedy: "write for instance target: 25, target: 25+ or target: 25-",
  });
  return undefined;
}

const TARGET_KINDS = { "": "target", "+": "floor", "-": "ceiling" } as const;
