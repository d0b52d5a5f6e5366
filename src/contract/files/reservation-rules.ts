/** `reservations` and `enforcement` of a site in `stint.yaml`, with their defaults. */
import { PROC_MS_PER_SU } from "../../base/index.ts";
import {
  ENFORCEMENT_DEFAULTS,
  ENFORCEMENT_STEPS,
  RESERVATION_DEFAULTS,
  SLOT_KINDS,
  WEEKDAYS,
} from "../../model/index.ts";
import {
  as,
  count,
  flag,
  list,
  mapping,
  names,
  notation,
  number,
  quantity,
  text,
  usually,
  word,
} from "./shape.ts";
import { CONSUMER_PATTERN, clock, consumerPath, noConsumer } from "./texts.ts";

const DAY_MS = 86_400_000;
const RULES = RESERVATION_DEFAULTS;

/** A share from 0 to 1, to six decimals. */
export const shareOfOne = (description: string, example: string) =>
  number({ description, least: 0, most: 1, perOne: 1_000_000, noun: "a share", examples: [example] });

type IfZero = { readonly why: string; readonly remedy: string };
const nothing: IfZero = { why: "a duration of 0 permits no reservation", remedy: "omit it for the default" };

const unitPrice = as(
  "unitPriceThousandths",
  usually(
    1000,
    number({
      description: "Price of a processor-hour of a reservation, in SU, with up to three decimals.",
      ...{ least: 1, most: 1000, perOne: 1000, noun: "what an SU costs, in SU", examples: ["1.5"] },
    }),
  ),
);
const transaction = as(
  "transactionProcMs",
  usually(
    0,
    number({
      description: "Additional price of each reservation, in SU.",
      ...{ least: 0, most: 1_000_000, perOne: PROC_MS_PER_SU, noun: "an amount of SU", examples: ["0.5"] },
    }),
  ),
);

const consumers = {
  ...consumerPath,
  mismatch: {
    ...noConsumer,
    remedy: "write for instance consumers: [cms, atlas/higgs], or leave it out for everybody",
  },
};

/** At least one: a rule for none would never apply. */
const some = {
  orOne: true,
  least: 1,
  wrongLength: {
    code: "ruleFitsNothing",
    what: "this list is empty",
    why: "a price rule with an empty list would never apply",
    remedy: "omit it for all of them, or name some",
  },
} as const;
/** Time of day. */
export const clockTime = (description: string, pattern: string, example: string) =>
  notation("timeOfDay", {
    ...{ description, pattern, examples: [`"${example}"`] },
    mismatch: {
      code: "badTimeOfDay",
      noun: "time of the day",
      why: "it has hours and minutes, in quotes, from 00:00 to 24:00",
    },
  });

const priceRule = mapping(
  {
    name: text({
      description: "Name of the rule, which quotes show.",
      ...{ pattern: "^[A-Za-z0-9_][A-Za-z0-9_. -]{0,63}$", examples: ["night"] },
      mismatch: {
        code: "badName",
        noun: "name of a price rule",
        why: "a name is up to 64 letters, digits, blanks and . _ -, and begins with a letter, a digit or _",
        remedy: "choose a name like night or weekend",
      },
    }),
    clock: as("clockMs", usually(0, clock)),
    from: as(
      "fromMs",
      usually(0, clockTime("Begin of the period, a time of day.", "^([01]\\d|2[0-3]):[0-5]\\d$", "22:00")),
    ),
    until: as(
      "untilMs",
      usually(
        DAY_MS,
        clockTime(
          "End of the period; if earlier than its begin, on the next day.",
          "^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$",
          "06:00",
        ),
      ),
    ),
    days: usually(
      null,
      list(word(WEEKDAYS), {
        ...{ description: "Days on which the period begins; by default all.", isSet: true, ...some },
        examples: ["[sat, sun]"],
      }),
    ),
    consumers: usually(
      null,
      list(consumers, {
        ...{ description: "Consumers, with all below them; by default all.", ...some },
        examples: ["[cms, atlas/higgs]"],
      }),
    ),
    slots: usually(
      null,
      list(word(SLOT_KINDS), {
        description:
          "Kinds to which the rule applies: reservations at one site, parts of reservations at several " +
          "sites, stores, links, or jobs from the queue; by default all.",
        ...{ isSet: true, ...some, examples: ["[reservation]"] },
      }),
    ),
    unitPrice,
    transaction,
  },
  {
    defined: "priceRule",
    isBrief: true,
    examples: ['{ name: night, from: "22:00", until: "06:00", unitPrice: 1 }'],
    required: { name: "quotes say by it what they were priced by" },
  },
);

const share = <const Name extends string>(name: Name, usual: number, description: string) =>
  as(name, usually(usual, shareOfOne(description, "0.5")));
const time = <const Name extends string, const Usual extends number | null>(
  name: Name,
  usual: Usual,
  options: { readonly description: string; readonly example: string; readonly ifZero?: IfZero },
) => {
  const { description, example, ifZero } = options;
  const told = { description, examples: [example] };
  return as(name, usually(usual, quantity("duration", ifZero === undefined ? told : { ...told, ifZero })));
};

/** Limits and prices of a site's reservations. */
export const reservationsShape = mapping(
  {
    consumers: usually(
      RULES.consumers,
      list(consumers, {
        description: "Consumer paths that may reserve; by default everybody. An empty list: nobody.",
        ...{ orOne: true, examples: ["[cms, atlas/higgs]"] },
      }),
    ),
    ahead: time("aheadMs", RULES.aheadMs, {
      ...{ description: "Latest end of a reservation, from now.", example: "14d" },
    }),
    longest: time("longestMs", RULES.longestMs, {
      ...{
        description: "Longest duration of a reservation; by default as long as ahead allows.",
        example: "2d",
        ifZero: nothing,
      },
    }),
    notice: time("noticeMs", RULES.noticeMs, {
      ...{ description: "Earliest start of a reservation, from now.", example: "10m" },
    }),
    share: share(
      "sharePpm",
      RULES.sharePpm,
      "Fraction of the processors that may be reserved at the same time, by all consumers together.",
    ),
    consumerShare: share("consumerSharePpm", RULES.consumerSharePpm, "The same for one consumer."),
    far: time("farMs", RULES.farMs, {
      ...{ description: "Only farShare may be reserved for times further ahead than this.", example: "2d" },
    }),
    farShare: share(
      "farSharePpm",
      RULES.farSharePpm,
      "Fraction of the processors that may be reserved further ahead than far.",
    ),
    offer: time("offerMs", RULES.offerMs, {
      ...{ description: "Time until an offer expires.", example: "60s", ifZero: nothing },
    }),
    offerShare: share(
      "offerSharePpm",
      RULES.offerSharePpm,
      "Fraction of the processors that the open offers of one consumer may hold.",
    ),
    unitPrice,
    transaction,
    prices: list(priceRule, {
      description:
        "Prices by time of day, consumer and kind of slot; the first rule that matches applies. Names are " +
        "unique, and no rule may follow one that always matches; at most 100 rules.",
      most: 100,
      examples: ['[{ name: night, from: "22:00", until: "06:00" }, { name: day, unitPrice: 1.5 }]'],
      wrongLength: {
        code: "tooManyRules",
        what: "these are too many price rules",
        why: "a site may have at most 100, so that users can understand its prices",
        remedy: "write the usual price as unitPrice and transaction, and only exceptions as rules",
      },
    }),
    penalty: share(
      "penaltyPpm",
      RULES.penaltyPpm,
      "Fraction of the fixed price that a cancellation before the start costs.",
    ),
    basePenalty: share(
      "basePenaltyPpm",
      RULES.basePenaltyPpm,
      "Fraction of the base price that it costs in addition.",
    ),
    freeWasted: usually(
      RULES.freeWasted,
      count({
        description:
          "Maximum number of reservations without a fixed price that a consumer may cancel or leave unused " +
          "in a week.",
        ...{ least: 0, most: 1_000_000, examples: ["5"] },
      }),
    ),
    delayBudgets: names(count({ least: 0, most: 1_000_000_000 }), {
      description:
        "SU per hour that the waiting jobs of these consumers may declare as delay cost above their " +
        "numbers of processors.",
      keys: { pattern: CONSUMER_PATTERN, mismatch: noConsumer },
      examples: ["{ cms: 64, cms/higgs: 16 }"],
    }),
    virtual: flag({
      description:
        "Whether virtual reservations are allowed, whose jobs may hold processors idle until their " +
        "start.",
      ...{ default: "true", examples: ["false"] },
    }),
  },
  {
    description: "Limits and prices of reservations at the site.",
    ...{ defined: "reservations", examples: ["{ ahead: 7d, share: 0.25 }"] },
  },
);

const STEPS = ENFORCEMENT_DEFAULTS;

/** Enforcement of usage policies at a site. */
export const enforcementShape = mapping(
  {
    grant: as(
      "granted",
      usually(
        STEPS.granted,
        list(word(ENFORCEMENT_STEPS), {
          description: "Actions on jobs that the enforcer may take; each is granted separately.",
          ...{ orOne: true, isSet: true, examples: ["[hold, suspend]"] },
        }),
      ),
    ),
    form: usually(
      STEPS.form,
      word(["ours", "literal"], {
        description:
          "ours: Stint's algorithm. literal: the published algorithm, line by line, for comparison.",
      }),
    ),
    minRun: time("minRunMs", STEPS.minRunMs, {
      ...{ description: "Shortest run of a job before it may be suspended or requeued.", example: "1m" },
    }),
    maxSuspensions: usually(
      STEPS.maxSuspensions,
      count({
        description: "Maximum number of suspensions and requeues of a job.",
        least: 0,
        most: 1_000_000,
        examples: ["3"],
      }),
    ),
    actionsPerHour: usually(
      STEPS.actionsPerHour,
      count({
        description: "Maximum number of holds, suspensions and requeues in any hour.",
        ...{ least: 0, most: 1_000_000_000, examples: ["600"] },
      }),
    ),
    suspendedShare: share(
      "suspendedPpm",
      STEPS.suspendedPpm,
      "Fraction of the processors whose jobs may be suspended at the same time.",
    ),
    lease: time("leaseMs", STEPS.leaseMs, {
      description: "Holds at a cluster expire when the broker has not renewed them for this time.",
      example: "5m",
      ifZero: {
        why: "a hold would expire as soon as it is made",
        remedy: "omit it for the default of five minutes, or write for instance lease: 5m",
      },
    }),
  },
  {
    description:
      "Enforcement of usage policies. Without it, or with watch only, no action is taken on jobs, and " +
      "actions are only reported.",
    ...{ defined: "enforcement", examples: ["{ grant: [hold, suspend] }"] },
  },
);
