/**
 * Options of qsub of PBS, a row each.
 *
 * Source: qsub(1B) and pbs_resources(7B) of Torque 6 and PBS Pro. Spec table A6.
 */
import {
  consumerOutcome,
  directoryOutcome,
  LACKING,
  LETTERS_OF_MAIL,
  lacking,
  mailOutcome,
  mailToOutcome,
  nameOutcome,
  noEffect,
  notTranslated,
  type Outcome,
  outputOutcome,
  queueOutcome,
  retryOutcome,
  sets,
  variablesOutcome,
  WHOLE_ENVIRONMENT,
  wrong,
} from "../job-draft/index.ts";
import { type About, all, flag, type OptionRow, option } from "./option-table.ts";
import { pbsResources } from "./pbs-resources.ts";
import { pbsAttributes } from "./pbs-values.ts";
import { splitVariables } from "./slurm-values.ts";

/** Every option. */
export const PBS_OPTIONS: readonly OptionRow[] = [
  option("-N", nameOutcome),
  option("-l", pbsResources),
  option("-q", (value) => queueOutcome(value)),
  option("-A", consumerOutcome),
  option("-P", consumerOutcome),
  option("-o", (value, about) => stream("-o", value, about)),
  option("-e", (value, about) => stream("-e", value, about)),
  option("-j", joined),
  option("-d -w", directoryOutcome),
  option("-v", (value) => variablesOutcome(splitVariables(value))),
  flag("-V", WHOLE_ENVIRONMENT),
  option("-t", (value) => sets({ array: value })),
  option("-J", (value) => sets({ array: value })),
  option("-W", pbsAttributes),
  option("-a", (value) => lacking("startAfter", { name: "startAfter", value })),
  option("-m", (value) => mailOutcome([...value.replaceAll(",", "")], LETTERS_OF_MAIL)),
  option("-M", mailToOutcome),
  option("-r", (value) => {
    if (!/^[yn]$/i.test(value)) return wrong("it is y or n", "write -r y or -r n");
    return retryOutcome(value.toLowerCase() === "y");
  }),
  option("-p", () => lacking("priority")),
  flag("-h", lacking("hold")),
  ...all("-I|-X", 0, lacking("interactive")),
  option("-S", () => noEffect(LACKING.shell)),
  option("-k", () => noEffect("output is kept in the job's own directory")),
  option("-R", () => noEffect("output is kept in the job's own directory")),
  option("-c", () => notTranslated("the system saves no states: the program does, by stint-ckpt")),
  option("-u", () => notTranslated("a job runs as who submits it")),
  option("-C", () => notTranslated("other marks than #PBS are not read")),
  option("-F", () => notTranslated("give arguments on the command line: stint submit SCRIPT ARGUMENTS")),
  option("-L", () => notTranslated("Stint has one size for the whole job: use -l nodes, ppn and mem")),
  option("-T", () => notTranslated("prologues belong to one cluster")),
  option("-D", () => notTranslated("a job has no root directory of its own")),
  option("-K", () => lacking("binding")),
  flag("-n", notTranslated("Stint gives processors and not whole nodes")),
  ...all("-z|-f|-b", 0, noEffect(LACKING.terse)),
  flag("-x", noEffect("the whole script runs")),
];

function stream(name: "-o" | "-e", value: string, { given }: About): Outcome {
  const join = given.get("-j") ?? "";
  const path = value.replace(/^[\w.-]+:(?=.)/, "").replace(/^:/, "");
  const own = name === "-o" ? "stdOutput" : "stdError";
  if (join.startsWith("oe")) {
    if (name === "-e") return noEffect("both streams go to one file, by -j oe");
    return outputOutcome(["stdOutput", "stdError"], path, PLACEHOLDERS);
  }
  if (join.startsWith("eo")) {
    if (name === "-o") return noEffect("both streams go to one file, by -j eo");
    return outputOutcome(["stdError", "stdOutput"], path, PLACEHOLDERS);
  }
  return outputOutcome([own], path, PLACEHOLDERS);
}

const PLACEHOLDERS = /\$\{?PBS_(?:JOBID|ARRAYID|ARRAY_INDEX|JOBNAME)\}?|\^array_index\^|%[Jj]/g;

function joined(value: string, { given }: About): Outcome {
  if (value === "n") return noEffect("the streams have files of their own anyway");
  if (value === "oe") {
    if (given.has("-o")) return noEffectHere("-o");
    return sets({ stdError: "stdout" });
  }
  if (value !== "eo") return wrong("it is oe, eo or n", "write -j oe");
  return given.has("-e") ? noEffectHere("-e") : sets({ stdOutput: "stderr" });
}

function noEffectHere(name: string): Outcome {
  return { kind: "translated", becomes: `both streams in the file of ${name}` };
}
