/**
 * Samples in an open database, in the thread that owns it: stored once, aggregated as they arrive, read as
 * a series, and pruned (rule ST-26).
 *
 * Each value is added to its slot, its five minutes and its hour in one transaction, so that a restart has
 * no aggregation to make up for. Sums are text: a day of a cluster's memory exceeds 2^53.
 */
import {
  bucketBegin,
  folded,
  foldedBySteps,
  type PlacedBucket,
  partOf,
  SAMPLE_TIERS,
  type SampleBucket,
  type SeriesGrid,
  SLOT_MS,
  slotBucket,
  valueInEffectBySteps,
} from "../../policy/index.ts";
import type { Sample, SampleBatch, SampledSeries } from "../../runtime/index.ts";
import { type Database, type SqlRow, transaction } from "../sqlite/database.ts";

/** Operations on a file of samples. */
export interface SampleBook {
  add(batch: SampleBatch): boolean;
  lastOf(source: string): number;
  course(place: string, grid: SeriesGrid): SampledSeries;
  notes(placePrefix: string): readonly { readonly place: string; readonly text: string }[];
  prune(nowMs: number): void;
}

/** Name under which the sampled slots of a place are stored. */
const COVERED = "";

/** Samples of an open database. */
export function sampleBook(database: Database): SampleBook {
  const ids = new Map<string, number>();
  const seriesOf = (place: string, name: string): number => {
    const key = `${place}\n${name}`;
    const id = ids.get(key) ?? madeSeries(database, place, name);
    ids.set(key, id);
    return id;
  };
  return {
    add: (batch) => transaction(database, () => addBatch(database, seriesOf, batch)),
    lastOf: (source) => lastOf(database, source),
    course: (place, grid) => courseAt(database, place, grid),
    notes: (prefix) => notesOf(database, prefix),
    prune: (nowMs) => prune(database, nowMs),
  };
}

type SeriesOf = (place: string, name: string) => number;

function madeSeries(database: Database, place: string, name: string): number {
  database.prepare("INSERT OR IGNORE INTO series (place, name) VALUES (?, ?)").run(place, name);
  return Number(database.prepare("SELECT id FROM series WHERE place = ? AND name = ?").get(place, name)?.id);
}

function addBatch(database: Database, seriesOf: SeriesOf, batch: SampleBatch): boolean {
  const { numbered, samples, notes = [] } = batch;
  if (numbered !== undefined) {
    if (numbered.seq <= lastOf(database, numbered.source)) return false;
    database
      .prepare("INSERT OR REPLACE INTO sources (name, seq) VALUES (?, ?)")
      .run(numbered.source, numbered.seq);
  }
  const sinceMs = numbered === undefined ? prunedUntilMs(database) : Number.NEGATIVE_INFINITY;
  for (const sample of samples) addSample(database, seriesOf, sample, sinceMs);
  for (const { place, text } of notes) {
    database.prepare("INSERT OR REPLACE INTO notes (place, text) VALUES (?, ?)").run(place, text);
  }
  return true;
}

function lastOf(database: Database, source: string): number {
  return Number(database.prepare("SELECT seq FROM sources WHERE name = ?").get(source)?.seq ?? 0);
}

function addSample(database: Database, seriesOf: SeriesOf, sample: Sample, sinceMs: number): void {
  const { place, atMs, slots = 1, values, standing } = sample;
  const lastMs = bucketBegin(atMs, SLOT_MS);
  const covered = seriesOf(place, COVERED);
  // After a step back of the clock what stood stays, as the slots do.
  const isLate = lastMs < Math.max(sinceMs, latestSlot(database, covered));
  const taken = database.prepare("SELECT 1 FROM buckets WHERE length_ms = ? AND series = ? AND at_ms = ?");
  for (let slotMs = lastMs - (slots - 1) * SLOT_MS; slotMs <= lastMs; slotMs += SLOT_MS) {
    if (slotMs < sinceMs || taken.get(SLOT_MS, covered, slotMs) !== undefined) continue;
    addValue(database, covered, slotMs, 0);
    for (const [name, value] of values) {
      if (value !== 0) addValue(database, seriesOf(place, name), slotMs, value);
    }
  }
  if (!isLate) noteStanding(database, seriesOf, { place, atMs: lastMs, standing });
}

/** Begin of the latest slot of a series that is still kept as a slot; -Infinity: there is none. */
function latestSlot(database: Database, series: number): number {
  const row = database
    .prepare("SELECT max(at_ms) AS at_ms FROM buckets WHERE length_ms = ? AND series = ?")
    .get(SLOT_MS, series);
  return Number(row?.at_ms ?? Number.NEGATIVE_INFINITY);
}

function addValue(database: Database, series: number, slotMs: number, value: number): void {
  const slot = slotBucket(value);
  for (const { lengthMs } of SAMPLE_TIERS) {
    const atMs = bucketBegin(slotMs, lengthMs);
    const before = lengthMs === SLOT_MS ? undefined : readBucket(database, lengthMs, series, atMs);
    const { slots, sum, min, max } = before === undefined ? slot : folded(before, slot);
    database
      .prepare("INSERT OR REPLACE INTO buckets VALUES (?, ?, ?, ?, ?, ?, ?)")
      .run(lengthMs, series, atMs, slots, String(sum), min, max);
  }
}

function readBucket(database: Database, lengthMs: number, series: number, atMs: number) {
  const row = database
    .prepare("SELECT * FROM buckets WHERE length_ms = ? AND series = ? AND at_ms = ?")
    .get(lengthMs, series, atMs);
  return row === undefined ? undefined : bucketOf(row);
}

function bucketOf({ slots, sum, min, max }: SqlRow): SampleBucket {
  return { slots: Number(slots), sum: BigInt(String(sum)), min: Number(min), max: Number(max) };
}

/** Writes only values that differ from the last ones: limits seldom change. */
function noteStanding(
  database: Database,
  seriesOf: SeriesOf,
  { place, atMs, standing }: Pick<Sample, "place" | "atMs" | "standing">,
): void {
  const now = new Map<string, number | null>(standing);
  for (const name of namesStanding(database, place)) if (!now.has(name)) now.set(name, null);
  for (const [name, value] of now) {
    const series = seriesOf(place, name);
    const before = database
      .prepare("SELECT value FROM standing WHERE series = ? AND at_ms <= ? ORDER BY at_ms DESC LIMIT 1")
      .get(series, atMs);
    if ((before?.value ?? null) === value) continue;
    database.prepare("INSERT OR REPLACE INTO standing VALUES (?, ?, ?)").run(series, atMs, value);
  }
}

function namesStanding(database: Database, place: string): string[] {
  const sql = "SELECT DISTINCT name FROM series JOIN standing ON series = id WHERE place = ?";
  return [...database.prepare(sql).iterate(place)].map(({ name }) => String(name));
}

function courseAt(database: Database, place: string, grid: SeriesGrid): SampledSeries {
  const all = database.prepare("SELECT id, name FROM series WHERE place = ? ORDER BY name");
  const series = [...all.iterate(place)].map(({ id, name }) => ({ id: Number(id), name: String(name) }));
  const steps = (id: number) => foldedBySteps(bucketsOf(database, id, grid), grid);
  const own = series.find(({ name }) => name === COVERED);
  const covered = own === undefined ? [] : steps(own.id).map((bucket) => bucket?.slots ?? 0);
  const values = series.flatMap(({ id, name }) => {
    if (name === COVERED) return [];
    const buckets = steps(id);
    if (buckets.every((bucket) => bucket === undefined)) return [];
    return [{ name, parts: buckets.map((bucket, step) => partOf(bucket, covered[step] ?? 0)) }];
  });
  const standing = series.flatMap(({ id, name }) => {
    const parts = valueInEffectBySteps(standingOf(database, id, grid.untilMs), grid);
    return parts.every((part) => part === null) ? [] : [{ name, parts }];
  });
  return { grid, covered, values, standing };
}

function bucketsOf(
  database: Database,
  series: number,
  { fromMs, untilMs, bucketMs }: SeriesGrid,
): PlacedBucket[] {
  const sql = "SELECT * FROM buckets WHERE length_ms = ? AND series = ? AND at_ms >= ? AND at_ms < ?";
  const rows = database.prepare(sql).iterate(bucketMs, series, fromMs, untilMs);
  return [...rows].map((row) => ({ atMs: Number(row.at_ms), ...bucketOf(row) }));
}

function standingOf(database: Database, series: number, untilMs: number) {
  const sql = "SELECT at_ms, value FROM standing WHERE series = ? AND at_ms < ? ORDER BY at_ms";
  return [...database.prepare(sql).iterate(series, untilMs)].map(({ at_ms, value }) => ({
    atMs: Number(at_ms),
    value: value === null ? null : Number(value),
  }));
}

function notesOf(database: Database, prefix: string) {
  const sql = "SELECT place, text FROM notes WHERE substr(place, 1, ?) = ? ORDER BY place";
  const rows = database.prepare(sql).iterate([...prefix].length, prefix);
  return [...rows].map(({ place, text }) => ({ place: String(place), text: String(text) }));
}

/** Instant up to which slots may have been pruned: an earlier sample could be counted twice. */
function prunedUntilMs(database: Database): number {
  const row = database.prepare("SELECT value FROM meta WHERE name = 'prunedUntilMs'").get();
  return Number(row?.value ?? Number.NEGATIVE_INFINITY);
}

function prune(database: Database, nowMs: number): void {
  const ids = [...database.prepare("SELECT id FROM series").iterate()].map(({ id }) => Number(id));
  const drop = database.prepare("DELETE FROM buckets WHERE length_ms = ? AND series = ? AND at_ms < ?");
  for (const { lengthMs, keptMs } of SAMPLE_TIERS) {
    if (keptMs === null) continue;
    const beforeMs = bucketBegin(nowMs - keptMs, lengthMs);
    // First the mark: what is dropped must not be counted again, whatever happens in between.
    if (lengthMs === SLOT_MS) {
      database.prepare("INSERT OR REPLACE INTO meta VALUES ('prunedUntilMs', ?)").run(beforeMs);
    }
    for (const id of ids) drop.run(lengthMs, id, beforeMs);
  }
}
