import { describe, expect, it } from "vitest";
import { HOUR, NOTHING_STORED, type Scene, scene } from "../../../../test/engine-scene.ts";
import {
  at,
  balance,
  type Offer,
  RULES,
  record,
  request,
  reserved,
  START,
  site,
  USER,
} from "../../../../test/reservation-scene.ts";
import type { PriceRule, ReservationRules } from "../../../model/index.ts";
import {
  apply,
  createProjection,
  extensionPrice,
  livePrices,
  livePricesCoReservation,
  restore,
} from "../../index.ts";

/** A clock on which the scene begins at midnight. */
const CLOCK = -START;
const DAY = 24 * HOUR;

function rule(name: string, change: Partial<PriceRule> = {}): PriceRule {
  return {
    ...{ name, clockMs: CLOCK, fromMs: 0, untilMs: DAY, days: null, consumers: null, slots: null },
    ...{ unitPriceThousandths: 1000, transactionProcMs: 0 },
    ...change,
  };
}

/** Until two o'clock 2 SU for an SU, then 1.5 with 3 SU for each reservation; for jobs in the queue 5. */
const PRICED: ReservationRules = {
  ...RULES,
  prices: [
    rule("queue", { slots: ["queued"], unitPriceThousandths: 5000 }),
    rule("early", { untilMs: 2 * HOUR, unitPriceThousandths: 2000 }),
    rule("late", { unitPriceThousandths: 1500, transactionProcMs: 3 * HOUR, slots: ["reservation"] }),
    rule("both", { unitPriceThousandths: 4000 }),
  ],
};

function prices(play: Scene, more: Partial<Offer> = {}) {
  const { consumer, procs, memoryBytes, durationMs, startMs } = request("?", more);
  const here = play.projection.sites.get("here");
  if (here === undefined) throw new Error("no site");
  const asked = { consumer, procs, memoryBytes, durationMs, when: { kind: "at", startMs } } as const;
  return { first: livePrices(play.projection, here, asked, play.now)[0], here, asked };
}

describe("price rules of a site", () => {
  it("EN-84 a quote is priced by those that fit the time, the consumer and the kind, and names them", () => {
    const play = site(PRICED);
    const { first, here, asked } = prices(play, { durationMs: 2 * HOUR });
    expect(first).toMatchObject({
      ...{
        unitPriceThousandths: 2000,
        transactionProcMs: 0,
        baseProcMs: 4 * (2 + 1.5) * HOUR,
        fixedProcMs: 0,
      },
      rules: [
        { rule: "early", unitPriceThousandths: 2000, durationMs: HOUR },
        { rule: "late", unitPriceThousandths: 1500, durationMs: HOUR },
      ],
    });
    expect(prices(play, { startMs: START + 2 * HOUR }).first).toMatchObject({
      ...{ baseProcMs: 6 * HOUR, transactionProcMs: 3 * HOUR, fixedProcMs: 3 * HOUR },
    });
    const parts = [{ site: here, procs: 4, memoryBytes: 0 }];
    const [together] = livePricesCoReservation(play.projection, parts, asked, play.now);
    expect(together?.parts[0]?.rules.map(({ rule: name }) => name)).toEqual(["early", "both"]);
  });

  it("EN-84 what was sold keeps its rules, whatever the site asks for later", () => {
    const play = site(PRICED);
    reserved(play, "r1", { durationMs: 2 * HOUR });
    expect(record(play)?.rules?.map(({ rule: name }) => name)).toEqual(["early", "late"]);
    const { here } = prices(play);
    const dear = { ...RULES, unitPriceThousandths: 9000 };
    expect(play.ask({ kind: "changeSite", site: "here", spec: { ...here.spec, reservations: dear } })).toBe(
      "ok",
    );
    play.settle();
    expect(prices(play, { startMs: START + 5 * HOUR }).first?.baseProcMs).toBe(36 * HOUR);
    const sold = record(play);
    if (sold === undefined) throw new Error("it holds something");
    const { here: changed } = prices(play);
    expect(extensionPrice(play.projection, changed, { record: sold, moreMs: HOUR }, play.now)).toMatchObject({
      ...{ baseProcMs: 6 * HOUR, fixedProcMs: 3 * HOUR },
    });
    const more = { kind: "extendReservation", reservation: "r1", moreMs: HOUR, by: "u1" } as const;
    expect(play.ask({ ...more, mostFixedProcMs: 3 * HOUR })).toBe("ok");
    expect(record(play)).toMatchObject({
      ...{ baseProcMs: 20 * HOUR, fixedProcMs: 3 * HOUR },
      rules: [
        { rule: "early", durationMs: HOUR },
        { rule: "late", durationMs: 2 * HOUR },
      ],
    });
    at(play, START + 2 * HOUR);
    const before = balance(play, USER) ?? 0;
    expect(play.ask({ kind: "relinquish", reservation: "r1", by: "u1" })).toBe("ok");
    expect((balance(play, USER) ?? 0) - before).toBe(0.9 * 12 * HOUR);
    const replayed = createProjection();
    for (const event of play.log) apply(replayed, event);
    expect(replayed.sites.get("here")?.ledger).toEqual(play.projection.sites.get("here")?.ledger);
  });

  it("EN-84 a job that queued is charged by the rules of the time in which it ran", () => {
    const play = site(PRICED);
    play.submit("a", 2, { wallTimeMs: HOUR });
    play.settle();
    play.running("a");
    play.now = START + HOUR / 2;
    play.ended("a");
    play.settle();
    expect(balance(play, "vo")).toBe(-5 * HOUR);
  });

  it("EN-39 EN-84 a job goes where its account covers what its time costs there, not its time alone", () => {
    const play = scene({ here: 4, there: 4 });
    play.now = START;
    const spec = play.projection.sites.get("here")?.spec;
    if (spec === undefined) throw new Error("no site");
    play.ask({ kind: "changeSite", site: "here", spec: { ...spec, reservations: PRICED } });
    const granted = (name: string, procMs: number) =>
      play.ask({ kind: "grant", grant: name, site: name, consumer: "vo", procMs, by: "u" });
    granted("here", 19 * HOUR);
    granted("there", 4 * HOUR);
    expect(play.submit("j", 4, { wallTimeMs: HOUR })).toBe("ok");
    play.settle();
    expect(play.records.get("j")?.site).toBe("there");
    play.ask({ kind: "grant", grant: "more", site: "here", consumer: "vo", procMs: HOUR, by: "u" });
    expect(play.submit("k", 4, { wallTimeMs: HOUR })).toBe("ok");
    play.settle();
    expect(play.records.get("k")?.site).toBe("here");
  });

  it("EN-84 a site without price rules sells as before, and keeps nothing of them", () => {
    const play = site({ ...RULES, unitPriceThousandths: 1250, transactionProcMs: 7 });
    reserved(play);
    expect(record(play)).toMatchObject({ baseProcMs: 5 * HOUR, fixedProcMs: 7, unitPriceThousandths: 1250 });
    expect(record(play)).not.toHaveProperty("priceBook");
    const again = restore(
      { ...NOTHING_STORED, reservations: [...play.projection.reserved.records.values()] },
      5,
    );
    expect(again.reserved.records.get("r1")).toEqual(record(play));
  });
});
