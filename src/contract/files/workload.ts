/**
 * A workload of several resources, pools and events: one object a line, in JSON.
 */
import { as, count, list, mapping, notation, quantity, text } from "./shape.ts";

const NEEDED = "a line of this kind cannot do without it";

const label = (description: string) =>
  text({
    ...{ description, defined: "label", isStrict: true, pattern: "^\\P{Cc}{1,200}$", examples: ["a"] },
    mismatch: {
      code: "workloadField",
      noun: "name",
      why: "it is a text of 1 to 200 characters, without control characters",
    },
  });
const instant = (description: string) =>
  notation("instant", {
    ...{ description, defined: "instant", examples: ["3600", "2026-03-01T08:00:00Z"] },
    pattern: "^",
    numbers: { least: 0, most: Number.MAX_SAFE_INTEGER },
    mismatch: {
      code: "workloadField",
      noun: "instant",
      why: "it must be seconds on the file's clock, a duration, or a date with time and zone",
    },
  });
const some = (description: string, least: number, example: string) =>
  count({ description, least, most: Number.MAX_SAFE_INTEGER, examples: [example] });
const length = (description: string) => quantity("duration", { description, examples: ["1h30m"] });
const above = (description: string) =>
  quantity("duration", {
    ...{ description, examples: ["1h30m"] },
    ifZero: { why: "it is more than 0", remedy: "write for instance 1h" },
  });

const procs = some("Processors.", 1, "4");
const others = {
  memory: as("memoryBytes", quantity("size", { description: "Memory.", examples: ["8G"] })),
  gpus: some("Graphics processors.", 0, "1"),
};
const parts = some("Number of different nodes over which it is spread equally.", 1, "2");

/** The kinds of lines by their first words. A reservation names its pool, so it stands before that. */
export const workloadLineShapes = {
  job: mapping(
    {
      job: as("id", label("Its id, unique in the file.")),
      submit: as(
        "submitMs",
        instant(
          "When it could start at the earliest: at its submission, or when its begin time, hold or " +
            "dependency no longer prevented it.",
        ),
      ),
      submitted: as(
        "submittedMs",
        instant("When it was submitted, not later than submit. For information only."),
      ),
      recordedStart: as(
        "recordedStartMs",
        instant("When it really started, not before submit: what --baseline compares with."),
      ),
      runtime: as("runtimeMs", length("Run time; by default its limit.")),
      limit: as("limitMs", above("Requested time; by default the run time.")),
      ...{ procs, ...others, nodes: parts },
      tasksPerNode: some(
        "Maximum number of its processors on one node; cannot be combined with nodes.",
        1,
        "4",
      ),
      pools: list(label("One of them."), {
        description: "Pools that it may use; by default all.",
        ...{ least: 1, examples: ['["batch"]'] },
      }),
      queue: label("The queue or partition that it was in: a label for comparisons."),
      user: label("Who submits it."),
      group: label("The group or account."),
    },
    {
      description: "A job; amounts are those of the whole job.",
      defined: "job",
      required: { job: NEEDED, submit: NEEDED, procs: NEEDED },
    },
  ),
  cancel: mapping(
    { cancel: as("job", label("The job's id.")), at: as("atMs", instant("When.")) },
    { description: "A job is cancelled.", defined: "cancel", required: { cancel: NEEDED, at: NEEDED } },
  ),
  down: mapping(
    {
      down: as("pool", label("The pool.")),
      at: as("atMs", instant("From when.")),
      until: as("untilMs", instant("When it comes back.")),
      node: some("Which node, from 0; without it, procs says how much.", 0, "1"),
      ...{ procs, ...others },
    },
    {
      description: "Capacity is down for a time.",
      defined: "down",
      required: { down: NEEDED, at: NEEDED, until: NEEDED },
      keywords: { anyOf: [{ required: ["node"] }, { required: ["procs"] }] },
    },
  ),
  reservation: mapping(
    {
      reservation: as("id", label("Its id.")),
      start: as("startMs", instant("From when.")),
      duration: as("durationMs", above("For how long.")),
      ...{
        procs,
        ...others,
        nodes: { ...parts, description: `${parts.description} Only if pools have nodes.` },
      },
      pool: label("The pool; by default the first one."),
    },
    {
      description: "A reservation with a fixed start, known from the beginning.",
      defined: "reservation",
      required: { reservation: NEEDED, start: NEEDED, duration: NEEDED, procs: NEEDED },
    },
  ),
  period: mapping(
    {
      period: as("fromMs", instant("From when.")),
      until: as("untilMs", instant("Until when, later than period.")),
    },
    {
      description: "The period that the workload records.",
      ...{ defined: "period", required: { period: NEEDED } },
    },
  ),
  pool: mapping(
    {
      pool: as("name", label("Its name.")),
      ...{ procs, ...others },
      nodes: some("Number of equal nodes; the other amounts are those of one node.", 1, "16"),
    },
    { description: "A pool of the site.", defined: "pool", required: { pool: NEEDED, procs: NEEDED } },
  ),
} as const;
