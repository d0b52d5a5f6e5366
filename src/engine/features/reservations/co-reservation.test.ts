import { describe, expect, it } from "vitest";
import { HOUR, type Scene, scene } from "../../../../test/engine-scene.ts";
import {
  accept,
  at,
  cancel,
  kinds,
  RULES,
  record,
  request,
  START,
  USER,
} from "../../../../test/reservation-scene.ts";
import { balanceOf } from "../../../market/index.ts";
import { apply, explain, livePricesCoReservation, observeReservation, type SiteState } from "../../index.ts";

/** This machine (4 processors), and two foreign sites that have been seen. */
function sites(): Scene {
  const play = scene({ here: 4 });
  play.now = START;
  for (const name of ["here", "far", "away"]) {
    if (name !== "here") play.foreign(name, 4);
    const spec = siteOf(play, name).spec;
    play.ask({ kind: "changeSite", site: name, spec: { ...spec, reservations: RULES } });
  }
  play.settle();
  play.look("far");
  play.look("away");
  return play;
}

function siteOf(play: Scene, name: string): SiteState {
  const site = play.projection.sites.get(name);
  if (site === undefined) throw new Error(`no site ${name}`);
  return site;
}

function offered(play: Scene, names: readonly string[], more = {}): string {
  const parts = names.map((site) => request(`t-${site}`, { site, procs: 2, ...more }));
  return play.ask({ kind: "offerTogether", together: "t", parts });
}

const states = (play: Scene) => ["here", "far", "away"].map((name) => record(play, `t-${name}`)?.state);

function jobIn(play: Scene, id: string) {
  const job = play.projection.jobs.get(id);
  if (job === undefined) throw new Error(`no job ${id}`);
  return job;
}

function told(play: Scene, name: string, why: string | null): void {
  const reservation = `t-${name}`;
  const report =
    why === null
      ? ({ reservation, kind: "made", siteReservation: `s-${name}`, endMs: START + 2 * HOUR } as const)
      : ({ reservation, kind: "failed", why } as const);
  for (const event of observeReservation(play.projection.reserved, report, play.now)) {
    play.log.push(event);
    apply(play.projection, event);
  }
  play.settle();
}

const paid = (play: Scene, name: string) => balanceOf(siteOf(play, name).ledger, USER) ?? 0;

describe("co-reserved slots", () => {
  it("EN-41 have a common start, at the sum of the prices", () => {
    const play = sites();
    play.submit("a", 4, { wallTimeMs: HOUR - 15_000, site: "here" });
    play.submit("b", 4, { wallTimeMs: HOUR - 15_000, site: "here" });
    play.settle();
    play.running("a");
    const parts = ["here", "far"].map((name) => ({ site: siteOf(play, name), procs: 2, memoryBytes: 0 }));
    const asked = { consumer: USER, durationMs: HOUR, when: { kind: "whenever" } } as const;
    const list = livePricesCoReservation(play.projection, parts, asked, play.now);
    expect(list.map(({ startMs, fixedProcMs }) => [startMs - START, fixedProcMs])).toEqual([
      [HOUR, 4 * HOUR],
      [2 * HOUR, 0],
    ]);
    expect(list[0].parts.map(({ site, fixedProcMs }) => [site, fixedProcMs])).toEqual([
      ["here", 4 * HOUR],
      ["far", 0],
    ]);
  });

  it("EN-41 are offered and accepted all or none", () => {
    const play = sites();
    expect(play.ask(request("r1", { site: "far", procs: 3 }))).toBe("ok");
    expect(offered(play, ["here", "far"])).toBe("slotTaken");
    expect(states(play)).toEqual([undefined, undefined, undefined]);
    expect(offered(play, ["here", "away"])).toBe("ok");
    const grant = {
      kind: "grant",
      grant: "g",
      site: "away",
      consumer: "vo/other",
      procMs: 1,
      by: "root",
    } as const;
    expect(play.ask(grant)).toBe("ok");
    expect(play.ask(accept("t-here"))).toBe("accountShort");
    expect(states(play)).toEqual(["OFFERED", undefined, "OFFERED"]);
    expect(paid(play, "here")).toBe(0);
    expect(play.ask({ ...grant, grant: "g2", consumer: "vo", procMs: 10 * HOUR })).toBe("ok");
    expect(play.ask(accept("t-away"))).toBe("ok");
    expect(states(play)).toEqual(["ACCEPTED", undefined, "ACCEPTED"]);
  });

  it.each([
    { what: "of the same site", names: ["here", "here"], more: {} },
    { what: "of no site", names: [], more: {} },
  ])("EN-41 $what are refused", ({ names, more }) => {
    expect(offered(sites(), names, more)).toBe("partsUnfit");
  });

  it("EN-41 if one site cannot make its part, the others are given up and everything is refunded", () => {
    const play = sites();
    offered(play, ["here", "far", "away"]);
    play.ask(accept("t-here"));
    told(play, "away", null);
    expect(states(play)).toEqual(["ACCEPTED", "ACCEPTED", "ACCEPTED"]);
    told(play, "far", "somebody else was faster");
    expect(states(play)).toEqual([undefined, undefined, undefined]);
    expect(["here", "far", "away"].map((name) => paid(play, name))).toEqual([0, 0, 0]);
    expect(kinds(play).filter((kind) => /Violated|Cancelled/.test(kind))).toEqual([
      "reservationViolated",
      "reservationCancelled",
      "reservationCancelled",
    ]);
  });

  it("EN-41 never made at two sites, the co-reservation ends once", () => {
    const play = sites();
    offered(play, ["far", "away"]);
    play.ask(accept("t-far"));
    at(play, START + 3 * HOUR);
    expect(kinds(play).filter((kind) => /Violated|Cancelled/.test(kind))).toEqual([
      "reservationViolated",
      "reservationCancelled",
    ]);
  });

  it("EN-41 whose start has come begin only when the last part has been made", () => {
    const play = sites();
    offered(play, ["here", "far", "away"], { startMs: START });
    play.ask(accept("t-here"));
    play.submit("a", 2, { reservation: "t-here" });
    play.settle();
    told(play, "away", null);
    expect(states(play)).toEqual(["ACCEPTED", "ACCEPTED", "ACCEPTED"]);
    const waits = { site: "here", reservation: "t-here", startMs: START, awaited: ["far"] };
    expect(explain(play.projection, jobIn(play, "a"), play.now)).toMatchObject({
      causes: [{ kind: "reservationTurn", ...waits }],
      predictedStartAtMs: null,
    });
    play.now = START + 1000;
    told(play, "far", null);
    expect(states(play)).toEqual(["ACTIVE", "ACTIVE", "ACTIVE"]);
    play.running("a");
    expect(play.state("a")).toBe("RUNNING");
  });

  it("EN-41 whose start has come are all given up if one site refuses its part", () => {
    const play = sites();
    offered(play, ["here", "far", "away"], { startMs: START });
    play.ask(accept("t-here"));
    play.settle();
    told(play, "away", null);
    play.now = START + 1000;
    told(play, "far", "somebody else was faster");
    expect(states(play)).toEqual([undefined, undefined, undefined]);
    expect(["here", "far", "away"].map((name) => paid(play, name))).toEqual([0, 0, 0]);
  });

  it.each([{ names: ["here", "far"] }, { names: ["far", "here"] }])(
    "EN-41 one of which is never made never begin: $names",
    ({ names }) => {
      const play = sites();
      offered(play, names);
      play.ask(accept("t-here"));
      at(play, START + 3 * HOUR);
      expect(kinds(play).filter((kind) => /Violated|Cancelled|Fulfilled|Began/.test(kind))).toEqual([
        "reservationViolated",
        "reservationCancelled",
      ]);
      expect(names.map((name) => paid(play, name))).toEqual([0, 0]);
    },
  );

  it("EN-41 cancelling one cancels all", () => {
    const play = sites();
    offered(play, ["here", "far"]);
    play.ask(accept("t-here"));
    expect(play.ask(cancel("t-far"))).toBe("ok");
    expect(states(play)).toEqual([undefined, undefined, undefined]);
  });
});
