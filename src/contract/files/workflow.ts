/** A workflow in our own YAML, for `stint plan`. */
import { as, count, either, list, mapping, names, quantity, text, usually } from "./shape.ts";

const id = text({ defined: "taskId", pattern: "^\\S{1,200}$", examples: ["align"] });
const runtime = quantity("duration", { examples: ["10m"] });
const amount = count({ defined: "amount", least: 0, most: 2 ** 50, examples: ["2"] });

const task = mapping(
  {
    id,
    procs: usually(1, count({ least: 0, most: 100_000_000, description: "Processors.", examples: ["8"] })),
    runtime: as("runtimeMs", { ...runtime, description: "On a site of speed 1." }),
    runtimes: as(
      "runtimesMs",
      names(runtime, {
        description: "By the name of the site, in place of runtime.",
        examples: ["{ near: 10m, far: 4m }"],
      }),
    ),
    memory: as("memoryBytes", quantity("size", { examples: ["2G"] })),
    gpus: count({ least: 0, most: 1_000_000, examples: ["1"] }),
    resources: names(amount, { description: "Of any other kind, by name.", examples: ["{ licence: 1 }"] }),
    parents: either(
      {
        scalar: id,
        list: list(id),
        mapping: names(quantity("size", { examples: ["2G"] })),
      },
      {
        description: "Tasks that must end before, each with the bytes that it sends.",
        examples: ["[fetch, index]", "{ fetch: 2G, index: 10M }"],
      },
    ),
  },
  {
    examples: ["{ id: align, runtime: 10m, procs: 8, parents: { fetch: 2G } }"],
    required: { id: "parents and plans name tasks by it" },
  },
);

/** The shape of a workflow. */
export const workflowShape = mapping(
  {
    workflow: text({ description: "Its name.", examples: ["montage"] }),
    tasks: list(task),
  },
  {
    description: "A workflow for stint plan: tasks, what they need, and whom they wait for.",
    required: { tasks: "a workflow is its tasks" },
  },
);
