/**
 * Opens a simulated site: reads its trace and its journal, and simulates the time since it was last open.
 */
import { mkdir } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { assert, Fault, messageOf } from "../../base/index.ts";
import type { SimulatedSiteSpec } from "../../model/index.ts";
import type { Clock, ForeignSite, ManagedSite } from "../../runtime/index.ts";
import { accept, advanceTo } from "./advance.ts";
import { type Background, readBackground } from "./background.ts";
import { Journal } from "./journal.ts";
import type { Cluster, ClusterInput, ClusterRules } from "./simulated-cluster.ts";
import { SimulatedSite } from "./simulated-site.ts";

/** Settings of a simulated site. */
export interface SimulatedSiteOptions {
  readonly name: string;
  readonly spec: SimulatedSiteSpec;
  /** Directory of the journal; made with mode 0700 if absent. One site per directory. */
  readonly directory: string;
  readonly clock: Clock;
  /** Site for the programs; required if the spec says `run`. The caller closes it. */
  readonly programs?: ManagedSite;
  /** Interval between surveys, in ms; default 250. */
  readonly surveyEveryMs?: number;
  /** Time after which a missing job counts as lost, in ms; default 3000. */
  readonly lostAfterMs?: number;
}

const SURVEY_EVERY_MS = 250;
const LOST_AFTER_MS = 1000;
/** Number of instants that are settled before other work runs. */
const SLICE = 2000;

/**
 * Opens the site, with the time since it was last open simulated.
 *
 * @throws Fault `traceUnusable`, `simulatedSiteChanged`, `journalDamaged`, `journalNotWritten`,
 * `directoryUnusable`
 */
export async function openSimulatedSite(options: SimulatedSiteOptions): Promise<ForeignSite> {
  const { spec, clock, directory, name } = options;
  assert(spec.jobs === "imitate" || options.programs !== undefined, "programs are given a site to run on");
  const rules = rulesOf(spec);
  const background = await readBackground(rules);
  await makeDirectory(directory);
  const [journal, { cluster, inputs }] = Journal.open(directory, rules, clock.nowMs());
  try {
    await replay(cluster, background, inputs);
    await simulateTo(cluster, background, clock.nowMs());
    if (inputs.length > 0 || cluster.othersCome > 0) journal.compact(cluster);
  } catch (error) {
    journal.close();
    throw error;
  }
  return new SimulatedSite({
    name,
    spec,
    clock,
    surveyEveryMs: options.surveyEveryMs ?? SURVEY_EVERY_MS,
    lostAfterMs: options.lostAfterMs ?? LOST_AFTER_MS,
    programs: spec.jobs === "run" ? options.programs : undefined,
    cluster,
    background,
    journal,
  });
}

/**
 * Settings that the history depends on. Delays, losses and the seed are not among them: their outcomes are
 * in the journal.
 */
function rulesOf({
  procs,
  memoryBytes,
  gpus = 0,
  discipline,
  speedUp,
  jobs,
  background,
}: SimulatedSiteSpec): ClusterRules {
  const others = background && { trace: background.trace, skipMs: background.skipMs };
  const size = { procs, memoryBytes, ...(gpus === 0 ? {} : { gpus }) };
  return { ...size, discipline, speedUp, jobs, background: others };
}

async function makeDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new Fault({
      kind: "failed",
      code: "directoryUnusable",
      what: `cannot use ${directory} for a simulated site`,
      why: messageOf(error),
      remedy: "give the broker's user the right to write there, or name another directory",
      cause: error,
    });
  }
}

async function replay(
  cluster: Cluster,
  background: Background,
  inputs: readonly ClusterInput[],
): Promise<void> {
  for (const input of inputs) {
    await simulateTo(cluster, background, input.atMs);
    accept(cluster, input);
  }
}

/** Simulates up to an instant, in slices between which other work runs. */
async function simulateTo(cluster: Cluster, background: Background, nowMs: number): Promise<void> {
  while (!advanceTo(cluster, background, Math.max(nowMs, cluster.nowMs), SLICE)) await nextTurn();
}
