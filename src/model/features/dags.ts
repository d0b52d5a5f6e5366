/** DAGs: submitted, acted on and retried as one, or a node at a time. */
import { counted } from "../../base/index.ts";
import { type DagFault, type DagPlan, MOST_DAG_DEPENDENCIES, MOST_DAG_NODES, type WholeDag } from "../dag.ts";
import type { FeatureModel } from "../feature.ts";
import type { JobVerb } from "../job.ts";

interface SubmittedDag {
  readonly dag: string;
  readonly plan: DagPlan;
  readonly consumer: string;
  readonly owner: string;
}

interface DagsTypes {
  readonly command:
    | ({
        readonly kind: "submitDag";
        /** True for a caller with a token, which opens only files below the root for tokens. */
        readonly isByToken?: boolean;
      } & SubmittedDag)
    /** The verb on the whole DAG, or on nodes of these names. */
    | {
        readonly kind: "actOnDag";
        readonly dag: string;
        readonly verb: JobVerb;
        readonly nodes?: readonly string[];
        readonly by: string;
      }
    /** Runs again what did not succeed, or of it the nodes of these names and what follows them. */
    | {
        readonly kind: "retryDag";
        readonly dag: string;
        readonly nodes?: readonly string[];
        readonly by: string;
        readonly isByToken?: boolean;
        /** The DAG, if it has ended and is no longer in memory. */
        readonly over?: WholeDag;
      };
  readonly event:
    | ({ readonly kind: "dagAccepted" } & SubmittedDag)
    | {
        readonly kind: "dagActed";
        readonly dag: string;
        readonly verb: "cancel" | "hold" | "release";
        /** Indexes of the nodes; null: the whole DAG. */
        readonly nodes: readonly number[] | null;
        readonly by: string;
      }
    | {
        readonly kind: "dagRetried";
        readonly dag: string;
        readonly nodes: readonly number[];
        readonly by: string;
        readonly over?: WholeDag;
      };
  readonly refusal:
    | { readonly kind: "badDag"; readonly why: DagFault }
    | { readonly kind: "nodeNotTaken"; readonly node: string; readonly what: string; readonly why: string }
    | { readonly kind: "unknownDag"; readonly dag: string }
    | { readonly kind: "unknownNode"; readonly dag: string; readonly node: string }
    | { readonly kind: "noNodeInState"; readonly dag: string; readonly verb: JobVerb | "retry" };
}

const VERB_STATES: Readonly<Record<JobVerb | "retry", string>> = {
  cancel: "all of them have ended",
  hold: "none of them is waiting",
  release: "none of them is held",
  suspend: "none of them is running",
  resume: "none of them was suspended by a user",
  retry: "none of them failed, was cancelled, or was left out because of one that did",
};

export const dags: FeatureModel<DagsTypes> = {
  events: { dagAccepted: 1, dagActed: 1, dagRetried: 1 },
  refusals: {
    badDag: { status: 422, text: ({ why }) => faultText(why) },
    nodeNotTaken: {
      status: 422,
      text: ({ node, what, why }) => ({
        what: `node ${node}: ${what}`,
        why,
        remedy: "correct the description of this node; nothing of the DAG was accepted",
      }),
    },
    unknownDag: {
      status: 404,
      text: ({ dag }) => ({
        what: `there is no DAG ${dag}`,
        why: "no DAG of this broker has an id with this prefix",
        remedy: "`stint list` shows jobs, arrays and DAGs; ids may be abbreviated while unique",
      }),
    },
    unknownNode: {
      status: 404,
      text: ({ dag, node }) => ({
        what: `the DAG ${dag} has no node ${node}`,
        why: "node names are those in its description, and are case-sensitive",
        remedy: `see \`stint status ${dag}\` for its nodes`,
      }),
    },
    noNodeInState: {
      status: 409,
      text: ({ dag, verb }) => ({
        what: `no such node of the DAG ${dag} can be changed by ${verb}`,
        why: VERB_STATES[verb],
        remedy: `see \`stint status ${dag}\` for the states of its nodes`,
      }),
    },
  },
};

function faultText(why: DagFault) {
  const remedy = "correct the nodes or their dependencies; `stint check` reads a DAG without a broker";
  switch (why.kind) {
    case "empty":
      return { what: "the DAG has no nodes", why: "a DAG needs at least one", remedy };
    case "tooMany":
      return {
        what: `the DAG has ${counted(why.nodes, "node")} and ${why.dependencies} dependencies`,
        why: `it may have at most ${MOST_DAG_NODES} nodes and ${MOST_DAG_DEPENDENCIES} dependencies`,
        remedy: "split it, or put a node without a job between two large groups",
      };
    case "sameName":
      return { what: `two nodes are named ${why.name}`, why: "node names must be unique", remedy };
    case "noParent":
      return { what: `node ${why.name} has a parent that is not allowed`, why: NO_PARENT, remedy };
    case "twoFinal":
      return { what: `${why.name} is a second final node`, why: "a DAG has at most one", remedy };
    case "finalHasParents":
      return {
        what: `the final node ${why.name} has parents`,
        why: "the final node starts when all other nodes have ended, and cannot name parents",
        remedy,
      };
    case "cycle":
      return {
        what: `the dependencies are a cycle: ${cycleText(why.names)}`,
        why: "each of these nodes waits for itself, directly or indirectly",
        remedy: "take one of its dependencies out",
      };
  }
}

const NO_PARENT = "parents must be nodes of the same DAG, and cannot be its final node";

function cycleText(names: readonly string[]): string {
  const shown = names.length > 10 ? [...names.slice(0, 9), "…", ...names.slice(-1)] : names;
  return shown.join(" → ");
}
