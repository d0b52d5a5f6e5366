/**
 * DAGs whose nodes are described as jobs (DAGMan, JDL) as workflows: a task for each node.
 *
 * Nodes that are done are left out; one without a job takes no time. A description has a time limit and no
 * runtime: a task runs as long as `--runtime` says, and no longer than its limit. Without either, records of
 * like jobs may give a runtime. Sizes of files are not stated, so that nothing is transferred.
 */
import { basename } from "node:path";
import { counted, some } from "../../base/index.ts";
import { JOB_DEFAULTS, sandboxName } from "../../model/index.ts";
import type { ParentDraft, TaskDraft, TaskProgram, WorkflowDraft } from "../../plan/index.ts";
import { isPattern } from "../input-files/index.ts";
import type { DescribedJob, JobReading, ReadDag, ReadNode } from "../job-reading/index.ts";
import type { DraftReading, ReadingRules } from "./reading.ts";

/** The workflow of a DAG that was read as jobs. */
export function readDescribedDag(
  { jobs, problems, warnings, dag }: JobReading,
  name: string,
  { runtimeMs }: ReadingRules,
): DraftReading {
  if (dag === undefined || problems.length > 0) {
    return { draft: undefined, problems: dag === undefined && problems.length === 0 ? [NO_DAG] : problems };
  }
  const nodes = dag.nodes.flatMap((node, at) =>
    node.skip === "done" || jobs[at] === undefined ? [] : [{ node, job: jobs[at] }],
  );
  const names = new Set(nodes.map(({ node }) => node.name));
  const common = commonOf(nodes);
  const tasks = nodes.map(
    ({ node, job }): TaskDraft => ({
      ...{ id: node.name, line: job.line, parents: parentsOf(node, names) },
      ...needsOf(job, node),
      ...runtimeOf(job, node, runtimeMs),
      ...runOf(job, node, common),
      recordedAs: recordOf(job),
    }),
  );
  const remarks = [
    ...warnings.map(({ what, why }) => `${what}: ${why}`),
    ...limitRemark(nodes, runtimeMs),
    ...requirementsRemark(nodes),
    ...dagRemarks(nodes, common),
  ];
  return { draft: { name: dag.name ?? name, tasks, ...executionOf(dag, common) }, problems: [], remarks };
}

function executionOf(
  { maxRunning, maxRunningOf }: ReadDag,
  common: Common,
): Pick<WorkflowDraft, "execution"> {
  const limits = {
    ...(maxRunning === undefined ? {} : { maxRunning }),
    ...(maxRunningOf === undefined ? {} : { maxRunningOf }),
  };
  const [virtualOrganisation] = common.organisations;
  const execution = {
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
    ...(common.organisations.length === 1 ? { virtualOrganisation } : {}),
    ...(Object.keys(common.userTags).length === 0 ? {} : { userTags: common.userTags }),
  };
  return Object.keys(execution).length === 0 ? {} : { execution };
}

interface DagTask {
  readonly node: ReadNode;
  readonly job: DescribedJob;
}

/** Parents that are still to run; the final node waits for all others. */
function parentsOf({ name, parents, isFinal }: ReadNode, names: ReadonlySet<string>): readonly ParentDraft[] {
  const before = isFinal === true ? [...names].filter((one) => one !== name) : parents;
  return before.filter((one) => names.has(one)).map((id) => ({ id, bytes: 0 }));
}

function needsOf({ description }: DescribedJob, { skip }: ReadNode): Omit<TaskDraft, "id" | "parents"> {
  if (skip === "noop") return { procs: 1 };
  const { procs, memoryBytes, gpus } = description;
  return {
    procs,
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
    ...(gpus === undefined ? {} : { gpus }),
  };
}

/** The shorter of the option and the limit, at the site that the description names where it names one. */
function runtimeOf(
  { description: { wallTimeMs: limitMs, site } }: DescribedJob,
  { skip }: ReadNode,
  optionMs: number | undefined,
): Pick<TaskDraft, "runtimeMs" | "runtimesMs"> {
  if (skip === "noop") return { runtimeMs: 0 };
  const known = [optionMs, limitMs].filter((ms) => ms !== undefined);
  if (known.length === 0) return {};
  const runtimeMs = Math.min(...known);
  return site === undefined ? { runtimeMs } : { runtimesMs: { [site]: runtimeMs } };
}

function recordOf({ description: { executable, arguments: words, site } }: DescribedJob) {
  return { executable, arguments: words, ...(site === undefined ? {} : { site }) };
}

/** Attributes that a task of a plan keeps, or that the whole workflow has. */
const KEPT: ReadonlySet<string> = new Set([
  ...["name", "executable", "arguments", "environment", "procs", "memoryBytes", "gpus", "wallTimeMs", "site"],
  ...["stdOutput", "stdError", "userTags", "inputSandbox", "outputSandbox", "virtualOrganisation"],
]);

/**
 * Attributes without effect in a plan. Sites and instants are chosen by the planner, and a task that was lost
 * with its site always runs again.
 */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set([
  ...["rank", "fuzzyRank", "defaultRank", "strictDefaults", "attributes", "delayCostSuPerHour", "replicas"],
  ...["retryCount", "shallowRetryCount"],
]);

function isKept(key: string): boolean {
  return KEPT.has(key) || WITHOUT_EFFECT.has(key);
}

/** Attributes that all nodes have in common, and that therefore apply to the whole workflow. */
interface Common {
  /** Every organisation that is named; the workflow has one if there is one. */
  readonly organisations: readonly string[];
  readonly userTags: Readonly<Record<string, string>>;
}

function commonOf(nodes: readonly DagTask[]): Common {
  const of = nodes.map(({ job }) => job.description);
  const named = of.flatMap(({ virtualOrganisation }) => virtualOrganisation ?? []);
  const tags = Object.entries(of[0]?.userTags ?? {});
  const common = tags.filter(([key, value]) => of.every(({ userTags }) => userTags[key] === value));
  return { organisations: [...new Set(named)], userTags: Object.fromEntries(common) };
}

/** Runs a program with its streams in files, the first two words; in one file where these are the same. */
const WITH_STREAMS =
  'out=$1 err=$2; shift 2; if [ "$out" = "$err" ]; then exec "$@" > "$out" 2>&1; fi; ' +
  'exec "$@" > "$out" 2> "$err"';

/** Program, files and rules of a node, or the attributes of its job that tasks cannot have. */
function runOf(
  { description }: DescribedJob,
  { name, parents: _, skip, ...rules }: ReadNode,
  { organisations }: Common,
): Pick<TaskDraft, "program" | "files" | "rules" | "unsupported"> {
  const { steps, stepRange, ...kept } = rules;
  if (skip === "noop") return { program: NOTHING_TO_RUN, rules: kept };
  const { inputSandbox, outputSandbox } = description;
  const pattern = outputSandbox.find((path) => isPattern(path) || path.endsWith("/"));
  const ownPath = inputSandbox.find(hasOwnPath);
  const unsupported = [
    ...Object.entries(description).flatMap(([key, value]) =>
      isKept(key) || value === undefined || (Array.isArray(value) && value.length === 0) ? [] : [key],
    ),
    ...(organisations.length > 1 ? ["virtualOrganisation, of which the nodes have several"] : []),
    ...(pattern === undefined ? [] : [`outputSandbox with ${pattern}`]),
    ...(ownPath === undefined ? [] : [`inputSandbox with ${ownPath}`]),
    ...(steps === undefined && stepRange === undefined ? [] : ["jobSteps"]),
  ];
  if (unsupported.length > 0) return { unsupported, rules: kept };
  const writes = outputsOf(description);
  const hasFiles = inputSandbox.length + writes.length > 0;
  return {
    program: programOf(description),
    ...(hasFiles ? { files: { reads: inputSandbox, writes, folder: name } } : {}),
    rules: kept,
  };
}

/** A node without a job counts as done at once. */
const NOTHING_TO_RUN: TaskProgram = { executable: "true", arguments: [], environment: {} };

/** The output sandbox, and the streams that have a name of their own. */
function outputsOf({ outputSandbox, stdOutput, stdError }: DescribedJob["description"]): readonly string[] {
  const usual: readonly string[] = [JOB_DEFAULTS.stdOutput, JOB_DEFAULTS.stdError];
  const streams = [stdOutput, stdError].filter((name) => !usual.includes(name));
  return [...new Set([...outputSandbox, ...streams])];
}

/** True for an input whose path in the directory of the job is not its base name. */
function hasOwnPath(path: string): boolean {
  return sandboxName(path) !== basename(path);
}

/** A program of the input sandbox is started from its directory; streams that are outputs go to files. */
function programOf(description: DescribedJob["description"]): TaskProgram {
  const { executable: named, arguments: words, environment, inputSandbox } = description;
  const { stdOutput, stdError } = description;
  const isBrought = !named.includes("/") && inputSandbox.some((path) => basename(path) === named);
  const executable = isBrought ? `./${named}` : named;
  const outputs = outputsOf(description);
  if (![stdOutput, stdError].some((one) => outputs.includes(one))) {
    return { executable, arguments: words, environment };
  }
  const shell = ["-c", WITH_STREAMS, "sh", stdOutput, stdError, executable, ...words];
  return { executable: "/bin/sh", arguments: shell, environment };
}

function limitRemark(nodes: readonly DagTask[], optionMs = Number.POSITIVE_INFINITY): readonly string[] {
  const running = nodes.filter(({ node }) => node.skip === undefined);
  const limited = running.filter(({ job: { description } }) => {
    const { wallTimeMs = Number.POSITIVE_INFINITY } = description;
    return wallTimeMs < optionMs;
  });
  if (limited.length === 0) return [];
  return [
    `the time limit is taken as the runtime of ${limited.length} of ${counted(running.length, "task")}: ` +
      "nothing shorter is known; --runtime states one for all tasks",
  ];
}

function requirementsRemark(nodes: readonly DagTask[]): readonly string[] {
  const some = nodes.filter(({ job: { description } }) => description.requirements !== undefined);
  if (some.length === 0) return [];
  return [`requirements on sites are not considered in plans: ${counted(some.length, "task")} have some`];
}

/** What is left out of the descriptions. */
function dagRemarks(nodes: readonly DagTask[], { userTags }: Common): readonly string[] {
  const descriptions = nodes.map(({ job }) => job.description);
  const without = new Set(
    descriptions.flatMap((one) =>
      Object.entries(one).flatMap(([key, value]) =>
        WITHOUT_EFFECT.has(key) && value !== undefined ? [key] : [],
      ),
    ),
  );
  const common = Object.keys(userTags).length;
  const ownTags = descriptions.filter((one) => Object.keys(one.userTags).length > common).length;
  return [
    ...(without.size === 0
      ? []
      : [`without effect in a plan, which chooses the sites itself: ${some([...without].toSorted())}`]),
    ...(ownTags === 0
      ? []
      : [
          "only user tags that all nodes share are kept: " +
            `${counted(ownTags, "node")} of ${nodes.length} had more`,
        ]),
  ];
}

const NO_DAG = {
  code: "noDag",
  what: "this file describes jobs, not a DAG",
  why: "a plan is for tasks that depend on each other, and these do not",
  remedy: 'submit the jobs: stint submit FILE; in JDL a DAG has Type = "dag"',
};
