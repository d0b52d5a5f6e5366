/**
 * Submits a stream: it is recorded, then its job is submitted and held in one step, so that it never starts
 * before its minima are free.
 */
import { createHash } from "node:crypto";
import type { Answer } from "../../engine/index.ts";
import {
  type Command,
  JOB_DEFAULTS,
  type JobDescription,
  type LiveStream,
  type OfKind,
  sandboxName,
} from "../../model/index.ts";
import type { BrokerApi, SubmitStreamRequest } from "../../runtime/index.ts";
import type { ApiWorld } from "../api-world.ts";
import { inputHashes } from "../job-commands.ts";
import { orderFile } from "./stream-files.ts";

/** Times that the job of a stream is begun again after its site lost it: the position is durable. */
const RETRIES = 3;

/** Streams: their submission, and their figures. */
export function streamQuestions({
  round,
  streams,
  sandboxes,
  streamProgram,
}: Pick<ApiWorld, "round" | "streams" | "sandboxes" | "streamProgram">) {
  return {
    submitStream: (request) => submitStream({ round, sandboxes, streamProgram }, request),
    streamFigures: streams.figures,
    streamProblem: streams.problem,
    noteStreamEnd: streams.noteEnd,
  } satisfies Partial<BrokerApi>;
}

type SubmitWorld = Pick<ApiWorld, "round" | "sandboxes" | "streamProgram">;

/** Submits a stream: its files are copied first. */
async function submitStream(world: SubmitWorld, request: SubmitStreamRequest): Promise<Answer> {
  const { job, inputSandbox, owner, isByToken } = request;
  const { sandboxes } = world;
  const inputBytes = await sandboxes.keep(job, inputSandbox, { isByToken, owner });
  const inputs = inputBytes === 0 ? {} : { inputBytes, inputs: inputHashes(sandboxes.hashesOf(job)) };
  const answer = await recordAndSubmit(world, request, inputs);
  if (!answer.ok && answer.refusal.kind !== "idInUse") await sandboxes.drop(job);
  return answer;
}

async function recordAndSubmit(
  { round, streamProgram }: SubmitWorld,
  request: SubmitStreamRequest,
  inputs: Partial<Pick<OfKind<Command, "submit">, "inputBytes" | "inputs">>,
): Promise<Answer> {
  const { job, site, inputSandbox, owner, consumer, isByToken } = request;
  const programs = withSandboxPrograms(request.stream, inputSandbox.map(sandboxName));
  const stream = { ...programs, programHash: programHash(owner, programs) };
  const recorded = await round.ask({ kind: "recordStream", job, site, stream });
  if (!recorded.ok) return recorded;
  const pool = round.projection.sites.get(site)?.spec.streams;
  if (pool === undefined) return recorded;
  const [executable, ...words] = pool.program === undefined ? streamProgram : [pool.program];
  const description: JobDescription = {
    ...JOB_DEFAULTS,
    ...{ name: stream.name, executable, inputSandbox },
    arguments: [...words, "stream-wrapper", orderFile(pool, job)],
    ...{ procs: stream.procs, site, retryCount: RETRIES },
    ...(stream.wallTimeMs === undefined ? {} : { wallTimeMs: stream.wallTimeMs }),
  };
  const by = isByToken ? { isByToken } : {};
  const submitted = round.ask({ kind: "submit", job, owner, consumer, description, ...by, ...inputs });
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

/** Programs that are files of the input sandbox are found in the job's directory. */
function withSandboxPrograms(stream: LiveStream, names: readonly string[]): LiveStream {
  const found = ([program, ...words]: readonly string[]) => [
    names.includes(program) ? `./${program}` : program,
    ...words,
  ];
  const { command, pipeline } = stream;
  if (pipeline === undefined) return { ...stream, command: found(command) };
  const next = pipeline.next.map((stage) => ({ ...stage, command: found(stage.command) }));
  return { ...stream, command: found(command), pipeline: { ...pipeline, next } };
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
