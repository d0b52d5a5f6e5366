/**
 * Searches: the jobs of an array follow one after the other, at points that the values before choose (rules
 * EN-270, EN-271).
 *
 * What is chosen and what its job gave are events, so that a search goes on after a restart where it was. The
 * methods of ours choose here, from the recorded values alone; a program is asked by the broker.
 */
import { accepted, refused } from "../../../base/index.ts";
import {
  type JobDescription,
  memberDescription,
  memberId,
  type SearchPoint,
  type SearchRecord,
  type SearchSummary,
  type StintEvent,
} from "../../../model/index.ts";
import { nextPoints, summaryOf } from "../../../plan/index.ts";
import type { Answer, CommandOf, EventOf, Feature } from "../../feature.ts";
import { acceptedJob } from "../../job-records.ts";
import { keepJob } from "../../keep-job.ts";
import type { ArrayState } from "../../state/arrays.ts";
import { erased, written } from "../../state/books.ts";
import { type Projection, type RecordChange, toPlace } from "../../state/projection.ts";

/** Searches that are over and still remembered with their points. */
const MOST_ENDED = 200;

export const searches = {
  name: "searches",
  answers: { choosePoints, valuePoint, endSearch },
  applies: { searchPointsChosen, searchPointValued, searchEnded },
  after: (_, event) =>
    event.kind === "arrayAccepted" && event.description.sweep?.search !== undefined
      ? [written("searches", { array: event.array, points: [], endedAtMs: null })]
      : [],
  decide,
} as const satisfies Feature;

interface OpenSearch {
  readonly record: SearchRecord;
  readonly sweep: NonNullable<JobDescription["sweep"]>;
}

function* openOnes({ books, arrays }: Projection): Generator<OpenSearch, void> {
  for (const record of books.searches.values()) {
    if (record.endedAtMs !== null) continue;
    const { sweep } = arrays.get(record.array)?.accepted.description ?? {};
    if (sweep?.search !== undefined) yield { record, sweep };
  }
}

/** Records of which nothing follows: a record changes with each event of its search. */
const SETTLED = new WeakSet<SearchRecord>();

/** The next points of each search, or its end. */
function decide(projection: Projection, atMs: number): StintEvent[] {
  const events: StintEvent[] = [];
  for (const { record, sweep } of openOnes(projection)) {
    if (SETTLED.has(record)) continue;
    const { array } = record;
    const points = nextPoints(sweep, record.points);
    const isLast = record.points.length >= (sweep.search?.evaluations ?? 0);
    if (points.length > 0) events.push({ kind: "searchPointsChosen", array, points, atMs });
    else if (isLast && record.points.every(({ value }) => value !== undefined)) {
      events.push({ kind: "searchEnded", array, end: { kind: "evaluated" }, atMs });
    } else SETTLED.add(record);
  }
  return events;
}

function goingOn({ books }: Projection, array: string): SearchRecord | undefined {
  const record = books.searches.get(array);
  return record?.endedAtMs === null ? record : undefined;
}

function choosePoints(
  projection: Projection,
  { array, points }: CommandOf<"choosePoints">,
  atMs: number,
): Answer {
  const record = goingOn(projection, array);
  if (record === undefined) return refused({ kind: "unknownArray", array });
  const isFree = ({ index }: SearchPoint): boolean => !record.points.some((one) => one.index === index);
  const fresh = points.filter(isFree);
  return accepted(fresh.length === 0 ? [] : [{ kind: "searchPointsChosen", array, points: fresh, atMs }]);
}

function valuePoint(
  projection: Projection,
  { array, index, value }: CommandOf<"valuePoint">,
  atMs: number,
): Answer {
  const point = goingOn(projection, array)?.points.find((one) => one.index === index);
  if (point === undefined || point.value !== undefined) return accepted([]);
  return accepted([{ kind: "searchPointValued", array, index, value, atMs }]);
}

function endSearch(projection: Projection, { array, end }: CommandOf<"endSearch">, atMs: number): Answer {
  return accepted(
    goingOn(projection, array) === undefined ? [] : [{ kind: "searchEnded", array, end, atMs }],
  );
}

function searchPointsChosen(
  projection: Projection,
  { array: id, points, atMs }: EventOf<"searchPointsChosen">,
): RecordChange[] {
  const state = projection.arrays.get(id);
  const record = goingOn(projection, id);
  if (state === undefined || record === undefined) return [];
  const { description, consumer, owner, inputBytes } = state.accepted;
  const jobs = points.map(({ index, values }) => {
    const one = {
      ...({ kind: "jobAccepted", job: memberId(id, index), atMs, consumer, owner } as const),
      description: memberDescription(description, { array: id, index, values }),
      ...(inputBytes === undefined ? {} : { inputBytes }),
    };
    const job = { ...acceptedJob(one, ++projection.accepted), array: { id, index } };
    toPlace(projection, job);
    return keepJob(projection, job);
  });
  return [...jobs, written("searches", { ...record, points: [...record.points, ...points] })];
}

function searchPointValued(
  projection: Projection,
  { array, index, value }: EventOf<"searchPointValued">,
): RecordChange[] {
  const record = goingOn(projection, array);
  if (record === undefined) return [];
  const points = record.points.map((one) => (one.index === index ? { ...one, value } : one));
  summarize(projection.arrays.get(array), points, {});
  return [written("searches", { ...record, points })];
}

/** The array has no more jobs than were begun; it has ended with the last of them. */
function searchEnded(projection: Projection, { array, end, atMs }: EventOf<"searchEnded">): RecordChange[] {
  const record = goingOn(projection, array);
  if (record === undefined) return [];
  const state = projection.arrays.get(array);
  summarize(state, record.points, { end });
  if (state !== undefined) state.accepted = { ...state.accepted, size: record.points.length };
  const over = [...projection.books.searches.values()].filter(({ endedAtMs }) => endedAtMs !== null);
  return [
    written("searches", { ...record, endedAtMs: atMs }),
    ...over.slice(0, Math.max(0, over.length + 1 - MOST_ENDED)).map((one) => erased("searches", one.array)),
  ];
}

function summarize(
  state: ArrayState | undefined,
  points: readonly SearchPoint[],
  change: Partial<SearchSummary>,
): void {
  const search = state?.accepted.description.sweep?.search;
  if (state === undefined || search === undefined) return;
  const summary = { ...summaryOf(search.goal, points), end: null, ...change };
  state.accepted = { ...state.accepted, search: summary };
}
