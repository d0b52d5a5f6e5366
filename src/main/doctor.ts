/**
 * Examinations of `stint doctor`: the program, its configuration, the state directory, the broker, and the
 * log.
 */

import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { accepted, counted, Fault, type Result, refused } from "../base/index.ts";
import { systemClock } from "../broker/index.ts";
import { type Examination, reachBroker } from "../cli/index.ts";
import { type Role, voOf } from "../model/index.ts";
import { projectLog, type Receipt, VIEWS, VIEWS_VERSION } from "../runtime/index.ts";
import { compareViews, type LogbookSnapshot, snapshotSqliteLogbook } from "../store/index.ts";
import { notedHead, troubleOfLog } from "./noted-head.ts";
import { readSettings, type Settings, type TlsSettings } from "./settings.ts";
import { acceptedJobs, type SiteFiles, siteFilesIn, unknownAttempts } from "./site-files.ts";
import { brokerSocket } from "./state-directory.ts";
import { certificateTrouble, readCertificate } from "./tls-certificate.ts";
import { readVersion } from "./version.ts";

/** Runs all examinations that are possible now. */
export async function examine(): Promise<readonly Examination[]> {
  const settings = await readSettings(process.env).then(accepted, refused<unknown>);
  const configuration = examineConfiguration(settings);
  if (!settings.ok) return [examineProgram(), configuration];
  const { stateDirectory, tls } = settings.value;
  const directory = stateDirectory.value;
  const state = examineDirectory(directory);
  const broker = await examineBroker(directory);
  const examined: Examination[] = [examineProgram(), configuration, state, broker];
  for (const more of [broker.consumers, broker.enforcers]) if (more !== undefined) examined.push(more);
  if (tls !== undefined) examined.push(await examineCertificate(tls));
  if (existsSync(join(directory, "log"))) examined.push(...(await examineLog(directory)));
  return examined.map(({ name, isWell, found, remedy }) => ({
    name,
    isWell,
    found,
    ...(remedy === undefined ? {} : { remedy }),
  }));
}

function examineProgram(): Examination {
  return { name: "program", isWell: true, found: `stint ${readVersion()} on Node ${process.version}` };
}

function examineConfiguration(settings: Result<Settings, unknown>): Examination {
  const name = "configuration";
  if (settings.ok) {
    const { configuration, sites } = settings.value;
    const count = `${sites.length} ${sites.length === 1 ? "site" : "sites"}`;
    const { value: file } = configuration;
    return { name, isWell: true, found: file === undefined ? "none, so defaults" : `${file}, with ${count}` };
  }
  const error = settings.refusal;
  const [fault] = error instanceof AggregateError ? error.errors : [error];
  if (!(fault instanceof Fault)) throw fault;
  return { name, isWell: false, found: `${fault.what}: ${fault.why}`, remedy: fault.remedy };
}

async function examineCertificate(tls: TlsSettings): Promise<Examination> {
  const name = "certificate";
  const read = await readCertificate(tls).then(accepted, refused<unknown>);
  if (read.ok) {
    const { names, endsAtMs } = read.value;
    const trouble = certificateTrouble(read.value, systemClock.nowMs());
    if (trouble === undefined) {
      return {
        name,
        isWell: true,
        found: `for ${names.join(", ")}, until ${new Date(endsAtMs).toISOString()}`,
      };
    }
    return {
      name,
      isWell: false,
      found: trouble,
      remedy: "replace the file; the broker reads it again",
    };
  }
  const fault = read.refusal;
  if (!(fault instanceof Fault)) throw fault;
  return { name, isWell: false, found: `${fault.what}: ${fault.why}`, remedy: fault.remedy };
}

function examineDirectory(directory: string): Examination {
  const name = "state directory";
  if (!existsSync(directory)) {
    return { name, isWell: true, found: `${directory} is not there yet; stint up makes it` };
  }
  const mode = statSync(directory).mode & 0o777;
  if ((mode & 0o077) === 0) return { name, isWell: true, found: `${directory}, for its owner alone` };
  const found = `${directory} can be entered by others (mode ${mode.toString(8)})`;
  return { name, isWell: false, found, remedy: `chmod 700 ${directory}` };
}

interface ExaminedBroker extends Examination {
  readonly consumers?: Examination | undefined;
  readonly enforcers?: Examination | undefined;
}

async function examineBroker(directory: string): Promise<ExaminedBroker> {
  const name = "broker";
  const client = await reachBroker({ socketPath: brokerSocket(directory) });
  try {
    const sites = await client.sites();
    const found = `answers, with ${sites.length} ${sites.length === 1 ? "site" : "sites"}`;
    const policies = await client.policies();
    const consumers = examineConsumers(await client.tokens(), policies);
    const enforcers = examineEnforcers(policies.enforcers);
    return { name, isWell: true, found, consumers, enforcers };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.kind === "unreachable") return { name, isWell: true, found: "none runs here" };
    return { name, isWell: false, found: error.why, remedy: error.remedy };
  } finally {
    client.close();
  }
}

/** Verifies the whole log as of this moment, and compares the views with it. */
async function examineLog(directory: string): Promise<Examination[]> {
  // First, so that the log knows all that is there by then.
  const sites = await siteFilesIn(directory);
  const noted = await notedHead(directory);
  let logbook: LogbookSnapshot | undefined;
  try {
    logbook = await snapshotSqliteLogbook({
      directory: join(directory, "log"),
      views: VIEWS,
      projection: VIEWS_VERSION,
    });
    const examined = [await examineChain(logbook, noted), await examineViews(logbook)];
    return [...examined, ...(await examineSiteFiles(sites, logbook))];
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const found = `${error.what}: ${error.why}`;
    return [{ name: "log", isWell: false, found, remedy: error.remedy }];
  } finally {
    logbook?.close();
  }
}

/** Examination of the files of managed sites; none if no managed site has had a job. */
async function examineSiteFiles(
  sites: readonly SiteFiles[],
  logbook: LogbookSnapshot,
): Promise<Examination[]> {
  const attempts = sites.flatMap((site) => site.attempts);
  if (attempts.length === 0) return [];
  const name = "site files";
  const known = await acceptedJobs(logbook);
  const troubles = attempts.flatMap(({ token, problem: trouble }) =>
    trouble === undefined ? [] : `${token}: ${trouble}`,
  );
  const unknown = await unknownAttempts(sites, (job) => known.has(job));
  const [trouble] = troubles;
  if (trouble !== undefined) {
    const found = `of ${attempts.length} attempts ${troubles.length} cannot be read; ${trouble}`;
    return [{ name, isWell: false, found, remedy: "stint up records each of them as lost, and continues" }];
  }
  if (unknown.length === 0)
    return [{ name, isWell: true, found: `${counted(attempts.length, "attempt")}, all known` }];
  return [
    {
      name,
      isWell: false,
      found: `${unknown.length} attempts of jobs that the log does not know, as ${unknown[0].directory}`,
      remedy: "the end of the log is lost: stint up recovers what it can and reports the rest",
    },
  ];
}

async function examineChain(logbook: LogbookSnapshot, noted: Receipt | undefined): Promise<Examination> {
  const name = "log";
  const trouble = await troubleOfLog(logbook, noted);
  if (trouble === undefined) {
    const { seq, hash } = await logbook.head();
    return { name, isWell: true, found: `${seq} events, unaltered; head ${hash.slice(0, 16)}…` };
  }
  const remedy =
    "restore the state directory from a copy, or go on with what is there, and keep a copy of it";
  return { name, isWell: false, found: trouble, remedy };
}

async function examineViews(logbook: LogbookSnapshot): Promise<Examination> {
  const name = "views";
  if (logbook.viewsNeedRebuild) {
    return { name, isWell: true, found: "of another version; stint up computes them again" };
  }
  const differences = await compareViews({ logbook, schemas: VIEWS, project: projectLog(), most: 1 });
  if (differences.length === 0) return { name, isWell: true, found: "are what the log says" };
  const [{ view, key }] = differences;
  const remedy = "stop the broker, keep a copy of the state directory, and report it";
  return { name, isWell: false, found: `record ${key} of ${view} is not what the log says`, remedy };
}

// Whether those who hold tokens are known to the policies: a name that was mistyped in one of
// the two is seen nowhere else until a job is refused.

/** Part of a token. */
export interface HeldToken {
  readonly consumer: string;
  readonly role: Role;
  readonly state: "valid" | "expired" | "revoked";
}

/** Part of the policies in force; null: none. */
export interface HoldingNow {
  readonly now: { readonly policies: readonly { readonly consumer: string }[] } | null;
}

/**
 * Examination of tokens without a consumer; undefined if no policies are in force, since then all may
 * submit.
 */
export function examineConsumers(tokens: readonly HeldToken[], { now }: HoldingNow): Examination | undefined {
  if (now === null || now.policies.length === 0) return undefined;
  const known = new Set(now.policies.map(({ consumer }) => voOf(consumer)));
  const submitting = tokens.filter(({ state, role }) => state === "valid" && SUBMITTERS.includes(role));
  const unknown = [...new Set(submitting.map(({ consumer }) => voOf(consumer)))].filter(
    (vo) => !known.has(vo),
  );
  const name = "consumers";
  if (unknown.length === 0) return { name, isWell: true, found: "who has a token is in the policies" };
  return {
    ...{ name, isWell: false },
    found: `tokens are of ${listed(unknown)}, and the policies speak of ${listed([...known])}`,
    remedy:
      "see stint token list; write the name as the policies do, there and in --vo, --for and " +
      "virtualOrganisation, or apply a policy for it",
  };
}

function listed(names: readonly string[]): string {
  return [...names].sort().join(", ");
}

/** Roles that may submit, except the broker's own. */
const SUBMITTERS: readonly Role[] = ["user", "voAdmin"];

/** Part of an enforcer. */
interface ExaminedEnforcer {
  readonly site: string;
  readonly version: number | null;
  readonly cannotAct?: string;
}

/** Examination of the enforcers; undefined if none has anything to enforce. */
export function examineEnforcers(enforcers: readonly ExaminedEnforcer[]): Examination | undefined {
  const busy = enforcers.filter(({ version }) => version !== null);
  if (busy.length === 0) return undefined;
  const name = "enforcers";
  const hindered = busy.filter(({ cannotAct }) => cannotAct !== undefined);
  if (hindered.length === 0) return { name, isWell: true, found: "nothing keeps any of them from acting" };
  return {
    ...{ name, isWell: false },
    found: hindered.map(({ site, cannotAct }) => `that of ${site} cannot act: ${cannotAct}`).join("; "),
    remedy:
      "budgets are actionsPerHour and suspendedShare in the site's settings; stint site test shows rights; " +
      "limits that must hold at every instant are for the cluster itself: stint policy compile",
  };
}
