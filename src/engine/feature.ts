/**
 * What a feature brings to the engine. `register.ts` lists the features, and everything that the engine
 * does is a loop over that list, or a lookup in a table that is made of it once.
 */
import { assert, type Result } from "../base/index.ts";
import type { Command, JobRecord, Refusal, StintEvent } from "../model/index.ts";
import type { Projection, RecordChange } from "./state.ts";

/** What a command is told from others by. */
export type CommandKind = Command["kind"];
/** What an event is told from others by. */
export type EventKind = StintEvent["kind"];

/** The members of a union that may have a kind, with no other kind. */
type OfKind<Union extends { readonly kind: string }, Kind> = Union extends { readonly kind: infer Kinds }
  ? Kind extends Kinds
    ? Union & { readonly kind: Kind }
    : never
  : never;
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

/** Handlers of events: they change the projection in place and give the records that they changed. */
export type Applies = {
  readonly [Kind in EventKind]?: (
    projection: Projection,
    event: EventByKind[Kind],
  ) => readonly RecordChange[];
};

/** One subject of the engine, with all that the engine needs to know of it. */
export interface Feature {
  readonly name: string;
  readonly answers: Answers;
  readonly applies: Applies;
  /** Notes what an event ends, before it is applied. */
  readonly before?: (projection: Projection, event: StintEvent) => readonly RecordChange[];
  /** Notes what follows from an event of any feature, once it is applied. @param jobs those it changed */
  readonly after?: (
    projection: Projection,
    event: StintEvent,
    jobs: readonly JobRecord[],
  ) => readonly RecordChange[];
  /** What follows from the state at an instant. */
  readonly decide?: (projection: Projection, nowMs: number) => readonly StintEvent[];
  /** When `decide` could say something though nothing happened; Infinity: never. */
  readonly wakeAtMs?: (projection: Projection, nowMs: number) => number;
}

/** What is wrong with a list of features; `never` where every kind has exactly one of them. */
type Fault<List extends readonly Feature[]> =
  | { readonly commandsOfNone: Exclude<CommandKind, KindsOf<List, "answers">> }
  | { readonly commandsOfTwo: KindsOfTwo<List, "answers"> }
  | { readonly eventsOfNone: Exclude<EventKind, KindsOf<List, "applies">> }
  | { readonly eventsOfTwo: KindsOfTwo<List, "applies"> } extends infer Found
  ? Found extends Readonly<Record<string, infer Kinds>>
    ? [Kinds] extends [never]
      ? never
      : Found
    : never
  : never;

type Part = "answers" | "applies";

type KindsOf<List extends readonly Feature[], Of extends Part> = List[number] extends infer One
  ? One extends Feature
    ? keyof One[Of]
    : never
  : never;

type KindsOfTwo<List extends readonly Feature[], Of extends Part, Seen = never> = List extends readonly [
  infer First extends Feature,
  ...infer Rest extends readonly Feature[],
]
  ? (keyof First[Of] & Seen) | KindsOfTwo<Rest, Of, Seen | keyof First[Of]>
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
