/** Nodes of a DAG or a collection: their ads, with what they inherit. */
import { dirname, isAbsolute, join } from "node:path";
import { formatPosition } from "../../base/index.ts";
import { parseAd } from "../../classad/index.ts";
import { echoText } from "../echo-text.ts";
import type { DescribedJob } from "../job-reading/index.ts";
import { rowOf } from "./attribute-table.ts";
import {
  type AdPlace,
  adAt,
  attributeIn,
  indexed,
  type JdlAd,
  type JdlAttribute,
  type RecordNode,
  selected,
} from "./jdl-ad.ts";
import { beginText } from "./jdl-text.ts";
import { type JobContext, readJob } from "./job.ts";
import { kindOf } from "./kinds.ts";

/** A node with its place. */
export interface NodeEntry {
  readonly name: string;
  /** False where the name is only a count. */
  readonly isNamed: boolean;
  readonly at: number;
  readonly record: RecordNode;
  readonly place: AdPlace;
}

/** A node that is in a file of its own. */
interface FileEntry extends Pick<NodeEntry, "name" | "isNamed" | "at"> {
  readonly file: JdlAttribute;
}

const MOST_NODES = 10_000;
const NOT_INHERITED: ReadonlySet<string> = new Set(["type", "nodes", "dependencies", "max_nodes_running"]);

/** The nodes, and the dependencies where they are written among them. */
export interface NodesReading {
  readonly entries: readonly NodeEntry[];
  readonly dependencies?: JdlAttribute;
}

/** Reads `Nodes`: an ad of named ones, or a list. */
export function readNodes(nodes: JdlAttribute, place: AdPlace): NodesReading {
  const { source } = place;
  const path = { kind: "reference", name: nodes.name, key: nodes.key } as const;
  const { node } = nodes;
  const entries: NodeEntry[] = [];
  let dependencies: JdlAttribute | undefined;
  const take = (
    name: string,
    at: number,
    entry: Omit<NodeEntry, "name" | "at" | "isNamed"> | undefined,
  ): void => {
    if (entry === undefined) source.notes.problem(at, noAd(name));
    else entries.push({ name, isNamed: true, at, ...entry });
  };
  if (node.kind === "record") {
    for (const attribute of adAt(node, { ...place, path }).attributes) {
      const { name, key, nameAt } = attribute;
      if (key === "dependencies") dependencies = attribute;
      else if (attribute.node.kind !== "record") take(name, nameAt, undefined);
      else take(name, nameAt, { record: attribute.node, place: { ...place, path: selected(path, name) } });
    }
  } else if (node.kind === "list") {
    for (const [index, item] of node.items.entries()) {
      if (item.kind !== "record") take(`node ${index + 1}`, nodes.at, undefined);
      else {
        const within = { ...place, path: indexed(path, index) };
        const ad = adAt(item, within);
        const named = attributeIn(ad, "NodeName")?.value();
        const name = named?.kind === "string" ? named.value : `node${index + 1}`;
        entries.push({ name, isNamed: named !== undefined, at: ad.at, record: item, place: within });
      }
    }
  } else source.notes.problem(nodes.at, noAd(nodes.name));
  if (entries.length > MOST_NODES) source.notes.problem(nodes.at, tooManyNodes(entries.length));
  if (entries.length === 0) source.notes.problem(nodes.at, noNodes);
  const few = entries.slice(0, MOST_NODES);
  return { entries: few, ...(dependencies === undefined ? {} : { dependencies }) };
}

/** Reads the job of a node; undefined, with problems, where it cannot be one. */
export function readNode(
  entry: NodeEntry | FileEntry,
  outer: JdlAd,
  context: JobContext,
): DescribedJob | undefined {
  const { source } = context;
  const { name, isNamed, at } = entry;
  if ("file" in entry) return readFileNode(name, entry.file, { outer, context, isNamed });
  const { record, place } = entry;
  const own = adAt(record, place);
  const described = attributeIn(own, "description");
  const file = attributeIn(own, "file");
  const retry = attributeIn(own, "retry");
  if (retry !== undefined) readRetry(retry, context);
  if (described !== undefined && file !== undefined) source.notes.problem(file.nameAt, twoDescriptions(name));
  if (described === undefined && file !== undefined)
    return readFileNode(name, file, { outer, context, isNamed });
  if (described === undefined) return jobOf(name, { ...own, at }, { outer, context, isNamed });
  if (described.node.kind !== "record" || place.path === undefined) {
    source.notes.problem(described.at, noAd(`description of ${name}`));
    return undefined;
  }
  const inner = adAt(described.node, { ...place, path: selected(place.path, described.name) });
  return jobOf(name, { ...inner, at }, { outer, context, isNamed });
}

interface Around {
  readonly outer: JdlAd;
  readonly context: JobContext;
  readonly isNamed: boolean;
}

function jobOf(name: string, own: JdlAd, { outer, context, isNamed }: Around): DescribedJob | undefined {
  const { type, jobTypes, at } = kindOf(own, context.source);
  if (type !== "job" || jobTypes.has("partitionable")) context.source.notes.problem(at, noJob(name));
  const job = readJob(inherited(own, outer), context);
  if (job === undefined) return undefined;
  const isName = isNamed && name.length <= 200;
  return { ...job, description: { ...(isName ? { name } : {}), ...job.description }, node: name };
}

/** The ad with every attribute of the outer one that it does not set itself. */
function inherited(own: JdlAd, outer: JdlAd): JdlAd {
  const names = new Set(own.attributes.map(({ key }) => nameOfRow(key)));
  const others = outer.attributes.filter(({ key, value }) => {
    if (names.has(nameOfRow(key)) || NOT_INHERITED.has(key)) return false;
    if (key !== "jobtype") return true;
    const type = value();
    return type.kind !== "string" || !/^(?:dag|collection)$/i.test(type.value);
  });
  return {
    at: own.at,
    attributes: [...own.attributes.filter(({ key }) => key !== "retry" && key !== "file"), ...others],
  };
}

/** One name for both spellings of an attribute. */
function nameOfRow(key: string): string {
  return rowOf(key)?.name ?? key;
}

/** A node in a file of its own: what is wrong there is told with its place in that file. */
function readFileNode(
  name: string,
  file: JdlAttribute,
  { outer, context, isNamed }: Around,
): DescribedJob | undefined {
  const { source, surroundings } = context;
  const value = file.value();
  const path = value.kind === "string" ? value.value : "";
  const whole = isAbsolute(path) ? path : join(surroundings.folder, path);
  const text = path === "" ? undefined : surroundings.readText?.(whole);
  if (text === undefined || !text.ok) {
    source.notes.problem(file.at, unreadable(name, text?.ok === false ? text.refusal.why : ""));
    return undefined;
  }
  const parsed = parseAd(text.value);
  const inner = beginText(text.value);
  if (!parsed.ok) {
    const { line, column, ...words } = parsed.refusal;
    source.notes.problem(file.at, { ...words, what: placed(path, { line, column }, words.what) });
    return undefined;
  }
  const own = adAt(parsed.value.node, { source: inner, whole: parsed.value });
  const innerContext = {
    ...context,
    source: inner,
    surroundings: { ...surroundings, folder: dirname(whole) },
  };
  const job = jobOf(name, own, { outer, context: innerContext, isNamed });
  const { problems, warnings } = inner.notes.collected();
  for (const { line, column, ...words } of problems) {
    source.notes.problem(file.at, { ...words, what: placed(path, { line, column }, words.what) });
  }
  for (const { line, column, ...words } of warnings) {
    source.notes.warning(file.at, { ...words, what: placed(path, { line, column }, words.what) });
  }
  return job === undefined ? undefined : { ...job, line: source.notes.lineOf(file.at) };
}

function placed(
  file: string,
  { line = 1, column = 1 }: { readonly line?: number | undefined; readonly column?: number | undefined },
  what: string,
): string {
  return `${formatPosition({ file, line, column })}: ${what}`;
}

/** Times that a node is run again after it failed; 0 where it says nothing, or nothing that is a number. */
export function retriesOf({ record, place }: NodeEntry): number {
  const value = attributeIn(adAt(record, place), "retry")?.value();
  return value?.kind === "integer" && value.value >= 0 ? Math.min(value.value, MOST_RETRIES) : 0;
}

const MOST_RETRIES = 1000;

/** Records what `retry` becomes; nodes of a collection are jobs that nobody runs again. */
export function readRetry(retry: JdlAttribute, { source, isDag = false }: JobContext): void {
  const value = retry.value();
  if (value.kind === "integer" && value.value >= 0 && value.value <= MOST_RETRIES) {
    const written = `retry = ${value.value}`;
    const why = "jobs of a collection are not run again when they fail";
    source.translate(
      retry.nameAt,
      isDag ? { written, verdict: "translated" } : { written, verdict: "notTranslated", why },
    );
    return;
  }
  source.notes.problem(retry.at, {
    code: "wrongType",
    what: "retry is not a whole number",
    why: `it takes a whole number, 0 to ${MOST_RETRIES}`,
    remedy: "write for instance retry = 2",
  });
}

function noAd(name: string) {
  return {
    code: "wrongType",
    what: `${echoText(name)} is not an ad`,
    why: 'a node is [ description = [ … ] ], [ file = "…" ], or in a collection the job itself in [ ]',
    remedy: 'write for instance Nodes = [ a = [ description = [ Executable = "hostname" ] ] ]',
  };
}

function noJob(name: string) {
  return {
    code: "nodeNotJob",
    what: `the node ${echoText(name)} is not a single job`,
    why: "nodes of a DAG or a collection are jobs, not DAGs, collections or partitionable jobs",
    remedy: "write its jobs as nodes of the outer description",
  };
}

function twoDescriptions(name: string) {
  return {
    code: "wordsExclude",
    what: `the node ${echoText(name)} has a description and a file`,
    why: "one of them describes it",
    remedy: "keep one of them",
  };
}

function unreadable(name: string, why: string) {
  return {
    code: "nodeFile",
    what: `the file of the node ${echoText(name)} cannot be read`,
    why: why === "" ? "it is not a path, or no files can be read here" : why,
    remedy: "correct its path, which begins at the folder of this description, or write the description here",
  };
}

const noNodes = {
  code: "wordMissing",
  what: "there are no nodes",
  why: "a DAG or a collection needs at least one node",
  remedy: 'write for instance Nodes = [ a = [ description = [ Executable = "hostname" ] ] ]',
};

function tooManyNodes(count: number) {
  return {
    code: "tooManyJobs",
    what: `there are ${count} nodes`,
    why: `one description may have at most ${MOST_NODES}`,
    remedy: "write several descriptions",
  };
}
