/** Evidence of a period from the command's options: reads the source, the owners and the policies. */
import { basename, resolve } from "node:path";
import type { Fault } from "../base/index.ts";
import type { VerifyRequest } from "../cli/index.ts";
import {
  type Bundle,
  type LogPart,
  NO_OWNERS,
  readOwnersFile,
  readSacctAccounting,
  readSwfAccounting,
} from "../formats/evidence/index.ts";
import { type PolicyReading, policiesAt, readPolicyFiles } from "../formats/policy-file/index.ts";
import { instantReader } from "../formats/slurm/index.ts";
import { remarkFault } from "../formats/yaml/index.ts";
import { type Agreement, isHandedOn } from "../model/index.ts";
import {
  type Amounts,
  keptForMs,
  type PolicyTerm,
  type Stretch,
  type UseRecord,
  VERIFY_DEFAULTS,
  type VerifyDefinitions,
} from "../policy/index.ts";
import { without } from "./stretches.ts";
import { badInstant, placeUnclear, usageFault } from "./verify-faults.ts";
import { readLog, sitesIn, usesIn } from "./verify-logbook.ts";

/** Policies of files as terms, with their agreements. */
export interface FiledTerms extends Pick<PolicyReading, "agreements" | "known"> {
  readonly terms: readonly PolicyTerm[];
}

/**
 * Gathers the requested evidence.
 *
 * @throws Fault, or AggregateError of Faults, for errors in the files and options
 */
export async function gatherEvidence(request: VerifyRequest, read = readLog): Promise<Bundle> {
  const filed = request.policies.length === 0 ? NOTHING_FILED : await termsIn(request.policies);
  return request.source.kind === "logbook" ? fromLog(request, filed, read) : fromAccounting(request, filed);
}

/** Terms of policy files. @throws AggregateError of Faults */
export async function termsIn(files: readonly string[]): Promise<FiledTerms> {
  const { policies, agreements, known, remarks } = await readPolicyFiles(files);
  const faults = files.flatMap((file, at) =>
    remarks[at].problems.map((problem) => remarkFault(file, problem)),
  );
  if (faults.length > 0) throw new AggregateError(faults, "the policies are not in order");
  const dates = policies.flatMap(({ fromMs, untilMs }) => [fromMs, untilMs]).filter((date) => date !== null);
  const instants = [null, ...[...new Set(dates)].sort((one, other) => one - other)];
  const terms = instants.map((fromMs) => ({
    fromMs,
    policies: policiesAt(policies, fromMs ?? Number.NEGATIVE_INFINITY).map(({ policy }) => policy),
  }));
  const isDatedOnly = terms[0].policies.length === 0 && terms.length > 1;
  return { terms: isDatedOnly ? terms.slice(1) : terms, agreements, known };
}

const NOTHING_FILED: FiledTerms = {
  ...{ terms: [], agreements: [] },
  known: { providers: null, consumers: null, capacities: new Map() },
};

async function fromAccounting(request: VerifyRequest, filed: FiledTerms): Promise<Bundle> {
  const { source, lenient } = request;
  const kind = source.kind === "swf" ? "swf" : "sacct";
  if (filed.terms.length === 0) {
    throw usageFault(
      "no policies are named",
      "an accounting has none of its own",
      "name a file with --policies",
    );
  }
  const place = placeOf(request, filed.terms);
  const owners = request.owners === undefined ? NO_OWNERS : await readOwnersFile(request.owners);
  const zone = zoneOf(request);
  const read = kind === "swf" ? readSwfAccounting : readSacctAccounting;
  const accounted = await read(source.path, { owners, lenient, zone });
  const amounts = amountsOf(request, filed, { place, procs: accounted.procs });
  const { definitions, remarks } = definitionsOf(request, filed.agreements, place);
  const spans = spansOf(request, accounted.told);
  return {
    ...{ place, definitions, ...spans },
    source: {
      ...{ kind, name: nameOf(source.path), sha256: accounted.sha256, policies: "file" },
      remarks: [...accounted.remarks, ...remarks],
    },
    policies: filed.terms,
    capacity: [{ fromMs: spans.period.fromMs, amounts }],
    stopped: [],
    ...{ records: ofPeriod(accounted.records, spans.period, filed.terms), log: null },
  };
}

/** Records of a period, and earlier ones that its windows need. */
function ofPeriod(
  records: readonly UseRecord[],
  { fromMs, toMs }: Stretch,
  terms: readonly PolicyTerm[],
): readonly UseRecord[] {
  const windows = terms.flatMap(({ policies }) => policies.map(({ epoch }) => keptForMs(epoch.window)));
  const sinceMs = fromMs - Math.max(0, ...windows);
  return records.filter(({ submittedAtMs, waits, runs, endedAtMs }) => {
    if (submittedAtMs >= fromMs && submittedAtMs < toMs) return true;
    if (endedAtMs !== null && endedAtMs > fromMs && endedAtMs <= toMs) return true;
    return [...waits, ...runs].some((one) => one.fromMs < toMs && (one.toMs === null || one.toMs > sinceMs));
  });
}

async function fromLog(request: VerifyRequest, filed: FiledTerms, read: typeof readLog): Promise<Bundle> {
  const { source, to } = request;
  const untilMs = to === undefined ? Number.POSITIVE_INFINITY : instantOf("--to", to, zoneOf(request));
  const log = await read(source.path, untilMs);
  const ofLog = usesIn(log, "").terms;
  const policies = filed.terms.length > 0 ? filed.terms : ofLog;
  const sites = sitesIn(log);
  const place = placeOf(request, policies, sites);
  const { capacity, recorded, stopped, records, foreign } = usesIn(log, place);
  if (!sites.includes(place)) throw placeUnclear(sites, place);
  const { definitions, remarks } = definitionsOf(request, filed.agreements, place);
  if (request.gaps.length > 0 || request.recorded !== undefined) throw logSaysItself();
  const { period } = spansOf(request, spanOfLog(log));
  const hasForeignTime = foreign.some(({ fromMs, toMs }) => fromMs < period.toMs && toMs > period.fromMs);
  return {
    ...{ place, period, definitions, policies, capacity, recorded, stopped, records, log },
    source: {
      // Not the folder's name: a copy of the state directory has the same seal.
      ...{ kind: "logbook", name: "log", sha256: null },
      remarks: hasForeignTime ? [...remarks, OTHERS_UNSEEN] : remarks,
      policies: filed.terms.length > 0 ? "file" : "logbook",
    },
  };
}

const OTHERS_UNSEEN =
  "the site has a queue of its own, and what others used there is in no log of Stint: of processors, GPUs " +
  "and memory the time is a gap; its accounting tells (--sacct FILE)";

function spanOfLog({ events }: LogPart): Stretch | null {
  const [first, last] = [events[0], events[events.length - 1]];
  return first === undefined || last === undefined || first.atMs >= last.atMs
    ? null
    : { fromMs: first.atMs, toMs: last.atMs };
}

/** Site or pool to verify. */
function placeOf({ site }: VerifyRequest, terms: readonly PolicyTerm[], sites?: readonly string[]): string {
  const all = terms.flatMap(({ policies }) => policies);
  const own = all.filter((policy) => !isHandedOn(policy));
  const places = [...new Set(own.map(({ provider }) => provider))];
  const fitting = sites === undefined ? places : places.filter((place) => sites.includes(place));
  if (site !== undefined) {
    if (places.includes(site)) return site;
    throw placeUnclear(places, site);
  }
  if (fitting.length === 1) return fitting[0];
  throw placeUnclear(places, undefined);
}

/** Capacity: from the options, else from the policy files, else from the accounting. */
function amountsOf(
  { procs, gpus, memoryBytes }: VerifyRequest,
  { known }: FiledTerms,
  told: { readonly place: string; readonly procs: number | undefined },
): Amounts {
  const declared = known.capacities.get(told.place) ?? {};
  const cpu = procs ?? declared.procs ?? told.procs;
  const gpu = gpus ?? declared.gpus;
  const memory = memoryBytes ?? declared.memory;
  if (cpu === undefined) {
    throw usageFault(
      `it is not stated how many processors ${told.place} has`,
      "shares are fractions of them, and a guessed number would make every measure a guess",
      "write for instance --procs 128, or providers: [{ name: …, procs: 128 }] in the policies",
    );
  }
  return { cpu, ...(gpu === undefined ? {} : { gpu }), ...(memory === undefined ? {} : { memory }) };
}

function definitionsOf({ tolerancePpm }: VerifyRequest, agreements: readonly Agreement[], place: string) {
  const own = agreements.filter(({ provider }) => provider === place);
  const [first, ...others] = own.map(({ definitions }) => definitions);
  const { downtime, drain, demand, nodeFailure, time } = first ?? VERIFY_DEFAULTS;
  const definitions: VerifyDefinitions = {
    ...{ downtime, drain, demand, nodeFailure, time },
    tolerancePpm: tolerancePpm ?? VERIFY_DEFAULTS.tolerancePpm,
  };
  const differ = others.some((other) => JSON.stringify(other) !== JSON.stringify(first));
  const isFactored = own.some(({ definitions: { benchmark } }) => benchmark.length > 0);
  const remarks = [
    ...(differ ? [`the agreements define words differently: those of ${own[0].name} are used`] : []),
    ...(time === "cpu"
      ? ["the agreement counts CPU time; what is recorded, and measured, is wall time"]
      : []),
    ...(isFactored
      ? ["benchmark factors count use and capacity alike, so that no part changes by them"]
      : []),
  ];
  return { definitions, remarks };
}

/** Period to verify, and the recorded parts of it. */
function spansOf(request: VerifyRequest, told: Stretch | null) {
  const zone = zoneOf(request);
  const whole = request.recorded === undefined ? told : spanOf("--recorded", request.recorded, zone);
  const fromMs = request.from === undefined ? whole?.fromMs : instantOf("--from", request.from, zone);
  const toMs = request.to === undefined ? whole?.toMs : instantOf("--to", request.to, zone);
  if (fromMs === undefined || toMs === undefined) {
    throw usageFault(
      "there is nothing in the record",
      "it tells of no time",
      "name a period with --from and --to",
    );
  }
  if (fromMs >= toMs) throw badInstant("--to", request.to ?? new Date(toMs).toISOString());
  const gaps = request.gaps.map((gap) => spanOf("--gap", gap, zone));
  return { period: { fromMs, toMs }, recorded: whole === null ? [] : without(whole, gaps) };
}

function spanOf(option: string, text: string, zone: string): Stretch {
  const ends = text.split("/");
  if (ends.length !== 2) throw badInstant(option, text);
  const [fromMs, toMs] = ends.map((end) => instantOf(option, end, zone));
  if (fromMs >= toMs) throw badInstant(option, text);
  return { fromMs, toMs };
}

function instantOf(option: string, text: string, zone: string): number {
  if (/^0+$/.test(text)) return 0;
  // As the API and other commands write instants, with milliseconds.
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,3}Z$/.test(text) && !Number.isNaN(Date.parse(text))) {
    return Date.parse(text);
  }
  const ms = instantReader(zone)?.read(text, 0);
  if (typeof ms === "number") return ms;
  throw badInstant(option, text);
}

/** Time zone: a workload has none, an accounting was printed in that of its site. */
function zoneOf({ zone, source }: VerifyRequest): string {
  if (zone !== undefined) return zone;
  return source.kind === "sacct" ? Intl.DateTimeFormat().resolvedOptions().timeZone : "UTC";
}

function nameOf(path: string): string {
  return path === "-" ? "stdin" : basename(resolve(path));
}

function logSaysItself(): Fault {
  return usageFault(
    "--gap and --recorded mean nothing with --state-dir",
    "a log is recorded from its first event to its last",
    "leave them out",
  );
}
