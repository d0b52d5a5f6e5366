/** DAGs: requests and responses. */
import { Type } from "typebox";
import {
  DAG_NODE_STATES,
  MOST_DAG_NODES,
  MOST_LISTED_STEPS,
  MOST_PARTS,
  MOST_STEPS,
} from "../model/index.ts";
import { jobName, submissionSchema } from "./description.ts";
import { count, cursor, instant, limit, next, orNull, ref, type Shape, shortId, strict } from "./fields.ts";
import { jobConditions } from "./job.ts";

/** Name of a node. */
const nodeName = Type.String({
  pattern: "^[^\\u0000-\\u001f\\u007f]+$",
  maxLength: 200,
  description: "Name of a node, without control characters",
});
const exitCode = Type.Integer({ minimum: 0, maximum: 255 });

/** Steps of a node that is split into sub-jobs. */
const stepsSchema = Type.Object(
  {
    count: Type.Integer({ minimum: 1, maximum: MOST_STEPS, description: "Number of its steps" }),
    names: Type.Optional(
      Type.Array(nodeName, {
        maxItems: MOST_LISTED_STEPS,
        description: "Names of all steps, in their order",
      }),
    ),
    weights: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: 1e6 }), {
        maxItems: MOST_LISTED_STEPS,
        description: "Weights of all steps, in their order; equal where absent",
      }),
    ),
    currentStep: Type.Optional(
      Type.Integer({ minimum: 0, maximum: MOST_STEPS, description: "First step that is run, from 0" }),
    ),
    maxParts: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_PARTS,
        description: "Maximum number of sub-jobs; absent: as many as could start at once",
      }),
    ),
  },
  {
    ...strict,
    description:
      "Steps of a partitionable job: the node is replaced by nodes `NAME.1`, `NAME.2`, … for consecutive " +
      "parts of the steps; each runs the program once for each of its steps. Nodes that follow begin from " +
      "the states of all parts",
  },
);

/** A node of a submitted DAG. */
const nodeSchema = Type.Object(
  {
    name: nodeName,
    description: submissionSchema,
    parents: Type.Optional(
      Type.Array(nodeName, {
        maxItems: MOST_DAG_NODES,
        description: "Nodes that must succeed first",
      }),
    ),
    retries: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1000, description: "Number of retries after a failure" }),
    ),
    unlessExit: Type.Optional(
      Type.Integer({ ...exitCode, description: "Exit code after which it is not retried" }),
    ),
    abortOn: Type.Optional(
      Type.Object(
        { exitCode, result: exitCode },
        {
          ...strict,
          description: "Exit code of this node that ends the DAG, and the result that the DAG then has",
        },
      ),
    ),
    priority: Type.Optional(
      Type.Integer({
        minimum: -1e6,
        maximum: 1e6,
        description: "Priority: nodes with larger values become jobs first",
      }),
    ),
    category: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    skip: Type.Optional(
      Type.Enum(["noop", "done"], {
        description:
          "The node counts as done and gets no job: it has no program (`noop`), or was done in an " +
          "earlier run (`done`)",
      }),
    ),
    isFinal: Type.Optional(
      Type.Literal(true, {
        description: "It runs after all other nodes have ended, and its result is the DAG's",
      }),
    ),
    steps: Type.Optional(stepsSchema),
  },
  strict,
);

/** A DAG as it is submitted. */
export const dagRequestSchema = Type.Object(
  {
    name: Type.Optional(jobName),
    userTags: Type.Optional(Type.Record(Type.String(), Type.String())),
    nodes: Type.Array(nodeSchema, { minItems: 1, maxItems: MOST_DAG_NODES }),
    maxRunning: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_DAG_NODES,
        description: "Maximum number of nodes that have an active job at the same time",
      }),
    ),
    maxRunningOf: Type.Optional(
      Type.Record(Type.String(), Type.Integer({ minimum: 1, maximum: MOST_DAG_NODES }), {
        description: "Maximum number of nodes of a category that have an active job at the same time",
      }),
    ),
  },
  strict,
);

/** `/dags/:id` */
export const dagParameters = Type.Object({ id: shortId });

const { site: _, ...conditions } = jobConditions;

/** `/dags` */
export const dagsQuery = Type.Object({ ...conditions, limit, cursor }, strict);

/** Query of an action: the nodes that it is for. */
export const dagActionQuery = Type.Object(
  {
    node: Type.Optional(
      Type.Array(nodeName, {
        maxItems: 1000,
        description: "Nodes by name, all where absent; may be given several times",
      }),
    ),
  },
  strict,
);

const states = Object.fromEntries(DAG_NODE_STATES.map((state) => [state, count])) as Readonly<
  Record<(typeof DAG_NODE_STATES)[number], typeof count>
>;

const nodeView = Type.Object(
  {
    name: Type.String(),
    state: Type.Enum([...DAG_NODE_STATES]),
    parents: Type.Array(Type.String()),
    job: orNull(Type.String({ description: "Its last job" })),
    tries: Type.Integer({ minimum: 0, description: "Number of jobs of the node so far" }),
    retries: count,
    exitCode: orNull(Type.Integer({ description: "Exit code of its last ended job" })),
    endedAt: orNull(instant),
  },
  strict,
);

const dagFields = {
  id: Type.String({ description: "The jobs of its nodes are `ID-INDEX`, of later tries `ID-INDEX-TRY`" }),
  dag: Type.Literal(true),
  state: Type.Enum(["WAITING", "HELD", "RUNNING", "DONE", "CANCELLED"]),
  result: orNull(Type.Enum(["ok", "failed"])),
  size: Type.Integer({ minimum: 1, description: "Number of its nodes" }),
  maxRunning: orNull(
    Type.Integer({
      minimum: 1,
      description: "Maximum number of its nodes that have an active job at the same time; null: no limit",
    }),
  ),
  states: Type.Object(states, { ...strict, description: "Number of its nodes in each state" }),
  aborted: orNull(
    Type.Object(
      { node: Type.String(), result: Type.Integer() },
      { ...strict, description: "Node whose exit code ended the DAG, and the DAG's result" },
    ),
  ),
  name: orNull(Type.String({ description: "Name given by its user" })),
  consumer: Type.String(),
  owner: Type.String(),
  userTags: Type.Record(Type.String(), Type.String()),
  submittedAt: instant,
  endedAt: orNull(instant),
};

/** A DAG in a list. */
export const dagSchema = Type.Object(dagFields, { ...strict, description: "A DAG without its nodes" });

/** A DAG with its nodes. */
export const wholeDagSchema = Type.Object(
  {
    ...dagFields,
    nodes: Type.Array(nodeView, { description: "Nodes in the order of the description" }),
    changed: Type.Optional(
      Type.Integer({ minimum: 0, description: "For an action: number of nodes and jobs that it changed" }),
    ),
  },
  { ...strict, description: "A DAG with its nodes" },
);

/** One page of DAGs, newest first. */
export const dagListSchema = Type.Object(
  { items: Type.Array(ref<DagView>("Dag")), next },
  { ...strict, description: "One page of DAGs, newest first" },
);

/** A DAG as it is submitted: absent fields of descriptions have their defaults. */
export type DagRequest = Shape<typeof dagRequestSchema>;
/** A DAG without its nodes. */
export type DagView = Shape<typeof dagSchema>;
/** A node of a DAG. */
export type DagNodeView = Shape<typeof nodeView>;
/** A DAG with its nodes. */
export type WholeDagView = Shape<typeof wholeDagSchema>;
/** Filter of a list of DAGs; all conditions must hold. */
export type DagFilter = Shape<typeof dagsQuery>;
/** Nodes that an action is for. */
export type DagActionQuery = Shape<typeof dagActionQuery>;
/** One page of DAGs. */
export type DagList = Shape<typeof dagListSchema>;
