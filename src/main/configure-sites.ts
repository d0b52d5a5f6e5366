/**
 * Makes the broker's sites those of the configuration: what is not in the log is added, what differs is
 * changed. A site that the log alone knows stays: somebody added it.
 */
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { Fault, type FaultFacts, type FaultKind } from "../base/index.ts";
import type { ConfiguredSite } from "../formats/stint-yaml/index.ts";
import { refusalText } from "../model/index.ts";
import type { BrokerApi } from "../runtime/index.ts";
import { thisMachine, wholeSpec } from "./this-machine.ts";

/** How long clusters are waited for. */
export interface ClusterWaits {
  /** One that does not answer holds up nobody for longer. */
  readonly patienceMs: number;
  /** A new one that cannot be asked is tried again after this time, then more and more seldom. */
  readonly tryAgainMs: number;
}

const WAITS: ClusterWaits = { patienceMs: 5000, tryAgainMs: 10_000 };
/** But at least this often. */
const SELDOM_MS = 600_000;

/** What is wanted of the sites. */
export interface WantedSites {
  readonly sites: readonly ConfiguredSite[];
  /** The configuration, for messages. */
  readonly file: string | undefined;
  /** Whether this machine is offered though the configuration does not name it. */
  readonly isThisMachineOffered: boolean;
  /** The batch system that answers here, asked for when it matters. */
  readonly batchSystemHere: () => Promise<string | undefined>;
  readonly tell: (line: string) => void;
  /** Aborts when the broker ends. */
  readonly signal: AbortSignal;
  readonly waits?: ClusterWaits;
}

/**
 * Adds and changes sites. Clusters are asked all at the same time; what has not answered soon is added
 * when it does, and until it can be asked tried again.
 *
 * @throws Fault, with the place in the file, where the broker refuses
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

/** Waits for these, but not long: what goes wrong later is told, and stops nobody. */
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

/** Tries a new cluster again and again, until it is added or the broker ends. */
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Gives why a cluster cannot be used now, where that is its trouble and no mistake in the file. */
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

/** An error that begins with its place in the file. */
function placed(place: string, kind: FaultKind, facts: Omit<FaultFacts, "kind">): Fault {
  const { code, what, why, remedy } = facts;
  return new Fault({ kind, code, what: `${place}${what}`, why, remedy });
}

/** This machine as it was offered before, under another name, would be given away twice. */
function refuseSecondManaged(brokerApi: BrokerApi, { sites, file }: WantedSites): void {
  const wanted = sites.find(({ settings }) => settings.type === "managed");
  const other = brokerApi.sites().find(({ name, spec }) => spec.type === "managed" && name !== wanted?.name);
  if (wanted === undefined || other === undefined) return;
  throw placed(placeOf(wanted, file), "refused", {
    code: "siteInUse",
    what: `this machine cannot be offered as site ${wanted.name}`,
    why: `it is the site ${other.name} of this broker, and its processors can be given away once`,
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
