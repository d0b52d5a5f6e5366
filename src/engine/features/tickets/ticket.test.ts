import { describe, expect, it } from "vitest";
import { HOUR, NOTHING_STORED, type Scene, shown } from "../../../../test/engine-scene.ts";
import {
  go,
  type JobRequest,
  leftOf,
  MINUTE,
  NAME,
  policy,
  presented,
  request,
  SHARES,
  stage,
  trust,
} from "../../../../test/ticket-scene.ts";
import { type Command, ENFORCEMENT_DEFAULTS, type Refusal } from "../../../model/index.ts";
import { answer, apply, createProjection, decide, restore } from "../../index.ts";

function refusalOf(play: Scene, job: string, more: JobRequest): Refusal | undefined {
  const answered = answer(play.projection, request(job, more), play.now);
  return answered.ok ? undefined : answered.refusal;
}

function whyNot(play: Scene, more: JobRequest): string {
  const refusal = refusalOf(play, "asked", more);
  return refusal?.kind === "ticketRefused" ? refusal.why.kind : (refusal?.kind ?? "taken");
}

describe("a job that comes with a ticket", () => {
  it.each<[string, JobRequest, string]>([
    ["that is good", { ticket: presented() }, "taken"],
    ["signed by a key that nobody trusts", { ticket: presented({}, "k2") }, "notSigned"],
    ["of another VO than the key's", { ticket: presented({ vo: "vo1", consumer: "vo1" }) }, "notSigned"],
    ["of another site", { ticket: presented({ site: "there" }) }, "wrongSite"],
    ["of somebody else", { ticket: presented(), consumer: "vo0/biology/bob" }, "wrongConsumer"],
    ["that has expired", { ticket: presented({ expiresAtMs: 1000 }) }, "expired"],
    ["that is for GPUs and needs none", { ticket: presented({ resource: "gpu" }) }, "resourceNotNeeded"],
    ["for more than its VO has", { ticket: presented({ amountMs: 5 * HOUR + 1 }) }, "beyondEntitlement"],
    ["for all that its VO has", { ticket: presented({ amountMs: 5 * HOUR }) }, "taken"],
    ["that it does not fit into", { ticket: presented({ amountMs: MINUTE }) }, "spent"],
  ])("EN-92 %s", (_, more, outcome) => {
    expect(whyNot(stage(), more)).toBe(outcome);
  });

  it("EN-92 a VO that no policy names has nothing to issue tickets from", () => {
    expect(whyNot(stage([policy("vo1", 50)]), { ticket: presented() })).toBe("beyondEntitlement");
  });

  it("EN-92 cannot also name a reservation", () => {
    const play = stage();
    const slot = { procs: 1, memoryBytes: 0, startMs: play.now, durationMs: HOUR };
    const whose = { site: "here", consumer: "vo0", owner: "anna" };
    play.ask({ kind: "offerSlot", reservation: "r", ...slot, ...whose });
    play.ask({ kind: "acceptOffer", reservation: "r", by: "anna" });
    const { description, ...rest } = request("j", { ticket: presented() });
    const inIt: Command = { ...rest, description: { ...description, reservation: "r" } };
    expect(answer(play.projection, inIt, play.now)).toMatchObject({
      refusal: { kind: "ticketRefused", why: { kind: "besides", other: "reservation" } },
    });
  });

  it("EN-92 copies of a ticket count as one, and its remaining amount decides", () => {
    const play = stage();
    const big = { procs: 3, limitMs: 30 * MINUTE };
    expect(play.ask(request("j1", { ...big, ticket: presented() }))).toBe("ok");
    expect(refusalOf(play, "j2", { ...big, ticket: presented() })).toMatchObject({
      kind: "ticketRefused",
      ticket: NAME,
      why: { kind: "spent", amountMs: 2 * HOUR, heldMs: 90 * MINUTE, debitedMs: 0, neededMs: 90 * MINUTE },
    });
    expect(whyNot(play, { procs: 1, limitMs: 30 * MINUTE, ticket: presented() })).toBe("taken");
    expect(whyNot(play, { ticket: presented({ amountMs: 3 * HOUR }) })).toBe("altered");
  });

  it("EN-92 a key is trusted for one VO and revoked for good; accepted jobs go on", () => {
    const play = stage();
    expect(trust(play, "k1", "vo1")).toBe("idInUse");
    expect(trust(play, "k9", "vo0/physics")).toBe("consumerInvalid");
    expect(play.ask(request("j1", { ticket: presented() }))).toBe("ok");
    expect(play.ask({ kind: "revokeTicketKey", key: "k2", by: "admin" })).toBe("unknownTicketKey");
    expect(play.ask({ kind: "revokeTicketKey", key: "k1", by: "admin" })).toBe("ok");
    expect(play.ask({ kind: "revokeTicketKey", key: "k1", by: "admin" })).toBe("ticketKeyRevoked");
    expect(trust(play, "k1")).toBe("idInUse");
    expect(whyNot(play, { ticket: presented() })).toBe("keyRevoked");
    expect(go(play)).toEqual(["j1"]);
  });
});

describe("what jobs use of tickets", () => {
  it("EN-93 is debited when they end, and the rest of their hold is released", () => {
    const play = stage();
    play.ask(request("j1", { procs: 2, limitMs: 20 * MINUTE, ticket: presented() }));
    expect(leftOf(play)).toBe(80 * MINUTE);
    go(play);
    play.now += 5 * MINUTE;
    play.ended("j1");
    expect(play.log.filter(({ kind }) => kind === "ticketDebited")).toMatchObject([
      { ticket: NAME, job: "j1", site: "here", amountMs: 10 * MINUTE, why: "ended" },
    ]);
    expect(play.projection.tickets.records.get(NAME)).toMatchObject({
      ...{ heldMs: 0, debitedMs: 10 * MINUTE, jobs: 1 },
    });
  });

  it("EN-93 a job cancelled before it runs releases its hold and is debited nothing", () => {
    const play = stage();
    play.ask(request("j1", { ticket: presented() }));
    play.settle();
    expect(leftOf(play)).toBe(110 * MINUTE);
    play.tell({ kind: "jobCancelled", job: "j1" });
    expect(leftOf(play)).toBe(2 * HOUR);
    expect(play.log.some(({ kind }) => kind === "ticketDebited")).toBe(false);
  });

  it("EN-93 a job that exceeds its limit is debited no more than it held", () => {
    const play = stage();
    play.ask(request("j1", { procs: 2, limitMs: MINUTE, ticket: presented() }));
    go(play);
    play.now += 3 * MINUTE;
    play.ended("j1", { cause: "timeLimit" });
    expect(play.projection.tickets.records.get(NAME)).toMatchObject({ heldMs: 0, debitedMs: 2 * MINUTE });
  });

  it("EN-93 EN-94 at the end of the window jobs leave the ticket, debited what they used in it", () => {
    const play = stage();
    play.now = HOUR - 30 * MINUTE;
    const limit = { limitMs: 30 * MINUTE, ticket: presented() };
    play.ask(request("j1", { procs: 2, ...limit }));
    play.ask(request("j2", { procs: 1, ...limit }));
    play.now += 10 * MINUTE;
    go(play);
    expect(decide(play.projection, play.now).wakeAtMs).toBeLessThanOrEqual(HOUR);
    play.now = HOUR + 5;
    play.settle();
    const debits = play.log.filter(({ kind }) => kind === "ticketDebited");
    expect(debits).toMatchObject([
      { job: "j1", amountMs: 40 * MINUTE, why: "windowOver" },
      { job: "j2", amountMs: 20 * MINUTE, why: "windowOver" },
    ]);
    play.ended("j1");
    expect(play.log.filter(({ kind }) => kind === "ticketDebited")).toHaveLength(2);
    expect(play.projection.tickets.records.get(NAME)).toMatchObject({ heldMs: 0, debitedMs: HOUR });
  });

  it("EN-93 is the same after a restart, and computed again from the log", () => {
    const play = stage();
    play.ask(request("j1", { procs: 2, limitMs: 20 * MINUTE, ticket: presented() }));
    play.ask(request("j2", { procs: 1, limitMs: 20 * MINUTE, ticket: presented() }));
    go(play);
    play.now += 5 * MINUTE;
    play.ended("j1");
    const again = createProjection();
    for (const event of play.log) apply(again, event);
    expect(again.tickets).toEqual(play.projection.tickets);
    const { tickets, jobs } = play.projection;
    const views = {
      ...NOTHING_STORED,
      jobs: [...jobs.values()],
      tickets: [...tickets.records.values()],
      ticketKeys: [...tickets.keys.values()],
    };
    const restored = restore(JSON.parse(JSON.stringify(views)), play.now);
    expect(restored.tickets).toEqual(tickets);
    expect(restored.jobs.get("j2")?.ticket).toMatchObject({ name: NAME, heldMs: 20 * MINUTE });
  });
});

describe("what a ticket gives", () => {
  it("EN-94 jobs may pass limits below the VO, but not the VO's own", () => {
    const play = stage();
    play.ask(request("first", {}));
    play.ask(request("plain", {}));
    expect(go(play)).toEqual(["first"]);
    expect(play.records.get("plain")?.enforced?.isHeld).toBe(true);
    play.ask(request("under", { procs: 4, ticket: presented() }));
    expect(go(play)).toEqual(["under"]);
    play.ask(request("more", { procs: 1, ticket: presented() }));
    expect(go(play)).toEqual([]);
    play.now += MINUTE;
    play.ended("under");
    expect(go(play)).toEqual(["more"]);
  });

  it("EN-94 jobs do not wait for their turn at the organisation's enforcer", () => {
    const play = stage();
    play.ask({ kind: "changeVo", vo: "vo0", selector: null, enforcement: { extraPpm: 0 }, by: "boss" });
    play.ask(request("first", {}));
    play.ask(request("plain", {}));
    play.ask(request("under", { procs: 2, ticket: presented() }));
    play.settle();
    expect(play.state("plain")).toBe("WAITING");
    expect(play.records.get("under")?.site).toBe("here");
  });

  it("EN-94 holds at a foreign site too, from its snapshot", () => {
    const play = stage();
    play.foreign("far", 10);
    const enforcement = { ...ENFORCEMENT_DEFAULTS, granted: ["hold"] as const };
    const spec = play.projection.sites.get("far")?.spec;
    if (spec === undefined) throw new Error("no such site");
    play.ask({ kind: "changeSite", site: "far", spec: { ...spec, enforcement } });
    const there = SHARES.map((it) => (it.provider === "here" ? { ...it, provider: "far" } : it));
    const apply_ = { effectiveFromMs: null, onVersion: null, by: "admin", note: "" };
    play.ask({ kind: "applyPolicies", policies: there, ...apply_ });
    play.look("far");
    const ticket = presented({ site: "far" });
    const submitted = ["first", "plain", "under"];
    for (const job of submitted) {
      const under = job === "under" ? { procs: 2, ticket } : {};
      play.ask(request(job, { site: "far", ...under }));
      play.settle();
      play.report({ kind: "queued", job, attempt: 1, siteJob: job, atMs: play.now });
    }
    const { now: submittedAtMs } = play;
    const jobs = submitted.map((job) =>
      shown(job, `${job}/1`, { procs: job === "under" ? 2 : 1, submittedAtMs }),
    );
    play.look("far", { jobs });
    play.settle();
    const last = new Map(play.actions.map(({ action }) => [action.job, action.verb]));
    expect(last.get("plain")).toBe("hold");
    expect(last.get("first")).not.toBe("hold");
    expect(last.get("under")).not.toBe("hold");
  });
});
