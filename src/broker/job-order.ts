/** Turns a job's record into an order for a site. */
import { basename } from "node:path";
import { assert } from "../base/index.ts";
import { avoidedNodes, PILOT_PROGRAM, type Projection, type SiteState } from "../engine/index.ts";
import {
  attemptToken,
  inputsOf,
  type JobDescription,
  type JobRecord,
  outputsOf,
  type SiteSpec,
  type VirtualReservationSlot,
} from "../model/index.ts";
import {
  asJson,
  type InputFile,
  type LaunchOrder,
  type SiteReport,
  type SubmitOrder,
} from "../runtime/index.ts";
import { withLaunchers, withSettings } from "./applications.ts";
import { checkpointCommand } from "./checkpoints/checkpoint-script.ts";
import { givenFiles } from "./checkpoints/given-states.ts";
import { steppedCommand } from "./checkpoints/step-script.ts";
import type { Sandboxes } from "./sandbox.ts";
import { broughtProgram, stagedCommand } from "./stages.ts";
import { terminalCommand } from "./terminal-script.ts";
import { pilotProgram, sitePilotProgram } from "./workflows/pilot-script.ts";

/** The time limit of a job at its site. */
export function limitOf({ description, site }: JobRecord, sites: ReadonlyMap<string, SiteState>): number {
  const spec = sites.get(site ?? "")?.spec;
  assert(spec !== undefined, "a job that starts is at a site that is known");
  return description.wallTimeMs ?? spec.defaultWallTimeMs;
}

/** Name of a job for people: the user's, else that of its program. */
export function nameOf({ name, executable }: JobDescription): string {
  return name ?? basename(executable);
}

/** World of an order: the input files of jobs, and the sites with their applications. */
interface OrderWorld {
  readonly sandboxes: Sandboxes;
  readonly sites: ReadonlyMap<string, Pick<SiteState, "spec">>;
}

/** Queue and nodes that an order names, and the nodes that it avoids. */
export function placeOf(
  job: JobRecord,
  projection: Projection,
): Pick<SubmitOrder, "hosts" | "queue" | "avoidedNodes"> {
  const avoided = avoidedNodes(projection, job);
  return {
    ...hostsOf(job.description),
    ...(job.queue === undefined ? {} : { queue: job.queue }),
    ...(avoided.length === 0 ? {} : { avoidedNodes: avoided }),
  };
}

function hostsOf(description: JobDescription): Pick<SubmitOrder, "hosts"> {
  const { hostNumber, smpGranularity, wholeNodes } = description;
  const hosts = {
    ...(hostNumber === undefined ? {} : { hostNumber }),
    ...(smpGranularity === undefined ? {} : { smpGranularity }),
    ...(wholeNodes === true ? { wholeNodes } : {}),
  };
  return Object.keys(hosts).length === 0 ? {} : { hosts };
}

/** The order that carries out the present attempt of a job. */
export function orderOf(job: JobRecord, limitMs: number, { sandboxes, sites }: OrderWorld): LaunchOrder {
  const { id, attempt, description, owner, consumer } = job;
  const spec = sites.get(job.site ?? "")?.spec;
  const { applications = {} } = spec ?? {};
  const outputs = spec === undefined ? [] : outputsOf(job, spec);
  const { environment, stdOutput, stdError } = description;
  const { stdInput, workingDirectory } = description;
  const command = steppedCommand(job, commandOf(description, applications));
  const staged = stagedCommand(description, command, limitMs, outputs);
  const wrapped = terminalCommand(description, withSettings(applications, description, staged));
  return {
    token: attemptToken(id, attempt),
    command: checkpointCommand(description, wrapped),
    environment,
    limitMs,
    inputFiles: [
      ...sandboxes.filesOf(inputsOf(job), description.inputSandbox).map(sharedIn(job)),
      ...givenFiles(sandboxes.given, job),
    ],
    ...(stdInput === undefined ? {} : { stdInput }),
    ...(workingDirectory === undefined ? {} : { workingDirectory }),
    stdOutput,
    stdError,
    kept: asJson({ owner, consumer, description }),
  };
}

/** Marks an input file of an element as one that the elements of its array share. */
function sharedIn({ array, part }: JobRecord): (file: InputFile) => InputFile {
  if (array === undefined || part !== undefined) return (file) => file;
  return (file) => ({ ...file, sharedBy: array.id });
}

function commandOf(
  description: JobDescription,
  applications: NonNullable<SiteSpec["applications"]>,
): readonly string[] {
  const { executable, arguments: words, virtual } = description;
  if (executable === PILOT_PROGRAM) {
    const isOfWorkflow = description.reservation !== undefined;
    return isOfWorkflow ? pilotProgram(description) : sitePilotProgram(description);
  }
  const isAsIs = virtual === undefined && (description.applications ?? []).length === 0;
  const program = isAsIs ? executable : broughtProgram(description, executable);
  const launched = withLaunchers(applications, description, [program, ...words]);
  return virtual === undefined ? launched : pilotCommand(launched, virtual);
}

/** Report that an attempt ended now without having run. */
export function cameToNothing(
  job: JobRecord,
  cause: "launchFailed" | "cancelled",
  detail: string | undefined,
): SiteReport & { readonly kind: "ended" } {
  return {
    kind: "ended",
    token: attemptToken(job.id, job.attempt),
    atMs: Number.MAX_SAFE_INTEGER,
    cause,
    exitCode: undefined,
    signal: undefined,
    cpuMs: undefined,
    detail,
  };
}

// The command of a virtual reservation's job: it waits until its start, then becomes the program.
//
// One text for every kind of site, for /bin/sh, that goes by the clock of the machine where it runs. Begun
// after its start it runs nothing: the program is wanted then, or in the priced reservation that stands in
// for it, and never twice (rule EN-61). Suspended meanwhile, it looks at the clock again.

/** Exit code of a job that hears too late of its start: EX_TEMPFAIL of sysexits. */
const LATE = 75;
const MS_PER_S = 1000;

const SCRIPT = `start=$1
shift
if [ "$(date +%s)" -gt "$start" ]; then
  echo "stint: not begun, as its start has gone by" >&2
  exit ${LATE}
fi
while left=$((start - $(date +%s))) && [ "$left" -gt 0 ]; do
  sleep "$left"
done
case $1 in
  ./*)
    program=\${STINT_DIRECTORY:-.}/$1
    chmod u+x -- "$program"
    shift
    set -- "$program" "$@"
    ;;
esac
exec "$@"
`;

/** Words of the command; a program `./NAME` is in the job's directory. */
export function pilotCommand(
  command: readonly string[],
  { startMs }: VirtualReservationSlot,
): readonly string[] {
  const startSec = Math.floor(startMs / MS_PER_S);
  return ["/bin/sh", "-c", SCRIPT, "stint", String(startSec), ...command];
}
