/** Values of options of bsub in their own notations. */
import { basename } from "node:path";
import { echoText } from "../echo-text.ts";
import {
  countIn,
  countOutcome,
  dependencyOutcome,
  lacking,
  memoryOutcome,
  nameOutcome,
  notTranslated,
  type Outcome,
  sentFiles,
  sets,
  sizes,
  type WrittenDependency,
  wrong,
} from "../job-draft/index.ts";
import type { About } from "./option-table.ts";

/** A name, or an array: `name[1-100:2]%10`. */
export function lsfName(text: string): Outcome | readonly Outcome[] {
  const match = /^([^[\]]*)\[([^[\]]*)\](%\d+)?$/.exec(text);
  if (match === null) return nameOutcome(text);
  const [, name = "", list = "", limit = ""] = match;
  const array = sets({ array: `${list}${limit}` });
  return name === "" ? array : [nameOutcome(name), array];
}

/** `select[…] rusage[mem=4000,tmp=100] span[hosts=1] affinity[…] order[…]`. */
export function lsfRequirement(text: string): readonly Outcome[] {
  const parts = [...text.matchAll(/([a-z]+)\[((?:[^[\]]|\[[^[\]]*\])*)\]/g)];
  if (parts.length === 0) return [lacking("features", { name: "constraint", value: text })];
  return parts.flatMap(([, name, content]): readonly Outcome[] => {
    if (name === "rusage") return content.split(/[,:]/).map(usage);
    if (name === "span") return [span(content)];
    if (name === "select") return [lacking("features", { name: "constraint", value: content })];
    return [notTranslated(`${name}[…] is about nodes of one cluster`)];
  });
}

const PER_HOST = "LSF counts it for each host";

function usage(text: string): Outcome {
  const [name = "", value = ""] = text.split("=").map((part) => part.trim());
  if (name === "mem") {
    const [, amount = value, per] = /^(.*?)(?:\/(host|task|job))?$/.exec(value) ?? [];
    if (per === "job") return memoryOutcome(amount, "m", "memoryBytes");
    if (per === "task") return memoryOutcome(amount, "m", "memoryPerTaskBytes");
    return memoryOutcome(amount, "m", "memoryPerNodeBytes", PER_HOST);
  }
  if (/^ngpus/.test(name)) return countOutcome(value, "gpusPerNode", PER_HOST);
  if (name === "tmp") return lacking("scratch", { name: "scratch", value });
  if (name === "duration" || name === "decay")
    return notTranslated("an allocation stays the same until the end");
  return lacking("licences", { name: "licences", value: text });
}

function span(text: string): Outcome {
  const [name = "", value = ""] = text.split("=").map((part) => part.trim());
  const count = countIn(value);
  if (name === "hosts" && count === 1) return sizes({ nodes: 1 });
  if (name === "ptile" && count !== undefined) return sizes({ tasksPerNode: count });
  return notTranslated("where tasks of a job run is the choice of the site");
}

const ENDS: Readonly<Record<string, WrittenDependency["end"]>> = { done: "ok", exit: "failed", ended: "any" };

/** `done(7f3a) && ended(91bc)`. */
export function lsfDependency(text: string): Outcome | readonly Outcome[] {
  const list: WrittenDependency[] = [];
  for (const part of text.split("&&")) {
    const [, kind = "done", job] =
      /^\s*(?:(done|exit|ended)\(\s*)?["']?([\w.*[\]-]+)["']?\s*\)?\s*$/.exec(part) ?? [];
    if (job === undefined) return notTranslated("Stint waits for done, exit and ended with && between them");
    list.push({ end: ENDS[kind] ?? "ok", job });
  }
  return dependencyOutcome(list);
}

/** `local > remote` before the job, `local < remote` after it. */
export function lsfFile(text: string, { surroundings }: About): Outcome | readonly Outcome[] {
  const match = /^\s*(\S+)\s*(<<|<>|><|>|<)\s*(\S*)\s*$/.exec(text);
  if (match === null)
    return wrong("it is a file, > or <, and a file", "write for instance -f 'in.txt > in.txt'");
  const [, local = "", way = "", remote = ""] = match;
  const outcomes: Outcome[] = [];
  if (remote !== "" && basename(remote) !== basename(local)) {
    return notTranslated("a file that goes along keeps its name");
  }
  if (way.includes(">")) {
    const sent = sentFiles(local, surroundings);
    outcomes.push("outcome" in sent ? sent.outcome : sets({ inputSandbox: sent.paths }));
  }
  if (way === "<<") return notTranslated(`nothing is appended to ${echoText(local)}`);
  if (way.includes("<")) outcomes.push(sets({ outputSandbox: [basename(local)] }, "stint output brings it"));
  return outcomes;
}
