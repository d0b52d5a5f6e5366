/**
 * Contributions of a feature to the engine. `register.ts` lists the features, and everything that the engine
 * does is a loop over that list, or a lookup in a table that is made of it once.
 */
import { assert, type Result } from "../base/index.ts";
import type { Command, JobRecord, OfKind, Refusal, StintEvent, WaitCause } from "../model/index.ts";
import type { Outdated } from "./state/outdated.ts";
import type { Projection, RecordChange, StoredState } from "./state/projection.ts";
import type { SiteState } from "./state/site-state.ts";

/** Discriminant of commands. */
export type CommandKind = Command["kind"];
/** Discriminant of events. */
export type EventKind = StintEvent["kind"];

/** The commands of one kind. */
export type CommandOf<Kind extends CommandKind> = OfKind<Command, Kind>;
/** The events of one kind. */
export type EventOf<Kind extends EventKind> = OfKind<StintEvent, Kind>;

interface CommandByKind extends Readonly<{ [Kind in CommandKind]: CommandOf<Kind> }> {}
interface EventByKind extends Readonly<{ [Kind in EventKind]: EventOf<Kind> }> {}

/** The events that carry out a command, or the reason why it is not. */
export type Answer = Result<readonly StintEvent[], Refusal>;

/** Handlers of commands; the state is read, and changed by the events alone. */
export type Answers = {
  readonly [Kind in CommandKind]?: (
    projection: Projection,
    command: CommandByKind[Kind],
    nowMs: number,
  ) => Answer;
};

type Hears = {
  readonly [Kind in CommandKind]?: (
    projection: Projection,
    command: CommandByKind[Kind],
    nowMs: number,
  ) => void;
};

/** Handlers of events: they change the projection in place and give the records that they changed. */
export type Applies = {
  readonly [Kind in EventKind]?: (
    projection: Projection,
    event: EventByKind[Kind],
  ) => readonly RecordChange[];
};

/** Why events that were decided or reported can no longer be applied; absent where they always can. */
type Outdates = {
  readonly [Kind in EventKind]?: (projection: Projection, event: EventByKind[Kind]) => Outdated | undefined;
};

/** Queries of the state, by name. */
type QueryTable = Readonly<
  Record<string, (projection: Projection, question: never, nowMs: number) => unknown>
>;

/** A view that a feature keeps: a table of records by key, with columns to look them up by. */
export interface View {
  readonly name: string;
  readonly columns: Readonly<Record<string, "text" | "integer">>;
  /** All its rows are read after a restart, as the part of `StoredState` of its name. */
  readonly isReadWhole?: true;
}

/** A record of a view that is new, changed, or (`record` undefined) gone. */
export interface Row {
  readonly view: string;
  readonly key: string;
  readonly record: object | undefined;
  readonly columns: Readonly<Record<string, string | number | null>>;
}

type ChangeKind = Exclude<RecordChange["kind"], "book">;
interface ChangeByKind extends Readonly<{ [Kind in ChangeKind]: OfKind<RecordChange, Kind> }> {}

/** View row made from a changed record, by kind of change. */
type Rows = { readonly [Kind in ChangeKind]?: (change: ChangeByKind[Kind]) => Row };

/**
 * Why a job is where it is, beside what its site's queue says, by where it is. `explain.ts` asks for each of
 * them where it stands in an explanation.
 */
export interface Explains {
  /** The job waits at the broker. Of several features the first one that has a cause is quoted. */
  readonly atBroker?: Explain;
  /** Sites that the job may name are closed to it, each for a cause; all features are asked. */
  readonly keepsFrom?: KeepsFrom;
  /** The job is at its site, but was kept out of its queue, or stopped. */
  readonly outsideQueue?: Explain;
  /** The job has a place of its own, and waits for that to begin. */
  readonly ownPlace?: Explain;
  /** Processors are kept free for others. */
  readonly keptFree?: Explain;
  /** The job will wait in the queue of its site, and might have gone to another. */
  readonly passedBy?: Explain;
  /** The feature cannot do at its site what it should for the job. */
  readonly hindered?: Explain;
  /** The job runs, and does nothing yet. */
  readonly idle?: Explain;
  /** Wherever the job is. */
  readonly everywhere?: Explain;
}

/** Sites that a job cannot go to for one cause. */
export interface KeptFrom {
  readonly sites: readonly string[];
  readonly cause: WaitCause;
  /** What the user can change to remove the cause: the job's request, the user's own use, or nothing. */
  readonly by: "description" | "use" | "nothing";
}

/** Those of the sites that a feature keeps a job from that waits at the broker. */
type KeepsFrom = (
  projection: Projection,
  job: JobRecord,
  sites: readonly SiteState[],
  nowMs: number,
) => readonly KeptFrom[];

type Explain = (projection: Projection, job: JobRecord, nowMs: number) => readonly WaitCause[];

/** One subject of the engine, with all that the engine needs to know of it. */
export interface Feature {
  readonly name: string;
  readonly answers?: Answers;
  readonly applies?: Applies;
  readonly outdates?: Outdates;
  readonly views?: readonly View[];
  readonly rows?: Rows;
  readonly queries?: QueryTable;
  readonly explain?: Explains;
  /** Notes what a command shows that no event records, once it is carried out. */
  readonly hears?: Hears;
  /** Notes what an event ends, before it is applied. */
  readonly before?: (projection: Projection, event: StintEvent) => readonly RecordChange[];
  /** Notes what follows from an event of any feature, once it is applied. @param jobs those it changed */
  readonly after?: (
    projection: Projection,
    event: StintEvent,
    jobs: readonly JobRecord[],
  ) => readonly RecordChange[];
  /** Events that follow from the state at an instant. */
  readonly decide?: (projection: Projection, nowMs: number) => readonly StintEvent[];
  /** When `decide` could say something though nothing happened; Infinity: never. */
  readonly wakeAtMs?: (projection: Projection, nowMs: number) => number;
  /** Takes over the records of its views after a restart. */
  readonly restore?: (projection: Projection, stored: StoredState, nowMs: number) => void;
  /** Makes what follows from the records of several features, once all of them are there again. */
  readonly resume?: (projection: Projection, stored: StoredState, nowMs: number) => void;
}

/** Fault of a list of features; `never` where exactly one feature handles each kind. */
type Fault<List extends readonly Feature[]> =
  | { readonly commandsOfNone: Exclude<CommandKind, KindsOf<List, "answers">> }
  | { readonly commandsOfTwo: KindsOfTwo<List, "answers"> }
  | { readonly eventsOfNone: Exclude<EventKind, KindsOf<List, "applies">> }
  | { readonly eventsOfTwo: KindsOfTwo<List, "applies"> }
  | { readonly queriesOfTwo: KindsOfTwo<List, "queries"> }
  | { readonly changesOfNone: Exclude<ChangeKind, KindsOf<List, "rows">> }
  | { readonly changesOfTwo: KindsOfTwo<List, "rows"> } extends infer Found
  ? Found extends Readonly<Record<string, infer Kinds>>
    ? [Kinds] extends [never]
      ? never
      : Found
    : never
  : never;

type Part = "answers" | "applies" | "queries" | "rows";

/** The kinds that a feature handles. */
type KindsIn<One, Of extends Part> = One extends Readonly<Record<Of, infer Table>> ? keyof Table : never;

type KindsOf<List extends readonly Feature[], Of extends Part> = KindsIn<List[number], Of>;

type KindsOfTwo<List extends readonly Feature[], Of extends Part, Seen = never> = List extends readonly [
  infer First,
  ...infer Rest extends readonly Feature[],
]
  ? (KindsIn<First, Of> & Seen) | KindsOfTwo<Rest, Of, Seen | KindsIn<First, Of>>
  : never;

/** The list itself. It does not compile where a kind is handled by no feature, or by two. */
export function listOf<const List extends readonly Feature[]>(
  features: List & ([Fault<List>] extends [never] ? unknown : Fault<List>),
): List {
  return features;
}

/** Answers commands by their kind. */
export function answering(features: readonly Feature[]) {
  let answers: Answers = {};
  for (const feature of features) answers = { ...answers, ...feature.answers };
  return <Kind extends CommandKind>(
    projection: Projection,
    command: CommandByKind[Kind] & { readonly kind: Kind },
    nowMs: number,
  ): Answer => {
    const { kind }: { readonly kind: Kind } = command;
    const handler: Answers[Kind] = answers[kind];
    assert(handler !== undefined, `a feature answers ${kind}`);
    return handler(projection, command, nowMs);
  };
}

/** Notes what commands show, by their kind. */
export function hearing(features: readonly Feature[]) {
  let hears: Hears = {};
  for (const feature of features) hears = { ...hears, ...feature.hears };
  return <Kind extends CommandKind>(
    projection: Projection,
    command: CommandByKind[Kind] & { readonly kind: Kind },
    nowMs: number,
  ): void => {
    const { kind }: { readonly kind: Kind } = command;
    const hear: Hears[Kind] = hears[kind];
    hear?.(projection, command, nowMs);
  };
}

/** Applies events by their kind. */
export function applying(features: readonly Feature[]) {
  let applies: Applies = {};
  for (const feature of features) applies = { ...applies, ...feature.applies };
  return <Kind extends EventKind>(
    projection: Projection,
    event: EventByKind[Kind] & { readonly kind: Kind },
  ): readonly RecordChange[] => {
    const { kind }: { readonly kind: Kind } = event;
    const handler: Applies[Kind] = applies[kind];
    assert(handler !== undefined, `a feature applies ${kind}`);
    return handler(projection, event);
  };
}

/** Finds out by their kind whether events can no longer be applied. */
export function outdating(features: readonly Feature[]) {
  let outdates: Outdates = {};
  for (const feature of features) outdates = { ...outdates, ...feature.outdates };
  return <Kind extends EventKind>(
    projection: Projection,
    event: EventByKind[Kind] & { readonly kind: Kind },
  ): Outdated | undefined => {
    const { kind }: { readonly kind: Kind } = event;
    const handler: Outdates[Kind] = outdates[kind];
    return handler?.(projection, event);
  };
}

/** Makes rows of changed records by their kind. */
export function rowing(features: readonly Feature[]) {
  let rows: Rows = {};
  for (const feature of features) rows = { ...rows, ...feature.rows };
  return <Kind extends ChangeKind>(change: ChangeByKind[Kind] & { readonly kind: Kind }): Row => {
    const { kind }: { readonly kind: Kind } = change;
    const row: Rows[Kind] = rows[kind];
    assert(row !== undefined, `a feature stores ${kind}`);
    return row(change);
  };
}
