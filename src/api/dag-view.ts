/** DAGs as the API reads and writes them. */
import type { DagNodeView, DagRequest, DagView } from "../contract/index.ts";
import {
  type DagNode,
  type DagNodeRecord,
  type DagPlan,
  type DagRecord,
  stateOfDag,
} from "../model/index.ts";
import { isoInstant } from "./iso-instant.ts";
import { ProblemError } from "./problem.ts";
import { completeDescription } from "./submit-jobs.ts";

/** A DAG as the broker takes it, with defaults and with nodes by their places. @throws ProblemError */
export function planGiven({ nodes, userTags = {}, ...same }: DagRequest): DagPlan {
  const places = new Map(nodes.map(({ name }, index) => [name, index]));
  return {
    ...same,
    userTags,
    nodes: nodes.map(({ description, parents = [], ...rest }, index): DagNode => {
      const before = parents.map((parent, at) => {
        const place = places.get(parent);
        if (place === undefined) throw unknownParent(rest.name, parent, `/nodes/${index}/parents/${at}`);
        return place;
      });
      demandSteps(rest, `/nodes/${index}/steps`);
      return { ...rest, description: completeDescription(description), parents: [...new Set(before)] };
    }),
  };
}

/** Checks that a node has one name and one weight for each step, where it lists them. @throws ProblemError */
function demandSteps({ name, steps }: Pick<DagNode, "name" | "steps">, pointer: string): void {
  if (steps === undefined) return;
  const { count, names, weights, currentStep = 0 } = steps;
  const isWhole = [names, weights].every((list) => list === undefined || list.length === count);
  if (isWhole && currentStep < count) return;
  throw new ProblemError({
    status: 422,
    code: "stepsUnfit",
    what: `the steps of node ${name} are inconsistent`,
    why:
      `count is ${count}: names and weights must have one entry for each step, and currentStep must be ` +
      "below count",
    remedy: "correct the lists, or leave them out",
    facts: { node: name, pointer },
  });
}

function unknownParent(node: string, parent: string, pointer: string): ProblemError {
  return new ProblemError({
    status: 422,
    code: "unknownParent",
    what: `node ${node} follows ${parent}, which is not a node of the DAG`,
    why: "parents are nodes of the same DAG, by their names",
    remedy: "correct the name, or add the node",
    facts: { node, parent, pointer },
  });
}

/** The record as JSON for people; see `DagView`. */
export function dagView(record: DagRecord): DagView {
  return {
    id: record.id,
    dag: true,
    state: stateOfDag(record),
    result: record.result,
    size: record.size,
    maxRunning: record.maxRunning ?? null,
    states: record.counts,
    aborted: record.aborted,
    name: record.name ?? null,
    consumer: record.consumer,
    owner: record.owner,
    userTags: record.userTags,
    submittedAt: isoInstant(record.submittedAtMs),
    endedAt: record.endedAtMs === null ? null : isoInstant(record.endedAtMs),
  };
}

/** The nodes of a DAG as JSON for people. */
export function nodeViews(records: readonly DagNodeRecord[]): readonly DagNodeView[] {
  return records.map(({ node, state, job, tries, exitCode, endedAtMs }) => ({
    name: node.name,
    state,
    parents: node.parents.map((parent) => records[parent]?.node.name ?? ""),
    job,
    tries,
    retries: node.retries ?? 0,
    exitCode,
    endedAt: endedAtMs === null ? null : isoInstant(endedAtMs),
  }));
}
