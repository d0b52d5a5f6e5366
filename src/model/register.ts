/**
 * The features, and what follows from their list: the unions of all commands, events and refusals, the
 * versions of events, the words of refusals, roles and rights.
 *
 * The one writer of a refusal: the API puts its words into responses and the command line prints them, so
 * that they are the same everywhere. Kinds of events are only ever added; a changed meaning is a new version.
 */
import { type IntersectionOf, joined } from "../base/index.ts";
import type { ActionRights, FeatureTypes, OfKind, RefusalWords, RoleRights, TypeOf } from "./feature.ts";
import { arrays } from "./features/arrays.ts";
import { audit } from "./features/audit.ts";
import { bids } from "./features/bids.ts";
import { dags } from "./features/dags.ts";
import { dependencies } from "./features/dependencies.ts";
import { editing } from "./features/editing.ts";
import { followers } from "./features/followers.ts";
import { jobs } from "./features/jobs.ts";
import { nativeShares } from "./features/native-shares.ts";
import { organisations } from "./features/organisations.ts";
import { peers } from "./features/peers.ts";
import { type NewTokenOf, type PeopleTypes, people } from "./features/people.ts";
import { pilots } from "./features/pilots.ts";
import { placement } from "./features/placement.ts";
import { policies } from "./features/policies.ts";
import { queueTime } from "./features/queue-time.ts";
import { replicas } from "./features/replicas.ts";
import { reservations } from "./features/reservations.ts";
import { retirement } from "./features/retirement.ts";
import { scouts } from "./features/scouts.ts";
import { searches } from "./features/searches.ts";
import { siteHealth } from "./features/site-health.ts";
import { siteNotes } from "./features/site-notes.ts";
import { sites } from "./features/sites.ts";
import { storage } from "./features/storage.ts";
import { streams } from "./features/streams.ts";
import { tickets } from "./features/tickets.ts";
import { waitingReplicas } from "./features/waiting-replicas.ts";
import { workflows } from "./features/workflows.ts";
import type { RefusalText } from "./problem-text.ts";
import { type CommonAction, PERSON_ROLES, type PersonRole } from "./right.ts";

/** All but people, whose tokens have the roles of these. */
const MODELS = [
  sites,
  jobs,
  dependencies,
  arrays,
  dags,
  searches,
  scouts,
  editing,
  queueTime,
  placement,
  reservations,
  storage,
  retirement,
  tickets,
  policies,
  followers,
  peers,
  siteHealth,
  siteNotes,
  replicas,
  streams,
  organisations,
  nativeShares,
  bids,
  waitingReplicas,
  workflows,
  pilots,
  audit,
] as const;

/** All features. */
export const ALL = [...MODELS, people] as const;

type Typed<Model> = Model extends { readonly types?: infer Types } ? Types : never;
type Types = Typed<(typeof MODELS)[number]>;
/** A type of every feature that has one. */
type EveryOf<Name extends keyof FeatureTypes> = Types extends infer One
  ? One extends unknown
    ? TypeOf<One, Name>
    : never
  : never;

/** Causes of waiting that features add. */
export type FeatureCause = EveryOf<"cause">;
/** Roles; their rights are in the engine's table of rights and with their features. */
export type Role = PersonRole | EveryOf<"role">;
/** Actions that rights distinguish. */
export type Action = CommonAction | EveryOf<"action">;
/** A token as it is requested. */
export type NewToken = NewTokenOf<Role>;
/** A request. Its id is chosen by the client, which distinguishes a repeated request from a second one. */
export type Command = EveryOf<"command"> | PeopleTypes<Role>["command"];
/** Why not, with the facts. */
export type Refusal = EveryOf<"refusal"> | PeopleTypes<Role>["refusal"];
/** A fact. `atMs` is Unix time. */
export type StintEvent = { readonly atMs: number } & (EveryOf<"event"> | PeopleTypes<Role>["event"]);

/** The site that an event names, whatever its kind; null where it names none. */
export function siteNamedBy(event: StintEvent): string | null {
  return "site" in event ? event.site : null;
}

/** The job, array or DAG that an event is about, whatever its kind; null where it is about none alone. */
export function jobNamedBy(event: StintEvent): string | null {
  if ("array" in event) return event.array;
  if ("dag" in event) return event.dag;
  return "job" in event ? event.job : null;
}

/** Records that stay in memory, by the name of their view. */
export type Books = IntersectionOf<EveryOf<"books">>;

/** The kinds of events, each with the version of its schema that is written today. */
export const EVENT_VERSIONS: Readonly<Record<StintEvent["kind"], number>> = joined(
  ALL.map(({ events }) => events),
);

type RefusalKind = Refusal["kind"];
interface RefusalByKind extends Readonly<{ [Kind in RefusalKind]: OfKind<Refusal, Kind> }> {}
type Words = { readonly [Kind in RefusalKind]: RefusalWords<RefusalByKind[Kind]> };

const WORDS: Words = joined(ALL.map(({ refusals }) => refusals));

/** State of affairs, reason and remedy of a refusal. */
export function refusalText<Kind extends RefusalKind>(
  refusal: RefusalByKind[Kind] & { readonly kind: Kind },
): RefusalText {
  const { kind }: { readonly kind: Kind } = refusal;
  const words: Words[Kind] = WORDS[kind];
  return words.text(refusal);
}

/** The HTTP status of a refusal. */
export function refusalStatus<Kind extends RefusalKind>(
  refusal: RefusalByKind[Kind] & { readonly kind: Kind },
): number {
  const { kind }: { readonly kind: Kind } = refusal;
  const words: Words[Kind] = WORDS[kind];
  const { status } = words;
  return typeof status === "number" ? status : status(refusal);
}

type ProgramRole = EveryOf<"role">;

/** The roles of programs, each of the feature that it is for. */
export const PROGRAM_ROLES: Readonly<Record<ProgramRole, RoleRights>> = joined(
  MODELS.flatMap(({ roles }) => roles ?? []),
);

type FeatureCauseKind = FeatureCause["kind"];
interface CauseByKind extends Readonly<{ [Kind in FeatureCauseKind]: OfKind<FeatureCause, Kind> }> {}
type CauseTexts = {
  readonly [Kind in FeatureCauseKind]: (
    cause: CauseByKind[Kind],
    formatInstant: (atMs: number) => string,
  ) => string;
};

const CAUSE_TEXTS: CauseTexts = joined(MODELS.flatMap(({ causes }) => causes ?? []));

/** One sentence, without a full stop; undefined for a cause that is of no feature alone. */
export function featureCauseText<Kind extends FeatureCauseKind>(
  cause: CauseByKind[Kind] & { readonly kind: Kind },
  formatInstant: (atMs: number) => string,
): string {
  const { kind }: { readonly kind: Kind } = cause;
  const text: CauseTexts[Kind] = CAUSE_TEXTS[kind];
  return text(cause, formatInstant);
}

type KeysOfBooks = { readonly [Name in keyof Books]: (record: Books[Name]) => string };

/** The key of a record in each book. */
export const BOOKS: KeysOfBooks = joined(MODELS.flatMap(({ books }) => books ?? []));

/** Roles with the actions of features. */
export const FEATURE_ACTIONS: Readonly<Record<EveryOf<"action">, ActionRights>> = joined(
  MODELS.flatMap(({ actions }) => actions ?? []),
);

/** Every role. */
export const ROLES: readonly Role[] = [...PERSON_ROLES, ...(Object.keys(PROGRAM_ROLES) as ProgramRole[])];

/** True for roles that belong to one site. */
export function isOfSite(role: Role): boolean {
  return role === "siteAdmin" || (isOfProgram(role) && PROGRAM_ROLES[role].isOfSite === true);
}

/** True for roles of programs. */
export function isOfProgram(role: Role): role is ProgramRole {
  return Object.hasOwn(PROGRAM_ROLES, role);
}
