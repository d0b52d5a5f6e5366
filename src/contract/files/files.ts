/** Files with a schema in docs/schemas, by its name. */
import { jobShape } from "./job.ts";
import { ownersShape } from "./owners.ts";
import { platformShape } from "./platform.ts";
import { agreementShape, policiesShape, policyFileShape, policyShape } from "./policy.ts";
import { priorityShapes } from "./priority.ts";
import { queueSnapshotShape } from "./queue-snapshot.ts";
import { scenarioShape } from "./scenario.ts";
import type { AnyShape } from "./shape.ts";
import { stintShape } from "./stint.ts";
import { streamFileShape } from "./stream.ts";
import { streamScenarioShape } from "./stream-scenario.ts";
import { workflowShape } from "./workflow.ts";
import { workloadLineShapes } from "./workload.ts";

/** Shape of a file. */
export interface FileShape {
  readonly title: string;
  readonly description?: string;
  readonly shapes: readonly AnyShape[];
}

/** Shapes of all files that are read by their shape. */
export const FILE_SHAPES: Readonly<Record<string, FileShape>> = {
  job: { title: "Stint job description", shapes: [jobShape] },
  owners: { title: "Owners of jobs", shapes: [ownersShape] },
  platform: { title: "Stint platform", shapes: [platformShape] },
  policy: {
    title: "Usage policies of Stint",
    description:
      "A list of policies, one policy, a file that declares names and has policies, or an agreement. " +
      "See docs/guides/policies.md.",
    shapes: [policiesShape, policyShape, policyFileShape, agreementShape],
  },
  priority: {
    title: "Stint priority rules",
    description:
      "The file of stint sim --priority-config: one of these, by the name that --priority gives. " +
      "Everything may be left out. Names of users, groups, accounts, queues and partitions are the numbers " +
      "in the trace's columns (user 12, group 13, queue 15, partition 16), in quotes.",
    shapes: Object.values(priorityShapes),
  },
  "queue-snapshot": { title: "Stint queue snapshot", shapes: [queueSnapshotShape] },
  scenario: { title: "Stint scenario", shapes: [scenarioShape] },
  stream: { title: "Stint stream", shapes: [streamFileShape] },
  "stream-scenario": { title: "Stint scenario of streams", shapes: [streamScenarioShape] },
  workflow: { title: "Stint workflow", shapes: [workflowShape] },
  workload: {
    title: "A line of a Stint workload",
    description:
      "Each line of a .workload.jsonl file is one of these. Numbers are seconds, bytes or counts; null has " +
      "the same meaning as an absent field.",
    shapes: Object.values(workloadLineShapes),
  },
  stint: { title: "Stint configuration", shapes: [stintShape] },
};
