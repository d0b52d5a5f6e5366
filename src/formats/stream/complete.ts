/** The stream that was read, in bytes and milliseconds, and what no shape can check. */
import { parseRate, parseSize } from "../../base/index.ts";
import {
  describedUtility,
  haltMarkBytes,
  procsOf,
  STREAM_DEFAULTS,
  type StreamSource,
  type StreamSpec,
  type StreamStage,
} from "../../stream/index.ts";
import { splitShellWords } from "../job-yaml/index.ts";
import type { DocumentReading } from "../yaml/index.ts";
import { type Contradiction, type SaidStream, unrunnable } from "./unrunnable.ts";
import * as words from "./words.ts";

type Placed = Pick<DocumentReading<unknown>, "at" | "notes">;

/** The stream; undefined, with problems in `notes`, where something is wrong. */
export function completeStream(said: SaidStream, placed: Placed): StreamSpec | undefined {
  const amounts = amountsOf(said, placed);
  const spec = { ...plainParts(said, placed), ...amounts };
  if (placed.notes.problemCount() > 0) return undefined;
  for (const [of, word, wrong] of [...contradictions(spec, said), ...unrunnable(said)])
    placed.notes.problem(placed.at(of, word), wrong);
  return placed.notes.problemCount() === 0 ? spec : undefined;
}

function plainParts(said: SaidStream, placed: Placed) {
  const { name, weight, weightStep, weightPeriodMs, environment, inputSandbox, limits } = said;
  const { virtualOrganisation, delegation, processors, executable, pipeline } = said;
  const stages = (pipeline?.stage ?? []).map((stage): StreamStage => {
    const storageBytes = stageStorage(stage, placed);
    return {
      ...{ name: stage.name, executable: stage.path, count: stage.count, isAckThrough: stage.ackThrough },
      arguments: argumentsOf(stage, placed),
      ...(storageBytes === undefined ? {} : { storageBytes }),
    };
  });
  const count = procsOf({ processors: { count: processors.count ?? 1, min: 1, max: 1 }, pipeline: stages });
  const { min = count, max = count, count: _, ...kinds } = processors;
  return {
    ...{ name, weight, weightStep, weightPeriodMs, environment, inputSandbox, limits },
    ...(virtualOrganisation === undefined ? {} : { virtualOrganisation }),
    ...(delegation === undefined ? {} : { delegation }),
    executable: executable?.path ?? stages[0]?.executable ?? "",
    arguments: executable === undefined ? [] : argumentsOf(executable, placed),
    processors: { ...kinds, count, min, max },
    pipeline: stages,
  };
}

function stageStorage(stage: { readonly storage?: string }, { at, notes }: Placed): number | undefined {
  const { storage } = stage;
  if (storage === undefined) return undefined;
  const parsed = parseSize(storage);
  if (parsed.ok && parsed.value > 0) return parsed.value;
  const wrong = parsed.ok ? words.noMinimum("storage") : words.badAmount("storage", storage, parsed.refusal);
  notes.problem(at(stage, "storage"), wrong);
  return undefined;
}

function argumentsOf(
  of: { readonly arguments?: string | readonly string[] },
  { at, notes }: Placed,
): readonly string[] {
  const { arguments: given } = of;
  if (given === undefined) return [];
  if (typeof given !== "string") return given;
  const split = splitShellWords(given);
  if (split.ok) return split.value.words;
  notes.problem(at(of, "arguments"), words.openQuote);
  return [];
}

/** Everything with a unit. */
function amountsOf(said: SaidStream, placed: Placed) {
  const { at, notes } = placed;
  const read = (parse: typeof parseRate, of: object, word: string, text: string): number => {
    const parsed = parse(text);
    if (parsed.ok) return parsed.value;
    notes.problem(at(of, word), words.badAmount(word, text, parsed.refusal));
    return 0;
  };
  const rate = (of: object, word: string, text: string | undefined, unit = "") =>
    text === undefined ? undefined : read(parseRate, of, word, hasUnit(text) ? text : `${text}${unit}`);
  const size = (of: object, word: string, text: string | undefined, unit = "") =>
    text === undefined ? undefined : read(parseSize, of, word, hasUnit(text) ? text : `${text}${unit}`);
  const { bandwidth, storage, sources, sink, processing, blocks, utility } = said;
  const [least, most] = (["min", "max"] as const).map((it) =>
    rate(bandwidth, it, bandwidth[it], bandwidth.unit),
  );
  const [fewest, greatest] = (["min", "max"] as const).map((it) =>
    size(storage, it, storage[it], storage.unit),
  );
  const unitBytesPerSec = rate(utility, "unit", utility.unit) ?? STREAM_DEFAULTS.unitBytesPerSec;
  const hint = rate(processing, "rateHint", processing.rateHint);
  const { rateHint: _, ...trials } = processing;
  return {
    bandwidth: { minBytesPerSec: least ?? 0, ...(most === undefined ? {} : { maxBytesPerSec: most }) },
    storage: { minBytes: fewest ?? 0, ...(greatest === undefined ? {} : { maxBytes: greatest }) },
    utility: describedUtility({ ...utility, unitBytesPerSec }, said.weight),
    sources: {
      order: sources.order,
      list: sources.source.map(({ rate: its, endless, mirror, ...source }, number): StreamSource => {
        const bytesPerSec = rate(sources.source[number], "rate", its);
        const kept = { ...source, isEndless: endless, mirrors: mirror };
        return bytesPerSec === undefined ? kept : { ...kept, bytesPerSec };
      }),
    },
    ...(sink === undefined
      ? {}
      : {
          sink: {
            ...{ href: sink.href, mode: sink.mode },
            minBytesPerSec: rate(sink, "minBandwidth", sink.minBandwidth) ?? 0,
            storageBytes: size(sink, "storage", sink.storage) ?? 0,
          },
        }),
    blocks,
    processing: { ...trials, ...(hint === undefined ? {} : { rateHintBytesPerSec: hint }) },
  };
}

function hasUnit(text: string): boolean {
  return /[A-Za-z]/.test(text);
}

const WAYS_OF_ADDRESSES = ["href", "manifest", "generator", "prefix"] as const;

/** Contradictions because of which no site could ever run the stream. */
function contradictions(spec: StreamSpec, said: SaidStream): readonly Contradiction[] {
  const { bandwidth, storage, blocks, processors, sources, utility } = spec;
  const found: Contradiction[] = [];
  const check = (isWrong: boolean, ...contradiction: Contradiction) => {
    if (isWrong) found.push(contradiction);
  };
  const { maxBytesPerSec = Number.POSITIVE_INFINITY } = bandwidth;
  check(bandwidth.minBytesPerSec <= 0, said.bandwidth, "min", words.noMinimum("bandwidth"));
  check(storage.minBytes <= 0, said.storage, "min", words.noMinimum("storage"));
  check(bandwidth.minBytesPerSec > maxBytesPerSec, said.bandwidth, "min", words.aboveMaximum("bandwidth"));
  check(
    storage.minBytes > (storage.maxBytes ?? Infinity),
    said.storage,
    "min",
    words.aboveMaximum("storage"),
  );
  const isOrdered = processors.min <= processors.count && processors.count <= processors.max;
  check(!isOrdered, said.processors, undefined, words.aboveMaximum("processors"));
  const isRoomy = haltMarkBytes(storage.minBytes, blocks) > 0;
  check(storage.minBytes > 0 && !isRoomy, said.blocks, "size", words.blockTooLarge(blocks.connections));
  const delivered = sources.list.reduce((sum, { bytesPerSec = Infinity }) => sum + bytesPerSec, 0);
  check(
    sources.list.length > 0 && bandwidth.minBytesPerSec > delivered,
    said.bandwidth,
    "min",
    words.slowSources,
  );
  for (const [number, source] of said.sources.source.entries()) {
    const ways = words.WAYS.filter((way) => source[way] !== undefined);
    check(ways.length !== 1, said.sources.source[number], ways[1], words.sourceWays(ways));
    const isInStore = WAYS_OF_ADDRESSES.some((way) => source[way]?.startsWith("s3:") === true);
    const isWithoutKeys = isInStore && source.credentials === undefined;
    check(isWithoutKeys, said.sources.source[number], undefined, words.noCredentials);
  }
  check(said.sources.source.length === 0, said.sources, "source", words.noSource);
  const isProgram = said.executable !== undefined || spec.pipeline.length > 0;
  check(!isProgram, said, undefined, words.noProgram);
  const isNeeding = utility.kind === "sigmoid" || utility.kind === "step";
  check(isNeeding && said.utility.x0 === undefined, said.utility, undefined, words.noMiddle(utility.kind));
  return found;
}
