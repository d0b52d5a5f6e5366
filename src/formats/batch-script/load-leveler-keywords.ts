/**
 * Keywords of LoadLeveler, a row each. Source: the manual of Tivoli Workload Scheduler LoadLeveler 5. Spec
 * table A6.
 */
import { echoText } from "../echo-text.ts";
import {
  clockMs,
  consumerOutcome,
  countIn,
  countOutcome,
  directoryOutcome,
  executableOutcome,
  inputOutcome,
  LACKING,
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
  WORDS_OF_MAIL,
} from "../job-draft/index.ts";
import { splitShellWords } from "../job-yaml/index.ts";
import { all, type OptionRow, option } from "./option-table.ts";

const PLACEHOLDER = /\$\((?:jobid|cluster|stepid|process|host|hostname|schedd_host|job_name|user|home)\)/gi;

/** Every keyword, besides `queue`. */
export const LOAD_LEVELER_KEYWORDS: readonly OptionRow[] = [
  option("job_name", nameOutcome),
  option("step_name", (value) => sets({ userTags: { step: value } })),
  option("comment", (value) => sets({ userTags: { comment: value } })),
  option("executable", (value, { surroundings }) => executableOutcome(value, surroundings)),
  option("arguments", (value) => {
    const split = splitShellWords(value);
    return sets({ arguments: split.ok ? split.value.words : value.split(/\s+/) });
  }),
  option("input", (value, { surroundings }) =>
    value === "/dev/null"
      ? noEffect("without a file the standard input is empty")
      : inputOutcome(value, surroundings),
  ),
  option("output", (value) => outputOutcome(["stdOutput"], value, PLACEHOLDER)),
  option("error", (value) => outputOutcome(["stdError"], value, PLACEHOLDER)),
  option("initialdir", directoryOutcome),
  option("environment", environment),
  option("wall_clock_limit", (value) => limitOutcome(clockMs(hard(value)), "wall_clock_limit = 01:30:00")),
  option("total_tasks", (value) => countOutcome(value, "tasks")),
  option("tasks_per_node", (value) => countOutcome(value, "tasksPerNode")),
  option("node", nodes),
  option("resources", (value) => resources(value)),
  option("account_no", consumerOutcome),
  option("restart", (value) => retryOutcome(/^yes$/i.test(value))),
  option("class", (value) => queueOutcome(value)),
  option("job_cpu_limit", (value) => lacking("cpuTime", { name: "cpuTime", value })),
  option("cpu_limit", () => lacking("cpuTime")),
  option("dependency", () =>
    notTranslated("it names steps: submit them one after the other with --after ok:ID"),
  ),
  option("startdate", (value) => lacking("startAfter", { name: "startAfter", value })),
  option("notification", (value) => mailOutcome([value.toLowerCase()], WORDS_OF_MAIL)),
  option("notify_user", mailToOutcome),
  option("node_usage", (value) =>
    /^shared$/i.test(value)
      ? noEffect("processors of a job are its own")
      : notTranslated("Stint gives processors and not whole nodes"),
  ),
  ...all("requirements|preferences", 1, lacking("features")),
  option("ll_res_id", () => lacking("reservation")),
  option("hold", () => lacking("hold")),
  option("user_priority", () => lacking("priority")),
  option("shell", () => noEffect(LACKING.shell)),
  ...all("job_type|parallel_threads", 1, noEffect("the script starts its tasks itself")),
  ...all(
    "checkpoint|ckpt_file|ckpt_dir|ckpt_time_limit|restart_from_ckpt|restart_on_same_nodes",
    1,
    noCheckpoint(),
  ),
  ...all("blocking|task_geometry|network|task_affinity|cpus_per_core|rset|bulkxfer|mcm_affinity_options", 1, {
    kind: "notTranslated",
    why: LACKING.binding,
  }),
  ...all(
    "core_limit|data_limit|file_limit|rss_limit|stack_limit|as_limit|memlock_limit|nproc_limit",
    1,
    ofLimits(),
  ),
  ...all("min_processors|max_processors|large_page|node_resources|host_file|cluster_list|cluster_option", 1, {
    kind: "notTranslated",
    why: LACKING.hosts,
  }),
  ...all(
    "group|image_size|env_copy|coschedule|favored_job|metacluster_job|monitor_program|trace",
    1,
    ofCluster(),
  ),
];

function noCheckpoint(): Outcome {
  return notTranslated("the system saves no states: the program does, by stint-ckpt");
}

function ofLimits(): Outcome {
  return notTranslated("of limits Stint has those of time and memory alone");
}

function ofCluster(): Outcome {
  return notTranslated("it means something on its own cluster alone");
}

/** The hard limit of `hard,soft`. */
function hard(value: string): string {
  return value.split(",")[0].replaceAll('"', "").trim();
}

/** `4`, `2,4`: the smaller number. */
function nodes(value: string): Outcome | readonly Outcome[] {
  const [least = "", most] = value.split(",").map((part) => part.trim());
  const size = countOutcome(least, "nodes");
  if (most === undefined || most === least || least === "") return size;
  return [size, notTranslated("the smaller number counts: a job of Stint has one size")];
}

/** `ConsumableCpus(2) ConsumableMemory(4gb)`, for each task. */
function resources(value: string): readonly Outcome[] {
  const parts = [...value.matchAll(/(\w+)\s*\(([^()]*)\)/g)];
  if (parts.length === 0) return [notTranslated(`${echoText(value)} belongs to one cluster`)];
  return parts.map(([, name, amount]) => {
    const kind = name.toLowerCase();
    if (kind === "consumablecpus") {
      const count = countIn(amount);
      return count === undefined ? countOutcome(amount, "procsPerTask") : sizes({ procsPerTask: count });
    }
    if (kind === "consumablememory") return memoryOutcome(amount, "m", "memoryPerTaskBytes");
    return notTranslated(`${echoText(name)} belongs to one cluster`);
  });
}

/** `COPY_ALL; A=1; $B; !C`. */
function environment(value: string): readonly Outcome[] {
  const parts = value.split(";").map((part) => part.trim());
  const pairs = parts.filter((part) => part.includes("="));
  const names = parts.filter((part) => part.startsWith("$")).map((part) => part.slice(1));
  const copies = parts.some((part) => /^COPY_ALL$/i.test(part));
  return [...(copies ? [WHOLE_ENVIRONMENT] : []), ...variablesOutcome([...pairs, ...names])];
}
