/** Values of options of sbatch in their own notations. */
import { echoText } from "../echo-text.ts";
import {
  dependencyOutcome,
  inputOutcome,
  limitOutcome,
  notTranslated,
  type Outcome,
  outputOutcome,
  sets,
  sizes,
  type WrittenDependency,
  wrong,
} from "../job-draft/index.ts";
import type { About } from "./option-table.ts";

const MINUTE = 60_000;

/** A time limit: minutes, `mm:ss`, `hh:mm:ss`, `d-hh`, `d-hh:mm`, `d-hh:mm:ss`; in whole minutes. */
export function slurmTime(text: string): Outcome {
  if (/^(unlimited|infinite|-1)$/i.test(text)) {
    return notTranslated("every job has a time limit; without one the site's default holds");
  }
  const match = /^(?:(\d{1,6})-)?(\d{1,9})(?::(\d{1,9}))?(?::(\d{1,9}))?$/.exec(text);
  const example = "--time=01:30:00";
  if (match === null) return limitOutcome(undefined, example);
  const [, days, ...rest] = match;
  const parts = rest.filter((part) => part !== undefined).map(Number);
  // After days come hours first; without them a single number is minutes, and the last of several seconds.
  const isFromHours = days !== undefined || parts.length === 3;
  const [hours, minutes, seconds] = isFromHours
    ? [parts[0], parts[1] ?? 0, parts[2] ?? 0]
    : [0, parts[0], parts[1] ?? 0];
  const total = ((Number(days ?? 0) * 24 + hours) * 60 + minutes) * 60 + seconds;
  const outcome = limitOutcome(Math.ceil(total / 60) * MINUTE, example);
  return total % 60 === 0 || outcome.kind === "wrong"
    ? outcome
    : { ...outcome, why: "Slurm rounds up to whole minutes" };
}

/** Nodes: `4`, `2-8` (the smaller number), `4,8`. */
export function slurmNodes(text: string): Outcome | readonly Outcome[] {
  const match = /^([1-9]\d{0,8})(-\d{1,9})?([,:].*)?$/.exec(text);
  if (match === null)
    return wrong(`${echoText(text)} is not a number of nodes`, "write for instance --nodes=4");
  const [, least, most, more] = match;
  const nodes = Number(least);
  const hosts = nodes <= 1_000_000 ? { sets: { hostNumber: nodes } } : {};
  const size: Outcome = { ...sizes({ nodes }, "at least one processor on each"), ...hosts };
  const isRange = (most !== undefined && Number(most.slice(1)) !== Number(least)) || more !== undefined;
  return isRange ? [size, notTranslated("the smaller number counts: a job of Stint has one size")] : size;
}

/** Nodes without other jobs; `user`, `mcs` and `topo` allow some. */
export function slurmExclusive(value: string): Outcome {
  if (value === "") return sets({ wholeNodes: true });
  return notTranslated("Stint knows nodes without any other job alone: write --exclusive");
}

/** Generic resources: GPUs of each node; others have no equal. */
export function slurmGres(text: string): readonly Outcome[] {
  const outcomes: Outcome[] = [];
  let gpus = 0;
  for (const part of text.split(",")) {
    const match = /^(?:gres[:/])?gpu(?::([A-Za-z][\w.-]*))?(?:[:=](\d{1,9}))?$/.exec(part);
    if (match === null) {
      outcomes.push(notTranslated(`Stint counts GPUs alone, and not ${echoText(part)}`));
    } else {
      gpus += Number(match[2] ?? 1);
      if (match[1] !== undefined) {
        outcomes.push(notTranslated(`Stint counts GPUs of any kind, also others than ${match[1]}`));
      }
    }
  }
  return gpus === 0 ? outcomes : [sizes({ gpusPerNode: gpus }, "Slurm counts it for each node"), ...outcomes];
}

/** A file for a stream; without `--error` both go to that of `--output`. */
export function slurmOutput(name: "--output" | "--error", text: string, about: About): Outcome {
  const path = text.replaceAll("%x", about.jobName.replaceAll("/", "_"));
  const words: readonly ("stdOutput" | "stdError")[] =
    name === "--error"
      ? ["stdError"]
      : ["stdOutput", ...(about.given.has("--error") ? [] : ["stdError" as const])];
  return outputOutcome(words, path, /%(?:\d{0,2}[AaJjsNnstubx]|%)/g);
}

/** The standard input: a file that goes along. */
export function slurmInput(text: string, { surroundings }: About): Outcome {
  if (text === "/dev/null") return { kind: "noEffect", why: "without a file the standard input is empty" };
  return inputOutcome(text, surroundings);
}

const ENDS: Readonly<Record<string, WrittenDependency["end"]>> = {
  afterok: "ok",
  afternotok: "failed",
  afterany: "any",
};

/** Dependencies: `afterok:ID:ID,afterany:ID`. */
export function slurmDependency(text: string): Outcome | readonly Outcome[] {
  if (text.includes("?"))
    return notTranslated("Stint waits for all of several jobs, and not for any of them");
  const known: WrittenDependency[] = [];
  const others: Outcome[] = [];
  for (const part of text.split(",")) {
    const [kind = "", ...jobs] = part.split(":");
    const end = ENDS[kind.toLowerCase()];
    if (end !== undefined && jobs.length > 0) known.push(...jobs.map((job) => ({ end, job })));
    else if (
      /^[\w-]+$/.test(kind) &&
      kind !== "" &&
      jobs.length === 0 &&
      !/^(singleton|expand)$/.test(kind)
    ) {
      known.push({ end: "any", job: kind });
    } else
      others.push(notTranslated(`Stint knows ok, failed and any end of a job, and not ${echoText(kind)}`));
  }
  return [...dependencyOutcome(known), ...others];
}

/** Splits a comma-separated list of variables; commas within quotes do not separate. */
export function splitVariables(text: string): readonly string[] {
  const parts = text.match(/(?:[^,'"]|'[^']*'|"[^"]*"|['"])+/g) ?? [];
  return parts.map((part) => part.replace(/=(['"])(.*)\1$/, "=$2"));
}
