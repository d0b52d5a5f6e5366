/**
 * Declaration of a feature: its commands, events, refusals and records as types, and derived data: versions
 * of its events, words and HTTP status of its refusals, its own roles and rights. `register.ts` lists the
 * features; the unions of all of them follow from that list.
 */
import type { RefusalText } from "./problem-text.ts";
import type { CommonAction, Reach, Scope } from "./right.ts";

interface Kind {
  readonly kind: string;
}

/** The types of a feature; what it has none of is left out. */
export interface FeatureTypes {
  readonly command?: Kind;
  /** Without the instant. */
  readonly event?: Kind;
  readonly refusal?: Kind;
  /** Records by the name of the view that stores them, all of which stay in memory. */
  readonly books?: object;
  /** Why jobs wait. */
  readonly cause?: Kind;
  /** Roles of programs that only this feature is for. */
  readonly role?: string;
  readonly action?: string;
}

/** One of the types of a feature; `never` where it has none. */
export type TypeOf<Types, Name extends keyof FeatureTypes> =
  Types extends Readonly<Record<Name, infer Type>> ? Type : never;

/** The members of a union that may have a kind, with no other kind. */
export type OfKind<Union, Name> = Union extends { readonly kind: infer Kinds }
  ? Name extends Kinds
    ? Union & { readonly kind: Name }
    : never
  : never;

type KindsOf<Union> = Union extends { readonly kind: infer Kinds extends string } ? Kinds : never;

/** A refusal for people and for programs. */
export interface RefusalWords<Refusal> {
  /** Of the HTTP answer. */
  readonly status: number | ((refusal: Refusal) => number);
  readonly text: (refusal: Refusal) => RefusalText;
}

/** The words for each kind of refusal. */
type WordsOf<Refusal> = {
  readonly [Name in KindsOf<Refusal>]: RefusalWords<OfKind<Refusal, Name>>;
};

/** Roles with an action of a feature, and the scope that a narrowed token needs; absent: none. */
export interface ActionRights<Role extends string = string> {
  readonly may: Readonly<Partial<Record<Role, Reach>>>;
  readonly scope?: Scope;
}

/** A role of a program. */
export interface RoleRights {
  /** Tokens of the role are for one site. */
  readonly isOfSite?: true;
  /** Rights beside the actions of its feature. */
  readonly may: Readonly<Partial<Record<CommonAction, Reach>>>;
}

/** An entry for each name; none where there are no names. */
type Table<Name extends string, Entry> = [Name] extends [never] ? never : Readonly<Record<Name, Entry>>;

/** One sentence for each kind of cause, without a full stop; none where there are no causes. */
type CauseTexts<Cause> = [Cause] extends [never]
  ? never
  : {
      readonly [Name in KindsOf<Cause>]: (
        cause: OfKind<Cause, Name>,
        formatInstant: (atMs: number) => string,
      ) => string;
    };

/** By what the records of each book are found; none where there are no books. */
type KeysOf<Books> = [Books] extends [never]
  ? never
  : { readonly [Name in keyof Books]: (record: Books[Name]) => string };

/** Declaration of a feature. */
export interface FeatureModel<Types extends FeatureTypes = FeatureTypes> {
  /** Each kind of its events, with the version of its schema that is written today. */
  readonly events: Readonly<Record<KindsOf<TypeOf<Types, "event">>, number>>;
  readonly refusals: WordsOf<TypeOf<Types, "refusal">>;
  readonly roles?: Table<TypeOf<Types, "role">, RoleRights>;
  readonly actions?: Table<TypeOf<Types, "action">, ActionRights>;
  readonly books?: KeysOf<TypeOf<Types, "books">>;
  readonly causes?: CauseTexts<TypeOf<Types, "cause">>;
  /** Carries the types; no value has it. */
  readonly types?: Types;
}
