import { describe, expect, it } from "vitest";
import { type Scene, scene } from "../../test/engine-scene.ts";
import type { StintEvent } from "../model/index.ts";
import { apply, decide, noteTrouble, observeSurvey, outdated, outdatedText, takeSurvey } from "./index.ts";

const BY = { by: "ann" } as const;
const EMPTY = { atMs: 1000, jobs: [], ended: [], reservations: [] } as const;

/** The decision, and why each of its events is outdated after what somebody did. */
function decidedBefore(play: Scene, happens: () => void) {
  const { events } = decide(play.projection, play.now);
  for (const event of events) expect(outdated(play.projection, event), event.kind).toBeUndefined();
  happens();
  return events.map((event) => [event.kind, outdated(play.projection, event)]);
}

describe("what was decided or reported before the state moved on", () => {
  it("a job is not placed that was cancelled, that another has placed, or whose site is gone", () => {
    const cancelled = scene({ here: 4 });
    cancelled.submit("a", 1);
    const over = { kind: "jobOver", job: "a" };
    expect(decidedBefore(cancelled, () => void cancelled.act("cancel", "a"))).toEqual([["jobPlaced", over]]);
    const placed = scene({ here: 4 });
    placed.submit("a", 1);
    const twice = { kind: "jobPlaced", job: "a", site: "here" };
    expect(decidedBefore(placed, () => void placed.settle())).toEqual([["jobPlaced", twice]]);
    const removed = scene({ here: 4 });
    removed.submit("a", 1);
    const gone = { kind: "siteGone", site: "here" };
    const remove = () => removed.tell({ kind: "siteRemoved", site: "here", ...BY });
    expect(decidedBefore(removed, remove)).toEqual([["jobPlaced", gone]]);
  });

  it("a queue is not settled whose job was cancelled, or whose site is gone; it is decided anew", () => {
    const play = scene({ here: 4 });
    play.submit("a", 1);
    play.submit("b", 1);
    for (const event of decide(play.projection, play.now).events) apply(play.projection, event);
    const over = { kind: "jobOver", job: "a" };
    expect(decidedBefore(play, () => void play.act("cancel", "a"))).toEqual([["queueSettled", over]]);
    expect(play.settle()).toEqual(["b"]);
    const settled: StintEvent = { kind: "queueSettled", site: "there", starts: [], atMs: play.now };
    expect(outdated(play.projection, settled)).toEqual({ kind: "siteGone", site: "there" });
  });

  it("nothing is recorded of attempts, tickets and virtual reservations of jobs that are over", () => {
    const { projection } = scene({ here: 4 });
    const of = { job: "a", attempt: 1, atMs: 1000 } as const;
    const end = { cause: "exited", exitCode: 0, signal: null, cpuMs: null, detail: null } as const;
    const events: readonly StintEvent[] = [
      { kind: "attemptQueued", siteJob: "7", ...of },
      { kind: "attemptRunning", ...of },
      { kind: "attemptRequeued", ...of },
      { kind: "attemptHeld", ...of },
      { kind: "attemptReleased", ...of },
      { kind: "attemptSuspended", ...of },
      { kind: "attemptResumed", ...of },
      { kind: "attemptEnded", end, ...of },
      { kind: "virtualGivenUp", instead: "r", ...of },
      { kind: "ticketDebited", ...{ ticket: "t", amountMs: 1, why: "ended", site: "here" }, ...of },
    ];
    for (const event of events)
      expect(outdated(projection, event), event.kind).toEqual({ kind: "jobOver", job: "a" });
  });

  it("nothing is recorded of what enforcers do, and of shares, at a site that is gone", () => {
    const { projection } = scene({ here: 4 });
    const at = { site: "there", atMs: 1000 } as const;
    const events: readonly StintEvent[] = [
      { kind: "enforced", actions: [], ...at },
      { kind: "enforcementAdvised", actions: [], ...at },
      { kind: "enforcementAnswered", verb: "hold", jobs: ["7"], commands: [], refused: [], ...at },
      { kind: "sharesAnswered", outcomes: [], ...at },
    ];
    for (const event of events)
      expect(outdated(projection, event), event.kind).toEqual({ kind: "siteGone", site: "there" });
    for (const event of events)
      expect(outdated(projection, { ...event, site: "here" } as StintEvent), event.kind).toBeUndefined();
  });

  it("nothing is recorded of reservations that are over", () => {
    const { projection } = scene({ here: 4 });
    const of = { reservation: "r", site: "here", atMs: 1000 } as const;
    const events: readonly StintEvent[] = [
      { kind: "offerLapsed", ...of },
      { kind: "reservationMade", siteReservation: "7", endMs: 2000, ...of },
      { kind: "reservationBegan", ...of },
      { kind: "reservationSettled", starts: [], ...of },
      { kind: "reservationFulfilled", ...of },
      { kind: "reservationViolated", refundProcMs: 0, why: "it is gone", ...of },
      { kind: "reservationDebited", ...{ ticket: "t", amountMs: 1, why: "ended", site: "here" }, ...of },
      { kind: "extensionRefused", lessMs: 1, refundProcMs: 0, why: "it is taken", ...of },
    ];
    const over = { kind: "reservationOver", reservation: "r" };
    for (const event of events) expect(outdated(projection, event), event.kind).toEqual(over);
  });

  it("a look at a site that is gone, and its trouble, count for nothing", () => {
    const play = scene({ here: 4 });
    const look = { site: "far", survey: EMPTY, patienceMs: 0 };
    expect(observeSurvey(play.projection, look, play.now)).toEqual([]);
    takeSurvey(play.projection, "far", EMPTY, play.now);
    noteTrouble(play.projection, "far", "it does not answer");
    expect([...play.projection.sites.keys()]).toEqual(["here"]);
  });

  it("says in words what has changed", () => {
    expect(outdatedText({ kind: "siteGone", site: "far" })).toBe("site far has been removed");
    expect(outdatedText({ kind: "jobOver", job: "a" })).toBe("job a is over");
    expect(outdatedText({ kind: "jobPlaced", job: "a", site: "far" })).toBe("job a is at far already");
    expect(outdatedText({ kind: "reservationOver", reservation: "r" })).toBe("reservation r is over");
  });
});
