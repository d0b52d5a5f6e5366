/**
 * Options of sbatch, a row each.
 *
 * Source: sbatch(1) of Slurm 22.05 to 24.11; values checked with `sbatch -v`. Spec table A6.
 */
import {
  consumerOutcome,
  countOutcome,
  directoryOutcome,
  lacking,
  type MailWords,
  mailOutcome,
  mailToOutcome,
  memoryOutcome,
  nameOutcome,
  noEffect,
  notTranslated,
  queueOutcome,
  retryOutcome,
  sets,
  signalOutcome,
  sizes,
  variablesOutcome,
  WHOLE_ENVIRONMENT,
  wrong,
} from "../job-draft/index.ts";
import { all, flag, type OptionRow, option } from "./option-table.ts";
import {
  slurmDependency,
  slurmExclusive,
  slurmGres,
  slurmInput,
  slurmNodes,
  slurmOutput,
  slurmTime,
  splitVariables,
} from "./slurm-values.ts";

const PER_NODE = "Slurm counts it for each node";

const SLURM_MAIL: MailWords = {
  ...{ NONE: [], BEGIN: ["start"], END: ["end"], FAIL: ["fail"], ALL: ["start", "end", "fail"] },
};

/** Every option. */
export const SLURM_OPTIONS: readonly OptionRow[] = [
  option("--job-name -J", nameOutcome),
  option("--time -t", slurmTime),
  option("--ntasks -n", (value) => countOutcome(value, "tasks")),
  option("--cpus-per-task -c", (value) => countOutcome(value, "procsPerTask")),
  option("--nodes -N", slurmNodes),
  option("--ntasks-per-node", (value) => countOutcome(value, "tasksPerNode")),
  option("--mem", (value) => {
    if (/^0+[A-Za-z]?$/.test(value)) return notTranslated("it asks for all memory of a node: write how much");
    return memoryOutcome(value, "m", "memoryPerNodeBytes", PER_NODE);
  }),
  option("--mem-per-cpu", (value) => memoryOutcome(value, "m", "memoryPerProcBytes")),
  option("--mem-per-gpu", (value) => memoryOutcome(value, "m", "memoryPerGpuBytes")),
  option("--gpus -G", (value) => gpusOutcome(value, "gpus")),
  option("--gpus-per-node", (value) => gpusOutcome(value, "gpusPerNode")),
  option("--gpus-per-task", (value) => gpusOutcome(value, "gpusPerTask")),
  option("--gres", slurmGres),
  option("--account -A", consumerOutcome),
  option("--output -o", (value, about) => slurmOutput("--output", value, about)),
  option("--error -e", (value, about) => slurmOutput("--error", value, about)),
  option("--input -i", slurmInput),
  option("--chdir -D --workdir", directoryOutcome),
  option("--export", (value) => {
    const [all, ...rest] = splitVariables(value);
    if (all === "NONE") return noEffect("only named variables go with a job anyway");
    if (all !== "ALL") return variablesOutcome([all, ...rest]);
    return [WHOLE_ENVIRONMENT, ...variablesOutcome(rest)];
  }),
  option("--array -a", (value) => sets({ array: value })),
  option("--dependency -d", slurmDependency),
  option("--comment", (value) => sets({ userTags: { comment: value } })),
  option("--wckey", (value) => sets({ userTags: { wckey: value } })),
  flag("--requeue", retryOutcome(true)),
  flag("--no-requeue", retryOutcome(false)),
  option("--partition -p", (value) => queueOutcome(value, "partition")),
  option("--qos -q", (value) => lacking("queue", { name: "qos", value })),
  option("--constraint -C", (value) => lacking("features", { name: "constraint", value })),
  option("--prefer", () => lacking("features")),
  ...all("--nodelist -w|--exclude -x|--nodefile -F|--batch|--cluster-constraint", 1, lacking("hosts")),
  option("--begin -b", (value) => lacking("startAfter", { name: "startAfter", value })),
  option("--deadline", (value) => lacking("deadline", { name: "deadline", value })),
  option("--licenses -L", (value) => lacking("licences", { name: "licences", value })),
  option("--mail-type", (value) => mailOutcome(value.toUpperCase().split(","), SLURM_MAIL)),
  option("--mail-user", mailToOutcome),
  option("--signal", signalOutcome),
  option("--reservation", () => lacking("reservation")),
  option("--tmp", (value) => lacking("scratch", { name: "scratch", value })),
  option("--clusters -M --cluster", () => lacking("site")),
  ...all("--nice", "maybe", lacking("priority")),
  option("--priority", () => lacking("priority")),
  flag("--hold -H", lacking("hold")),
  { names: ["--exclusive"], takes: "maybe", read: slurmExclusive },
  option("--time-min", () => notTranslated("Stint never shortens a time limit to start a job sooner")),
  ...all(
    "--cores-per-socket|--sockets-per-node|--threads-per-core|--ntasks-per-core|--ntasks-per-socket|" +
      "--ntasks-per-gpu|--cpus-per-gpu|--gpus-per-socket|--mincpus|--core-spec -S|--thread-spec|" +
      "--distribution -m|--extra-node-info -B|--hint|--mem-bind|--gpu-bind|--gres-flags|--cpu-freq|" +
      "--gpu-freq|--switches|--network|--bb|--bbf|--power|--tres-per-task|--tres-bind|--ntasks-per-tres",
    1,
    lacking("binding"),
  ),
  ...all("--contiguous|--spread-job|--use-min-nodes|--overcommit -O|--reboot", 0, lacking("binding")),
  ...all("--oversubscribe -s --share", "maybe", noEffect("processors of a job are its own")),
  ...all("--container|--container-id", 1, notTranslated("Stint runs no containers")),
  ...all("--acctg-freq|--profile", 1, noEffect("Stint measures the use of every job")),
  ...all("--propagate", "maybe", noEffect("a job has the limits of its site")),
  ...all("--get-user-env", "maybe", WHOLE_ENVIRONMENT),
  option("--export-file", () => WHOLE_ENVIRONMENT),
  ...all("--uid|--gid|--mcs-label", 1, notTranslated("a job runs as who submits it")),
  option("--open-mode", () => noEffect("output files are new in every run")),
  option("--kill-on-invalid-dep", () => notTranslated("Stint decides by the end of the other job")),
  option("--delay-boot", () => lacking("startAfter")),
  ...all("--no-kill -k", "maybe", notTranslated("a job ends with its node")),
  option("--wait-all-nodes", () => noEffect("a job starts when all its processors are there")),
  flag("--wait -W", noEffect("stint wait ID waits for the job")),
  flag("--test-only", wrong("with it sbatch submits nothing", "take it out; stint when shows the start")),
  option("--wrap", () =>
    wrong("it is not an option of a script", "give it on the command line: stint submit --wrap 'a | b'"),
  ),
  ...all("--quiet -Q|--verbose -v|--help -h|--usage|--version -V|--ignore-pbs", 0, lackingEffect()),
  ...all("--parsable", "maybe", lackingEffect()),
];

function lackingEffect() {
  return noEffect("it concerns the output of the submit command");
}

/** `4`, `a100:4` or `a100:2,v100:2`; the kind of GPU is lost. */
function gpusOutcome(value: string, part: "gpus" | "gpusPerNode" | "gpusPerTask") {
  const parts = value.split(",").map((one) => /^(?:([A-Za-z][\w.-]*):)?([1-9]\d{0,8})$/.exec(one));
  const counts = parts.map((match) => Number(match?.[2]));
  if (counts.some(Number.isNaN)) return wrong("it is not a number of GPUs", "write for instance --gpus=4");
  const count = counts.reduce((sum, one) => sum + one, 0);
  const kind = parts.find((match) => match?.[1] !== undefined)?.[1];
  const size = sizes({ [part]: count });
  return kind === undefined
    ? size
    : [size, notTranslated(`Stint counts GPUs of any kind, also others than ${kind}`)];
}
