import { describe, expect, it } from "vitest";
import type { FACT_INSTANTS } from "../contract/index.ts";
import type { ClusterExplanation, Unfit } from "../engine/index.ts";
import type { EnforcementCause, Explanation, Refusal, ReservationHindrance } from "../model/index.ts";
import { factsView } from "./facts-view.ts";

type Facts = Refusal | Explanation | ClusterExplanation | Unfit | ReservationHindrance | EnforcementCause;
type MsNames<Value> = Value extends string | number | boolean | null | undefined
  ? never
  : Value extends readonly (infer Item)[]
    ? MsNames<Item>
    : { [Name in keyof Value & string]: OwnMs<Name> | MsNames<Value[Name]> }[keyof Value & string];
type OwnMs<Name> = Name extends `${string}Ms` ? Name : never;
type Length = Exclude<MsNames<Facts>, keyof typeof FACT_INSTANTS | `${string}AtMs` | `${string}ProcMs`>;

/** Whatever is no instant is a length: a new fact that is neither does not compile here. */
const LENGTHS: Readonly<Record<Length, true>> = {
  amountMs: true,
  leftMs: true,
  queueTimeMs: true,
  debitedMs: true,
  durationMs: true,
  entitledMs: true,
  heldMs: true,
  lengthMs: true,
  limitMs: true,
  longestMs: true,
  mostMs: true,
  neededMs: true,
  offsetMs: true,
  promisedMs: true,
  transferMs: true,
  wallTimeMs: true,
};

describe("facts over the API", () => {
  it("have instants as text, lengths in seconds, and money as it is", () => {
    const facts = {
      kind: "tooLong",
      ...{ startMs: 1000, endMs: null, expiredAtMs: 0, durationMs: 1500, fixedProcMs: 7 },
      inner: [{ atMs: Date.UTC(2026, 10, 20), limitMs: null }, "waitMs"],
    };
    expect(factsView(facts)).toEqual({
      kind: "tooLong",
      ...{ startAt: "1970-01-01T00:00:01.000Z", endAt: null, expiredAt: "1970-01-01T00:00:00.000Z" },
      ...{ durationSec: 1.5, fixedProcMs: 7 },
      inner: [{ at: "2026-11-20T00:00:00.000Z", limitSec: null }, "waitMs"],
    });
  });

  it("leave no name in milliseconds", () => {
    const named = Object.fromEntries(Object.keys(LENGTHS).map((name) => [name, 2000]));
    expect(new Set(Object.values(factsView(named)))).toEqual(new Set([2]));
    expect(Object.keys(factsView(named)).filter((name) => !name.endsWith("Sec"))).toEqual([]);
  });
});
