/** Texts common to several files: names, consumer paths, lengths of time and capacities above 0. */
import { type Mismatch, notation, quantity, text } from "./shape.ts";

const PATH_NAME = "[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,63}";
/** A consumer path of up to eight names, as a part of a regular expression. */
export const CONSUMER_PATH = `${PATH_NAME}(/${PATH_NAME}){0,7}`;
/** A consumer path as a regular expression. */
export const CONSUMER_PATTERN = `^${CONSUMER_PATH}$`;

/** Message about a text that is no consumer path. */
export const noConsumer: Mismatch = {
  code: "badConsumer",
  noun: "consumer path",
  why: "a path is up to eight names with / between them, of letters, digits and _ . @ + -",
};

/** A consumer path. */
export const consumerPath = text({
  ...{ defined: "consumerPath", pattern: CONSUMER_PATTERN, mismatch: noConsumer },
  examples: ["cms", "atlas/higgs"],
});

/** A clock at a fixed offset from UTC. */
export const clock = notation("clock", {
  description: "The rule's time zone, at a fixed offset from UTC.",
  pattern: "^([Uu][Tt][Cc]|[Zz]|[+-](0\\d|1[0-4]):[0-5]\\d)$",
  examples: ['"+01:00"', "UTC"],
  mismatch: {
    code: "badClock",
    noun: "clock",
    why: "the clock must have a fixed offset from UTC, so that all days have the same length",
    remedy: "write UTC, or for instance +01:00",
  },
});

/** A length of time above 0, for an optional limit. */
export function timeLimit(description: string, why: string) {
  return quantity("duration", {
    ...{ description, examples: ["1h30m"] },
    ifZero: { why, remedy: "omit it for the default, or write for instance wallTime: 1h30m" },
  });
}

/** Capacity of a provider: storage or bandwidth, above 0. */
export const capacity = (unit: "size" | "rate", description: string, example: string) =>
  quantity(unit, {
    ...{ description, examples: [example] },
    ifZero: {
      why: "a provider without capacity has nothing to share",
      remedy: "omit it if there is none",
    },
  });
