import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../../test/draws.ts";
import { HOUR, type Scene } from "../../../../test/engine-scene.ts";
import { plainTicketSums } from "../../../../test/plain/plain-ticket-log.ts";
import { go, MINUTE, presented, request, stage } from "../../../../test/ticket-scene.ts";
import { RESERVATION_DEFAULTS } from "../../../model/index.ts";
import { apply, createProjection } from "../../index.ts";

const TICKETS = ["t1", "t2"].map((id) =>
  presented({ id, amountMs: HOUR, untilMs: 2 * HOUR, expiresAtMs: 2 * HOUR }),
);
const ALL = { sharePpm: 1_000_000, consumerSharePpm: 1_000_000, offerSharePpm: 1_000_000 };
const WHOSE = { site: "here", consumer: "vo0/physics/anna", owner: "anna" };

/** One thing that somebody does; what it is about is chosen among what is there. */
interface Step {
  readonly does: (typeof DEEDS)[number];
  readonly which: number;
  readonly procs: number;
  readonly minutes: number;
  readonly aheadMinutes: number;
}

const DEEDS = [
  ...(["submit", "offer", "reserve", "reserve", "accept", "extend", "extend", "cancel"] as const),
  ...(["relinquish", "violate", "end", "cancelJob", "pass", "pass"] as const),
];

const steps = fc.array(
  fc.record<Step>({
    does: fc.constantFrom(...DEEDS),
    which: fc.nat(20),
    procs: fc.integer({ min: 1, max: 3 }),
    minutes: fc.integer({ min: 1, max: 15 }),
    aheadMinutes: fc.nat(10),
  }),
  { minLength: 12, maxLength: 40 },
);

function act(play: Scene, { does, which, procs, minutes, aheadMinutes }: Step, at: number): void {
  const ticket = TICKETS[which % TICKETS.length];
  const { reserved, jobs } = play.projection;
  const records = [...reserved.records.values()];
  const id = records[which % Math.max(records.length, 1)]?.id ?? "none";
  const job = [...jobs.keys()][which % Math.max(jobs.size, 1)];
  const slot = {
    procs,
    memoryBytes: 0,
    startMs: play.now + aheadMinutes * MINUTE,
    durationMs: minutes * MINUTE,
  };
  switch (does) {
    case "submit":
      play.ask(request(`j${at}`, { procs, limitMs: minutes * MINUTE, ticket }));
      break;
    case "offer":
      play.ask({ kind: "offerSlot", reservation: `r${at}`, ...WHOSE, ...slot, ticket });
      break;
    case "reserve":
      play.ask({ kind: "offerSlot", reservation: `r${at}`, ...WHOSE, ...slot, ticket });
      play.ask({ kind: "acceptOffer", reservation: `r${at}`, by: "anna" });
      break;
    case "accept":
      play.ask({ kind: "acceptOffer", reservation: id, by: "anna" });
      break;
    case "extend": {
      const more = { moreMs: minutes * MINUTE, mostFixedProcMs: Number.MAX_SAFE_INTEGER, by: "anna" };
      play.ask({ kind: "extendReservation", reservation: id, ...more });
      break;
    }
    case "cancel":
      play.ask({ kind: "cancelReservation", reservation: id, by: "anna" });
      break;
    case "relinquish":
      play.ask({ kind: "relinquish", reservation: id, by: "anna" });
      break;
    case "violate": {
      if (!["ACCEPTED", "ACTIVE"].includes(reserved.records.get(id)?.state ?? "")) break;
      play.tell({ kind: "reservationViolated", reservation: id, site: "here", why: "gone", refundProcMs: 0 });
      break;
    }
    case "end":
      if (job !== undefined && jobs.get(job)?.startedAtMs !== null) play.ended(job);
      break;
    case "cancelJob":
      if (job !== undefined) play.act("cancel", job);
      break;
    case "pass":
      play.now += minutes * MINUTE;
      go(play);
      break;
  }
}

describe("tickets under whatever happens", () => {
  it("EN-93 are never held and debited beyond their amount, and match a plain sum", () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        const play = stage(undefined, { reservations: { ...RESERVATION_DEFAULTS, ...ALL } });
        for (const [at, step] of sequence.entries()) {
          play.now++;
          act(play, step, at);
          const sums = plainTicketSums(play.log);
          for (const { name, heldMs, debitedMs, ticket } of play.projection.tickets.records.values()) {
            expect({ name, heldMs, debitedMs }).toEqual({ name, ...sums.get(name) });
            expect(heldMs + debitedMs).toBeLessThanOrEqual(ticket.amountMs);
          }
        }
        const again = createProjection();
        for (const event of play.log) apply(again, event);
        expect(again.tickets).toEqual(play.projection.tickets);
        play.now = 4 * HOUR;
        play.settle();
        for (const job of play.projection.jobs.keys()) play.act("cancel", job);
        for (const { heldMs } of play.projection.tickets.records.values()) expect(heldMs).toBe(0);
      }),
      draws(60),
    );
  });
});
