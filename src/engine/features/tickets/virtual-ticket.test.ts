import { describe, expect, it } from "vitest";
import { HOUR, type Scene } from "../../../../test/engine-scene.ts";
import { go, leftOf, MINUTE, NAME, presented, request, stage } from "../../../../test/ticket-scene.ts";
import { RESERVATION_DEFAULTS, type Ticket, type VirtualReservationSlot } from "../../../model/index.ts";

const S = 30 * MINUTE;
const D = 30 * MINUTE;
const SUBMIT = 10 * MINUTE;
const SLOT: VirtualReservationSlot = { startMs: S, durationMs: D, submitMs: SUBMIT, probability: 0.9 };
const LIMIT = S + D - SUBMIT;

function submit(
  play: Scene,
  change: Partial<Ticket> = {},
  more: Partial<VirtualReservationSlot> = {},
): string {
  const { description, ...rest } = request("v", { procs: 2, limitMs: LIMIT, ticket: presented(change) });
  return play.ask({ ...rest, description: { ...description, virtual: { ...SLOT, ...more } } });
}

/** A priced one and a virtual one, of which both are under the ticket. */
function combined(transactionProcMs: number): Scene {
  const reservations = { ...RESERVATION_DEFAULTS, transactionProcMs };
  const play = stage(undefined, { reservations });
  const whose = { site: "here", consumer: "vo0/physics/anna", owner: "anna" };
  const slot = { procs: 2, memoryBytes: 0, startMs: S, durationMs: D };
  const ticket = presented({ amountMs: 3 * HOUR });
  play.ask({ kind: "offerSlot", reservation: "r", ...whose, ...slot, ticket });
  expect(play.ask({ kind: "acceptOffer", reservation: "r", by: "anna" })).toBe("ok");
  expect(submit(play, { amountMs: 3 * HOUR }, { besides: "r" })).toBe("ok");
  expect(leftOf(play)).toBe(3 * HOUR - 2 * D - 2 * LIMIT);
  return play;
}

describe("virtual reservations under tickets", () => {
  it("EN-93 holds its job's limit, and is debited the time it ran, idle time included", () => {
    const play = stage();
    expect(submit(play)).toBe("ok");
    expect(leftOf(play)).toBe(2 * HOUR - 2 * LIMIT);
    play.now = SUBMIT;
    expect(go(play)).toEqual(["v"]);
    play.now = S + 10 * MINUTE;
    play.ended("v");
    expect(play.projection.tickets.records.get(NAME)).toMatchObject({
      ...{ heldMs: 0, debitedMs: 2 * (S + 10 * MINUTE - SUBMIT), jobs: 1 },
    });
  });

  it.each<[string, Partial<Ticket>, string]>([
    ["that begins when it goes to its site", { fromMs: SUBMIT }, "ok"],
    ["that begins later", { fromMs: SUBMIT + 1 }, "ticketRefused"],
    ["that ends with it", { untilMs: S + D }, "ok"],
    ["that ends before", { untilMs: S + D - 1 }, "ticketRefused"],
  ])("EN-93 in a window %s", (_, change, answered) => {
    expect(submit(stage(), change)).toBe(answered);
  });

  it("EN-93 one not running in time releases its hold", () => {
    const play = stage();
    play.ask(request("other", { procs: 9, limitMs: 50 * MINUTE, consumer: "vo1" }));
    submit(play);
    go(play);
    play.now = S + 1;
    play.settle();
    expect(play.state("v")).toBe("CANCELLED");
    expect(leftOf(play)).toBe(2 * HOUR);
  });

  it("EN-93 a priced reservation given up in a combined request leaves the ticket", () => {
    const play = combined(4 * HOUR);
    play.now = SUBMIT;
    expect(go(play)).toEqual(["v"]);
    play.settle();
    expect(play.log.map(({ kind }) => kind)).toContain("reservationCancelled");
    expect(leftOf(play)).toBe(3 * HOUR - 2 * LIMIT);
  });

  it("EN-93 a job that continues in the priced reservation leaves the ticket, debited its idle time", () => {
    const play = combined(0);
    play.now = SUBMIT;
    expect(go(play)).toEqual(["v"]);
    play.settle();
    play.now += 5 * MINUTE;
    play.ended("v", { cause: "cancelled" });
    expect(play.records.get("v")).toMatchObject({ description: { reservation: "r" }, ticket: { heldMs: 0 } });
    expect(leftOf(play)).toBe(3 * HOUR - 2 * D - 10 * MINUTE);
    play.now = S;
    expect(go(play)).toEqual(["v"]);
    play.now = S + 10 * MINUTE;
    play.ended("v");
    play.now = S + D;
    play.settle();
    expect(play.projection.tickets.records.get(NAME)).toMatchObject({
      ...{ heldMs: 0, debitedMs: 2 * D + 10 * MINUTE },
    });
  });
});
