/** Schedules of sites. */
import { Type } from "typebox";
import { BAR_KINDS } from "../engine/index.ts";
import { DISCIPLINES, JOB_STATES } from "../model/index.ts";
import { as, count, instant, instantGiven, orNull, part, type Shape, strict } from "./fields.ts";

/** `GET /sites/:name/schedule` */
export const siteScheduleQuery = Type.Object(
  {
    since: Type.Optional({ ...instantGiven, description: "Start of the period; absent: an hour ago" }),
    until: Type.Optional({
      ...instantGiven,
      description: "End of the period; absent: the end of the last planned item",
    }),
    asOf: Type.Optional({
      ...instantGiven,
      description: "A past instant: returns the schedule as of then, from the log; absent: now",
    }),
  },
  strict,
);

/** A list of two: a tuple would be written with keywords that JSON Schema 2020-12 and OpenAPI 3.1 lack. */
const rowRange = as<readonly [number, number]>(Type.Array(count, { minItems: 2, maxItems: 2 }));

const named = (description: string) => orNull(Type.String({ description }));

const bar = Type.Object(
  {
    kind: Type.Enum([...BAR_KINDS], {
      description:
        "`others`: the sum of what belongs to others, where the site hides jobs from its users. " +
        "`setAside`: reserved by the site itself. `held`: waits without a planned start",
    }),
    job: named("Id at the broker; null: not a job of this broker, or not the caller's to see"),
    siteJob: named("Job id at the site"),
    name: named("Name of the job, or the site's name of what it sets aside"),
    consumer: orNull(Type.String()),
    owner: named("Owner; of a job that the site shows, its user there"),
    account: named("Account at the site"),
    partition: named("Partition or queue at the site"),
    mine: Type.Boolean({ description: "True if it belongs to the caller" }),
    state: orNull(Type.Enum([...JOB_STATES], { description: "State, for a job of this broker" })),
    result: orNull(Type.Enum(["ok", "failed", "imitated"], { description: "Result of a job that is DONE" })),
    reservation: named("Id of the reservation that the bar shows, or to which its job belongs"),
    nested: Type.Boolean({
      description: "The job is drawn in the rows of its reservation, which has a bar of its own",
    }),
    procs: Type.Integer({ minimum: 1 }),
    from: orNull(instant, { description: "Start: real, or planned; null: without a planned start" }),
    until: orNull(instant, { description: "End: real, else at the job's limit; null with `from`" }),
    rows: Type.Array(rowRange, {
      description: "First row, from 0, and number of rows: a row is a processor",
    }),
    nodes: Type.Array(Type.String(), { description: "Nodes that it runs on; none where unknown" }),
    promises: Type.Array(Type.Object({ probability: part, startAt: instant }, strict), {
      description: "For a waiting job: the probability that it starts by then, as predicted at its arrival",
    }),
  },
  strict,
);

/** Schedule of a site: what ran, runs, waits and is reserved there. */
export const scheduleSchema = Type.Object(
  {
    site: Type.String(),
    at: {
      ...instant,
      description:
        "Now, or `asOf`: the schedule shows what happened before this instant, and what is planned " +
        "after it",
    },
    since: instant,
    until: orNull(instant),
    partial: Type.Boolean({
      description:
        "With `asOf`, at a site with its own queue: only this broker's jobs, without planned starts, " +
        "since surveys are not recorded",
    }),
    discipline: Type.Enum([...DISCIPLINES]),
    seenAt: orNull(instant, {
      description: "When the queue of the site was last queried; null at a site of type managed",
    }),
    trouble: named("Reason why the site cannot be reached or used"),
    procs: count,
    rows: Type.Integer({
      minimum: 0,
      description: "Number of rows of the chart: one per processor, or more if the site is overcommitted",
    }),
    nodes: Type.Array(Type.Object({ name: Type.String(), procs: count }, strict), {
      description: "Nodes in the order of their rows; empty if the site shows none",
    }),
    hidden: Type.Boolean({
      description: "True: the site hides the jobs of other users, so that only their sum is shown",
    }),
    leftOut: Type.Object(
      {
        past: Type.Boolean({ description: "Older jobs that ended in the period are left out" }),
        later: Type.Integer({
          minimum: 0,
          description: "Number of bars left out; those that begin last are left out",
        }),
      },
      strict,
    ),
    free: Type.Array(
      Type.Object({ from: instant, until: orNull(instant), procs: Type.Integer({ minimum: 1 }) }, strict),
      {
        description:
          "Processors that the plan leaves free, also at a cluster that is only observed; none if the site " +
          "accepts no new jobs",
      },
    ),
    bars: Type.Array(bar, { description: "Sorted by start; bars without a planned start come last" }),
  },
  { ...strict, description: "Ended, running and waiting jobs, and reservations, of a site" },
);

/** Period of a schedule. */
export type ScheduleRequest = Shape<typeof siteScheduleQuery>;
/** Schedule of a site. */
export type ScheduleView = Shape<typeof scheduleSchema>;
/** A bar of a schedule. */
export type BarView = ScheduleView["bars"][number];
