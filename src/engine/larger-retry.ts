/**
 * Retries with more memory or a longer limit, for jobs that died for lack of them and allow it (rule EN-185).
 *
 * Independent of RetryCount, which is about sites that lose jobs: here the site is not at fault, so it is not
 * avoided, and the amounts end the series. The larger job is judged as if it were submitted so: where no
 * site, policy or account would take it, the job ends as it died.
 */
import { mulDiv } from "../base/index.ts";
import type { AttemptEnd, JobDescription, JobRecord, SiteSpec } from "../model/index.ts";
import { isAnotherLeft } from "./another-site.ts";
import type { EventOf } from "./feature.ts";
import { MOST_RETRIES, retryOf } from "./job-records.ts";
import type { Projection } from "./state/projection.ts";
import { whyNotPossible } from "./submit.ts";

type LargerAmount = NonNullable<EventOf<"attemptEnded">["more"]>;

/** Of an attempt's end: another attempt follows, with more of this. */
interface LargerRetry {
  readonly retry: "larger";
  readonly more: LargerAmount;
}

const USUAL_FACTOR = 2;
const PER_ONE = 1000;
/** Exit code of a shell whose program was killed. */
const KILLED_CODE = 137;

/** Decision whether another attempt follows, and with more memory or time. */
export function repeatOf(
  projection: Projection,
  job: JobRecord,
  end: AttemptEnd,
  nowMs: number,
): LargerRetry | ReturnType<typeof retryOf> {
  const larger = largerRetry(projection, job, end, nowMs);
  if (larger !== undefined) return larger;
  // One that may have more, and cannot get it, is not repeated with as little again.
  const isHopeless = shortOf(job, end) === "memory" && job.description.retryMemoryBytes !== undefined;
  return isHopeless ? {} : retryOf(job, end, () => isAnotherLeft(projection, job, nowMs));
}

/** More of what an attempt died for lack of, where the job allows it and it would be taken so. */
function largerRetry(
  projection: Projection,
  job: JobRecord,
  end: AttemptEnd,
  nowMs: number,
): LargerRetry | undefined {
  const { reservation, virtual, delayCostSuPerHour } = job.description;
  const isBound = [reservation, virtual, delayCostSuPerHour, job.ticket].some((it) => it !== undefined);
  if (isBound || job.isCancelRequested || job.isRecalled === true) return undefined;
  if ((job.retried?.larger ?? []).length >= MOST_RETRIES) return undefined;
  const more = nextAmount(job.description, shortOf(job, end), projection.sites.get(job.site ?? "")?.spec);
  if (more === undefined) return undefined;
  const { after: _, ...description } = withAmount(job.description, more);
  const { id, consumer, owner, inputBytes = 0 } = job;
  const command = { kind: "submit", job: id, description, consumer, owner, inputBytes } as const;
  return whyNotPossible(projection, command, nowMs) === undefined ? { retry: "larger", more } : undefined;
}

/** A job that gets more of what it died for lack of. */
export function largerJob(job: JobRecord, more: LargerAmount): JobRecord {
  const { larger = [], ...others } = job.retried ?? { deep: 0, shallow: 0, at: [] };
  const description = withAmount(job.description, more);
  return { ...job, description, retried: { ...others, larger: [...larger, more] } };
}

function withAmount(description: JobDescription, { of, to }: LargerAmount): JobDescription {
  return { ...description, ...(of === "memory" ? { memoryBytes: to } : { wallTimeMs: to }) };
}

/**
 * For lack of what an attempt died. A managed site limits no memory, but a machine without any left kills
 * whom it chooses: that counts where the job had more than it asked for.
 */
function shortOf({ description, startedAtMs }: JobRecord, end: AttemptEnd): "memory" | "time" | undefined {
  if (end.cause === "timeLimit") return "time";
  if (end.shortOf !== undefined) return end.shortOf;
  const isKilled =
    (end.cause === "signalled" && end.signal === "SIGKILL") ||
    (end.cause === "exited" && end.exitCode === KILLED_CODE);
  const { memoryBytes = Number.POSITIVE_INFINITY } = description;
  const isOver = (end.peakMemoryBytes ?? 0) >= memoryBytes;
  return isKilled && isOver && startedAtMs !== null ? "memory" : undefined;
}

/** The next amount of it, more than before; undefined where the job allows none. */
function nextAmount(
  { memoryBytes, wallTimeMs, retryMemoryBytes, retryTimeMs, retryFactor = USUAL_FACTOR }: JobDescription,
  of: LargerAmount["of"] | undefined,
  spec: SiteSpec | undefined,
): LargerAmount | undefined {
  if (of === undefined) return undefined;
  const isMemory = of === "memory";
  const most = isMemory ? retryMemoryBytes : retryTimeMs;
  const from = isMemory ? memoryBytes : (wallTimeMs ?? spec?.defaultWallTimeMs);
  if (most === undefined || (from ?? 0) >= most) return undefined;
  // What was not asked for is not known: the site's own limit was less than what it may have.
  if (from === undefined) return { of, from: null, to: most };
  return { of, from, to: Math.min(most, mulDiv(from, Math.round(retryFactor * PER_ONE), PER_ONE, "up")) };
}
