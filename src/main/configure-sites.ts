/**
 * Brings the broker's sites to the configuration: sites that are not in the log are added, those that
 * differ are changed. A site that only the log has stays: it was added by a command.
 */
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { Fault, type FaultFacts, type FaultKind, messageOf } from "../base/index.ts";
import type { ConfiguredSite } from "../formats/stint-yaml/index.ts";
import { refusalText } from "../model/index.ts";
import type { BrokerApi } from "../runtime/index.ts";
import { thisMachine, wholeSpec } from "./this-machine.ts";

/** Waiting times for clusters. */
export interface ClusterWaits {
  /** Longest delay of the start by a cluster that does not answer, in ms. */
  readonly patienceMs: number;
  /** First delay, in ms, before an unreachable new cluster is tried again; later ones grow. */
  readonly tryAgainMs: number;
}

const WAITS: ClusterWaits = { patienceMs: 5000, tryAgainMs: 10_000 };
/** Longest such delay, in ms. */
const SELDOM_MS = 600_000;

/** Configured sites and their circumstances. */
export interface WantedSites {
  readonly sites: readonly ConfiguredSite[];
  /** File of the configuration, for messages. */
  readonly file: string | undefined;
  /** True if this machine is offered without being configured. */
  readonly isThisMachineOffered: boolean;
  /** Name of the batch system on this machine; called only if it matters. */
  readonly batchSystemHere: () => Promise<string | undefined>;
  readonly tell: (line: string) => void;
  /** Aborted when the broker ends. */
  readonly signal: AbortSignal;
  readonly waits?: ClusterWaits;
}

/**
 * Adds and changes sites. All clusters are read at once; one that answers late is added then, and an
 * unreachable one is tried again.
 *
 * @throws Fault, with the place in the file, if the broker refuses
 */
export async function configureSites(brokerApi: BrokerApi, wanted: WantedSites): Promise<void> {
  const { sites } = wanted;
  refuseSecondManaged(brokerApi, wanted);
  const isCluster = ({ settings }: ConfiguredSite): boolean => settings.type === "slurm";
  for (const site of sites.filter((it) => !isCluster(it))) await configureNow(brokerApi, site, wanted);
  const clusters = sites.filter(isCluster).map((site) => configureNow(brokerApi, site, wanted));
  await withinPatience(clusters, wanted);
  if (await isOffered(brokerApi, wanted))
    await configureNow(brokerApi, thisMachine, { ...wanted, file: undefined });
}

/** Waits a limited time for these clusters; later failures are reported and delay nothing. */
async function withinPatience(
  clusters: readonly Promise<void>[],
  { tell, waits = WAITS }: WantedSites,
): Promise<void> {
  if (clusters.length === 0) return;
  const all = Promise.all(clusters);
  const isReady = await Promise.race([all.then(() => true), delay(waits.patienceMs, false, { ref: false })]);
  if (isReady) return;
  tell("stint: not every cluster has answered yet; the others are added when they do\n");
  for (const cluster of clusters) {
    void cluster.catch((error: unknown) => tell(`stint: ${messageOf(error)}\n`));
  }
}

async function configureNow(brokerApi: BrokerApi, site: ConfiguredSite, wanted: WantedSites): Promise<void> {
  const trouble = await configure(brokerApi, site, wanted);
  if (trouble === undefined) return;
  const said = `stint: ${placeOf(site, wanted.file)}site ${site.name} cannot be used: ${trouble.message}`;
  if (brokerApi.sites().some(({ name }) => name === site.name)) wanted.tell(`${said}\n`);
  else {
    wanted.tell(
      `${said}; it is not added yet, and tried again while the broker runs\n  do:  ${trouble.remedy}\n`,
    );
    void addLater(brokerApi, site, { wanted, told: trouble.message });
  }
}

/** Tries to add a new cluster until it is added or the broker ends. */
async function addLater(
  brokerApi: BrokerApi,
  site: ConfiguredSite,
  { wanted, told }: { readonly wanted: WantedSites; readonly told: string },
): Promise<void> {
  const { signal, tell, waits = WAITS } = wanted;
  let before = told;
  for (let waitMs = waits.tryAgainMs; ; waitMs = Math.min(SELDOM_MS, waitMs * 2)) {
    const isOver = await delay(waitMs, false, { ref: false, signal }).catch(() => true);
    if (isOver) return;
    try {
      const trouble = await configure(brokerApi, site, wanted);
      if (trouble === undefined) {
        tell(`stint: site ${site.name} is added\n`);
        return;
      }
      if (trouble.message !== before) tell(`stint: site ${site.name}: ${trouble.message}\n`);
      before = trouble.message;
    } catch (error) {
      tell(`stint: ${messageOf(error)}\n`);
      return;
    }
  }
}

/** Reason why a cluster cannot be used now, if the cause is the cluster and not the file. */
async function configure(
  brokerApi: BrokerApi,
  site: ConfiguredSite,
  { file, signal }: WantedSites,
): Promise<Fault | undefined> {
  const { name, settings } = site;
  const spec = wholeSpec(settings);
  const known = brokerApi.sites().find((it) => it.name === name);
  if (known !== undefined && isDeepStrictEqual(known.spec, spec)) return undefined;
  const kind = known === undefined ? "addSite" : "changeSite";
  const place = placeOf(site, file);
  const answer = await brokerApi.ask({ kind, site: name, spec }).catch((error: unknown) => {
    if (!(error instanceof Fault)) throw error;
    // A change is recorded before the site is opened: like any cluster in trouble it stops nobody else.
    // Nor does one that cannot be asked now how large it is.
    if (spec.type !== "managed" && (kind === "changeSite" || error.kind === "unreachable")) return error;
    throw placed(place, error.kind, error);
  });
  if (answer instanceof Fault) return signal.aborted ? undefined : answer;
  if (answer.ok) return undefined;
  throw placed(place, "refused", { code: answer.refusal.kind, ...refusalText(answer.refusal) });
}

/** Fault whose text begins with its place in the file. */
function placed(place: string, kind: FaultKind, facts: Omit<FaultFacts, "kind">): Fault {
  const { code, what, why, remedy } = facts;
  return new Fault({ kind, code, what: `${place}${what}`, why, remedy });
}

/** Refuses this machine under a second name, which would offer its processors twice. */
function refuseSecondManaged(brokerApi: BrokerApi, { sites, file }: WantedSites): void {
  const wanted = sites.find(({ settings }) => settings.type === "managed");
  const other = brokerApi.sites().find(({ name, spec }) => spec.type === "managed" && name !== wanted?.name);
  if (wanted === undefined || other === undefined) return;
  throw placed(placeOf(wanted, file), "refused", {
    code: "siteInUse",
    what: `this machine cannot be offered as site ${wanted.name}`,
    why: `it is already the site ${other.name} of this broker, and its processors can be offered only once`,
    remedy: `write name: ${other.name}, or start another broker with --state-dir`,
  });
}

async function isOffered(brokerApi: BrokerApi, wanted: WantedSites): Promise<boolean> {
  if (brokerApi.sites().some(({ spec }) => spec.type === "managed")) return false;
  if (wanted.isThisMachineOffered) return true;
  // Those of the file count, too, that have not answered yet.
  if (brokerApi.sites().length > 0 || wanted.sites.length > 0) return false;
  const batchSystem = await wanted.batchSystemHere();
  if (batchSystem === undefined) return true;
  wanted.tell(
    `stint: ${batchSystem} answers here, so this machine is not offered as a site; ` +
      "stint up --this-machine offers it all the same\n",
  );
  return false;
}

function placeOf({ line }: ConfiguredSite, file: string | undefined): string {
  return file === undefined ? "" : `${file}:${line}: `;
}
