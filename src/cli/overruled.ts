/** Differences between a description and the options beside it, for people. */
import type { JobSubmission } from "../api/client/index.ts";
import { formatDuration, formatSize } from "../base/index.ts";
import { JOB_DEFAULTS } from "../model/index.ts";

/** Names of an attribute in a file and as an option, and the text of its value. */
interface Attribute {
  readonly option: string;
  readonly word: string;
  readonly text: (job: JobSubmission) => string | undefined;
}

const ATTRIBUTES: readonly Attribute[] = [
  { option: "--name", word: "name", text: ({ name }) => name },
  {
    option: "-n",
    word: "procs",
    text: ({ procs }) => (procs === JOB_DEFAULTS.procs ? undefined : `${procs}`),
  },
  {
    option: "-t",
    word: "wallTime",
    text: ({ wallTimeSec }) =>
      wallTimeSec === undefined ? undefined : formatDuration(Math.round(wallTimeSec * 1000)),
  },
  {
    option: "--mem",
    word: "memory",
    text: ({ memoryBytes }) => (memoryBytes === undefined ? undefined : formatSize(memoryBytes)),
  },
  { option: "--gpus", word: "gpus", text: ({ gpus }) => (gpus === undefined ? undefined : `${gpus}`) },
  { option: "--site", word: "site", text: ({ site }) => site },
  { option: "--requirements", word: "requirements", text: ({ requirements }) => requirements },
  { option: "--rank", word: "rank", text: ({ rank }) => rank },
  { option: "--workdir", word: "workingDirectory", text: ({ workingDirectory }) => workingDirectory },
  { option: "--stdin", word: "stdInput", text: ({ stdInput }) => stdInput },
  { option: "--after", word: "after", text: ({ after }) => after?.join(", ") },
  { option: "--vo", word: "virtualOrganisation", text: ({ virtualOrganisation }) => virtualOrganisation },
  {
    option: "--retry-mem",
    word: "retryMemory",
    text: ({ retryMemoryBytes: most }) => (most === undefined ? undefined : formatSize(most)),
  },
  {
    option: "--retry-time",
    word: "retryTime",
    text: ({ retryTimeSec: most }) =>
      most === undefined ? undefined : formatDuration(Math.round(most * 1000)),
  },
  {
    option: "--queue-time",
    word: "queueTime",
    text: ({ queueTimeSec: most }) =>
      most === undefined ? undefined : formatDuration(Math.round(most * 1000)),
  },
  { option: "--input-data", word: "inputData", text: ({ inputData }) => inputData?.join(", ") },
  {
    option: "--checkpoint-exit",
    word: "checkpointExitCode",
    text: ({ checkpointExitCode: code }) => (code === undefined ? undefined : `${code}`),
  },
  { option: "--from-checkpoint", word: "fromCheckpoint", text: ({ fromCheckpoint }) => fromCheckpoint },
  { option: "--application", word: "applications", text: ({ applications }) => applications?.join(", ") },
  {
    option: "--output-file",
    word: "outputSandbox",
    text: ({ outputSandbox = [] }) => (outputSandbox.length === 0 ? undefined : outputSandbox.join(", ")),
  },
];

/** Values of a description that options replace, one text for each attribute. */
export function overruled(described: JobSubmission, asSubmitted: JobSubmission): readonly string[] {
  return ATTRIBUTES.flatMap(({ option, word, text }) => {
    const before = text(described);
    const now = text(asSubmitted) ?? "1";
    return before === undefined || before === now
      ? []
      : `${option} overrides ${word} of the file: ${now} instead of ${before}`;
  });
}
