/**
 * Usage policies, and agreements of one provider with one consumer: what stands in a policy file.
 */
import { POLICY_DEFAULTS, SHARED_RESOURCES } from "../../model/index.ts";
import { shareOfOne } from "./reservation-rules.ts";
import {
  as,
  asWritten,
  count,
  durationOr,
  either,
  filled,
  list,
  mapping,
  notation,
  number,
  quantity,
  text,
  usually,
  word,
} from "./shape.ts";
import { CONSUMER_PATH, clock } from "./texts.ts";

const NO_SHARE = "without it the policy says nothing";
const NO_PARTIES = "an agreement says who agreed with whom, and on which policies";

const name = text({
  description: "Up to eight names with / between them.",
  ...{ defined: "name", pattern: `^\\s*${CONSUMER_PATH}\\s*$`, examples: ["vo0", "site1/pool"] },
  mismatch: {
    code: "badName",
    noun: "name",
    why: "it is up to eight names with / between them, of letters, digits and _ . @ + -",
  },
});
const provider = { ...name, examples: ["site1"] } as const;
const consumer = { ...name, examples: ["vo0/group"] } as const;

const date = notation("date", {
  description: "A day, or a time with its zone.",
  defined: "date",
  pattern: "^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,3})?)?(Z|[+-]\\d\\d:\\d\\d))?$",
  examples: ["2026-01-01", "2026-01-01T12:00Z"],
  mismatch: {
    code: "badDate",
    noun: "date",
    why: "it is a valid date, or a date with a time and a zone",
    remedy: "write for instance 2026-01-01, or 2026-01-01T12:00Z",
  },
});
const from = { ...date, description: "Instant from which it is in force." } as const;
const until = { ...date, description: "Instant until which it is in force." } as const;

const someTime = {
  ifZero: {
    why: "an interval is longer than 0",
    remedy: "write for instance interval: 1h, or 3600s",
  },
};
/** A share as written; its value depends on the resource and on the provider. */
const share = text({
  description: "Share of the provider's capacity: 20%, 32 nodes, 64 procs, 4 GPUs, 512G, 1000 SU.",
  ...{ defined: "share", examples: ["20%", "32 nodes"] },
  keywords: { type: "string", pattern: "^ *[+-]?[0-9]+([.][0-9]+)? *(%|[A-Za-z]+) *$" },
});
const epoch = mapping(
  {
    interval: durationOr(["hour", "day", "week", "month"], {
      description: "Interval over which use is averaged: a duration, or hour, day, week or month.",
      ...{ defined: "interval", examples: ["1h", "month"], ...someTime },
    }),
    share,
    window: usually(
      "sliding",
      word(["sliding", "fixed"], {
        description: "sliding: the window slides; fixed: it is a calendar period.",
        examples: ["sliding"],
      }),
    ),
  },
  {
    description: "The average share, and the interval over which it is averaged.",
    ...{ defined: "epoch", examples: ["{ interval: 1h, share: 20% }"] },
    required: { interval: NO_SHARE, share: NO_SHARE },
  },
);
const burst = mapping(
  {
    interval: as("bucketMs", quantity("duration", { examples: ["5s"], ...someTime })),
    share,
  },
  {
    description: "Maximum use at any instant; violations are measured over the interval.",
    ...{ defined: "burst", examples: ["{ interval: 5s, share: 60% }"] },
    required: { interval: NO_SHARE, share: NO_SHARE },
  },
);

const ofPolicy = {
  resource: usually(
    POLICY_DEFAULTS.resource,
    word(SHARED_RESOURCES, {
      description: "Resource that is shared.",
      ...{ defined: "resource", isAnyCase: true, examples: ["cpu"] },
    }),
  ),
  provider,
  consumer,
  epoch,
  burst,
  rule: usually(
    POLICY_DEFAULTS.rule,
    word(["entitlement", "cap"], {
      description: "entitlement: idle capacity may be used beyond it; cap: never more.",
      defined: "rule",
    }),
  ),
  mode: usually(
    POLICY_DEFAULTS.mode,
    word(["shared", "preempting", "dedicated"], {
      description: "Whether an idle share is lent, lent and taken back at once, or never lent.",
      defined: "mode",
    }),
  ),
  carry: usually(
    POLICY_DEFAULTS.carry,
    word(["forgive", "repay"], {
      description: "Whether use of idle capacity is held against the consumer later.",
      defined: "carry",
    }),
  ),
  from,
  until,
};

/** A policy in words. */
export const policyShape = mapping(ofPolicy, {
  defined: "policy",
  examples: ["{ resource: cpu, provider: site1, consumer: vo0, epoch: { interval: 1h, share: 20% } }"],
  required: { provider: NO_SHARE, consumer: NO_SHARE, epoch: NO_SHARE },
});

/** Policy within an agreement. */
export const policyBetweenShape = mapping(ofPolicy, {
  description: "A policy between the two parties of an agreement, which need not be named again.",
  ...{ defined: "policyBetween", examples: ["{ epoch: { interval: 1h, share: 20% } }"] },
  required: { epoch: NO_SHARE },
});

const ANY_RESOURCE =
  "([Cc][Pp][Uu]|[Gg][Pp][Uu]|[Mm][Ee][Mm][Oo][Rr][Yy]|[Ss][Tt][Oo][Rr][Aa][Gg][Ee]|" +
  "[Nn][Ee][Tt]([Ww][Oo][Rr][Kk])?)";
const tuple = asWritten({
  description:
    "resource, provider, consumer, (seconds, percent), (seconds, percent); the last is optional. " +
    "NET is network; a consumer (vo, group) is vo/group.",
  defined: "tuple",
  keywords: {
    type: "string",
    pattern:
      `^\\s*(\\(\\s*\\w{1,20}\\s*\\)\\s*)?[\\[(<⟨]?\\s*${ANY_RESOURCE}\\s*,` +
      "[^,()]+,([^,()]+|\\s*[(\\[][^()\\[\\]]+[)\\]]\\s*)" +
      "(,\\s*[(\\[][^,()\\[\\]]+,[^,()\\[\\]]+[)\\]]\\s*){1,2}[\\])>⟩]?[\\s,;.]*$",
  },
});
const listTuple = asWritten({
  description: "The same as a list.",
  keywords: {
    type: "array",
    items: { anyOf: [{ type: ["string", "number"] }, { type: "array" }] },
  },
});
const policiesOf = <Of extends typeof policyShape | typeof policyBetweenShape>(of: Of, defined: string) =>
  list(either({ scalar: tuple, list: listTuple, mapping: of }), {
    ...{ defined, examples: ['["CPU, Site1, VO0, (3600, 20)"]'] },
  });

/** Policies in any form. */
export const policiesShape = policiesOf(policyShape, "policies");
const policiesBetween = asWritten({
  ...{ of: policiesOf(policyBetweenShape, "policiesBetween"), defined: "policiesBetween" },
  examples: ['["CPU, Site1, VO0, (3600, 20)"]'],
});

const amount = count({ least: 1, most: 100_000_000, examples: ["128"] });
const size = quantity("size", {
  examples: ["512G"],
  ifZero: {
    why: "a site without capacity has nothing to share",
    remedy: "leave it out, or say how much there is",
  },
});
const amounts = {
  procs: amount,
  nodes: amount,
  gpus: amount,
  memory: size,
  storage: size,
  network: size,
};

/** A file that declares names, and has policies. */
export const policyFileShape = mapping(
  {
    providers: list(
      either({
        scalar: provider,
        mapping: mapping(
          { name: provider, ...amounts },
          {
            description: "A provider with its capacity; needed for shares in absolute units.",
            ...{ defined: "provider", examples: ["{ name: site1, procs: 128 }"] },
            required: { name: "policies name their provider" },
          },
        ),
      }),
      {
        description: "Providers: who gives shares. With this list, policies can have no other providers.",
        examples: ["[{ name: site1, procs: 128 }]"],
      },
    ),
    consumers: list(consumer, {
      description: "Consumers: who receives shares, and may pass them on.",
      ...{ orOne: true, examples: ["[vo0, vo1/group]"] },
    }),
    policies: asWritten({ of: policiesShape, defined: "policies" }),
  },
  { examples: ['{ providers: [site1], policies: ["CPU, Site1, VO0, (3600, 20)"] }'] },
);

const counted = (description: string) =>
  usually("excluded", word(["counted", "excluded"], { description, examples: ["excluded"] }));
const definitions = mapping({
  capacity: filled(
    mapping(
      {
        ...amounts,
        downtime: counted("Whether capacity that is down counts as capacity."),
        drain: counted("Whether drained capacity counts as capacity."),
      },
      { description: "Capacity of the provider.", examples: ["{ procs: 128, downtime: excluded }"] },
    ),
  ),
  demand: usually(
    "eligible",
    word(["eligible"], { description: "Work that could start at once counts as demand." }),
  ),
  nodeFailure: usually(
    "provider",
    word(["provider", "consumer"], {
      description: "Party that is charged for the run time of jobs that are lost when a node fails.",
    }),
  ),
  unit: filled(
    mapping(
      {
        time: usually(
          "wall",
          word(["wall", "cpu"], { description: "Whether wall-clock time or processor time counts." }),
        ),
        benchmark: usually(
          [],
          list(
            mapping(
              {
                from: as("date", from),
                factor: as(
                  "thousandths",
                  number({
                    ...{ least: 0.001, most: 1000, perOne: 1000, examples: ["1.2"] },
                    noun: "how many hours of the reference processor an hour is",
                  }),
                ),
              },
              {
                examples: ["{ from: 2026-01-01, factor: 1.2 }"],
                required: {
                  from: "it holds from a date on",
                  factor: "it says how much more an hour counts",
                },
              },
            ),
            {
              description: "From each date on, how many hours of the reference processor an hour counts as.",
            },
          ),
        ),
      },
      { examples: ["{ time: wall }"] },
    ),
  ),
});

const contact = usually(null, text({ examples: ["ops@example.org"] }));

/** An agreement. */
export const agreementShape = mapping(
  {
    agreement: as(
      "name",
      usually("", text({ description: "Name of the agreement.", examples: ["site1-vo0"] })),
    ),
    provider,
    consumer,
    contact: filled(
      mapping(
        { provider: contact, consumer: contact },
        { description: "Contacts at both parties.", examples: ["{ provider: ops@example.org }"] },
      ),
    ),
    clock: as("offsetMs", usually(0, clock)),
    definitions: filled({
      ...definitions,
      description: "Definitions of the terms of the agreement.",
      examples: ["{ nodeFailure: provider }"],
    }),
    prices: filled(
      mapping(
        {
          unitPrice: as(
            "unitPriceThousandths",
            usually(
              null,
              number({
                description: "Price of a processor-hour, in SU, with up to three decimals.",
                ...{ least: 0, most: 1000, perOne: 1000, noun: "what an SU costs", examples: ["1.5"] },
              }),
            ),
          ),
          penalty: as(
            "penaltyPpm",
            usually(null, shareOfOne("Fraction of the price that a cancellation costs.", "0.1")),
          ),
        },
        { description: "Agreed prices.", examples: ["{ unitPrice: 1 }"] },
      ),
    ),
    validity: filled(
      mapping(
        { from, until },
        {
          description: "Period in which it is in force; by default always.",
          examples: ["{ from: 2026-01-01, until: 2027-01-01 }"],
        },
      ),
    ),
    versions: list(
      mapping(
        {
          version: count({ least: 1, most: 1_000_000, examples: ["2"] }),
          ...{ from, until, policies: policiesBetween },
        },
        { examples: ["{ from: 2026-01-01, policies: [] }"], required: { policies: NO_PARTIES } },
      ),
      {
        description: "Versions; each is in force until the date of the next one.",
        examples: ["[{ from: 2026-01-01, policies: [] }]"],
      },
    ),
    policies: policiesBetween,
  },
  {
    description: "An agreement of one provider and one consumer, in dated versions.",
    defined: "agreement",
    examples: [
      "{ agreement: name, provider: site1, consumer: vo0, versions: [{ from: 2026-01-01, policies: [] }] }",
    ],
    keywords: { anyOf: [{ required: ["versions"] }, { required: ["agreement", "policies"] }] },
    required: { provider: NO_PARTIES, consumer: NO_PARTIES },
  },
);
