/**
 * The facts of refusals, causes and hindrances at a border: instants as text, lengths in seconds.
 */

/** Name at a border of an instant of the engine; a name that ends in `…AtMs` inside ends in `…At` there. */
export const FACT_INSTANTS = {
  atMs: "at",
  nowMs: "now",
  fromMs: "from",
  untilMs: "until",
  sinceMs: "since",
  startMs: "startAt",
  endMs: "endAt",
  submitMs: "submitAt",
  earliestMs: "earliestAt",
  latestMs: "latestAt",
} as const;

type InstantOf<Name> = Name extends keyof typeof FACT_INSTANTS
  ? (typeof FACT_INSTANTS)[Name]
  : Name extends `${infer Stem}AtMs`
    ? `${Stem}At`
    : never;
type NameOf<Name> = [InstantOf<Name>] extends [never]
  ? Name extends `${string}ProcMs`
    ? Name
    : Name extends `${infer Stem}Ms`
      ? `${Stem}Sec`
      : Name
  : InstantOf<Name>;
type TextFor<Value> = Value extends number ? string : Value;
type Plain = string | number | boolean | null | undefined;

/** Facts with instants and lengths as the API writes them. */
export type FactsView<Value> = Value extends Plain
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly FactsView<Item>[]
    : {
        readonly [Name in keyof Value as NameOf<Name>]: [InstantOf<Name>] extends [never]
          ? FactsView<Value[Name]>
          : TextFor<Value[Name]>;
      };
