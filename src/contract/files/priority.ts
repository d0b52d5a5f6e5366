/** Settings of priorities: the files of `stint sim --priority-config`, with their defaults. */
import { MS_PER_HOUR, MS_PER_MINUTE } from "../../base/index.ts";
import {
  as,
  count,
  filled,
  mapping,
  names,
  notation,
  number,
  orNone,
  quantity,
  text,
  usually,
  word,
} from "./shape.ts";

const WEEK_MS = 7 * 24 * MS_PER_HOUR;
const UNBOUNDED = Number.MAX_SAFE_INTEGER;

const weight = number({ defined: "weight", least: -1e9, most: 1e9, examples: ["1"] });
const weight32 = number({ defined: "weight32", least: 0, most: 2 ** 32 - 1, examples: ["1000"] });
const amount = number({ defined: "amount", least: 0, most: UNBOUNDED, examples: ["10"] });
const time = (ms: number, description: string, example: string) =>
  usually(
    ms,
    quantity("duration", {
      ...{ description, examples: [example] },
      ifZero: { why: "it must be a duration above 0", remedy: "omit it for the default" },
    }),
  );
const favour = (usual: "small" | "large", description: string) =>
  usually(usual, word(["small", "large"], { description }));
const byName = { examples: ['{ "1": 100 }'] } as const;

/**
 * Slurm's multifactor priority with the periods of its own defaults. Its default weights are all 0, which is
 * order of arrival; here fair share decides, and age breaks ties.
 */
const slurm = mapping(
  {
    weights: filled(
      mapping(
        {
          age: usually(1000, weight32),
          fairShare: usually(10_000, weight32),
          jobSize: usually(0, weight32),
          partition: usually(0, weight32),
          qos: usually(0, weight32),
        },
        { description: "Weight of each factor; factors are from 0 to 1." },
      ),
    ),
    maxAge: as("maxAgeMs", time(WEEK_MS, "Wait after which the age factor is 1, its maximum.", "7d")),
    halfLife: as(
      "halfLifeMs",
      usually(
        WEEK_MS,
        orNone(
          quantity("duration", {
            examples: ["7d"],
            ifZero: { why: "it must be a duration above 0", remedy: "write none if past use never decays" },
          }),
          { description: "Half-life of past use; none: past use never decays." },
        ),
      ),
    ),
    calcPeriod: as(
      "calcPeriodMs",
      time(5 * MS_PER_MINUTE, "Priorities are computed anew at multiples of this.", "5m"),
    ),
    fairShare: usually("fairTree", word(["fairTree", "classic"])),
    favour: favour("large", "Which jobs go first by their size."),
    accounts: usually(
      {},
      names(
        mapping(
          {
            shares: usually(1, amount),
            parent: text({ description: "The parent account.", examples: ["science"] }),
          },
          { examples: ["{ shares: 40 }"] },
        ),
        {
          description:
            "Accounts by name; in a trace, its groups. Accounts that are not listed have one share each, " +
            "below the root.",
          examples: ['{ "3": { shares: 40 } }'],
        },
      ),
    ),
    users: usually(
      {},
      names(
        mapping(
          {
            shares: usually(1, amount),
            nice: usually(
              0,
              number({
                ...{ least: -2_147_483_645, most: 2_147_483_645, examples: ["100"] },
                description: "Subtracted from the priority of the user's jobs.",
              }),
            ),
          },
          { examples: ["{ shares: 2 }"] },
        ),
        { examples: ['{ "7": { shares: 2 } }'] },
      ),
    ),
    queues: usually(
      {},
      names(amount, {
        ...byName,
        description: "The priority of the quality of service (QOS) to which a queue corresponds.",
      }),
    ),
    partitions: usually({}, names(amount, byName)),
  },
  { defined: "slurm", examples: ["{ weights: { age: 1000, fairShare: 10000 } }"] },
);

const target = notation("target", {
  defined: "target",
  description: "Target share of the delivered use, in percent; with + a lower limit, with - an upper limit.",
  examples: ["25", "25+", "25-"],
  pattern: "^(100(\\.0{1,9})?|\\d{1,2}(\\.\\d{1,9})?)[+-]?$",
  numbers: { least: 0, most: 100 },
  mismatch: {
    code: "badTarget",
    noun: "target",
    why: "it must be a percentage up to 100, followed by + if more is allowed, by - if less is allowed",
    remedy: "write for instance target: 25, target: 25+ or target: 25-",
  },
});
const credentialWords = {
  target,
  priority: { ...weight, description: "Priority of the user; by default 0." },
};
const credential = mapping(credentialWords, { defined: "credential", examples: ["{ target: 25+ }"] });
const credentials = usually({}, names(credential, { examples: ['{ "3": { target: 25+ } }'] }));
const kinds = (user: number) =>
  filled(
    mapping({
      user: usually(user, weight),
      group: usually(0, weight),
      queue: usually(0, weight),
    }),
  );

/**
 * Maui's priority, whose default counts only minutes in the queue: order of arrival. Added is fair share: ten
 * percent of the machine above the target weigh as much as 100 minutes.
 */
const maui = mapping(
  {
    weights: filled(
      mapping(
        {
          credential: usually(1, weight),
          fairShare: usually(1, weight),
          service: usually(1, weight),
          resource: usually(1, weight),
        },
        { description: "Weights of the components." },
      ),
    ),
    parts: filled(
      mapping(
        {
          credential: kinds(0),
          fairShare: kinds(10),
          service: filled(
            mapping({
              queueTime: usually(1, { ...weight, description: "Weight of each minute of waiting." }),
              xFactor: usually(0, weight),
            }),
          ),
          resource: filled(
            mapping({
              procs: usually(0, weight),
              wallTime: usually(0, {
                ...weight,
                description: "Weight of each second of the requested time.",
              }),
              procSeconds: usually(0, weight),
            }),
          ),
        },
        { description: "Weights within each component; those of fairShare are per percent." },
      ),
    ),
    caps: filled(
      mapping(
        { credential: amount, fairShare: amount, service: amount, resource: amount },
        { description: "Largest absolute value of a component, before its weight." },
      ),
    ),
    interval: as("intervalMs", time(24 * MS_PER_HOUR, "The length of a window.", "24h")),
    depth: usually(7, count({ least: 1, most: 1000, description: "Number of windows that are counted." })),
    decay: usually(0.8, number({ least: 0, most: 1, examples: ["0.8"] })),
    users: usually(
      {},
      names(
        mapping(
          {
            ...credentialWords,
            maxProcs: count({
              ...{ least: 1, most: UNBOUNDED, examples: ["64"] },
              description: "Maximum number of processors that the user's jobs may use at once.",
            }),
          },
          { examples: ["{ target: 25+, maxProcs: 64 }"] },
        ),
        {
          description:
            "Settings by user; those of `default` apply to users that are not named. If no user has a " +
            "target, all have equal targets.",
          examples: ['{ "7": { target: 25+ } }'],
        },
      ),
    ),
    groups: credentials,
    queues: credentials,
  },
  { defined: "maui", examples: ["{ parts: { fairShare: { user: 10 } } }"] },
);

const factor = number({ least: 1e-6, most: 1e12, examples: ["100"] });

/** Half-life and factor as HTCondor's own defaults. */
const condor = mapping(
  {
    halfLife: as("halfLifeMs", time(24 * MS_PER_HOUR, "Half-life of past use.", "1d")),
    factor: usually(1000, { ...factor, description: "Factor of users that are not listed." }),
    users: usually({}, names(mapping({ factor }), { examples: ['{ "7": { factor: 100 } }'] })),
  },
  { defined: "condor", examples: ["{ halfLife: 1d }"] },
);

const plain = (name: string, usual: "small" | "large") =>
  mapping(
    {
      favour: favour(
        usual,
        "Which jobs go first: those with the largest or with the smallest value. By default small; " +
          "for age, large.",
      ),
    },
    { defined: name, examples: ["{ favour: small }"] },
  );

/** Shapes of the settings of each priority. Longer waits and smaller jobs come first. */
export const priorityShapes = {
  slurm,
  maui,
  condor,
  age: plain("age", "large"),
  size: plain("size", "small"),
  length: plain("length", "small"),
} as const;
