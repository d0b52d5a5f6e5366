/** Options that say which jobs a list or a report is about. */
import type { Command } from "commander";
import type { JobConditions } from "../api/client/index.ts";
import { JOB_TIMES, type JobState, type JobTime } from "../model/index.ts";
import { collected, oneOf } from "./option-values.ts";
import { sinceValue, statesValue } from "./quantity-values.ts";

/** Values of the options. */
export interface JobFilterOptions {
  readonly state?: readonly JobState[];
  readonly owner?: string;
  readonly vo?: string;
  readonly site?: string;
  readonly name?: string;
  readonly tag?: readonly string[];
  /** Unix ms. */
  readonly since?: number;
  /** Unix ms. */
  readonly until?: number;
  readonly time?: JobTime;
}

/** Adds the options to a command. @param usual what --since and --until are about where nobody says so */
export function withJobFilter(command: Command, nowMs: () => number, usual: JobTime): Command {
  return command
    .option("--state <states>", "only in these states, comma-separated or repeated", statesValue("--state"))
    .option("--owner <owner>", "only jobs of this owner")
    .option("--vo <path>", "only of this organisation, group or user, and those below: vo/group/user")
    .option("--site <site>", "only at this site")
    .option("--name <name>", "only jobs of this name")
    .option(
      "--tag <tag>",
      "only jobs with this tag, key=value or key; if repeated, with all of them",
      collected,
    )
    .option(
      "--since <when>",
      `only ${usual} since this time: 2d for two days ago, or a date`,
      sinceValue("--since", nowMs),
    )
    .option(
      "--until <when>",
      `only ${usual} before this time: 1h for an hour ago, or a date`,
      sinceValue("--until", nowMs),
    )
    .option(
      "--time <what>",
      `which time --since and --until refer to: ${JOB_TIMES.join(" or ")} (default: ${usual})`,
      oneOf("--time", JOB_TIMES),
    );
}

/** The options as conditions of the API. */
export function conditionsOf({
  state,
  owner,
  vo,
  site,
  name,
  tag,
  since,
  until,
}: JobFilterOptions): JobConditions {
  return {
    ...(state === undefined ? {} : { state }),
    ...(owner === undefined ? {} : { owner }),
    ...(vo === undefined ? {} : { consumer: vo }),
    ...(site === undefined ? {} : { site }),
    ...(name === undefined ? {} : { name }),
    ...(tag === undefined ? {} : { tag }),
    ...(since === undefined ? {} : { since: new Date(since).toISOString() }),
    ...(until === undefined ? {} : { until: new Date(until).toISOString() }),
  };
}
