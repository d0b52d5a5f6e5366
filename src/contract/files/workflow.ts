/** A workflow in our own YAML, for `stint plan`. */
import { as, count, either, list, mapping, names, quantity, text, usually } from "./shape.ts";

const plain = text({ defined: "text" });
const id = text({ defined: "taskId", pattern: "^\\S{1,200}$", examples: ["align"] });
const runtime = quantity("duration", { examples: ["10m"] });
const amount = count({ defined: "amount", least: 0, most: 2 ** 50, examples: ["2"] });

const task = mapping(
  {
    id,
    procs: usually(1, count({ least: 0, most: 100_000_000, description: "Processors.", examples: ["8"] })),
    runtime: as("runtimeMs", { ...runtime, description: "Runtime on a site of speed 1." }),
    runtimes: as(
      "runtimesMs",
      names(runtime, {
        description: "Runtime by site name, instead of runtime.",
        examples: ["{ near: 10m, far: 4m }"],
      }),
    ),
    spread: as(
      "spreadMs",
      quantity("duration", { description: "Standard deviation of the runtime.", examples: ["2m"] }),
    ),
    quantiles: names(quantity("duration", { examples: ["25m"] }), {
      description: "Quantiles of the runtime by probability, instead of a spread; the median is the runtime.",
      examples: ["{ 0.5: 10m, 0.9: 25m }"],
    }),
    memory: as("memoryBytes", quantity("size", { examples: ["2G"] })),
    gpus: count({ least: 0, most: 1_000_000, examples: ["1"] }),
    resources: names(amount, {
      description: "Resources of any other kind, by name.",
      examples: ["{ licence: 1 }"],
    }),
    parents: either(
      {
        scalar: id,
        list: list(id),
        mapping: names(quantity("size", { examples: ["2G"] })),
      },
      {
        description: "Parent tasks, each with the bytes that it sends.",
        examples: ["[fetch, index]", "{ fetch: 2G, index: 10M }"],
      },
    ),
    executable: text({
      defined: "text",
      description: "The program, for --execute: a name on the path of its site, or an absolute path.",
      examples: ["align.sh", "/usr/bin/env"],
    }),
    arguments: list(plain, { examples: ["[-v, two words]"] }),
    environment: names(plain, { examples: ["{ OMP_NUM_THREADS: 4 }"] }),
    inputs: list(plain, {
      description:
        "Files that are in its directory when it starts: outputs of other tasks, which become its parents, " +
        "or your own files, by paths relative to the workflow file; a task has them under their base names.",
      examples: ["[genome.fa, hits.dat]"],
    }),
    outputs: either(
      { list: list(plain), mapping: names(quantity("size", { examples: ["2G"] })) },
      {
        description: "Files that the task writes to its directory, with or without their sizes.",
        examples: ["[hits.dat]", "{ hits.dat: 2G }"],
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
    directory: text({
      ...{ pattern: "^/[^\\u0000]*$", examples: ["/shared/survey"] },
      description: "Directory in which tasks run, at every site; by default each task has its own directory.",
      mismatch: { code: "notAbsolute", noun: "absolute path", why: "tasks run at sites, not here" },
    }),
    retries: count({
      least: 0,
      most: 10,
      description: "Number of retries of a failed task.",
      examples: ["2"],
    }),
    results: list(plain, {
      description:
        "Outputs to keep as results although tasks read them. Outputs that no task reads are always results.",
      examples: ["[hits.dat]"],
    }),
    tasks: list(task),
  },
  {
    description: "A workflow for stint plan: tasks, their requirements and their dependencies.",
    required: { tasks: "a workflow is its tasks" },
  },
);
