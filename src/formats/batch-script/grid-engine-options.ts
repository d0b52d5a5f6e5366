/**
 * Options of qsub of Grid Engine, a row each. Source: submit(1), complex(5) of Son of Grid Engine 8. Spec
 * table A6.
 */
import { echoText } from "../echo-text.ts";
import {
  clockMs,
  consumerOutcome,
  countOutcome,
  dependencyOutcome,
  directoryOutcome,
  inputOutcome,
  LACKING,
  LETTERS_OF_MAIL,
  lacking,
  limitOutcome,
  mailOutcome,
  mailToOutcome,
  memoryOutcome,
  nameOutcome,
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
import { type About, all, flag, type OptionRow, option } from "./option-table.ts";
import { splitVariables } from "./slurm-values.ts";

/** Every option. */
export const GRID_ENGINE_OPTIONS: readonly OptionRow[] = [
  option("-N", nameOutcome),
  option("-l", (value) => value.split(",").map(resource)),
  { names: ["-pe"], takes: 2, read: slots },
  option("-P", consumerOutcome),
  option("-A", consumerOutcome),
  option("-o", (value, about) => stream("-o", value, about)),
  option("-e", (value, about) => stream("-e", value, about)),
  option("-i", (value, { surroundings }) => inputOutcome(value.replace(/^[\w.-]*:/, ""), surroundings)),
  option("-j", (value, { given }) => {
    if (!/^(y|yes|n|no)$/i.test(value)) return wrong("it is y or n", "write -j y");
    if (/^n/i.test(value)) return noEffect("the streams have files of their own anyway");
    return given.has("-o")
      ? { kind: "translated", becomes: "both streams in the file of -o" }
      : sets({ stdError: "stdout" });
  }),
  flag("-cwd", { kind: "translated", becomes: "workingDirectory: that of the submission" }),
  option("-wd", directoryOutcome),
  option("-v", (value) => variablesOutcome(splitVariables(value))),
  flag("-V", WHOLE_ENVIRONMENT),
  option("-t", (value, { given }) => {
    const limit = given.get("-tc");
    return sets({ array: limit === undefined || limit === "0" ? value : `${value}%${limit}` });
  }),
  option("-tc", (value, { given }) => {
    if (!given.has("-t")) return noEffect("there is no array");
    return { kind: "translated", becomes: `at most ${value} at once` };
  }),
  option("-hold_jid", (value) => dependencyOutcome(value.split(",").map((job) => ({ end: "any", job })))),
  option("-hold_jid_ad", () => notTranslated("dependencies are on whole arrays")),
  option("-q", (value) => queueOutcome(value)),
  option("-a", (value) => lacking("startAfter", { name: "startAfter", value })),
  option("-dl", (value) => lacking("deadline", { name: "deadline", value })),
  option("-m", (value) => mailOutcome([...value.replaceAll(",", "")], LETTERS_OF_MAIL)),
  option("-M", mailToOutcome),
  flag("-notify", lacking("signal", { name: "signalBefore", value: true })),
  option("-r", (value) => retryOutcome(/^y/i.test(value))),
  option("-ar", () => lacking("reservation")),
  ...all("-p|-js|-ot", 1, lacking("priority")),
  flag("-h", lacking("hold")),
  option("-S", () => noEffect(LACKING.shell)),
  ...all("-masterq|-soft|-hard|-masterl", 0, lacking("hosts")),
  ...all("-binding|-bgq", "maybe", lacking("binding")),
  ...all("-ckpt|-c", 1, notTranslated("the system saves no states: the program does, by stint-ckpt")),
  ...all("-R", 1, noEffect("the queue of the site makes reservations by its discipline")),
  ...all("-sync|-now", 1, noEffect(LACKING.wait)),
  ...all("-terse|-verify|-help", 0, noEffect(LACKING.terse)),
  ...all("-w|-shell", 1, noEffect(LACKING.terse)),
  ...all("-ac|-sc", 1, notTranslated("Stint has tags for that: --tag NAME=value")),
  ...all("-dc|-clear|-clearp", "maybe", noEffect("there is nothing before to be taken away")),
  option("-b", (value) =>
    /^n/i.test(value) ? noEffect("the script is a script") : notTranslated("the script itself is run"),
  ),
  ...all("-display|-pty|-inherit", "maybe", lacking("interactive")),
  ...all("-C|-jsv|-@|-u|-hold", 1, notTranslated("it concerns qsub itself, or files of another machine")),
];

const RESOURCES: Readonly<Record<string, (value: string) => Outcome>> = {
  h_rt: (value) => limitOutcome(clockMs(value), "-l h_rt=01:30:00"),
  s_rt: () => lacking("signal"),
  h_cpu: (value) => lacking("cpuTime", { name: "cpuTime", value }),
  s_cpu: () => lacking("cpuTime"),
  mem_free: (value) => memory(value),
  m_mem_free: (value) => memory(value),
  virtual_free: (value) => memory(value),
  mem: (value) => memory(value),
  h_vmem: (value) => lacking("virtualMemory", { name: "virtualMemory", value }),
  s_vmem: () => lacking("virtualMemory"),
  h_data: () => lacking("virtualMemory"),
  gpu: (value) => countOutcome(value === "" ? "1" : value, "gpus"),
  gpus: (value) => countOutcome(value === "" ? "1" : value, "gpus"),
  ngpus: (value) => countOutcome(value === "" ? "1" : value, "gpus"),
  exclusive: () => notTranslated("Stint gives processors and not whole nodes"),
  tmpfs: (value) => lacking("scratch", { name: "scratch", value }),
  tmp_free: (value) => lacking("scratch", { name: "scratch", value }),
  hostname: () => lacking("hosts"),
  qname: (value) => queueOutcome(value),
  arch: () => lacking("features"),
};

/** `k`, `m`, `g` are 1000-based, `K`, `M`, `G` 1024-based. */
function memory(value: string): Outcome {
  const small = /^(\d{1,12}(?:\.\d{1,6})?)([kmg])$/.exec(value);
  const why = "Grid Engine counts it for each slot";
  if (small === null) return memoryOutcome(value, "b", "memoryPerProcBytes", why);
  const bytes = Math.ceil(Number(small[1]) * 1000 ** ("kmg".indexOf(small[2]) + 1));
  return memoryOutcome(String(bytes), "b", "memoryPerProcBytes", why);
}

/** `h_rt=3600`, or a name alone. */
function resource(text: string): Outcome {
  const equals = text.indexOf("=");
  const name = equals === -1 ? text : text.slice(0, equals);
  const read = Object.hasOwn(RESOURCES, name) ? RESOURCES[name] : undefined;
  if (read === undefined) return notTranslated(`the resource ${echoText(name)} belongs to one cluster`);
  return read(equals === -1 ? "" : text.slice(equals + 1));
}

/** A parallel environment: `mpi 8`, `mpi 4-16`. */
function slots(text: string): Outcome | readonly Outcome[] {
  const match = /^\S+ ([1-9]\d{0,8})(-\d{0,9})?$/.exec(text);
  if (match === null) return wrong("it is a name and a number of slots", "write for instance -pe mpi 8");
  const size = sizes({ procs: Number(match[1]) }, "the parallel environment itself belongs to one cluster");
  return match[2] === undefined
    ? size
    : [size, notTranslated("the smaller number counts: a job of Stint has one size")];
}

function stream(name: "-o" | "-e", value: string, { given, jobName }: About): Outcome {
  const path = value.replace(/^[\w.-]*:/, "").replace(/\$\{?JOB_NAME\}?/g, jobName.replaceAll("/", "_"));
  const isJoined = /^y/i.test(given.get("-j") ?? "");
  if (isJoined && name === "-e") return noEffect("both streams go to one file, by -j y");
  const own = name === "-e" ? (["stdError"] as const) : (["stdOutput"] as const);
  return outputOutcome(isJoined ? BOTH : own, path, /\$\{?(?:JOB_ID|TASK_ID|HOSTNAME|USER)\}?/g);
}

const BOTH = ["stdOutput", "stdError"] as const;
