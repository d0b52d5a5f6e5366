/**
 * Reads JDL, the Job Description Language of EGEE/gLite: a job, a collection, or a DAG.
 *
 * Source: the JDL attributes specification of EGEE/gLite [WMS], in the syntax of ClassAds.
 */
import { counted } from "../../base/index.ts";
import { type ClassAd, parseAd } from "../../classad/index.ts";
import { MOST_DAG_NODES } from "../../model/index.ts";
import type { DescribedJob, JobReading, JobSurroundings, ReadDag, ReadNode } from "../job-reading/index.ts";
import { type Dependency, readDependencies } from "./dependencies.ts";
import { type AdPlace, adAt, attributeIn, type JdlAd } from "./jdl-ad.ts";
import { beginText, type JdlText } from "./jdl-text.ts";
import { type JobContext, readJob } from "./job.ts";
import { type JdlKind, kindOf } from "./kinds.ts";
import { type NodeEntry, type NodesReading, readNode, readNodes, retriesOf } from "./nodes.ts";
import { substitutions } from "./parametric.ts";
import { readPartitionable } from "./partitionable.ts";
import type { Substitute } from "./typed-value.ts";

/** Reads `text`, with or without its outer brackets; never throws on its content. */
export function readJobJdl(text: string, surroundings: JobSurroundings): JobReading {
  const parsed = parseAd(text);
  if (!parsed.ok) return { jobs: [], warnings: [], problems: [parsed.refusal], translations: [] };
  const source = beginText(text);
  const ad = adAt(parsed.value.node, { source, whole: parsed.value });
  const found = readWhole(ad, { source, surroundings, whole: parsed.value });
  return { ...found, ...source.notes.collected(), translations: source.translations() };
}

interface Whole {
  readonly source: JdlText;
  readonly surroundings: JobSurroundings;
  readonly whole: ClassAd;
}

function readWhole(ad: JdlAd, all: Whole): Pick<JobReading, "jobs" | "whole" | "dag"> {
  const { source, surroundings, whole } = all;
  if (ad.attributes.length === 0) {
    source.notes.problem(0, nothingThere);
    return { jobs: [] };
  }
  const kind = kindOf(ad, source);
  const context: JobContext = { source, surroundings, substitute: unchanged };
  const { type } = kind;
  if (type === "job" && kind.jobTypes.has("partitionable")) {
    return readPartitionable(ad, { source, whole }, context);
  }
  if (type === "job") return readJobs(ad, kind, context);
  return readCompound(ad, { type, place: { source, whole }, context });
}

const unchanged: Substitute = (text) => text;

function readJobs(ad: JdlAd, kind: JdlKind, context: JobContext): Pick<JobReading, "jobs" | "whole"> {
  const { source } = context;
  if (kind.jobTypes.has("mpich")) judgeMpich(ad, kind, source);
  const each = kind.jobTypes.has("parametric") ? substitutions(ad, source) : [unchanged];
  const jobs = each.flatMap((substitute) => readJob(ad, { ...context, substitute }) ?? []);
  if (!kind.jobTypes.has("parametric")) return { jobs };
  return { jobs, whole: `a parametric job of ${counted(each.length, "job")}` };
}

function judgeMpich(ad: JdlAd, { at }: JdlKind, { notes }: JdlText): void {
  if (attributeIn(ad, "CpuNumber") === undefined && attributeIn(ad, "NodeNumber") === undefined) {
    notes.problem(at, noProcessors);
  }
  const program = attributeIn(ad, "Executable")?.value();
  const isLauncher = program?.kind === "string" && /(?:^|\/)(?:mpirun|mpiexec|srun)$/.test(program.value);
  if (!isLauncher) notes.warning(at, notLaunched);
}

interface Around {
  readonly type: "dag" | "collection";
  readonly place: AdPlace;
  readonly context: JobContext;
}

function readCompound(
  ad: JdlAd,
  { type, place, context }: Around,
): Pick<JobReading, "jobs" | "whole" | "dag"> {
  const { source } = context;
  const isDag = type === "dag";
  if (isDag && attributeIn(ad, "VirtualOrganisation") === undefined) {
    source.notes.problem(ad.at, noOrganisation);
  }
  const nodes = attributeIn(ad, "Nodes");
  if (nodes === undefined) {
    source.notes.problem(ad.at, noNodes(type));
    return { jobs: [] };
  }
  const reading = readNodes(nodes, place);
  const size = counted(reading.entries.length, "node");
  const read = reading.entries.map((entry) => ({ entry, job: readNode(entry, ad, { ...context, isDag }) }));
  const jobs: DescribedJob[] = read.flatMap(({ job }) => job ?? []);
  if (!isDag) return { jobs, whole: `a collection of ${size}` };
  const between = readBetween(ad, reading, source);
  const dag: ReadDag = {
    nodes: read.flatMap(({ entry, job }) => (job === undefined ? [] : nodeOf(entry, between ?? []))),
    ...readMost(ad, source),
    ...nameOf(ad),
  };
  return { jobs, whole: `a DAG of ${size} and ${betweenText(between)}`, dag };
}

function nodeOf(entry: NodeEntry, between: readonly Dependency[]): ReadNode {
  const { name } = entry;
  const parents = between.flatMap(({ before, after }) => (after === name ? [before] : []));
  const retries = retriesOf(entry);
  return { name, parents: [...new Set(parents)], ...(retries === 0 ? {} : { retries }) };
}

/** `Name`, which is that of the DAG: its nodes have names of their own. */
function nameOf(ad: JdlAd): Pick<ReadDag, "name"> {
  const value = (attributeIn(ad, "Name") ?? attributeIn(ad, "JobName"))?.value();
  return value?.kind === "string" ? { name: value.value } : {};
}

/** `Max_Nodes_Running`. */
function readMost(ad: JdlAd, { notes }: JdlText): Pick<ReadDag, "maxRunning"> {
  const most = attributeIn(ad, "Max_Nodes_Running");
  if (most === undefined) return {};
  const value = most.value();
  if (value.kind === "integer" && value.value >= 1)
    return { maxRunning: Math.min(value.value, MOST_DAG_NODES) };
  notes.problem(most.at, badMost);
  return {};
}

/** The dependencies; undefined, with a problem, where they are missing. */
function readBetween(
  ad: JdlAd,
  { entries, dependencies: inside }: NodesReading,
  source: JdlText,
): readonly Dependency[] | undefined {
  const outside = attributeIn(ad, "Dependencies");
  if (outside !== undefined && inside !== undefined) source.notes.problem(inside.nameAt, twoDependencies);
  const attribute = outside ?? inside;
  if (attribute === undefined) {
    source.notes.problem(ad.at, noDependencies);
    return undefined;
  }
  const names = entries.map(({ name }) => name);
  return readDependencies(attribute, names, source);
}

function betweenText(between: readonly Dependency[] | undefined): string {
  if (between === undefined) return "unknown dependencies";
  return between.length === 1 ? "1 dependency" : `${between.length} dependencies`;
}

const nothingThere = {
  code: "descriptionEmpty",
  what: "there is no job in it",
  why: "the file is empty, or has comments only",
  remedy: 'write at least Executable = "hostname";',
};

const noProcessors = {
  code: "wordMissing",
  what: "CpuNumber is missing",
  why: "an MPICH job needs a number of processors",
  remedy: "write for instance CpuNumber = 4",
};

const notLaunched = {
  code: "mpiNotStarted",
  what: "the program of this MPICH job is started only once",
  why: "the job gets its processors, but the program must start its own processes",
  remedy: 'write Executable = "mpirun", and the program among the Arguments',
};

const badMost = {
  code: "wrongType",
  what: "Max_Nodes_Running is not a whole number",
  why: "it takes a whole number, 1 or more",
  remedy: "write for instance Max_Nodes_Running = 10",
};

const noOrganisation = {
  code: "wordMissing",
  what: "VirtualOrganisation is missing",
  why: "it is mandatory for a DAG",
  remedy: 'write for instance VirtualOrganisation = "cms"',
};

function noNodes(type: "dag" | "collection") {
  return {
    code: "wordMissing",
    what: "Nodes is missing",
    why: `a ${type === "dag" ? "DAG" : "collection"} needs at least one node`,
    remedy: 'write for instance Nodes = [ a = [ description = [ Executable = "hostname" ] ] ]',
  };
}

const noDependencies = {
  code: "wordMissing",
  what: "Dependencies is missing",
  why: "it is mandatory for a DAG, and may be empty",
  remedy: "write for instance Dependencies = { { a, b } }, or Dependencies = {}",
};

const twoDependencies = {
  code: "wordsExclude",
  what: "Dependencies is given within Nodes and outside",
  why: "only one of them can apply",
  remedy: "keep the one outside",
};
