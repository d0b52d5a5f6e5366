/**
 * Partitionable jobs: `JobSteps`, `StepWeight`, `CurrentStep`, `PreJob` and `PostJob`, read as a DAG whose
 * middle node is split when it is submitted.
 *
 * Source: partitionable jobs of the JDL of EGEE/gLite [WMS]. `MaxParts` and `retry` are ours.
 */
import { counted } from "../../base/index.ts";
import type { ClassAdValue } from "../../classad/index.ts";
import { type JobSteps, MOST_LISTED_STEPS, MOST_PARTS, MOST_STEPS } from "../../model/index.ts";
import type { DescribedJob, JobReading, ReadNode } from "../job-reading/index.ts";
import { type AdPlace, attributeIn, type JdlAd, selected, writtenText } from "./jdl-ad.ts";
import type { JdlText } from "./jdl-text.ts";
import { type JobContext, readJob } from "./job.ts";
import { readNode, readRetry } from "./nodes.ts";

/** Names of the nodes before, at and after the steps. */
const NAMES = { before: "pre", steps: "part", after: "post" } as const;
const STEP_NAME = /^[^\p{Cc}]{1,200}$/u;

/** Reads a partitionable job; no DAG, with problems, where its steps cannot be read. */
export function readPartitionable(
  ad: JdlAd,
  place: AdPlace,
  context: JobContext,
): Pick<JobReading, "jobs" | "whole" | "dag"> {
  const steps = readSteps(ad, context.source);
  const before = readBeside("PreJob", NAMES.before, { ad, place, context });
  const job = readJob(withoutSteps(ad, context.source), { ...context, isDag: true });
  const after = readBeside("PostJob", NAMES.after, { ad, place, context });
  if (steps === undefined || job === undefined) return { jobs: [] };
  const middle: ReadNode = { name: NAMES.steps, parents: [], ...retriesIn(ad, context), steps };
  const nodes: readonly (ReadNode & { readonly job: DescribedJob })[] = [
    ...(before === undefined ? [] : [{ name: NAMES.before, parents: [], job: before }]),
    { ...middle, job: { ...job, node: NAMES.steps }, parents: before === undefined ? [] : [NAMES.before] },
    ...(after === undefined ? [] : [{ name: NAMES.after, parents: [NAMES.steps], job: after }]),
  ];
  return {
    jobs: nodes.map((node) => node.job),
    whole: `a partitionable job of ${counted(steps.count - (steps.currentStep ?? 0), "step")}`,
    dag: { nodes: nodes.map(({ job: _, ...node }) => node) },
  };
}

/** The ad without the attributes that say how it is split. */
function withoutSteps({ at, attributes }: JdlAd, source: JdlText): JdlAd {
  for (const attribute of attributes) {
    if (!OF_STEPS.has(attribute.key) || attribute.key === "retry") continue;
    source.translate(attribute.nameAt, { written: writtenText(attribute), verdict: "translated" });
  }
  return { at, attributes: attributes.filter(({ key }) => !OF_STEPS.has(key)) };
}

const OF_STEPS: ReadonlySet<string> = new Set([
  "jobsteps",
  "stepweight",
  "currentstep",
  "prejob",
  "postjob",
  "maxparts",
  "retry",
]);

interface Around {
  readonly ad: JdlAd;
  readonly place: AdPlace;
  readonly context: JobContext;
}

/** The job of `PreJob` or `PostJob`: an ad or the name of a file, which inherits only the organisation. */
function readBeside(
  attribute: string,
  name: string,
  { ad, place, context }: Around,
): DescribedJob | undefined {
  const found = attributeIn(ad, attribute);
  if (found === undefined) return undefined;
  const organisation = attributeIn(ad, "VirtualOrganisation");
  const outer = { at: ad.at, attributes: organisation === undefined ? [] : [organisation] };
  const entry = { name, isNamed: true, at: found.at };
  if (found.node.kind === "record") {
    const path =
      place.path === undefined
        ? ({ kind: "reference", name: found.name, key: found.key } as const)
        : selected(place.path, found.name);
    return readNode({ ...entry, record: found.node, place: { ...place, path } }, outer, context);
  }
  if (found.value().kind === "string") return readNode({ ...entry, file: found }, outer, context);
  context.source.notes.problem(found.at, noJob(attribute));
  return undefined;
}

function retriesIn(ad: JdlAd, context: JobContext): Pick<ReadNode, "retries"> {
  const retry = attributeIn(ad, "retry");
  if (retry === undefined) return {};
  readRetry(retry, { ...context, isDag: true });
  const value = retry.value();
  return value.kind === "integer" && value.value > 0 ? { retries: value.value } : {};
}

/** The steps; undefined, with problems, where they cannot be read. */
function readSteps(ad: JdlAd, source: JdlText): JobSteps | undefined {
  const before = source.notes.problemCount();
  const attribute = attributeIn(ad, "JobSteps");
  if (attribute === undefined) {
    source.notes.problem(ad.at, noSteps);
    return undefined;
  }
  const steps = stepsOf(attribute.value());
  if (steps === undefined) source.notes.problem(attribute.at, badSteps);
  const { count = 1 } = steps ?? {};
  const weights = attributeIn(ad, "StepWeight");
  const listed = weights === undefined ? undefined : weightsOf(weights.value(), count);
  if (steps !== undefined && weights !== undefined && listed === undefined) {
    source.notes.problem(weights.at, badWeights(count));
  }
  const current = attributeIn(ad, "CurrentStep");
  const first = current?.value();
  const currentStep = first?.kind === "integer" ? first.value : 0;
  const isStep = first === undefined || (first.kind === "integer" && currentStep >= 0 && currentStep < count);
  if (steps !== undefined && current !== undefined && !isStep) {
    source.notes.problem(current.at, badCurrent(count));
  }
  const limit = attributeIn(ad, "MaxParts");
  const most = limit?.value();
  if (limit !== undefined && !(most?.kind === "integer" && most.value >= 1 && most.value <= MOST_PARTS)) {
    source.notes.problem(limit.at, badMost);
  }
  if (steps === undefined || source.notes.problemCount() > before) return undefined;
  return {
    ...steps,
    ...(listed === undefined ? {} : { weights: listed }),
    ...(currentStep > 0 ? { currentStep } : {}),
    ...(most?.kind === "integer" ? { maxParts: most.value } : {}),
  };
}

function stepsOf(value: ClassAdValue): Pick<JobSteps, "count" | "names"> | undefined {
  if (value.kind === "integer") {
    return value.value >= 1 && value.value <= MOST_STEPS ? { count: value.value } : undefined;
  }
  if (value.kind !== "list" || value.items.length < 1 || value.items.length > MOST_LISTED_STEPS)
    return undefined;
  const names = value.items.flatMap((item) =>
    item.kind === "string" && STEP_NAME.test(item.value) ? [item.value] : [],
  );
  return names.length === value.items.length ? { count: names.length, names } : undefined;
}

function weightsOf(value: ClassAdValue, count: number): readonly number[] | undefined {
  if (value.kind !== "list" || value.items.length !== count || count > MOST_LISTED_STEPS) return undefined;
  const weights = value.items.flatMap((item) =>
    item.kind === "integer" && item.value >= 1 && item.value <= 1e6 ? [item.value] : [],
  );
  return weights.length === count ? weights : undefined;
}

const noSteps = {
  code: "wordMissing",
  what: "JobSteps is missing",
  why: "a partitionable job is split by its steps",
  remedy: 'write for instance JobSteps = 100, or JobSteps = { "spring", "summer" }',
};

const badSteps = {
  code: "wrongType",
  what: "JobSteps cannot be read",
  why: `it is a number of steps, 1 to ${MOST_STEPS}, or a list of up to ${MOST_LISTED_STEPS} names`,
  remedy: 'write for instance JobSteps = 100, or JobSteps = { "spring", "summer" }',
};

function badWeights(count: number) {
  return {
    code: "wrongType",
    what: "StepWeight does not match JobSteps",
    why: `it is a list of ${counted(count, "whole number")} from 1 to 1000000, one for each step`,
    remedy: "correct the list, or leave it out: all steps then have the same weight",
  };
}

function badCurrent(count: number) {
  return {
    code: "wrongType",
    what: "CurrentStep is not one of the steps",
    why: `steps are numbered from 0 to ${count - 1}`,
    remedy: "write for instance CurrentStep = 0",
  };
}

const badMost = {
  code: "wrongType",
  what: "MaxParts is not a number of parts",
  why: `it is a whole number, 1 to ${MOST_PARTS}`,
  remedy: "write for instance MaxParts = 8, or leave it out: as many parts as can start at once are made",
};

function noJob(name: string) {
  return {
    code: "wrongType",
    what: `${name} is not a job`,
    why: 'it is the ad of a job, or the name of a JDL file: [ Executable = "…" ], or "pre.jdl"',
    remedy: `write for instance ${name} = [ Executable = "hostname" ]`,
  };
}
