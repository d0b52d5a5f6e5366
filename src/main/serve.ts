/** Wires a broker: the logbook on disk, the configured sites, the API on a socket and on TCP. */

import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { type Certificate, type Identity, mintToken, recordOf } from "../api/index.ts";
import { assert, durationMs, Fault, formatDuration, messageOf } from "../base/index.ts";
import {
  type Broker,
  lastEventMs,
  type Retention,
  runMail,
  runSyslog,
  runWebhooks,
  sandboxesIn,
  startBroker,
  steadyClock,
  systemClock,
  thisMachinesTime,
} from "../broker/index.ts";
import type { LogSettings, Up } from "../cli/index.ts";
import { SCOPES, tokenState } from "../model/index.ts";
import {
  type BrokerApi,
  type Clock,
  type Logbook,
  projectLog,
  type Receipt,
  VIEWS,
  VIEWS_VERSION,
} from "../runtime/index.ts";
import { openSqliteLogbook, openSqliteSamples, rebuildViews } from "../store/index.ts";
import { apiServers } from "./api-servers.ts";
import { UNFINISHED } from "./backup-files.ts";
import { batchSystemHere } from "./batch-system.ts";
import { type BrokerLog, loggedRefusals, openBrokerLog } from "./broker-log.ts";
import { brokerSimulations } from "./broker-simulations.ts";
import { configureSites } from "./configure-sites.ts";
import { forgetPauses, pausesLeft } from "./left-pauses.ts";
import { refuseNetworkFileSystem } from "./local-disk.ts";
import { notedHead, noteHeads, troubleOfLog } from "./noted-head.ts";
import { measuringBrokerApi, siteMeasure, siteOpener } from "./open-site.ts";
import { findLeftAttempts, recoverJobs } from "./recover-jobs.ts";
import { archivingOf } from "./retention.ts";
import { readSettings, type Settings } from "./settings.ts";
import { siteCare } from "./site-care.ts";
import { adminTokenFile } from "./state-directory.ts";
import { certificateTrouble, readCertificate } from "./tls-certificate.ts";

/** Words that start this program, for the wrappers of streams. */
const THIS_PROGRAM = [process.execPath, process.argv[1]];

/** Time after the broker's end, in ms, after which the process exits in any case. */
const LAST_MS = 10_000;

/** Runs a broker until it is asked to stop; its jobs continue. */
export const up: Up = async (request, { tell: say, log: logged, signal }) => {
  const settings = await readSettings(process.env, { ...request, ...(logged && { log: logged }) });
  const log = openBrokerLog(logged && wantedLog(settings), say);
  const { notice: tell } = log;
  const certificate = settings.tls === undefined ? undefined : await readCertificate(settings.tls);
  tellTrouble(certificate, tell);
  const directory = settings.stateDirectory.value;
  await makeUsable(directory);
  const logbook = await openLogbook(directory);
  const samples = await openSamples(join(directory, "log"), tell);
  const noted = await notedHead(directory);
  const broken = new AbortController();
  const stopped = new AbortController();
  const stops: (() => Promise<void>)[] = [];
  try {
    if (logbook.viewsNeedRebuild) await rebuildViews(logbook, projectLog());
    const pauses = await pausesLeft(directory);
    const left = await findLeftAttempts(directory, logbook);
    const clock = await brokersClock(logbook, tell);
    const broker = await startBroker({
      ...placesIn(settings),
      ...{ logbook, clock, openSite: siteOpener(directory, clock), streamProgram: THIS_PROGRAM },
      ...{ ...(samples !== undefined && { samples }), retention: retentionOf(settings) },
      ...{ warn: log.warn, onEvent: log.event },
      onBroken: (error) => broken.abort(error),
      atStart: pauses.map((site) => ({ kind: "pauseEnforcement", site, by: owner().owner })),
    });
    await tellPauses(broker, { directory, pauses, tell });
    const ending = AbortSignal.any([signal, broken.signal, stopped.signal]);
    const asked = loggedRefusals(broker.brokerApi, log);
    const brokerApi = measuringBrokerApi(asked, siteMeasure(directory), ending);
    const simulations = await brokerSimulations(directory, log.error);
    const archiving = archivingOf(logbook, { settings, nowMs: clock.nowMs, log });
    const { webhooks, stopTelling } = await tellingOthers(settings, { brokerApi, clock, log });
    const api = apiServers(brokerApi, {
      ...{ owner: owner(), settings, certificate, tell, onError: log.error, log: log.logger },
      ...{ stop: () => stopped.abort(), simulations, archiving, webhooks },
    });
    try {
      await configureSites(brokerApi, {
        sites: settings.sites,
        file: settings.configuration.value,
        isThisMachineOffered: request.isThisMachineOffered,
        batchSystemHere: () => batchSystemHere(process.env),
        tell,
        signal: ending,
      });
      await recoverJobs(brokerApi, left, tell);
      await giveAdminToken(broker.brokerApi, adminTokenFile(directory), owner(), clock.nowMs());
      const places = await api.listen();
      stops.push(noteHeads(directory, logbook));
      tellOfLog(logbook, noted, { tell, signal: ending });
      tellReady(tell, { places, broker, directory });
      stops.push(archiving.stop);
      archiving.keepRetention();
      await untilAborted(ending);
    } finally {
      await Promise.all([api.close(), simulations.close(), stopTelling()]);
      await broker.stop();
      for (const stop of stops) await stop();
    }
  } finally {
    await samples?.close();
    await logbook.close();
    log.close();
    // Whatever was begun and not ended must not keep a process that has said its last word.
    setTimeout(() => process.exit(), LAST_MS).unref();
  }
  broken.signal.throwIfAborted();
};

function retentionOf({ jobFiles, jobRecords }: Settings): Retention {
  return {
    ...(jobFiles.value === undefined ? {} : { filesMs: jobFiles.value }),
    ...(jobRecords.value === undefined ? {} : { recordsMs: jobRecords.value }),
  };
}

/** Usual path of sendmail. */
const SENDMAIL = "/usr/sbin/sendmail";

/** Webhooks, mail, and the audit to syslog. */
async function tellingOthers(
  { stateDirectory, mail, syslog }: Settings,
  world: Pick<Broker, "brokerApi"> & { readonly clock: Clock; readonly log: BrokerLog },
) {
  const directory = stateDirectory.value;
  const webhooks = await webhooksIn(directory, world);
  const { brokerApi, clock, log } = world;
  const { value: settings } = mail;
  const running =
    settings === undefined
      ? undefined
      : await runMail({
          ...{ settings: { sendmail: SENDMAIL, ...settings }, directory: join(directory, "mail") },
          ...{ brokerApi, nowMs: clock.nowMs, warn: log.warn },
        });
  const auditing =
    syslog.value === undefined
      ? undefined
      : await runSyslog({
          ...{ address: syslog.value, directory: join(directory, "syslog"), brokerApi, warn: log.warn },
        });
  const stopTelling = () => Promise.all([webhooks.stop(), running?.stop(), auditing?.stop()]);
  return { webhooks, stopTelling };
}

/** Webhooks of a state directory. */
function webhooksIn(
  directory: string,
  { brokerApi, clock, log }: Pick<Broker, "brokerApi"> & { readonly clock: Clock; readonly log: BrokerLog },
) {
  return runWebhooks({
    ...{ directory: join(directory, "webhooks"), nowMs: clock.nowMs, warn: log.warn },
    events: (search) => brokerApi.events(search),
  });
}

/** The logbook of a state directory. @throws Fault */
function openLogbook(directory: string) {
  return openSqliteLogbook({
    ...{ directory: join(directory, "log"), views: VIEWS, projection: VIEWS_VERSION },
  });
}

/** Settings of the log that are said somewhere. */
function wantedLog({ log: { level, format, file } }: Settings): LogSettings {
  return {
    ...(level.value !== undefined && { level: level.value }),
    ...(format.value !== undefined && { format: format.value }),
    ...(file.value !== undefined && { file: file.value }),
  };
}

/** Parts of the broker that keep files in the state directory. */
function placesIn({ stateDirectory, inputs }: Settings) {
  const { value: ownDirectory } = stateDirectory;
  const limits = { ownDirectory, tokenRoot: inputs.value };
  return { care: siteCare(ownDirectory), sandboxes: sandboxesIn(join(ownDirectory, "sandboxes"), limits) };
}

/** Makes the state directory, if it can be one. @throws Fault `networkFileSystem`, `restoreUnfinished` */
async function makeUsable(directory: string): Promise<void> {
  refuseNetworkFileSystem(directory);
  refuseUnfinished(directory);
  await mkdir(directory, { recursive: true, mode: 0o700 });
}

/** Refuses a directory into which a restore was interrupted. @throws Fault `restoreUnfinished` */
function refuseUnfinished(directory: string): void {
  if (!existsSync(join(directory, UNFINISHED))) return;
  throw new Fault({
    kind: "refused",
    code: "restoreUnfinished",
    what: `no broker starts on ${directory}`,
    why: "a restore into it was interrupted, so a part of its state is missing",
    remedy: `empty it (rm -r ${directory}) and run stint restore again`,
  });
}

/** Clock that starts no earlier than the last event; reports a machine clock that is behind. */
async function brokersClock(logbook: Logbook, tell: (line: string) => void) {
  const onBehind = (behindMs: number): void => {
    const length = formatDuration(durationMs(Math.round(behindMs / 1000) * 1000));
    tell(
      `stint: this machine's clock is ${length} behind what the log has: it was ahead before, or was put ` +
        "back; the broker's time goes on, more slowly until the clock has caught up\n",
    );
  };
  return steadyClock(thisMachinesTime, { notBeforeMs: await lastEventMs(logbook), onBehind });
}

/** Verifies the log in the background and reports a problem; the start does not wait. */
function tellOfLog(logbook: Logbook, noted: Receipt | undefined, { tell, signal }: Parameters<Up>[1]): void {
  const said = (trouble: string | undefined): void => {
    if (trouble === undefined) return;
    tell(`stint: the log is not what was recorded: ${trouble}\n  do:  see stint doctor\n`);
  };
  troubleOfLog(logbook, noted, signal).then(said, (error: unknown) => {
    if (!signal.aborted) said(messageOf(error));
  });
}

/** Reports a problem with the certificate; the broker runs all the same, and its socket is unaffected. */
function tellTrouble(certificate: Certificate | undefined, tell: (line: string) => void): void {
  const trouble = certificate && certificateTrouble(certificate, systemClock.nowMs());
  if (trouble !== undefined) tell(`stint: ${trouble}\n`);
}

/** Opens the samples; a failure does not stop the broker. */
async function openSamples(directory: string, tell: Parameters<Up>[1]["tell"]) {
  try {
    const samples = await openSqliteSamples(directory);
    const { putAside } = samples;
    if (putAside !== null) tell(`stint: the usage samples could not be read and were moved to ${putAside}\n`);
    return samples;
  } catch (error) {
    tell(`stint: no history of use is kept: ${messageOf(error)}\n`);
    return undefined;
  }
}

/** Reports and deletes pauses that are now in the log. */
async function tellPauses(
  { brokerApi }: Broker,
  { directory, pauses, tell }: PausesFound & Pick<Parameters<Up>[1], "tell">,
): Promise<void> {
  await forgetPauses(directory, pauses);
  for (const { site, isPaused } of brokerApi.query("policies").enforcers) {
    if (!isPaused || !pauses.includes(site)) continue;
    tell(`stint: the enforcer of ${site} rests, as it was asked to while no broker answered\n`);
  }
}

interface PausesFound {
  readonly directory: string;
  readonly pauses: readonly string[];
}

/** Identity of the owner: the user who runs the broker. */
function owner(): Identity {
  const { username } = userInfo();
  return { owner: username, consumer: `local/${username}`, role: "admin" };
}

function tellReady(
  tell: (line: string) => void,
  {
    places,
    broker,
    directory,
  }: { readonly places: readonly string[]; readonly broker: Broker; readonly directory: string },
): void {
  tell(`stint: ready; ${siteLine(broker)}; listening on ${places.join(" and ")}\n`);
  const [, url] = places;
  if (url === undefined) return;
  tell(`stint: the page is at ${url}/; sign in with the token in ${adminTokenFile(directory)}\n`);
}

function siteLine({ brokerApi }: Broker): string {
  const sites = brokerApi.sites().map(({ name, spec }) => `${name} (${spec.procs} processors)`);
  if (sites.length === 0) return "no site yet (stint site add makes one, or sites: in stint.yaml)";
  return `${sites.length === 1 ? "site" : "sites"} ${sites.join(", ")}`;
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}

// The owner's own token, in a file of the state directory that only they can read.
//
// Whoever reads that file can also open the socket beside it, so it gives nothing that was not theirs.

/** Lifetime of the owner's token, in ms; the first start after it makes another. */
const LIFE_MS = 365 * 24 * 3_600_000;

/**
 * Makes a token for the owner and writes it to the file, unless the present one is valid.
 *
 * @param nowMs by the broker's clock
 */
async function giveAdminToken(
  brokerApi: BrokerApi,
  file: string,
  { owner, consumer }: Identity,
  nowMs: number,
): Promise<void> {
  const kept = await readFile(file, "utf8").catch(() => "");
  const record = recordOf(brokerApi, kept.trim());
  if (record !== undefined && tokenState(record, nowMs) === "valid") return;
  const { id, hash, token } = mintToken();
  const answer = await brokerApi.ask({
    kind: "createToken",
    token: id,
    hash,
    role: "admin",
    consumer,
    site: null,
    scopes: SCOPES,
    label: "made by stint up",
    createdBy: owner,
    expiresAtMs: nowMs + LIFE_MS,
  });
  assert(answer.ok, "the owner's token is as tokens are");
  // Written beside it and renamed: never half there, never readable to others.
  const fresh = `${file}.${id}`;
  await writeFile(fresh, `${token}\n`, { mode: 0o600, flag: "wx" });
  await rename(fresh, file);
}
