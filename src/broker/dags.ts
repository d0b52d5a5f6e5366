/**
 * DAGs, over or not, from memory and from the views; and the commands that need files or what is over.
 *
 * The input files of a node are kept under the id of its first job until the node is over, so that a further
 * try finds them. A retry copies those of the nodes that run again anew.
 */
import { refused } from "../base/index.ts";
import { type Answer, dagRecord, freePlaces } from "../engine/index.ts";
import {
  type DagNodeRecord,
  type DagRecord,
  faultOfDag,
  isNodeOver,
  type JobDescription,
  memberOf,
  nodeJobId,
  type Refusal,
  splitSteps,
  type WholeDag,
} from "../model/index.ts";
import { type BrokerApi, dagNodeOf, dagOf, type Logbook, type Round } from "../runtime/index.ts";
import { allRows } from "./all-rows.ts";
import type { ApiWorld } from "./api-world.ts";
import { findArray } from "./arrays.ts";
import type { BrokerAnswers, CommandOf, CommandWorld } from "./broker-commands.ts";
import { copyState } from "./checkpoints/begin-from.ts";
import { groupsBeginning, listGroups } from "./group-lists.ts";
import type { Sandboxes } from "./sandbox.ts";

export const dagCommands = { submitDag, actOnDag, retryDag } as const satisfies BrokerAnswers;

/** Questions about DAGs. */
export function dagQuestions({ round, logbook }: Pick<ApiWorld, "round" | "logbook">) {
  return {
    dag: (id) => findDag(round, logbook, id),
    dagNodes: (id) => nodesOfDag(round, logbook, id),
    dags: (query) => listGroups(logbook, "dags", query, dagOf),
    dagsBeginning: (prefix, limit, among = {}) => groupsBeginning(logbook, "dags", { prefix, limit, among }),
  } satisfies Partial<BrokerApi>;
}

/** A DAG's record: from memory, or from the views when it has ended. */
export async function findDag(round: Round, logbook: Logbook, id: string): Promise<DagRecord | undefined> {
  const open = round.projection.dags.open.get(id);
  if (open !== undefined) return dagRecord(open);
  const row = await logbook.record("dags", id);
  return row === undefined ? undefined : dagOf(row);
}

/** The nodes of a DAG, in their order. */
async function nodesOfDag(round: Round, logbook: Logbook, id: string): Promise<readonly DagNodeRecord[]> {
  return round.projection.dags.open.get(id)?.nodes ?? (await storedNodes(logbook, id));
}

async function storedNodes(logbook: Logbook, dag: string): Promise<readonly DagNodeRecord[]> {
  return (await allRows(logbook, "dagNodes", { where: { dag: { is: dag } }, orderBy: "ord" })).map(dagNodeOf);
}

/** DAGs that are not over, for a restart. */
export async function storedDags(logbook: Logbook): Promise<readonly WholeDag[]> {
  const dags = (await allRows(logbook, "dags", { where: { endedAtMs: { is: null } } })).map(dagOf);
  const whole: WholeDag[] = [];
  for (const dag of dags) whole.push({ dag, nodes: await storedNodes(logbook, dag.id) });
  return whole;
}

/** True if a broker still needs the input files stored under this id, for instance those of a node. */
export function needsNodeFiles({ projection }: Pick<Round, "projection">, id: string): boolean {
  const node = memberOf(id);
  const record = projection.dags.open.get(node?.array ?? "")?.nodes[node?.index ?? -1];
  return record !== undefined && !isNodeOver(record.state);
}

/** Copies the input files of all nodes first, so that an accepted DAG has all that it needs. */
async function submitDag(world: CommandWorld, command: CommandOf<"submitDag">): Promise<Answer> {
  const { round, logbook, find, submissions } = world;
  const { dag, owner, isByToken, consumer } = command;
  const plan = splitSteps(command.plan, ({ description }) =>
    freePlaces(round.projection, { id: dag, description, consumer, owner }, round.nowMs()),
  );
  // Before any files are copied: its parts may be too many.
  const why = faultOfDag(plan.nodes);
  if (why !== undefined) return refused({ kind: "badDag", why });
  const isTaken = Promise.all([find(dag), findArray(round, logbook, dag), findDag(round, logbook, dag)]).then(
    (found) => found.some((one) => one !== undefined),
  );
  const isReady = isTaken.then(async (taken) =>
    taken ? [] : keepFiles(world, dag, { ...plan, isByToken, owner }),
  );
  await submissions.after(owner, isReady);
  if (await isTaken) return refused({ kind: "idInUse", id: dag });
  const sizes = await isReady;
  const lacking = await copyStates(world, dag, plan.nodes, owner);
  if (lacking !== undefined) {
    await dropFiles(world, dag, plan.nodes.length);
    return refused(lacking);
  }
  const nodes = plan.nodes.map((node, index) => {
    const inputBytes = sizes[index] ?? 0;
    return inputBytes === 0 ? node : { ...node, inputBytes };
  });
  const answered = await round.ask({ ...command, plan: { ...plan, nodes } });
  if (!answered.ok && answered.refusal.kind !== "idInUse") await dropFiles(world, dag, nodes.length);
  return answered;
}

interface NodesWithFiles {
  readonly nodes: CommandOf<"submitDag">["plan"]["nodes"];
  readonly isByToken?: boolean | undefined;
  readonly owner: string;
}

/** Copies the files of nodes; where one cannot be copied none is kept. @returns bytes of each node */
async function keepFiles(
  { sandboxes }: Pick<CommandWorld, "sandboxes">,
  dag: string,
  { nodes, ...by }: NodesWithFiles,
): Promise<readonly number[]> {
  const sizes: number[] = [];
  try {
    for (const [index, { description, skip }] of nodes.entries()) {
      const { inputSandbox } = description;
      const isWithout = skip !== undefined || inputSandbox.length === 0;
      sizes.push(isWithout ? 0 : await sandboxes.keep(nodeJobId(dag, index, 1), inputSandbox, by));
    }
    return sizes;
  } catch (error) {
    await dropFiles({ sandboxes }, dag, sizes.length);
    throw error;
  }
}

/** Copies the states with which nodes begin; a refusal where one is not there. */
async function copyStates(
  world: CommandWorld,
  dag: string,
  nodes: readonly { readonly description: JobDescription }[],
  owner: string,
): Promise<Refusal | undefined> {
  for (const [index, { description }] of nodes.entries()) {
    const lacking = await copyState(world, nodeJobId(dag, index, 1), { description, owner });
    if (lacking !== undefined) return lacking;
  }
  return undefined;
}

/** Prefix of the ids under which input files of a DAG's nodes are stored. */
export function nodesBeginning(dag: string): string {
  return `${dag}-`;
}

async function dropFiles(
  { sandboxes }: { readonly sandboxes: Sandboxes },
  dag: string,
  size: number,
): Promise<void> {
  if (size > 0) await sandboxes.dropBeginning(nodesBeginning(dag));
  for (let index = 0; index < size; index++) await sandboxes.given.drop(nodeJobId(dag, index, 1));
}

/** A verb on a DAG that is over is refused for its state, not as unknown. */
async function actOnDag(world: CommandWorld, command: CommandOf<"actOnDag">): Promise<Answer> {
  const { round, logbook } = world;
  const { dag, verb } = command;
  const before = round.projection.dags.open.get(dag)?.nodes ?? [];
  const withFiles = before.filter(({ node }) => node.inputBytes !== undefined).map(({ index }) => index);
  const answered = await round.ask(command);
  if (answered.ok) {
    const ids = withFiles.map((index) => nodeJobId(dag, index, 1));
    for (const id of ids) if (!needsNodeFiles(round, id)) await world.sandboxes.drop(id);
    return answered;
  }
  if (answered.refusal.kind !== "unknownDag") return answered;
  const over = await findDag(round, logbook, dag);
  return over === undefined ? answered : refused({ kind: "noNodeInState", dag, verb });
}

/** The files of what runs again are copied first; a DAG that is over comes back from the views. */
async function retryDag(world: CommandWorld, command: CommandOf<"retryDag">): Promise<Answer> {
  const { round, logbook, inTurn } = world;
  const { dag: id, isByToken } = command;
  return inTurn(`dag ${id}`, async () => {
    const dag = await findDag(round, logbook, id);
    if (dag === undefined) return refused({ kind: "unknownDag", dag: id });
    const nodes = await nodesOfDag(round, logbook, id);
    const again = nodes.filter(({ state, node }) => isNodeOver(state) && state !== "DONE" && hasFiles(node));
    for (const { index, node } of again) {
      await world.sandboxes.drop(nodeJobId(id, index, 1));
      const { inputSandbox } = node.description;
      await world.sandboxes.keep(nodeJobId(id, index, 1), inputSandbox, { isByToken, owner: dag.owner });
    }
    for (const { index, node, state } of nodes) {
      if (!isNodeOver(state) || state === "DONE") continue;
      const { description } = node;
      const lacking = await copyState(world, nodeJobId(id, index, 1), { description, owner: dag.owner });
      if (lacking !== undefined) return refused(lacking);
    }
    const isOpen = round.projection.dags.open.has(id);
    const answered = await round.ask(isOpen ? command : { ...command, over: { dag, nodes } });
    for (const { index } of again) {
      const kept = nodeJobId(id, index, 1);
      if (!needsNodeFiles(round, kept)) await world.sandboxes.drop(kept);
    }
    return answered;
  });
}

function hasFiles({ description, skip }: DagNodeRecord["node"]): boolean {
  return skip === undefined && description.inputSandbox.length > 0;
}
