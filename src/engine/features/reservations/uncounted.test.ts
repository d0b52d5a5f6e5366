import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../../test/draws.ts";
import { HOUR, NOTHING_STORED, type Scene, scene } from "../../../../test/engine-scene.ts";
import {
  accept,
  balance,
  GROUP,
  RULES,
  record,
  request,
  START,
  USER,
} from "../../../../test/reservation-scene.ts";
import { MOST_PROC_MS } from "../../../market/index.ts";
import { apply, createProjection, livePrices, restore } from "../../index.ts";

const YEAR = 366 * 24 * HOUR;

/** A million processors at the highest price, of which anybody may reserve all, for a year. */
function dearSite(): Scene {
  const play = scene({ here: 1_000_000 });
  play.now = START;
  const spec = play.projection.sites.get("here")?.spec;
  if (spec === undefined) throw new Error("no site");
  const rules = { ...RULES, aheadMs: 2 * YEAR, farSharePpm: 1_000_000, unitPriceThousandths: 1_000_000 };
  play.ask({ kind: "changeSite", site: "here", spec: { ...spec, reservations: rules } });
  play.settle();
  return play;
}

const large = { procs: 1_000_000, durationMs: YEAR };

function prices(play: Scene, { procs, durationMs }: typeof large) {
  const here = play.projection.sites.get("here");
  if (here === undefined) throw new Error("no site");
  const asked = { consumer: USER, memoryBytes: 0, when: { kind: "whenever" } } as const;
  return livePrices(play.projection, here, { ...asked, procs, durationMs }, play.now);
}

describe("a price that cannot be counted", () => {
  it("is quoted as impossible, and refused", () => {
    const play = dearSite();
    expect(prices(play, large)).toMatchObject([
      { baseProcMs: MOST_PROC_MS, hindrance: { kind: "uncounted", ...large } },
    ]);
    expect(play.ask(request("r1", large))).toBe("priceUncounted");
    const parts = [request("r2", large)];
    expect(play.ask({ kind: "offerTogether", together: "t", parts })).toBe("priceUncounted");
    expect(record(play)).toBeUndefined();
    expect(play.submit("a", 1_000_000, { wallTimeMs: YEAR })).toBe("priceUncounted");
    expect(play.submit("b", 1, { wallTimeMs: Number.MAX_SAFE_INTEGER })).toBe("priceUncounted");
    expect(play.submit("c", 1, { wallTimeMs: HOUR })).toBe("ok");
  });

  it("refuses an extension that makes it so", () => {
    const play = dearSite();
    const hours = 2500;
    expect(play.ask(request("r1", { procs: 1_000_000, durationMs: HOUR }))).toBe("ok");
    expect(play.ask(accept("r1"))).toBe("ok");
    const more = (moreMs: number) =>
      play.ask({ kind: "extendReservation", reservation: "r1", moreMs, mostFixedProcMs: 0, by: "u1" });
    expect(more(hours * HOUR)).toBe("priceUncounted");
    expect([more(HOUR), more(HOUR)]).toEqual(["ok", "priceUncounted"]);
  });

  it("an ended job is charged up to the limit, and balances go beyond it", () => {
    const play = dearSite();
    expect(play.submit("a", 1_000_000, { wallTimeMs: 2 * HOUR })).toBe("ok");
    play.settle();
    play.running("a");
    play.now = START + 24 * HOUR;
    play.ended("a");
    expect(balance(play, USER)).toBe(-MOST_PROC_MS);
    expect(play.submit("b", 1_000_000, { wallTimeMs: 2 * HOUR })).toBe("ok");
    play.settle();
    play.running("b");
    play.now += 24 * HOUR;
    play.ended("b");
    expect(balance(play, USER)).toBe(-2 * MOST_PROC_MS);
  });

  it("grants beyond the limit are kept exactly, also over a restart", () => {
    const play = dearSite();
    for (let time = 0; time < 5; time++) {
      const grant = { kind: "grant", grant: `g${time}`, site: "here", consumer: GROUP, by: "u" } as const;
      expect(play.ask({ ...grant, procMs: Number.MAX_SAFE_INTEGER })).toBe("ok");
    }
    const kept = [...(play.projection.sites.get("here")?.ledger.balances ?? [])];
    expect(kept.map(([, it]) => it)).toContain(5n * BigInt(Number.MAX_SAFE_INTEGER));
    const again = createProjection();
    const balances = play.log
      .flatMap((event) => apply(again, event))
      .flatMap((change) => (change.kind === "balance" ? [change.record] : []));
    const sites = [...play.projection.sites.values()].map(({ name, spec, order, isDraining }) => ({
      ...{ name, spec, order, isDraining },
    }));
    const projection = restore({ ...NOTHING_STORED, sites, balances }, play.now);
    expect([...(projection.sites.get("here")?.ledger.balances ?? [])]).toEqual(kept);
  });

  it("any size gets an answer", () => {
    const procs = fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 1_000_000 }), sizes);
    fc.assert(
      fc.property(procs, sizes, sizes, sizes, (cpus, durationMs, startMs, procMs) => {
        const play = dearSite();
        prices(play, { procs: cpus, durationMs });
        const made = play.ask(request("r1", { procs: cpus, durationMs, startMs }));
        const taken = made === "ok" ? play.ask(accept("r1")) : made;
        expect([made, taken]).not.toContain("");
        const grant = { kind: "grant", grant: "g", site: "here", consumer: USER, by: "u" } as const;
        play.ask({ ...grant, procMs });
        play.submit("a", cpus, { wallTimeMs: durationMs });
        play.settle();
        play.now += 2 * YEAR;
        play.settle();
      }),
      draws(200),
    );
  });
});

const sizes = fc.oneof(
  fc.integer({ min: 1, max: 10 * HOUR }),
  fc.integer({ min: 1, max: 2 * YEAR }),
  fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  fc.constantFrom(Number.MAX_SAFE_INTEGER, 2 ** 52, 2 ** 31),
);
