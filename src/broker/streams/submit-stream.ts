/**
 * Submits a stream: it is recorded, then its job is submitted and held in one step, so that it never starts
 * before its minima are free.
 */
import { createHash } from "node:crypto";
import type { Answer } from "../../engine/index.ts";
import type { JobDescription, LiveStream } from "../../model/index.ts";
import { JOB_DEFAULTS } from "../../model/index.ts";
import type { BrokerApi, Round, SubmitStreamRequest } from "../../runtime/index.ts";
import type { ApiWorld } from "../api-world.ts";
import { orderFile } from "./stream-files.ts";

/** Times that the job of a stream is begun again after its site lost it: the position is durable. */
const RETRIES = 3;

/** Streams: their submission, and their figures. */
export function streamQuestions({
  round,
  streams,
  streamProgram,
}: Pick<ApiWorld, "round" | "streams" | "streamProgram">) {
  return {
    submitStream: (request) => submitStream(round, streamProgram, request),
    streamFigures: streams.figures,
  } satisfies Partial<BrokerApi>;
}

/**
 * Hash of the programs of a stream, and of its owner: rates are reported by the owner's jobs, and count for
 * nobody else.
 */
function programHash(owner: string, { command, pipeline, delivery }: LiveStream): string {
  const programs = [command, ...(pipeline?.next.map((stage) => stage.command) ?? [])];
  return createHash("sha256")
    .update(JSON.stringify([owner, delivery, programs]))
    .digest("hex");
}

/** Submits a stream. @param program the words that start Stint on this machine */
async function submitStream(
  round: Round,
  program: readonly string[],
  request: SubmitStreamRequest,
): Promise<Answer> {
  const { job, site, owner, consumer, isByToken } = request;
  const stream = { ...request.stream, programHash: programHash(owner, request.stream) };
  const recorded = await round.ask({ kind: "recordStream", job, site, stream });
  if (!recorded.ok) return recorded;
  const pool = round.projection.sites.get(site)?.spec.streams;
  if (pool === undefined) return recorded;
  const [executable, ...words] = pool.program === undefined ? program : [pool.program];
  const description: JobDescription = {
    ...JOB_DEFAULTS,
    name: stream.name,
    executable,
    arguments: [...words, "stream-wrapper", orderFile(pool, job)],
    procs: stream.procs,
    site,
    retryCount: RETRIES,
    ...(stream.wallTimeMs === undefined ? {} : { wallTimeMs: stream.wallTimeMs }),
  };
  const by = isByToken ? { isByToken } : {};
  const submitted = round.ask({ kind: "submit", job, owner, consumer, description, ...by });
  const held = round.ask({ kind: "hold", job, by: owner });
  const answer = await submitted;
  if (answer.ok) {
    await held;
    return recorded;
  }
  await held.catch(() => undefined);
  await round.ask({ kind: "endStream", job, last: null });
  return answer;
}
