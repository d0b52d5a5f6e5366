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
const nothing: IfZero = { why: "nothing fits into a length of 0", remedy: "leave it out for what is usual" };

const unitPrice = as(
  "unitPriceThousandths",
  usually(
    1000,
    number({
      description: "What an SU of a reservation costs, in SU; to three decimals.",
      ...{ least: 1, most: 1000, perOne: 1000, noun: "what an SU costs, in SU", examples: ["1.5"] },
    }),
  ),
);
const transaction = as(
  "transactionProcMs",
  usually(
    0,
    number({
      description: "What every reservation costs besides, in SU.",
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
    why: "a price rule for none of them would never count",
    remedy: "leave it out for all of them, or name some",
  },
} as const;
const clockTime = (description: string, pattern: string, example: string) =>
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
      description: "Quotes say by it what they were priced by.",
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
      usually(0, clockTime("From this time of the day on.", "^([01]\\d|2[0-3]):[0-5]\\d$", "22:00")),
    ),
    until: as(
      "untilMs",
      usually(
        DAY_MS,
        clockTime(
          "Until this time; where that is earlier, of the next day.",
          "^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$",
          "06:00",
        ),
      ),
    ),
    days: usually(
      null,
      list(word(WEEKDAYS), {
        ...{ description: "The days on which its time begins; else all.", isSet: true, ...some },
        examples: ["[sat, sun]"],
      }),
    ),
    consumers: usually(
      null,
      list(consumers, {
        ...{ description: "For these consumers and all below them; else for all.", ...some },
        examples: ["[cms, atlas/higgs]"],
      }),
    ),
    slots: usually(
      null,
      list(word(SLOT_KINDS), {
        description:
          "For reservations at one site, parts of what is had at several at once, or jobs that queue; else " +
          "for all.",
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
        description: "The consumer paths whose people may reserve; else everybody. An empty list: nobody.",
        ...{ orOne: true, examples: ["[cms, atlas/higgs]"] },
      }),
    ),
    ahead: time("aheadMs", RULES.aheadMs, {
      ...{ description: "A reservation ends no later than this from now.", example: "14d" },
    }),
    longest: time("longestMs", RULES.longestMs, {
      ...{
        description: "And lasts no longer; else as long as ahead allows.",
        example: "2d",
        ifZero: nothing,
      },
    }),
    notice: time("noticeMs", RULES.noticeMs, {
      ...{ description: "And begins no sooner than this from now.", example: "10m" },
    }),
    share: share(
      "sharePpm",
      RULES.sharePpm,
      "The part of the processors that may be reserved at once, by all together.",
    ),
    consumerShare: share("consumerSharePpm", RULES.consumerSharePpm, "And by one consumer."),
    far: time("farMs", RULES.farMs, {
      ...{ description: "Beyond this from now no more than farShare.", example: "2d" },
    }),
    farShare: share("farSharePpm", RULES.farSharePpm, "The part that may be reserved beyond far."),
    offer: time("offerMs", RULES.offerMs, {
      ...{ description: "How long an offer is held.", example: "60s", ifZero: nothing },
    }),
    offerShare: share(
      "offerSharePpm",
      RULES.offerSharePpm,
      "The part that one consumer's open offers may hold.",
    ),
    unitPrice,
    transaction,
    prices: list(priceRule, {
      description:
        "Other prices by the clock, the consumer and the kind of slot; the first rule that fits counts. " +
        "Names are unique, and none comes after one that always fits; up to 100.",
      most: 100,
      examples: ['[{ name: night, from: "22:00", until: "06:00" }, { name: day, unitPrice: 1.5 }]'],
      wrongLength: {
        code: "tooManyRules",
        what: "these are too many price rules",
        why: "a site has at most 100, so that users can read what they pay",
        remedy: "give the usual price as unitPrice and transaction, and only exceptions as rules",
      },
    }),
    penalty: share(
      "penaltyPpm",
      RULES.penaltyPpm,
      "Cancelling before the start costs this part of the fixed price.",
    ),
    basePenalty: share("basePenaltyPpm", RULES.basePenaltyPpm, "And this part of the base price."),
    freeWasted: usually(
      RULES.freeWasted,
      count({
        description:
          "So many reservations without a fixed price that were cancelled or never used a consumer may " +
          "have in a week.",
        ...{ least: 0, most: 1_000_000, examples: ["5"] },
      }),
    ),
    delayBudgets: names(count({ least: 0, most: 1_000_000_000 }), {
      description:
        "What the waiting jobs of these consumers may declare as their delay cost beyond their processors, " +
        "in SU for an hour.",
      keys: { pattern: CONSUMER_PATTERN, mismatch: noConsumer },
      examples: ["{ cms: 64, cms/higgs: 16 }"],
    }),
    virtual: flag({
      description: "Whether jobs may wait idle there for their time (virtual reservations).",
      ...{ default: "true", examples: ["false"] },
    }),
  },
  {
    description: "Who may reserve how much of it, and what that costs. Without it the careful defaults hold.",
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
          description: "What the enforcer may do to jobs, each granted separately.",
          ...{ orOne: true, isSet: true, examples: ["[hold, suspend]"] },
        }),
      ),
    ),
    form: usually(
      STEPS.form,
      word(["ours", "literal"], {
        description: "How it decides: in terms of what jobs need, or as the source does, line by line.",
      }),
    ),
    minRun: time("minRunMs", STEPS.minRunMs, {
      ...{ description: "A job runs so long before it may be suspended or requeued.", example: "1m" },
    }),
    maxSuspensions: usually(
      STEPS.maxSuspensions,
      count({ description: "And is so often at most.", least: 0, most: 1_000_000, examples: ["3"] }),
    ),
    actionsPerHour: usually(
      STEPS.actionsPerHour,
      count({
        description: "How often in any hour something is taken from a job.",
        ...{ least: 0, most: 1_000_000_000, examples: ["600"] },
      }),
    ),
    suspendedShare: share(
      "suspendedPpm",
      STEPS.suspendedPpm,
      "The part of the processors that may be suspended at once.",
    ),
    lease: time("leaseMs", STEPS.leaseMs, {
      description: "What is held at a cluster is let go when the broker has been silent for so long.",
      example: "5m",
      ifZero: {
        why: "what is held would be let go before it is held",
        remedy: "omit it for the default of five minutes, or write for instance lease: 5m",
      },
    }),
  },
  {
    description:
      "How far usage policies are enforced. Without it, or with watch alone, nothing is done: it is only " +
      "said what would be.",
    ...{ defined: "enforcement", examples: ["{ grant: [hold, suspend] }"] },
  },
);
