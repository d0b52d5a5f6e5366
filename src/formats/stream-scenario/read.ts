/** Reads a scenario of streams. */
import { type Read, streamScenarioShape } from "../../contract/files/index.ts";
import {
  describedUtility,
  inboundFor,
  neverMet,
  type SceneStream,
  STREAM_DEFAULTS,
  STREAM_RULES,
  type StreamScene,
  type StreamVariant,
} from "../../stream/index.ts";
import { type DocumentReading, type Remark, readDocument, readWholeFile } from "../yaml/index.ts";

/** A scenario: a scene, how it is played, and the load at which more streams are drawn. */
export interface StreamScenario {
  readonly scene: StreamScene;
  readonly seed: number;
  readonly variants: readonly StreamVariant[];
  readonly load?: number;
}

/** The scenario counts where there are no problems. */
export interface StreamScenarioReading {
  readonly said: StreamScenario | undefined;
  readonly problems: readonly Remark[];
}

type Said = Read<typeof streamScenarioShape>;

const RULES = {
  noun: "a scenario of streams",
  example: "{ procs: [{ name: fast, count: 32 }], link: 1Gbit/s, storage: 2TB, load: 0.9 }",
};

/** Reads the text of a scenario. */
export function readStreamScenario(text: string): StreamScenarioReading {
  const reading = readDocument(text, streamScenarioShape, RULES);
  const { said, problems } = reading;
  if (said === undefined || problems().length > 0) return { said: undefined, problems: problems() };
  const { procs, linkBytesPerSec, storageBytes, horizonMs, seed, variants, load } = said;
  const streams = said.streams.map(sceneStream);
  const classes = procs.map(({ count, ...its }) => ({ ...its, procs: count }));
  const scene = { horizonMs, classes, linkBytesPerSec, storageBytes, streams };
  tellContradictions(scene, said, reading);
  const wrong = problems();
  if (wrong.length > 0) return { said: undefined, problems: wrong };
  return { said: { scene, seed, variants, ...(load === undefined ? {} : { load }) }, problems: [] };
}

/**
 * The scenario of a file.
 *
 * @throws Fault with everything that is wrong about the file, its first problem first
 */
export function readStreamScenarioFile(file: string): Promise<StreamScenario> {
  return readWholeFile(file, readStreamScenario);
}

function sceneStream({ atMs, dataBytes = Infinity, utility, ...said }: Said["streams"][number]): SceneStream {
  const { weightStep, weightPeriodMs, unitBytesPerSec } = STREAM_DEFAULTS;
  return {
    ...{ ...said, submittedMs: atMs, dataBytes, weightStep, weightPeriodMs, connections: 1 },
    utility: describedUtility({ ...utility, unitBytesPerSec }, said.weight),
  };
}

function tellContradictions(scene: StreamScene, said: Said, { notes, at }: DocumentReading<Said>): void {
  const ids = new Set<string>();
  const inbound = inboundFor(scene.linkBytesPerSec, STREAM_RULES.linkMargin);
  const procs = Object.fromEntries(scene.classes.map((it) => [it.name, it.procs]));
  const pool = { procs, inboundBytesPerSec: { wan: inbound }, storageBytes: scene.storageBytes };
  for (const [number, stream] of scene.streams.entries()) {
    const { id, minBytesPerSec, storageBytes, type } = stream;
    const of = said.streams[number];
    if (ids.has(id)) notes.problem(at(of, "id"), twice(id));
    ids.add(id);
    if (minBytesPerSec > stream.maxBytesPerSec) notes.problem(at(of, "min"), aboveMaximum(id));
    if (stream.blockBytes >= storageBytes) notes.problem(at(of, "block"), largeBlock(id));
    const classes = scene.classes
      .filter((it) => type === undefined || type === it.type)
      .map(({ name }) => name);
    const need = { id, procs: stream.procs, classes, link: "wan", bytesPerSec: minBytesPerSec, storageBytes };
    for (const { resource, available } of neverMet(need, pool)) {
      notes.problem(at(said.streams, number), never(id, resource, available));
    }
  }
}

const twice = (id: string) => ({
  code: "duplicateStream",
  what: `two streams have the id ${id}`,
  why: "reports name streams by their ids",
  remedy: "give each an id of its own",
});
const aboveMaximum = (id: string) => ({
  code: "minimumAboveMaximum",
  what: `the minimum of ${id} is above its maximum`,
  why: "no allocation can satisfy both",
  remedy: "lower min, or raise max",
});
const largeBlock = (id: string) => ({
  code: "blockTooLarge",
  what: `a block of ${id} does not fit into its storage`,
  why: "a block is as large as the minimum of storage, so the transfer would never continue",
  remedy: "make block smaller, or storage larger",
});
const never = (id: string, resource: string, available: number) => ({
  code: "minimumNeverMet",
  what: `${id} can never start: too little ${resource}`,
  why: `the pool has ${available} in total`,
  remedy: "lower the minimum, or enlarge the pool",
});
