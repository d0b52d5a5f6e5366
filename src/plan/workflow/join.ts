/**
 * Several workflows as one, so that they share sites and slots: tasks of one after those of the other.
 *
 * An artificial entry and exit would change nothing: both take no time and send no bytes.
 */
import type { Workflow } from "./workflow.ts";

/** Tasks of a workflow in one that was joined: from one number to before another. */
export interface WorkflowPart {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** A joined workflow and where its parts are. */
export interface JoinedWorkflow {
  readonly workflow: Workflow;
  readonly parts: readonly WorkflowPart[];
}

/**
 * The workflows as one; ids of tasks begin with the name of their workflow. Capacities and what is said of
 * execution are kept where they are the same for all.
 */
export function joinedWorkflow(workflows: readonly Workflow[]): JoinedWorkflow {
  const names = distinctNames(workflows.map(({ name }) => name));
  let from = 0;
  const parts = workflows.map(({ tasks }, at): WorkflowPart => {
    const part = { name: names[at], from, to: from + tasks.length };
    from = part.to;
    return part;
  });
  const { capacities, execution } = workflows[0];
  return {
    parts,
    workflow: {
      name: names.join("+"),
      tasks: workflows.flatMap(({ tasks }, at) =>
        tasks.map((task) => ({ ...task, id: `${names[at]}/${task.id}` })),
      ),
      ...adjacency(workflows, parts, "parent"),
      ...adjacency(workflows, parts, "child"),
      order: numbers(
        workflows.flatMap(({ order }, at) => Array.from(order, (task) => task + parts[at].from)),
      ),
      ...(areSame(workflows, "capacities") && capacities !== undefined ? { capacities } : {}),
      ...(areSame(workflows, "execution") && execution !== undefined ? { execution } : {}),
    },
  };
}

/** True where a property is the same for all. */
export function areSame(workflows: readonly Workflow[], key: "capacities" | "execution"): boolean {
  return new Set(workflows.map((of) => JSON.stringify(of[key]))).size === 1;
}

type End = "parent" | "child";
type Adjacency<Of extends End> = Pick<Workflow, `${Of}Start` | `${Of}Of` | `${Of}Bytes`>;

function adjacency<Of extends End>(
  workflows: readonly Workflow[],
  parts: readonly WorkflowPart[],
  of: Of,
): Adjacency<Of> {
  const start = [0];
  const to: number[] = [];
  const bytes: number[] = [];
  for (const [at, workflow] of workflows.entries()) {
    const before = to.length;
    for (const edge of workflow[`${of}Start`].subarray(1)) start.push(before + edge);
    for (const task of workflow[`${of}Of`]) to.push(task + parts[at].from);
    for (const sent of workflow[`${of}Bytes`]) bytes.push(sent);
  }
  const all = { start: numbers(start), of: numbers(to), bytes: Float64Array.from(bytes) };
  return { [`${of}Start`]: all.start, [`${of}Of`]: all.of, [`${of}Bytes`]: all.bytes } as Adjacency<Of>;
}

function numbers(of: readonly number[]): Int32Array {
  return Int32Array.from(of);
}

/** Names without spaces, with a number behind those that came before. */
function distinctNames(given: readonly string[]): readonly string[] {
  const names: string[] = [];
  for (const name of given.map((it) => it.replace(/\s+/g, "-").slice(0, 60))) {
    let distinct = name;
    for (let number = 2; names.includes(distinct); number++) distinct = `${name}-${number}`;
    names.push(distinct);
  }
  return names;
}
