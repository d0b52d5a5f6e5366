/** Requests for streams from their descriptions; what the wrapper cannot do is refused with a reason. */
import { readFile } from "node:fs/promises";
import type { StreamRequest } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import { absoluteInput } from "../formats/input-files/index.ts";
import { splitShellWords } from "../formats/job-yaml/index.ts";
import { readStreamText, streamForm } from "../formats/stream/index.ts";
import { type Remark, remarkFault } from "../formats/yaml/index.ts";
import { inSeconds } from "../model/index.ts";
import type { StreamSpec } from "../stream/index.ts";

/** Reads a description and makes a request of it. @throws Fault with the place of what is wrong */
export async function readStreamRequest(
  file: string,
  { site, directory }: { readonly site: string; readonly directory: string },
): Promise<StreamRequest> {
  const spec = await readStreamFile(file);
  const inputSandbox = spec.inputSandbox.map((path) => absoluteInput(directory, path));
  const sent = inputSandbox.length === 0 ? {} : { inputSandbox };
  return { ...requestOf(spec, { file, site }), ...sent };
}

/** Reads the description of a stream. @throws Fault with the place of what is wrong */
export async function readStreamFile(file: string): Promise<StreamSpec> {
  const text = await readFile(file, "utf8").catch((cause: Error) => {
    throw new Fault({
      ...{ kind: "badInput", code: "fileUnreadable", what: `${file} cannot be read`, why: cause.message },
      ...{ remedy: "name a file that describes a stream, in YAML or XML", cause },
    });
  });
  const { stream, problems } = readStreamText(text, streamForm(text) ?? "stream YAML");
  if (problems.length > 0) throw problemsOf(file, problems);
  if (stream === undefined) throw notHere(file, "it describes no stream", "write one as in examples/streams");
  return stream;
}

function problemsOf(file: string, problems: readonly Remark[]): AggregateError {
  return new AggregateError(
    problems.map((problem) => remarkFault(file, problem)),
    `${file} cannot be read`,
  );
}

const DELIVERIES = { line: "lines", file: "directory", bytes: "bytes", exit: "lines" } as const;

function requestOf(spec: StreamSpec, { file, site }: { readonly file: string; readonly site: string }) {
  refuseWhatIsMissing(spec, file);
  const { bandwidth, storage, sink, processing, limits, blocks, virtualOrganisation } = spec;
  return {
    site,
    ...(virtualOrganisation === undefined ? {} : { virtualOrganisation }),
    stream: {
      ...{ name: spec.name, weight: spec.weight, weightStep: spec.weightStep },
      weightPeriodSec: spec.weightPeriodMs / 1000,
      ...processorsOf(spec),
      ...bandwidth,
      ...storage,
      utility: utilityOf(spec),
      sources: spec.sources.list.map(
        ({
          href,
          manifest,
          generator,
          prefix,
          exec = "",
          mirrors,
          checksum,
          credentials,
          isEndless,
          end,
        }) => ({
          href: [href ?? manifest ?? generator ?? prefix ?? `exec:${exec}`, ...mirrors],
          ...(end === undefined ? {} : { end: inSeconds(end) }),
          ...(manifest === undefined ? {} : ({ list: "manifest" } as const)),
          ...(generator === undefined ? {} : ({ list: "generator" } as const)),
          ...(prefix === undefined ? {} : ({ list: "prefix" } as const)),
          ...(exec === "" ? {} : { exec: wordsOf(exec, file) }),
          ...(isEndless ? { endless: true } : {}),
          ...(checksum === undefined ? {} : { checksum }),
          ...(credentials === undefined ? {} : { credentials }),
        }),
      ),
      ...(sink === undefined ? {} : { sink: sinkOf(sink) }),
      blockBytes: blocks.sizeBytes,
      connections: blocks.connections,
      ahead: Math.max(blocks.ahead, blocks.connections),
      delivery: DELIVERIES[processing.ack],
      ...programsOf(spec),
      environment: spec.environment,
      restarts: limits.restarts,
      ...(limits.wallTimeMs === undefined ? {} : { wallTimeSec: limits.wallTimeMs / 1000 }),
    },
  } satisfies StreamRequest;
}

function sinkOf({ href, storageBytes, mode }: NonNullable<StreamSpec["sink"]>) {
  return { href, storageBytes, ...(mode === "append" ? { mode } : {}) };
}

/** Processors, and the classes on which they may be. */
function processorsOf({ processors: { count, type, requirements }, processing }: StreamSpec) {
  return {
    procs: count,
    ...(type === undefined ? {} : { type }),
    ...(requirements === undefined ? {} : { requirements }),
    trialSec: processing.trialMs / 1000,
  };
}

/** The program of the stream, or those of its stages. */
function programsOf({ executable, arguments: words, pipeline, blocks }: StreamSpec) {
  const [first, ...others] = pipeline;
  if (first === undefined) return { command: [executable, ...words] };
  const next = others.map(({ name, executable: path, arguments: given }, before) => ({
    ...{ name, command: [path, ...given] },
    storageBytes: pipeline[before].storageBytes ?? blocks.sizeBytes,
  }));
  const command = [first.executable, ...first.arguments];
  return next.length === 0 ? { command } : { command, pipeline: { first: first.name, next } };
}

/** The utility; its weight is left to the stream where it is the same, so that both change together. */
function utilityOf({ utility: { weight, unitBytesPerSec, ...shape }, weight: streamWeight }: StreamSpec) {
  const unit = { ...shape, unitBytesPerSec: Math.max(1, Math.round(unitBytesPerSec)) };
  return weight === streamWeight ? unit : { ...unit, weight };
}

/** @throws Fault for what can be described and does not run */
function refuseWhatIsMissing(spec: StreamSpec, file: string): void {
  const { sources, sink, pipeline, processing } = spec;
  const missing = [
    [
      sources.list.length > 1 && sources.order !== "sequence",
      `its sources have the order ${sources.order}, but they can only be read in sequence`,
    ],
    [(sink?.minBytesPerSec ?? 0) > 0, "its sink has a minBandwidth, but outgoing bandwidth is not allocated"],
    [sink?.storageBytes === 0, "its sink has no storage for results that are not sent yet"],
    [
      pipeline.some(({ isAckThrough }) => !isAckThrough),
      "a stage has ackThrough: false, but blocks are acknowledged by the last stage alone",
    ],
    [processing.ack === "exit", "it has ack: exit, but only line, file and bytes are supported"],
  ] as const;
  const why = missing.find(([isSo]) => isSo)?.[1];
  if (why !== undefined) throw notHere(file, why, "remove that from the description");
}

/** Words of a program. @throws Fault for a quote that is not closed */
function wordsOf(text: string, file: string): string[] {
  const split = splitShellWords(text);
  if (split.ok && split.value.words.length > 0) return [...split.value.words];
  throw notHere(file, `the program ${text} has a quote that is not closed`, "close it, or leave it out");
}

function notHere(file: string, why: string, remedy: string): Fault {
  return new Fault({ kind: "badInput", code: "streamNotPossible", what: `${file} cannot run`, why, remedy });
}
