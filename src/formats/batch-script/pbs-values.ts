/** Attributes of PBS's `-W`: dependencies, staging, others. */
import { basename } from "node:path";
import { echoText } from "../echo-text.ts";
import {
  dependencyOutcome,
  lacking,
  noEffect,
  notTranslated,
  type Outcome,
  sentFiles,
  sets,
  type WrittenDependency,
} from "../job-draft/index.ts";
import type { About } from "./option-table.ts";

/** `depend=afterok:7f3a,stagein=…`: an attribute begins at a name before `=`. */
export function pbsAttributes(text: string, about: About): readonly Outcome[] {
  const parts = text.split(/,(?=[a-z_]+=)/i);
  return parts.flatMap((part) => {
    const equals = part.indexOf("=");
    const name = part.slice(0, equals).trim().toLowerCase();
    const value = part.slice(equals + 1).trim();
    return attributeOutcome(name, value, about);
  });
}

function attributeOutcome(name: string, value: string, about: About): readonly Outcome[] {
  switch (name) {
    case "depend":
      return dependencies(value);
    case "stagein":
      return value.split(",").map((one) => stagedIn(one, about));
    case "stageout":
      return value.split(",").map(stagedOut);
    case "group_list":
    case "user_list":
      return [notTranslated("a job runs as who submits it")];
    case "block":
      return [lacking("wait")];
    case "interactive":
      return [lacking("interactive")];
    case "sandbox":
      return [noEffect("every job has a directory of its own")];
    case "umask":
      return [noEffect("files of a job are readable by its owner")];
    default:
      return [notTranslated(`the attribute ${echoText(name)} belongs to one cluster`)];
  }
}

const ENDS: Readonly<Record<string, WrittenDependency["end"]>> = {
  afterok: "ok",
  afternotok: "failed",
  afterany: "any",
};

function dependencies(value: string): readonly Outcome[] {
  const known: WrittenDependency[] = [];
  const others: Outcome[] = [];
  for (const part of value.split(",")) {
    const [kind = "", ...jobs] = part.split(":");
    const end = ENDS[kind.trim().toLowerCase()];
    if (end === undefined) {
      others.push(notTranslated(`Stint knows ok, failed and any end of a job, and not ${echoText(kind)}`));
    } else known.push(...jobs.map((job) => ({ end, job: job.split("@")[0] })));
  }
  return [...dependencyOutcome(known), ...others];
}

/** `name@host:path`: the file goes along where it is here, under its own name. */
function stagedIn(text: string, { surroundings }: About): Outcome {
  const [, name = "", path = ""] = /^([^@]*)@[^:]*:(.*)$/.exec(text) ?? [];
  const sent = sentFiles(path, surroundings);
  if ("outcome" in sent) return notTranslated(`${echoText(path)} is not here: name files of this machine`);
  if (basename(name) !== basename(path)) return notTranslated("a file that goes along keeps its name");
  return sets({ inputSandbox: sent.paths });
}

/** `name@host:path`: the file is kept for stint output. */
function stagedOut(text: string): Outcome {
  const name = basename(text.split("@")[0] ?? "");
  if (name === "" || name === "." || name === "..") return notTranslated("it names no file");
  return sets({ outputSandbox: [name] }, "stint output brings it");
}
