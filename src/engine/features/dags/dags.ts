/**
 * DAGs: many jobs that wait for each other, submitted as one (rule EN-230).
 *
 * One event records a DAG; its nodes become jobs by decisions, each an ordinary job that names its node. What
 * becomes of a node follows from the ends of its jobs, so that the state of a DAG is computed from events and
 * is the same after a restart.
 */
import { accepted, refused } from "../../../base/index.ts";
import {
  type DagNode,
  type DagRecord,
  faultOfDag,
  type JobRecord,
  nodeDescription,
  nodeJobId,
  type Refusal,
  refusalText,
  type StintEvent,
} from "../../../model/index.ts";
import type { Answer, CommandOf, EventOf, Feature } from "../../feature.ts";
import { answerVerb } from "../../jobs.ts";
import {
  cancelNodes,
  type DagState,
  dagRecord,
  holdNodes,
  newNode,
  nodeEnded,
  nodeStarted,
  noNodes,
  openDag,
  resetNodes,
  retried,
  settleDag,
  startableNodes,
} from "../../state/dags.ts";
import { tagsText } from "../../state/job-tags.ts";
import type { Projection, RecordChange } from "../../state/projection.ts";
import { whyNotTaken } from "../../submit.ts";

export const dags = {
  name: "dags",
  answers: { submitDag, actOnDag, retryDag },
  applies: { dagAccepted, dagActed, dagRetried },
  after: (projection, event, jobs) => noteJobs(projection, jobs, event.atMs),
  decide,
  views: [
    {
      name: "dags",
      columns: {
        ...{ owner: "text", consumer: "text", name: "text", tags: "text", states: "text" },
        ...{ submittedAtMs: "integer", ord: "integer", endedAtMs: "integer" },
      },
    },
    { name: "dagNodes", columns: { dag: "text", ord: "integer" } },
  ],
  rows: {
    dag: ({ record }) => {
      const { owner, consumer, submittedAtMs, order: ord, endedAtMs, name = null, userTags } = record;
      const found = { name, tags: tagsText(userTags), states: statesText(record) };
      const columns = { owner, consumer, submittedAtMs, ord, endedAtMs, ...found };
      return { view: "dags", key: record.id, record, columns };
    },
    dagNode: ({ record }) => {
      const { dag, index } = record;
      return { view: "dagNodes", key: `${dag}-${index}`, record, columns: { dag, ord: index } };
    },
  },
  restore: ({ dags: known }, { dags: stored = [] }) => {
    for (const whole of stored) openDag(known, whole);
  },
} as const satisfies Feature;

/**
 * The states that lists of DAGs are filtered by, one per line, with a newline before the first and after
 * each.
 */
function statesText({ counts, isHeld, endedAtMs, isCancelRequested }: DagRecord): string {
  const states = [
    ...(counts.WAITING > 0 && !isHeld ? ["WAITING"] : []),
    ...(counts.HELD > 0 || (isHeld && endedAtMs === null) ? ["HELD"] : []),
    ...(counts.RUNNING > 0 ? ["RUNNING"] : []),
    ...(endedAtMs === null ? [] : [isCancelRequested ? "CANCELLED" : "DONE"]),
  ];
  return `\n${states.join("\n")}\n`;
}

function submitDag(projection: Projection, command: CommandOf<"submitDag">, nowMs: number): Answer {
  const { dag, plan, consumer, owner } = command;
  const why = faultOfDag(plan.nodes);
  if (why !== undefined) return refused({ kind: "badDag", why });
  const refusal = whyIdTaken(projection, dag) ?? whyNodeNotTaken(projection, command, nowMs);
  if (refusal !== undefined) return refused(refusal);
  return accepted([{ kind: "dagAccepted", dag, plan, consumer, owner, atMs: nowMs }]);
}

function whyIdTaken({ jobs, arrays, dags: { open } }: Projection, id: string): Refusal | undefined {
  return jobs.has(id) || arrays.has(id) || open.has(id) ? { kind: "idInUse", id } : undefined;
}

function whyNodeNotTaken(
  projection: Projection,
  { dag, plan, consumer, owner }: CommandOf<"submitDag">,
  nowMs: number,
): Refusal | undefined {
  for (const [index, { name, description, skip, inputBytes }] of plan.nodes.entries()) {
    if (skip !== undefined) continue;
    const bytes = inputBytes === undefined ? {} : { inputBytes };
    const job = { job: nodeJobId(dag, index, 1), description, consumer, owner, ...bytes };
    const refusal = notOfNodes(description) ?? whyNotTaken(projection, { kind: "submit", ...job }, nowMs);
    if (refusal === undefined) continue;
    const { what, why } = "what" in refusal ? refusal : refusalText(refusal);
    return { kind: "nodeNotTaken", node: name, what, why };
  }
  return undefined;
}

/** Attributes that are allowed in a job but not in a node. */
function notOfNodes({ array, after, ticket, virtual, bid }: JobRecord["description"]) {
  if (array !== undefined) return { what: "it is an array of jobs", why: "a node of a DAG is one job" };
  if (after !== undefined && after.length > 0) {
    return { what: "it refers to a job by its id", why: "a node may only depend on other nodes of its DAG" };
  }
  if (bid !== undefined) return { what: "it takes a bid", why: "sites bid on single jobs" };
  if (ticket === undefined && virtual === undefined) return undefined;
  return { what: "it has a ticket or a virtual reservation", why: "these are for single jobs" };
}

function dagAccepted(projection: Projection, event: EventOf<"dagAccepted">): RecordChange[] {
  const { dag: id, consumer, owner, atMs } = event;
  const { nodes, ...plan } = event.plan;
  const dag: DagRecord = {
    ...{ id, ...plan, consumer, owner, submittedAtMs: atMs, order: ++projection.accepted },
    ...{ size: nodes.length, counts: noNodes(), isHeld: false, isCancelRequested: false },
    ...{ aborted: null, endedAtMs: null, result: null },
  };
  const records = nodes.map((node, index) => newNode(id, index, node));
  const state = openDag(projection.dags, { dag, nodes: records });
  for (const index of records.keys()) state.changed.add(index);
  return finished(projection, state, atMs);
}

/** Jobs for nodes that may start, and the end of the jobs of DAGs that were ended early. */
function decide(projection: Projection, nowMs: number): StintEvent[] {
  const events: StintEvent[] = [];
  for (const id of projection.dags.due) {
    const state = projection.dags.open.get(id);
    if (state === undefined) continue;
    if (state.record.aborted !== null) events.push(...endingEarly(projection, state, nowMs));
    for (const index of startableNodes(state, MOST_AT_ONCE - events.length)) {
      events.push(jobOf(state, index, nowMs));
    }
    if (events.length >= MOST_AT_ONCE) break;
  }
  return events;
}

/** Most events in one decision, so that requests that arrive meanwhile are answered between decisions. */
const MOST_AT_ONCE = 500;

function endingEarly(projection: Projection, { nodes, final }: DagState, nowMs: number): StintEvent[] {
  return nodes.flatMap(({ index, state, job }): readonly StintEvent[] => {
    if (state !== "RUNNING" || index === final) return [];
    const record = projection.jobs.get(job ?? "");
    if (record === undefined || record.isCancelRequested) return [];
    const answer = answerVerb(projection, { kind: "cancel", job: record.id }, nowMs);
    return answer.ok ? answer.value.map((event) => ({ ...event, ...ENDED_EARLY })) : [];
  });
}

const ENDED_EARLY = { cause: "dagAborted" } as const;

function jobOf(
  { record: { id, consumer, owner }, nodes }: DagState,
  index: number,
  atMs: number,
): StintEvent {
  const { node, tries } = nodes[index];
  const attempt = tries + 1;
  return {
    ...({ kind: "jobAccepted", job: nodeJobId(id, index, attempt), atMs } as const),
    ...{ description: nodeDescription(id, node, attempt), consumer, owner },
    ...(node.inputBytes === undefined ? {} : { inputBytes: node.inputBytes }),
    part: { id, index, name: node.name, ...stepsOf(node) },
  };
}

function stepsOf({ stepRange }: DagNode) {
  return stepRange === undefined ? {} : { steps: stepRange };
}

/** DAGs of changed jobs: their nodes have started, or ended. */
function noteJobs(projection: Projection, jobs: readonly JobRecord[], atMs: number): RecordChange[] {
  const touched = new Set<DagState>();
  for (const job of jobs) {
    const { part } = job;
    const state = projection.dags.open.get(part?.id ?? "");
    if (part === undefined || state === undefined) continue;
    const isNew = state.nodes[part.index]?.state === "WAITING" && projection.jobs.has(job.id);
    if (isNew) nodeStarted(state, part.index, job.id);
    else if (!projection.jobs.has(job.id)) nodeEnded(state, part.index, job, atMs);
    else continue;
    touched.add(state);
  }
  return [...touched].flatMap((state) => finished(projection, state, atMs));
}

/** Records of DAGs that an event changed. */
function finished({ dags: known }: Projection, state: DagState, atMs: number): RecordChange[] {
  settleDag(known, state, atMs);
  const nodes = [...state.changed].map((index) => ({ kind: "dagNode", record: state.nodes[index] }) as const);
  state.changed.clear();
  return [...nodes, { kind: "dag", record: dagRecord(state) }];
}

/** A verb on the nodes to which it applies; where it applies to none it is refused. */
function actOnDag(
  projection: Projection,
  { dag: id, verb, nodes: names, by }: CommandOf<"actOnDag">,
  nowMs: number,
): Answer {
  const state = projection.dags.open.get(id);
  if (state === undefined) return refused({ kind: "unknownDag", dag: id });
  const found = named(state, names);
  if (typeof found === "string") return refused({ kind: "unknownNode", dag: id, node: found });
  const indexes = found ?? [...state.nodes.keys()];
  const ofJobs = indexes.flatMap((index): readonly StintEvent[] => {
    const { state: word, job } = state.nodes[index];
    if (word !== "RUNNING" || job === null) return [];
    const answer = answerVerb(projection, { kind: verb, job, by }, nowMs);
    return answer.ok ? answer.value : [];
  });
  if (verb === "suspend" || verb === "resume" || !isOfNodes(state, verb, found)) {
    return ofJobs.length > 0 ? accepted(ofJobs) : refused({ kind: "noNodeInState", dag: id, verb });
  }
  return accepted([{ kind: "dagActed", dag: id, verb, nodes: found ?? null, by, atMs: nowMs }, ...ofJobs]);
}

/** True if a verb changes the DAG itself, or one of these nodes; changes of the nodes' jobs do not count. */
function isOfNodes(
  { record, nodes }: DagState,
  verb: "cancel" | "hold" | "release",
  found?: readonly number[],
) {
  if (found === undefined) {
    if (verb === "cancel") return !record.isCancelRequested;
    return record.isHeld !== (verb === "hold") || (verb === "release" && nodes.some(isHeld));
  }
  return found.some((index) => {
    const { state } = nodes[index];
    return verb === "release"
      ? state === "HELD"
      : state === "WAITING" || (verb === "cancel" && state === "HELD");
  });
}

function isHeld({ state }: { readonly state: string }): boolean {
  return state === "HELD";
}

function dagActed(projection: Projection, { dag, verb, nodes, atMs }: EventOf<"dagActed">): RecordChange[] {
  const state = projection.dags.open.get(dag);
  if (state === undefined) return [];
  const indexes = nodes ?? [...state.nodes.keys()];
  if (verb === "cancel") {
    if (nodes === null) state.record = { ...state.record, isCancelRequested: true };
    cancelNodes(state, indexes, atMs);
  } else {
    if (nodes === null) state.record = { ...state.record, isHeld: verb === "hold" };
    // The hold of a DAG is its own; its release lets go whatever is held.
    if (nodes !== null || verb === "release") holdNodes(state, indexes, verb === "hold");
  }
  return finished(projection, state, atMs);
}

function retryDag(projection: Projection, command: CommandOf<"retryDag">, nowMs: number): Answer {
  const { dag: id, nodes: names, by, over } = command;
  const open = projection.dags.open.get(id);
  const state = open ?? (over === undefined ? undefined : asOver(over));
  if (state === undefined) return refused({ kind: "unknownDag", dag: id });
  const found = named(state, names);
  if (typeof found === "string") return refused({ kind: "unknownNode", dag: id, node: found });
  const nodes = state.record.isCancelRequested && open !== undefined ? [] : retried(state, found);
  if (nodes.length === 0) return refused({ kind: "noNodeInState", dag: id, verb: "retry" });
  const whole = open === undefined && over !== undefined ? { over } : {};
  return accepted([{ kind: "dagRetried", dag: id, nodes, by, ...whole, atMs: nowMs }]);
}

/** State of an ended DAG, made for one check; the DAG is not taken back into memory. */
function asOver(over: NonNullable<CommandOf<"retryDag">["over"]>): DagState {
  return openDag({ open: new Map(), due: new Set() }, over);
}

function dagRetried(projection: Projection, event: EventOf<"dagRetried">): RecordChange[] {
  const { dag, nodes, over, atMs } = event;
  const state = projection.dags.open.get(dag) ?? (over && openDag(projection.dags, over));
  if (state === undefined) return [];
  const anew = { aborted: null, isCancelRequested: false, endedAtMs: null, result: null } as const;
  state.record = { ...state.record, ...anew };
  resetNodes(state, nodes);
  return finished(projection, state, atMs);
}

/** Indexes of nodes by name, or the first name that none has; undefined for no names. */
function named({ nodes }: DagState, names: readonly string[] | undefined): number[] | string | undefined {
  if (names === undefined) return undefined;
  const byName = new Map(nodes.map(({ index, node }) => [node.name, index]));
  const unknown = names.find((name) => !byName.has(name));
  return unknown ?? [...new Set(names.flatMap((name) => byName.get(name) ?? []))];
}
