/**
 * Reads DAGMan files of HTCondor: a DAG whose nodes are described in submit files (rules FO-190 to FO-192).
 *
 * Source: the manual of HTCondor 23, DAGMan Workflows. Departs from it: PRE and POST scripts run at the site
 * of their node (`node-program.ts`); a SUBDAG is part of the whole, as a splice is.
 */
import { counted } from "../../base/index.ts";
import { faultOfDag, MOST_DAG_NODES } from "../../model/index.ts";
import { readCondorSubmit } from "../condor-submit/index.ts";
import { echoText } from "../echo-text.ts";
import { beginAccount } from "../job-draft/index.ts";
import type { DescribedJob, JobReading, JobSurroundings, ReadDag, ReadNode } from "../job-reading/index.ts";
import { statementsOf } from "./lines.ts";
import { withScripts } from "./node-program.ts";
import type { Course, NodeDraft } from "./pieces.ts";
import { finishStatements, readStatements } from "./statements.ts";

/** Reads `text`, with the files that it names; never throws on its content. */
export function readDagman(text: string, surroundings: JobSurroundings): JobReading {
  const account = beginAccount(text);
  const course: Course = {
    ...{
      account,
      surroundings,
      prefix: "",
      open: surroundings.file === undefined ? [] : [surroundings.file],
    },
    ...{ nodes: new Map(), splices: new Map(), descriptions: new Map(), limits: new Map() },
    ...{ later: [], pinsIn: new Map(), pinsOut: new Map(), edges: new Map() },
  };
  readStatements(text, course);
  finishStatements(course);
  takeRescue(course);
  if (course.nodes.size === 0) account.notes.problem(0, NO_NODES);
  tellCycle(course);
  if (account.notes.problemCount() > 0) return account.reading([]);
  const drafts = [...course.nodes.values()];
  const texts = new Map<string, string | undefined>();
  const jobs = drafts.flatMap((draft) => jobOf(draft, texts, course) ?? []);
  if (account.notes.problemCount() > 0) return account.reading([]);
  return {
    ...account.reading(jobs),
    whole: `a DAG of ${counted(drafts.length, "node")} and ${dependenciesText(course.edges.size)}`,
    dag: dagOf(drafts, course),
  };
}

function dependenciesText(count: number): string {
  return count === 1 ? "1 dependency" : `${count} dependencies`;
}

function dagOf(drafts: readonly NodeDraft[], { limits }: Course): ReadDag {
  return {
    nodes: drafts.map(readNode),
    ...(limits.size === 0 ? {} : { maxRunningOf: Object.fromEntries(limits) }),
  };
}

function readNode(draft: NodeDraft): ReadNode {
  const { name, parents, skip, isFinal, retries = 0, unlessExit, abortOn, priority, category } = draft;
  return {
    ...{ name, parents: [...parents] },
    ...(skip === undefined ? {} : { skip }),
    ...(isFinal === undefined ? {} : { isFinal }),
    ...(retries === 0 ? {} : { retries }),
    ...(unlessExit === undefined ? {} : { unlessExit }),
    ...(abortOn === undefined ? {} : { abortOn }),
    ...(priority === undefined ? {} : { priority }),
    ...(category === undefined ? {} : { category }),
  };
}

/** The job of a node, from its submit file with its variables; problems are told at the node's line. */
function jobOf(
  draft: NodeDraft,
  texts: Map<string, string | undefined>,
  { account, surroundings }: Course,
): DescribedJob | undefined {
  const { name, line, submit, folder, variables } = draft;
  const found = "text" in submit ? submit.text : textOf(submit.file, texts, draft, { account, surroundings });
  if (found === undefined) return undefined;
  const text = /^[ \t]*queue\b/im.test(found) ? found : `${found}\nqueue\n`;
  const file = "text" in submit ? surroundings.file : submit.file;
  const around = { ...surroundings, folder, ...(file === undefined ? {} : { file }) };
  const own = new Map([...variables, ["job", name]]);
  const { jobs, problems, warnings, translations } = readCondorSubmit(text, around, own);
  const where = "text" in submit ? "its description" : submit.file;
  const at = ({ line: row = 1, column = 1 }: { line?: number; column?: number }) =>
    `${where}:${row}:${column}`;
  for (const one of problems) account.notes.problem(line.at, { ...one, what: `${at(one)}: ${one.what}` });
  for (const one of warnings) account.notes.warning(line.at, { ...one, what: `${at(one)}: ${one.what}` });
  for (const { line: row, written, ...one } of translations) {
    const key = `${where}:${row}: ${written}`;
    if (one.verdict === "translated" || texts.has(key)) continue;
    texts.set(key, undefined);
    account.tell({ at: line.at, written: key }, one);
  }
  const [job] = jobs;
  if (problems.length > 0 || job === undefined) return undefined;
  if (jobs.length > 1 || job.description.array !== undefined) {
    account.notes.problem(line.at, severalJobs(name));
    return undefined;
  }
  const { name: _, ...description } = withScripts(job.description, draft, around);
  return { description: { ...description, name }, line: account.notes.lineOf(line.at), node: name };
}

function textOf(
  file: string,
  texts: Map<string, string | undefined>,
  { name, line, skip }: NodeDraft,
  { account, surroundings }: Pick<Course, "account" | "surroundings">,
): string | undefined {
  // DAGMan does not read the submit file of a node that submits nothing.
  if (skip === "noop") return "executable = /bin/true\ntransfer_executable = false\nqueue\n";
  if (texts.has(file)) return texts.get(file);
  const read = surroundings.readText?.(file);
  const text = read?.ok === true ? read.value : undefined;
  texts.set(file, text);
  if (text === undefined) {
    const why =
      read?.ok === false ? read.refusal.why : "further files are read only for a description in a file";
    account.notes.problem(line.at, unreadable(name, file, why));
  }
  return text;
}

/** Nodes that the newest rescue file beside the DAG has as done. */
function takeRescue({ account, surroundings, nodes }: Course): void {
  const { file, fileState, readText } = surroundings;
  if (file === undefined || readText === undefined) return;
  const numbers = Array.from(
    { length: MOST_RESCUES },
    (_, at) => `${file}.rescue${String(MOST_RESCUES - at).padStart(3, "0")}`,
  );
  const newest = numbers.find((path) => fileState(path) === "readable");
  const text = newest === undefined ? undefined : readText(newest);
  if (newest === undefined || text?.ok !== true) return;
  let done = 0;
  for (const { words } of statementsOf(text.value).list) {
    const [word = "", name = ""] = words;
    const isDone = word.toUpperCase() === "DONE" || words.some((one) => one.toUpperCase() === "DONE");
    const node = nodes.get(name);
    if (!isDone || node === undefined || node.skip !== undefined) continue;
    node.skip = "done";
    done++;
  }
  account.notes.warning(0, rescued(newest, done));
}

const MOST_RESCUES = 999;

function tellCycle({ account, nodes, edges }: Course): void {
  const drafts = [...nodes.values()];
  if (drafts.length > MOST_DAG_NODES) return;
  const places = new Map(drafts.map(({ name }, index) => [name, index]));
  const plans = drafts.map(({ name, parents, isFinal }) => ({
    ...{ name, parents: [...parents].flatMap((parent) => places.get(parent) ?? []) },
    ...(isFinal === undefined ? {} : { isFinal }),
  }));
  const fault = faultOfDag(plans);
  if (fault === undefined || fault.kind === "empty" || fault.kind === "tooMany") return;
  if (fault.kind !== "cycle") {
    const line = nodes.get(fault.name)?.line;
    account.notes.problem(line?.at ?? 0, {
      ...BAD_FINAL,
      what: `${echoText(fault.name)} is not allowed here`,
    });
    return;
  }
  const { names } = fault;
  const last = edges.get(`${names.at(-2)}\n${names.at(-1)}`);
  const shown = names.length > 10 ? [...names.slice(0, 9), "…", ...names.slice(-1)] : names;
  account.notes.problem(last?.at ?? 0, {
    code: "cycle",
    what: `the dependencies are a cycle: ${shown.join(" → ")}`,
    why: "each of these nodes waits for itself, directly or indirectly",
    remedy: "take one of its dependencies out",
  });
}

const BAD_FINAL = {
  code: "dagLine",
  why: "a DAG has one final node at most, which has no parents and no children",
  remedy: "take it out of PARENT … CHILD, or write JOB",
};

const NO_NODES = {
  code: "noNodes",
  what: "there are no nodes",
  why: "a DAG needs at least one node, and no line of the file is a JOB",
  remedy: "write for instance JOB prepare prepare.sub",
};

function severalJobs(name: string) {
  return {
    code: "nodeNotOneJob",
    what: `the node ${echoText(name)} is more than one job`,
    why: "its submit file queues several, and a node is one",
    remedy: "write a node for each, with VARS for what differs",
  };
}

function unreadable(name: string, file: string, why: string) {
  return {
    code: "nodeFile",
    what: `the submit file of the node ${echoText(name)} cannot be read: ${file}`,
    why,
    remedy: "correct its path, which is relative to the folder of the DAG, or to the DIR of the node",
  };
}

function rescued(file: string, done: number) {
  return {
    code: "rescued",
    what: `${counted(done, "node")} ${done === 1 ? "is" : "are"} done already by ${file}`,
    why: "this is the newest rescue file of the DAG",
    remedy: "remove it, and those before it, to run all nodes",
  };
}
