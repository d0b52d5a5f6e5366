/**
 * Scenes of the engine in which slots are offered and reserved.
 */
import { expect } from "vitest";
import { balanceOf } from "../src/market/index.ts";
import {
  type Command,
  RESERVATION_DEFAULTS,
  type ReservationRecord,
  type ReservationRules,
} from "../src/model/index.ts";
import { HOUR, type Scene, scene } from "./engine-scene.ts";

/** A group, and one of its users. */
export const GROUP = "vo/group";
/** See {@link GROUP}. */
export const USER = "vo/group/user";
/** The instant at which a scene begins. */
export const START = 1_000_000;
const ALL = 1_000_000;
/** Everybody may reserve all. */
export const RULES: ReservationRules = {
  ...RESERVATION_DEFAULTS,
  sharePpm: ALL,
  consumerSharePpm: ALL,
  offerSharePpm: ALL,
};

/** A request for an offer. */
export type Offer = Extract<Command, { kind: "offerSlot" }>;

/** Four processors, of which everybody may reserve all. */
export function site(rules: ReservationRules = RULES): Scene {
  const play = scene({ here: 4 });
  play.now = START;
  const spec = play.projection.sites.get("here")?.spec;
  if (spec === undefined) throw new Error("no site");
  expect(play.ask({ kind: "changeSite", site: "here", spec: { ...spec, reservations: rules } })).toBe("ok");
  play.settle();
  return play;
}

/** The request for all four for an hour, in an hour. */
export function request(id: string, more: Partial<Offer> = {}): Offer {
  return {
    kind: "offerSlot",
    reservation: id,
    site: "here",
    consumer: USER,
    owner: "u1",
    procs: 4,
    memoryBytes: 0,
    startMs: START + HOUR,
    durationMs: HOUR,
    ...more,
  };
}

/** Takes an offer. */
export const accept = (id: string): Command => ({ kind: "acceptOffer", reservation: id, by: "u1" });
/** Gives one up. */
export const cancel = (id: string): Command => ({ kind: "cancelReservation", reservation: id, by: "u1" });

/** Offered and taken. */
export function reserved(play: Scene, id = "r1", more: Partial<Offer> = {}): void {
  expect(play.ask(request(id, more))).toBe("ok");
  expect(play.ask(accept(id))).toBe("ok");
  play.settle();
}

/** What holds something under an id. */
export function record(play: Scene, id = "r1"): ReservationRecord | undefined {
  return play.projection.reserved.records.get(id);
}

/** Goes to an instant; gives the jobs that start. */
export function at(play: Scene, nowMs: number): string[] {
  play.now = nowMs;
  return play.settle();
}

/** What a consumer has. */
export function balance(play: Scene, consumer: string): number | undefined {
  const ledger = play.projection.sites.get("here")?.ledger;
  return ledger === undefined ? undefined : balanceOf(ledger, consumer);
}

/** What happened. */
export const kinds = (play: Scene): string[] => play.log.map(({ kind }) => kind);
