/** The details of one DAG for people: its nodes as a tree. */
import type { DagNodeView, DagView, WholeDagView } from "../api/client/index.ts";
import { datedText } from "./instant-text.ts";
import { dagStateText } from "./job-table.ts";
import type { Listing } from "./output-forms.ts";
import { printable } from "./text-table.ts";

/** Nodes of a tree that are shown. */
const MOST_SHOWN = 500;
/** Levels of a tree that are indented. */
const MOST_LEVELS = 20;

/** Details of a DAG, a line each, and below its nodes. */
export function dagDetails(dag: DagView | WholeDagView, nowMs: number): string {
  const tags = Object.entries(dag.userTags).map(([key, value]) => (value === "" ? key : `${key}=${value}`));
  const lines: readonly (readonly [string, string | null])[] = [
    ["DAG", dag.id],
    ["name", dag.name],
    ["state", dagStateText(dag)],
    ["result", dag.result],
    ["ended by", dag.aborted === null ? null : `${dag.aborted.node}, with result ${dag.aborted.result}`],
    ["nodes", String(dag.size)],
    ["at once", dag.maxRunning === null ? null : String(dag.maxRunning)],
    ["consumer", dag.consumer],
    ["owner", dag.owner],
    ["tags", tags.length === 0 ? null : tags.join(", ")],
    ["submitted", datedText(dag.submittedAt, nowMs)],
    ["ended", dag.endedAt === null ? null : datedText(dag.endedAt, nowMs)],
  ];
  const said = lines.flatMap(([name, value]) =>
    value === null ? [] : `${name.padEnd(12)}${printable(value)}\n`,
  );
  return `${said.join("")}${"nodes" in dag ? treeText(dag.nodes) : ""}`;
}

/** DAGs alone, for programs. */
export function dagListing(nowMs: number): Listing<DagView> {
  return {
    columns: [
      { head: "ID", cell: ({ id }) => id },
      { head: "STATE", cell: dagStateText },
      { head: "SUBMITTED", cell: ({ submittedAt }) => datedText(submittedAt, nowMs) },
    ],
    fields: FIELDS,
    record: (dag) => ({ ...dag }),
    name: ({ id }) => id,
  };
}

/** Fields of the JSON, one per CSV column. */
const FIELDS = [
  ...["id", "dag", "state", "result", "size", "maxRunning", "states", "aborted", "name", "consumer"],
  ...["owner", "userTags", "submittedAt", "endedAt"],
];

interface Placed {
  readonly node: DagNodeView;
  readonly level: number;
}

/** Each node once, below the last of those that it follows; others that it follows are named. */
function treeText(nodes: readonly DagNodeView[]): string {
  const placed = inTree(nodes);
  const shown = placed.slice(0, MOST_SHOWN);
  const names = shown.map(
    ({ node, level }) => `${"  ".repeat(Math.min(level, MOST_LEVELS))}${printable(node.name)}`,
  );
  const width = Math.min(40, Math.max(...names.map((name) => name.length)));
  const lines = shown.map(({ node }, at) => `  ${names[at]?.padEnd(width)}  ${nodeText(node)}\n`);
  const left = placed.length - shown.length;
  const more = left === 0 ? "" : `  … and ${left} more; -o json has all of them\n`;
  return `\n${lines.join("")}${more}`;
}

function nodeText({ state, job, exitCode, tries, parents }: DagNodeView): string {
  const code = exitCode === null || (state !== "FAILED" && state !== "WAITING") ? "" : ` (exit ${exitCode})`;
  const parts = [
    `${state}${code}`.padEnd(17),
    job ?? "-",
    tries > 1 ? `${tries} tries` : "",
    parents.length > 1
      ? `after ${parents.slice(0, 5).map(printable).join(", ")}${parents.length > 5 ? ", …" : ""}`
      : "",
  ];
  return parts
    .filter((part) => part !== "")
    .join("  ")
    .trimEnd();
}

function inTree(nodes: readonly DagNodeView[]): readonly Placed[] {
  const places = new Map(nodes.map(({ name }, at) => [name, at]));
  const children: number[][] = nodes.map(() => []);
  const unmet = nodes.map(({ parents }) => parents.length);
  for (const [at, { parents }] of nodes.entries()) {
    for (const parent of parents) children[places.get(parent) ?? -1]?.push(at);
  }
  const placed: Placed[] = [];
  const roots = nodes.flatMap(({ parents }, at) => (parents.length === 0 ? [at] : []));
  const open = roots.toReversed().map((at) => ({ at, level: 0 }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { at, level } = next;
    const node = nodes[at];
    if (node !== undefined) placed.push({ node, level });
    const below = (children[at] ?? []).filter((child) => --unmet[child] === 0);
    for (const child of below.toReversed()) open.push({ at: child, level: level + 1 });
  }
  return placed;
}
