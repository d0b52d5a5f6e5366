/** Options of bsub of LSF, a row each. Source: bsub(1) of LSF 10.1. Spec table A6. */
import { echoText } from "../echo-text.ts";
import {
  consumerOutcome,
  countOutcome,
  directoryOutcome,
  inputOutcome,
  LACKING,
  lacking,
  limitOutcome,
  memoryOutcome,
  minutesMs,
  noEffect,
  notTranslated,
  type Outcome,
  outputOutcome,
  queueOutcome,
  retryOutcome,
  sets,
  sizes,
  variablesOutcome,
  WHOLE_ENVIRONMENT,
  wrong,
} from "../job-draft/index.ts";
import { lsfDependency, lsfFile, lsfName, lsfRequirement } from "./lsf-values.ts";
import { type About, all, flag, type OptionRow, option } from "./option-table.ts";
import { splitVariables } from "./slurm-values.ts";

/** Every option. */
export const LSF_OPTIONS: readonly OptionRow[] = [
  option("-J", lsfName),
  option("-W", (value) => limitOutcome(minutesMs(value.split("/")[0]), "-W 1:30")),
  option("-n", tasks),
  option("-R", lsfRequirement),
  option("-M", (value) => memoryOutcome(value, "k", "memoryBytes")),
  option("-gpu", gpus),
  ...["-P", "-G"].map((name) => option(name, consumerOutcome)),
  option("-o -oo", (value, about) => stream("-o", value, about)),
  option("-e -eo", (value, about) => stream("-e", value, about)),
  option("-i -is", (value, { surroundings }) => inputOutcome(value, surroundings)),
  option("-cwd", directoryOutcome),
  option("-env", (value) => {
    const [first = "", ...rest] = splitVariables(value).map((one) => one.trim());
    if (first === "none") return noEffect("only named variables go with a job anyway");
    if (first !== "all") return variablesOutcome([first, ...rest]);
    return [WHOLE_ENVIRONMENT, ...variablesOutcome(rest.filter((one) => !one.startsWith("~")))];
  }),
  option("-w", lsfDependency),
  option("-f", lsfFile),
  option("-Jd", (value) => sets({ userTags: { description: value } })),
  option("-g", (value) => sets({ userTags: { group: value } })),
  ...["-r", "-rn"].map((name) => flag(name, retryOutcome(name === "-r"))),
  option("-q", (value) => queueOutcome(value)),
  option("-sla", (value) => lacking("queue", { name: "qos", value })),
  option("-c", (value) => lacking("cpuTime", { name: "cpuTime", value })),
  option("-v", (value) => lacking("virtualMemory", { name: "virtualMemory", value })),
  option("-m", () => lacking("hosts")),
  option("-hostfile", () => lacking("hosts")),
  option("-b", (value) => lacking("startAfter", { name: "startAfter", value })),
  option("-t", (value) => lacking("deadline", { name: "deadline", value })),
  ...all("-u", 1, lacking("mail")),
  ...all("-B|-N|-Ne", 0, lacking("mail")),
  flag("-x", notTranslated("Stint gives processors and not whole nodes")),
  ...["-wa", "-wt"].map((name) =>
    option(name, (value) => lacking("signal", { name: "signalBefore", value })),
  ),
  option("-U", () => lacking("reservation")),
  option("-sp", () => lacking("priority")),
  flag("-H", lacking("hold")),
  ...all("-I|-Ip|-Is|-IS|-ISp|-ISs|-IX|-XF|-tty", 0, lacking("interactive")),
  flag("-K", noEffect(LACKING.wait)),
  ...all("-L", 1, noEffect(LACKING.shell)),
  ...all("-E|-Ep", 1, notTranslated("Stint runs no commands before or after: write them into the script")),
  ...all("-app|-a|-Lp|-ext|-network|-data|-datagrp|-stage|-jsdl|-pack|-csm|-eptl", 1, ofCluster()),
  ...all("-C|-D|-F|-S|-p|-T|-hl", 1, notTranslated("of limits Stint has those of time and memory alone")),
  flag("-ul", noEffect("a job has the limits of its site")),
  option("-k", () => notTranslated("the system saves no states: the program does, by stint-ckpt")),
  option("-We", () => noEffect("Stint predicts run times from past jobs")),
  option("-s", () => lacking("signal")),
  ...all("-ti|-rcacct", "maybe", noEffect("Stint decides by the end of the other job")),
  ...all("-Zs|-h|-V", 0, noEffect(LACKING.terse)),
];

function ofCluster(): Outcome {
  return notTranslated("it names something that one cluster has set up");
}

/** Tasks: `4`, `4,16`. */
function tasks(value: string): Outcome | readonly Outcome[] {
  const [least = "", most] = value.split(",");
  const size = countOutcome(least, "tasks");
  if (most === undefined || most === least) return size;
  return [size, notTranslated("the smaller number counts: a job of Stint has one size")];
}

/** `num=2:mode=shared:j_exclusive=yes`, or `-`: one for each host. */
function gpus(value: string): readonly Outcome[] {
  if (value === "-") return [sizes({ gpusPerNode: 1 })];
  const parts = value.split(":").map((part) => part.split("="));
  const number = parts.find(([name]) => name === "num")?.[1] ?? "1";
  const others = parts.filter(([name]) => name !== "num").map(([name]) => name);
  const size = countOutcome(number.split("/")[0], "gpusPerNode", "LSF counts it for each host");
  return others.length === 0
    ? [size]
    : [size, notTranslated(`Stint counts GPUs of any kind: ${echoText(others.join(", "))}`)];
}

/** A file for a stream; without `-e` both go to that of `-o`. */
function stream(name: "-o" | "-e", value: string, { given }: About): Outcome {
  if (value === "") return wrong("it names no file", "write the name of a file");
  const isBoth = name === "-o" && !given.has("-e");
  const own = name === "-o" ? (["stdOutput"] as const) : (["stdError"] as const);
  return outputOutcome(isBoth ? ["stdOutput", "stdError"] : own, value, /%[JI]/g);
}
