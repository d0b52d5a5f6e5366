/**
 * Commands of a submit file, a row each. Source: the manual of HTCondor 23, condor_submit. Spec table A6.
 */
import { basename } from "node:path";
import { echoText } from "../echo-text.ts";
import {
  consumerOutcome,
  countIn,
  countOutcome,
  executableOutcome,
  inputOutcome,
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
  sentFiles,
  sets,
  variablesOutcome,
  WHOLE_ENVIRONMENT,
  WORDS_OF_MAIL,
  wrong,
} from "../job-draft/index.ts";
import type { JobSurroundings } from "../job-reading/index.ts";
import { argumentWords, environmentPairs, fileNames, truthOf } from "./arguments.ts";

/** Context of a command, besides its value. */
interface CommandWorld {
  /** Relative paths begin at the initial directory. */
  readonly surroundings: JobSurroundings;
  /** Relative paths of the executable begin at the folder of the file. */
  readonly own: JobSurroundings;
  /** Values of all commands of the job, by name in small letters. */
  readonly given: ReadonlyMap<string, string>;
}

/** Reading of one command. */
export type ReadCommand = (value: string, world: CommandWorld) => Outcome | readonly Outcome[];

/** Every command, by name in small letters. */
export const COMMANDS: ReadonlyMap<string, ReadCommand> = new Map([
  ...rows("universe", universe),
  ...rows("executable", program),
  ...rows("arguments args", (value) => sets({ arguments: argumentWords(value) })),
  ...rows("environment env", (value) => variablesOutcome(environmentPairs(value))),
  ...rows("getenv", getenv),
  ...rows("input stdin", (value, { surroundings }) =>
    isNull(value)
      ? noEffect("without a file the standard input is empty")
      : inputOutcome(value, surroundings),
  ),
  ...rows("output stdout", (value) => outputOutcome(["stdOutput"], value, NO_PLACEHOLDER)),
  ...rows("error stderr", (value) => outputOutcome(["stdError"], value, NO_PLACEHOLDER)),
  ...rows("batch_name", nameOutcome),
  ...rows("description", (value) => sets({ userTags: { description: value } })),
  ...rows("initialdir initial_dir job_iwd remote_initialdir", (value) => ({
    kind: "translated",
    becomes: `paths begin at ${echoText(value)}`,
  })),
  ...rows("transfer_input_files transferinputfiles", transferIn),
  ...rows("transfer_output_files transferoutputfiles", (value) =>
    fileNames(value).map((name) =>
      name.includes("/")
        ? notTranslated(`${echoText(name)} is in a directory: name files of the job's own`)
        : kept(name),
    ),
  ),
  ...rows("request_cpus", (value) => expressionOr(value, () => countOutcome(value, "procs"))),
  ...rows("request_memory", (value) => expressionOr(value, () => memoryOutcome(value, "m", "memoryBytes"))),
  ...rows("request_gpus", (value) => {
    if (/^0+$/.test(value)) return noEffect("a job has no GPUs anyway");
    return expressionOr(value, () => countOutcome(value, "gpus"));
  }),
  ...rows("request_disk", (value) => lacking("scratch", { name: "scratch", value })),
  ...rows("allowed_execute_duration allowed_job_duration", (value) =>
    expressionOr(value, () =>
      limitOutcome(countIn(value) === undefined ? undefined : Number(value) * 1000, "3600"),
    ),
  ),
  ...rows("accounting_group acct_group", (value) => consumerOutcome(value.replaceAll(".", "/"))),
  ...rows("requirements", (value) => machineTerms("requirements", value)),
  ...rows("rank preferences", (value) => machineTerms("rank", value)),
  ...rows("log", () => notTranslated("Stint has its own log: stint events ID")),
  ...rows("docker_image container_image", (value) =>
    notTranslated("Stint runs no containers: the program runs as it is", { name: "container", value }),
  ),
  ...rows("deferral_time deferral_window deferral_prep_time", (value) =>
    lacking("startAfter", { name: "startAfter", value }),
  ),
  ...rows(
    "cron_minute cron_hour cron_day_of_month cron_month cron_day_of_week cron_window cron_prep_time",
    () => notTranslated("Stint submits nothing by the calendar: let cron call stint submit"),
  ),
  ...rows("notification", (value) => mailOutcome([value.toLowerCase()], WORDS_OF_MAIL)),
  ...rows("notify_user", mailToOutcome),
  ...rows("email_attributes", () => notTranslated("mail says how the job ended")),
  ...rows("max_retries retry_until success_exit_code success_exit_signal", () =>
    notTranslated("a job that has ended, with any exit code, is not run again"),
  ),
  ...rows(
    "periodic_hold periodic_hold_reason periodic_hold_subcode " +
      "periodic_release periodic_remove periodic_vacate " +
      "on_exit_hold on_exit_hold_reason on_exit_hold_subcode leave_in_queue",
    (value) =>
      truthOf(value) === false
        ? noEffect("it is false")
        : notTranslated("Stint evaluates no expressions on a job while it waits or runs"),
  ),
  ...rows("on_exit_remove", (value) =>
    truthOf(value) === true
      ? noEffect("a job that has ended is not run again anyway")
      : notTranslated("a job that has ended, with any exit code, is not run again"),
  ),
  ...rows("concurrency_limits concurrency_limits_expr", (value) =>
    lacking("licences", { name: "licences", value }),
  ),
  ...rows("priority prio job_prio nice_user", () => lacking("priority")),
  ...rows("hold", (value) => (truthOf(value) === false ? noEffect("it is false") : lacking("hold"))),
  ...rows("max_materialize max_idle", materialized),
  ...rows("should_transfer_files", (value) =>
    /^no$/i.test(value)
      ? notTranslated("files named here are sent with the job nevertheless")
      : noEffect("files are always sent with the job"),
  ),
  ...rows("transfer_executable", (value) =>
    truthOf(value) === false
      ? { kind: "translated", becomes: "the executable is at the site" }
      : noEffect("the executable is sent with the job if it is on this machine"),
  ),
  ...rows(
    "when_to_transfer_output transfer_output stream_output " +
      "stream_error stream_input want_io_proxy output_destination",
    () => noEffect("output is kept, and can be read while the job runs"),
  ),
  ...rows(
    "transfer_output_remaps preserve_relative_paths skip_filechecks erase_output_and_error_on_restart",
    () => notTranslated("stint output --to DIRECTORY brings files under the names that they have"),
  ),
  ...rows("checkpoint_exit_code", (value) => {
    const checkpointExitCode = countIn(value);
    return checkpointExitCode === undefined || checkpointExitCode > 125
      ? wrong("it is not an exit code of 1 to 125", "write for instance 85")
      : sets({ checkpointExitCode });
  }),
  ...rows("transfer_checkpoint_files checkpoint_destination", () =>
    notTranslated("the program says itself what it saves: stint-ckpt save NAME FILE..."),
  ),
  ...rows(
    "kill_sig remove_kill_sig hold_kill_sig kill_sig_timeout job_max_vacate_time want_graceful_removal",
    () => lacking("signal"),
  ),
  ...rows(
    "require_gpus gpus_minimum_capability gpus_maximum_capability gpus_minimum_memory gpus_minimum_runtime",
    () => notTranslated("Stint counts GPUs of any kind"),
  ),
  ...rows("cuda_version", () => notTranslated("Stint counts GPUs of any kind")),
  ...rows(
    "accounting_group_user acct_group_user run_as_owner x509userproxy use_x509userproxy use_oauth_services",
    () => notTranslated("a job runs as who submits it"),
  ),
  ...rows("coresize stack_size", () => notTranslated("of limits Stint has those of time and memory alone")),
  ...rows(
    "image_size job_lease_duration keep_claim_idle copy_to_spool " +
      "buffer_size buffer_block_size load_profile " +
      "job_machine_attrs job_machine_attrs_history_length " +
      "submit_event_notes dagman_log log_xml ulog_execute_attrs",
    () => noEffect("it concerns HTCondor's own services"),
  ),
  ...rows("docker_network_type container_service_names container_target_dir docker_pull_policy", () =>
    notTranslated("Stint runs no containers"),
  ),
  ...rows("noop_job", (value) =>
    truthOf(value) === false ? noEffect("it is false") : notTranslated("the job runs"),
  ),
]);

const NO_PLACEHOLDER = /(?!)/g;

function rows(names: string, read: ReadCommand): readonly (readonly [string, ReadCommand])[] {
  return names.split(" ").map((name) => [name, read] as const);
}

function isNull(path: string): boolean {
  return path === "" || path === "/dev/null";
}

const UNIVERSES = ["vanilla", "docker", "container"];
const OTHER_UNIVERSES = ["standard", "scheduler", "local", "grid", "java", "vm", "parallel", "mpi", "pvm"];

function universe(value: string): Outcome {
  const name = value.toLowerCase();
  if (name === "vanilla" || name === "5") return noEffect("every job is of this kind");
  if (UNIVERSES.includes(name)) return notTranslated("Stint runs no containers: the program runs as it is");
  const what = OTHER_UNIVERSES.includes(name)
    ? `jobs of the universe ${name} are not run here`
    : "it is not a universe";
  return wrong(what, `choose ${UNIVERSES.join(", ")}`);
}

function program(value: string, { own, given }: CommandWorld): Outcome {
  if (truthOf(given.get("transfer_executable") ?? "") !== false) return executableOutcome(value, own);
  return sets({ executable: value });
}

function getenv(value: string): Outcome | readonly Outcome[] {
  const truth = truthOf(value);
  if (truth === false) return noEffect("only named variables go with a job anyway");
  if (truth === true || /[*?!]/.test(value)) return WHOLE_ENVIRONMENT;
  return variablesOutcome(fileNames(value));
}

function transferIn(value: string, { surroundings }: CommandWorld): readonly Outcome[] {
  return fileNames(value).map((name) => {
    const sent = sentFiles(name, surroundings);
    return "outcome" in sent ? sent.outcome : sets({ inputSandbox: sent.paths });
  });
}

function kept(name: string): Outcome {
  return sets({ outputSandbox: [basename(name)] });
}

/** The outcome of a plain value; expressions are computed by HTCondor alone. */
function expressionOr(value: string, read: () => Outcome): Outcome {
  if (/^\d+(\.\d+)?\s*[A-Za-z]*$/.test(value)) return read();
  return notTranslated("it is an expression, and here has to be a number");
}

/** Expressions on the ads of sites are kept; those on HTCondor's machines mean nothing there. */
function machineTerms(name: "requirements" | "rank", value: string): Outcome {
  if (/\bGlue/i.test(value)) return sets({ [name]: value });
  return notTranslated("it speaks of HTCondor's machines; ads of sites have the names of GLUE");
}

function materialized(value: string): Outcome {
  if (countIn(value) === undefined) return wrong("it is not a whole number above 0", "write for instance 50");
  return { kind: "translated", becomes: `at most ${value} jobs of an array at once` };
}
