/**
 * Classes of processors of a site, and how fast a stream runs on each: `src/stream/trials.ts`, applied to
 * the rates that the broker remembers ([STREAM] 3.3).
 *
 * All processors of a stream are of one class, since its job runs in one queue.
 */
import { adOf, evaluate, parseExpression } from "../../../classad/index.ts";
import {
  type JobRecord,
  type LiveStream,
  rateKey,
  type SiteSpec,
  type StreamPoolSpec,
  type StreamProcsClass,
  type StreamRecord,
} from "../../../model/index.ts";
import {
  type FreeResources,
  type MeasuredRate,
  type ProcsByClass,
  rankClasses,
  STREAM_RULES,
  trialsDue,
} from "../../../stream/index.ts";
import type { Projection } from "../../state/projection.ts";

/** Name of the only class of a site whose processors are all alike. */
const ANY = "any";

/** A site's description, and what its streams may use. */
export interface PoolAt {
  readonly site: string;
  readonly spec: SiteSpec;
  readonly pool: StreamPoolSpec;
}

/** Classes of a site; a single one where its processors are alike. */
function classesOf({ spec, pool }: PoolAt): readonly StreamProcsClass[] {
  return pool.classes ?? [{ name: ANY, procs: spec.procs }];
}

/** Number of processors of each class. */
export function procsByClass(at: PoolAt): ProcsByClass {
  return Object.fromEntries(classesOf(at).map(({ name, procs }) => [name, procs]));
}

/** Classes that have what a stream asks for, in the order of the site. */
export function suitedClasses(at: PoolAt, { type, requirements }: LiveStream): readonly StreamProcsClass[] {
  return classesOf(at).filter((one) => (type ?? one.type) === one.type && meets(requirements, one));
}

/** Suited classes that are large enough; if none is, all, so that the shortage can be named. */
function eligibleClasses(at: PoolAt, stream: LiveStream): readonly StreamProcsClass[] {
  const suited = suitedClasses(at, stream);
  const large = suited.filter(({ procs }) => procs >= stream.procs);
  return large.length === 0 ? suited : large;
}

/** True where the ad of a class meets the requirements of a stream. */
function meets(requirements: string | undefined, { name, procs, type, benchmark = 1 }: StreamProcsClass) {
  if (requirements === undefined) return true;
  const parsed = parseExpression(requirements);
  if (!parsed.ok) return false;
  const ad = adOf({ Name: name, Type: type ?? null, Procs: procs, Speed: benchmark });
  const value = evaluate(parsed.value, { self: adOf({}), other: ad, nowMs: 0 });
  return value.kind === "boolean" && value.value;
}

/** Question about the rates of a stream. @param free free processors by class */
function trialQuestion(
  { books }: Projection,
  at: PoolAt,
  { stream, nowMs, free }: { readonly stream: LiveStream; readonly nowMs: number; free: ProcsByClass },
) {
  const executableHash = stream.programHash ?? "";
  const eligible = eligibleClasses(at, stream).map(({ name, benchmark = 1 }) => ({
    ...{ name, benchmark, freeProcs: free[name] ?? 0 },
  }));
  const remembered = eligible.flatMap(({ name: className }): readonly MeasuredRate[] => {
    const rate = books.streamRates.get(rateKey({ site: at.site, className, executableHash }));
    return rate === undefined ? [] : [rate];
  });
  return { executableHash, eligible, remembered, nowMs, rules: STREAM_RULES };
}

/** Eligible classes with their rates, the fastest first. */
export function rankedClasses(projection: Projection, at: PoolAt, stream: LiveStream, nowMs: number) {
  return rankClasses(trialQuestion(projection, at, { stream, nowMs, free: {} }));
}

/** Classes on which a stream is to be tried before it starts; none if fewer than two are eligible. */
export function dueTrials(
  projection: Projection,
  at: PoolAt,
  question: { readonly stream: LiveStream; readonly nowMs: number; readonly free: FreeResources["procs"] },
): readonly string[] {
  if (question.stream.programHash === undefined) return [];
  const asked = trialQuestion(projection, at, question);
  return asked.eligible.length < 2 ? [] : trialsDue(asked);
}

/** Class of an admitted stream; the first class if the stream was admitted before its site had classes. */
export function classOf({ className }: Pick<StreamRecord, "className">, at: PoolAt): string {
  return className ?? classesOf(at)[0].name;
}

/** Processors that an admitted stream holds: those of its class, and one of each class still to be tried. */
export function procsHeld(record: StreamRecord, at: PoolAt): ProcsByClass {
  const own = classOf(record, at);
  const onTrial = (record.trials ?? []).filter((name) => name !== own);
  return { ...Object.fromEntries(onTrial.map((name) => [name, 1])), [own]: record.stream.procs };
}

/** Class whose processors an ordinary job uses: that of its queue, else the last class. */
export function classOfJob({ queue }: Pick<JobRecord, "queue">, at: PoolAt): string {
  const classes = classesOf(at);
  const own = queue === undefined ? undefined : classes.find((it) => it.queue === queue);
  return (own ?? classes[classes.length - 1]).name;
}
