/**
 * The ad of a job: its description in the names of the EGEE JDL, and its other attributes.
 *
 * Memory is in MB as in GLUE, times are in seconds, ExpiryTime is a Unix time.
 */
import { adOf, adWith, type ClassAd, type PlainValue, parseExpression } from "../classad/index.ts";
import type { JobDescription } from "../model/index.ts";
import { rangeClause, rangeOfClause } from "./application-range.ts";
import { hostClauses } from "./host-clauses.ts";

/** A description, and for whom it runs. */
export interface JobDescribed {
  readonly description: JobDescription;
  readonly consumer: string;
  readonly owner: string;
}

/** The default Requirements (rule MT-3). */
const PRODUCTION = 'other.GlueCEStateStatus == "Production"';
const RUN_TIME_ENVIRONMENT = "GlueHostApplicationSoftwareRunTimeEnvironment";
/** Time until the input data of a job are at a site, as a rank names it. */
export const DATA_COST = "other.DataAccessCost";
const STORES = "GlueCESEBindGroupSEUniqueID";
const APPLICATION_CLAUSE = new RegExp(`^member\\("([^"\\\\]+)", other\\.${RUN_TIME_ENVIRONMENT}\\)$`);
const BYTES_PER_MB = 1024 * 1024;

/** True for the rank that prefers the sites at which the input data are soonest (rule MT-9). */
export function isDataCost(rank: string): boolean {
  return rank.trim().toLowerCase() === DATA_COST.toLowerCase();
}

/** True for the clause that is added to given Requirements. */
export function isOfStatus(clause: string): boolean {
  return clause === PRODUCTION;
}

/** True if a job asks for more of its site than to be in production. */
export function hasRequirements({ requirements, applications = [], ...more }: JobDescription): boolean {
  if (requirements !== undefined || applications.length > 0) return true;
  return storeClauses(more).length > 0 || hostClauses(more).length > 0;
}

/** True for words on a change of that clause, which no user can change. */
export function changesStatus(text: string): boolean {
  return text.includes(PRODUCTION);
}

/** Name of the application that a clause asks for (rule MT-7); undefined for any other clause. */
export function applicationIn(clause: string): string | undefined {
  const [, name] = APPLICATION_CLAUSE.exec(clause) ?? [];
  return name ?? rangeOfClause(clause);
}

/** Text of the Requirements that count (rules MT-3, MT-7, MT-10). */
export function requirementsOf(description: JobDescription): string {
  const { requirements, strictDefaults, applications = [] } = description;
  const isLiteral = requirements !== undefined && strictDefaults === false;
  const clauses = [
    ...(isLiteral ? [] : [PRODUCTION]),
    ...applications.map(
      (name) => rangeClause(name) ?? `member(${JSON.stringify(name)}, other.${RUN_TIME_ENVIRONMENT})`,
    ),
    ...storeClauses(description),
    ...hostClauses(description),
    ...(requirements === undefined ? [] : [`(${requirements}\n)`]),
  ];
  return isLiteral && clauses.length === 1 ? requirements : clauses.join(" && ");
}

/** Clauses about the stores that a job leaves files in (rule MT-10). */
function storeClauses({ outputSE, outputData = [] }: Pick<JobDescription, "outputSE" | "outputData">) {
  const named = new Set(outputData.map(({ store = outputSE }) => store));
  return [
    ...(outputSE === undefined ? [] : [`member(${JSON.stringify(outputSE)}, other.${STORES})`]),
    ...[...named].map((store) =>
      store === undefined
        ? "size(other.OutputStores) > 0"
        : `member(${JSON.stringify(store)}, other.OutputStores)`,
    ),
  ];
}

/** The ad of a job whose description was judged; what cannot be read is left out. */
export function jobAdOf({ description, consumer, owner }: JobDescribed): ClassAd {
  const { rank, attributes = {} } = description;
  const given = { Requirements: requirementsOf(description), ...(rank === undefined ? {} : { Rank: rank }) };
  return adWith(
    adOf(plainAttributes({ description, consumer, owner })),
    [...Object.entries(attributes), ...Object.entries(given)].flatMap(([name, text]) => {
      const read = parseExpression(text);
      return read.ok ? [[name, read.value] as const] : [];
    }),
  );
}

/** The attributes of a job's ad that the description has in fields of their own. */
export function plainAttributes(job: JobDescribed): Readonly<Record<string, PlainValue>> {
  return Object.fromEntries(Object.entries(describedAs(job)).filter(([, value]) => value !== undefined));
}

function describedAs({ description, consumer, owner }: JobDescribed) {
  const { wallTimeMs, memoryBytes, expiryTimeMs, environment } = description;
  return {
    ...{ Type: "Job", JobType: "Normal", JobName: description.name },
    ...{ Executable: description.executable, Arguments: description.arguments.join(" ") },
    ...{ StdInput: description.stdInput, StdOutput: description.stdOutput, StdError: description.stdError },
    Environment: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
    ...{ InputSandbox: description.inputSandbox, OutputSandbox: description.outputSandbox },
    ...{ CpuNumber: description.procs, Gpus: description.gpus, Applications: description.applications },
    Memory: memoryBytes === undefined ? undefined : Math.ceil(memoryBytes / BYTES_PER_MB),
    WallTime: wallTimeMs === undefined ? undefined : wallTimeMs / 1000,
    ...{ SubmitTo: description.site, VirtualOrganisation: consumer.split("/", 1)[0] },
    ...{ Consumer: consumer, Owner: owner, UserTags: description.userTags },
    ...{ InputData: description.inputData, DataAccessProtocol: description.dataAccessProtocol },
    ...{ OutputSE: description.outputSE, HostNumber: description.hostNumber },
    ...{ SMPGranularity: description.smpGranularity, WholeNodes: description.wholeNodes },
    ...{ FuzzyRank: description.fuzzyRank, RetryCount: description.retryCount },
    ShallowRetryCount: description.shallowRetryCount,
    ExpiryTime: expiryTimeMs === undefined ? undefined : Math.floor(expiryTimeMs / 1000),
  } satisfies Readonly<Record<string, PlainValue>>;
}

/** The class of a job: jobs of one class match the same sites. */
export function classKeyOf(job: JobDescribed): string {
  const known = keys.get(job.description);
  if (known?.consumer === job.consumer) return known.key;
  const { attributes = {} } = job.description;
  const requirements = requirementsOf(job.description);
  const texts = [requirements, ...Object.values(attributes)].join(" ").toLowerCase();
  const plain = Object.entries(plainAttributes(job)).filter(([name]) => texts.includes(name.toLowerCase()));
  const key = JSON.stringify([requirements, attributes, Object.fromEntries(plain)]);
  keys.set(job.description, { consumer: job.consumer, key });
  return key;
}

/** Keys that were made, by description. */
const keys = new WeakMap<JobDescription, { readonly consumer: string; readonly key: string }>();
