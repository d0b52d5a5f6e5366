/**
 * The features of the engine, and what it does with them (rules EN-3, EN-5): it answers commands, applies
 * events and decides what follows from the state at an instant.
 *
 * `apply` is the only thing that changes the projection (but for what is seen of foreign sites, which is no
 * event). Finished jobs leave memory; their records live in views.
 */
import { type IntersectionOf, joined } from "../base/index.ts";
import type { Command, JobRecord, StintEvent, WaitCause } from "../model/index.ts";
import {
  type Answer,
  answering,
  applying,
  type Explains,
  type Feature,
  hearing,
  type KeptFrom,
  listOf,
  outdating,
  type Row,
  rowing,
  type View,
} from "./feature.ts";
import { arrays } from "./features/arrays/arrays.ts";
import { audit } from "./features/audit/audit.ts";
import { bids } from "./features/bids/bids.ts";
import { dags } from "./features/dags/dags.ts";
import { dependencies } from "./features/dependencies/dependencies.ts";
import { editing } from "./features/editing/editing.ts";
import { followers } from "./features/followers/followers.ts";
import { nativeShares } from "./features/native-shares/native-shares.ts";
import { organisations } from "./features/organisations/organisations.ts";
import { peers } from "./features/peers/peer-book.ts";
import { people } from "./features/people/people.ts";
import { pilots } from "./features/pilots/pilots.ts";
import { policies } from "./features/policies/policies.ts";
import { queueTime } from "./features/queue-time/queue-time.ts";
import { replicas } from "./features/replicas/replicas.ts";
import { reservations } from "./features/reservations/reservations.ts";
import { retirement } from "./features/retirement/retirement.ts";
import { scouts } from "./features/scouts/scouts.ts";
import { searches } from "./features/searches/searches.ts";
import { siteHealth } from "./features/site-health/site-health.ts";
import { siteNotes } from "./features/site-notes/site-notes.ts";
import { storage } from "./features/storage/storage.ts";
import { streams } from "./features/streams/streams.ts";
import { tickets } from "./features/tickets/tickets.ts";
import { virtualReservations } from "./features/virtual-reservations/virtual-reservations.ts";
import { waitingReplicas } from "./features/waiting-replicas/waiting-replicas.ts";
import { workflows } from "./features/workflows/workflows.ts";
import { jobs } from "./jobs.ts";
import { placement } from "./place.ts";
import { queues } from "./queues.ts";
import { withScores } from "./site-selection/scores.ts";
import { sites } from "./sites.ts";
import { BOOK_NAMES, changeBook, restoreBooks } from "./state/books.ts";
import type { Outdated } from "./state/outdated.ts";
import {
  createProjection,
  type Projection,
  type RecordChange,
  type StoredState,
} from "./state/projection.ts";
import type { SiteState } from "./state/site-state.ts";

/**
 * In the order of a round: jobs go into queues before anything else, and what time has brought about is
 * recorded before anybody starts who is concerned by it.
 */
export const FEATURES = listOf([
  sites,
  people,
  jobs,
  dependencies,
  arrays,
  dags,
  searches,
  scouts,
  editing,
  siteHealth,
  waitingReplicas,
  queueTime,
  placement,
  virtualReservations,
  reservations,
  storage,
  retirement,
  tickets,
  policies,
  followers,
  peers,
  siteNotes,
  bids,
  replicas,
  streams,
  organisations,
  nativeShares,
  workflows,
  pilots,
  audit,
  queues,
]);

const answerByKind = answering(FEATURES);
const applyByKind = applying(FEATURES);
const outdatedByKind = outdating(FEATURES);
const rowByKind = rowing(FEATURES);
const hearByKind = hearing(FEATURES);
const before = FEATURES.flatMap((feature: Feature) => feature.before ?? []);
const after = FEATURES.flatMap((feature: Feature) => feature.after ?? []);
const explaining = FEATURES.flatMap((feature: Feature) => feature.explain ?? []);
const deciding = FEATURES.flatMap((feature: Feature) => feature.decide ?? []);
const waking = FEATURES.flatMap((feature: Feature) => feature.wakeAtMs ?? []);

/** Answers a command with the events that carry it out, or with the reason why not. */
export function answer(projection: Projection, command: Command, nowMs: number): Answer {
  return answerByKind(projection, command, nowMs);
}

/** Why an event that was decided or reported can no longer be applied; undefined where it can. */
export function outdated(projection: Projection, event: StintEvent): Outdated | undefined {
  return outdatedByKind(projection, event);
}

/** Applies one event, in place; gives the records that it changed. */
export function apply(projection: Projection, event: StintEvent): RecordChange[] {
  const ended = before.flatMap((note) => note(projection, event));
  const applied = applyByKind(projection, event);
  const changes = withScores(projection, [...ended, ...applied], event.atMs);
  const changed = changes.flatMap((change) => (change.kind === "job" ? [change.record] : []));
  const all = [...changes, ...after.flatMap((note) => note(projection, event, changed))];
  for (const change of all) if (change.kind === "book") changeBook(projection.books, change);
  return all;
}

/** The causes that features give for one part of an explanation, feature by feature. */
export function* causesOf(
  part: keyof Omit<Explains, "keepsFrom">,
  projection: Projection,
  job: JobRecord,
  nowMs: number,
): Generator<WaitCause, void> {
  for (const explains of explaining) yield* explains[part]?.(projection, job, nowMs) ?? [];
}

/** Those of these sites that features exclude for a job that waits at the broker. */
export function keptFrom(
  projection: Projection,
  job: JobRecord,
  sites: readonly SiteState[],
  nowMs: number,
): readonly KeptFrom[] {
  return explaining.flatMap(({ keepsFrom }) => keepsFrom?.(projection, job, sites, nowMs) ?? []);
}

/** Events to record, and the instant of the next decision if nothing happens before. */
export interface Decision {
  readonly events: readonly StintEvent[];
  readonly wakeAtMs: number;
}

/** The next decisions, of the first feature that has any; apply them and ask again until there are none. */
export function decide(projection: Projection, nowMs: number): Decision {
  for (const decideOne of deciding) {
    const events = decideOne(projection, nowMs);
    if (events.length > 0) return { events, wakeAtMs: nowMs };
  }
  let wakeAtMs = Number.POSITIVE_INFINITY;
  for (const wakeOne of waking) wakeAtMs = Math.min(wakeAtMs, wakeOne(projection, nowMs));
  return { events: [], wakeAtMs };
}

/** Notes what a command has shown that no event records, once it is carried out. */
export function hear(projection: Projection, command: Command, nowMs: number): void {
  hearByKind(projection, command, nowMs);
}

type QueriesOf<One> = One extends { readonly queries: infer Table } ? Table : never;
type Queries = IntersectionOf<QueriesOf<(typeof FEATURES)[number]>>;
/** Name of a query of the state. */
export type QueryName = keyof Queries;
/** Input of a query; undefined where it needs none. */
export type Question<Name extends QueryName> = Parameters<Queries[Name]>[1];
/** Answer type of a query. */
export type AnswerTo<Name extends QueryName> = ReturnType<Queries[Name]>;
type QueryTable = {
  readonly [Name in QueryName]: (
    projection: Projection,
    question: Question<Name>,
    nowMs: number,
  ) => AnswerTo<Name>;
};

const QUERIES: QueryTable = joined(
  FEATURES.flatMap((feature) => ("queries" in feature ? feature.queries : [])),
);

/** Asks the state. */
export function query<Name extends QueryName>(
  projection: Projection,
  { name, question }: { readonly name: Name; readonly question: Question<Name> },
  nowMs: number,
): AnswerTo<Name> {
  const ask: QueryTable[Name] = QUERIES[name];
  return ask(projection, question, nowMs);
}

/** The views of all features. */
export const VIEWS: readonly View[] = [
  ...FEATURES.flatMap((feature: Feature) => feature.views ?? []),
  ...BOOK_NAMES.map((name): View => ({ name, columns: {}, isReadWhole: true })),
];

/** A changed record as a row of its view. */
export function rowOf(change: RecordChange): Row {
  if (change.kind !== "book") return rowByKind(change);
  return { view: change.book, key: change.key, record: change.record, columns: {} };
}

/** The state after a restart, from the records of what is not over; history is not read. */
export function restore(stored: StoredState, nowMs: number): Projection {
  const projection = createProjection();
  restoreBooks(projection.books, stored);
  const features: readonly Feature[] = FEATURES;
  for (const feature of features) feature.restore?.(projection, stored, nowMs);
  for (const feature of features) feature.resume?.(projection, stored, nowMs);
  return projection;
}
