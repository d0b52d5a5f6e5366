import { describe, expect, it } from "vitest";
import { HOUR, type Scene, scene } from "../../../test/engine-scene.ts";
import { type JobDescription, type PriceRule, RESERVATION_DEFAULTS } from "../../model/index.ts";
import { query } from "../index.ts";

const RULE: PriceRule = {
  ...{ name: "night", clockMs: 0, fromMs: 2 * HOUR, untilMs: 4 * HOUR, days: null, consumers: null },
  ...{ slots: null, unitPriceThousandths: 4000, transactionProcMs: 0 },
};

/** Site `a` asks 1.5 SU and between 2 and 4 o'clock 4 SU, `b` 2 SU. */
function priced(rules: readonly PriceRule[] = [RULE]): Scene {
  const play = scene({});
  const site = (name: string, unitPriceThousandths: number, prices: readonly PriceRule[]) =>
    play.ask({
      ...{ kind: "addSite", site: name },
      spec: {
        ...{ type: "managed", procs: 4, memoryBytes: 2 ** 30, discipline: "easy", defaultWallTimeMs: HOUR },
        reservations: { ...RESERVATION_DEFAULTS, unitPriceThousandths, prices },
      },
    });
  site("a", 1500, rules);
  site("b", 2000, []);
  return play;
}

function placed(play: Scene, id: string, more: Partial<JobDescription>) {
  play.submit(id, 1, more);
  play.settle();
  return play.records.get(id)?.site;
}

describe("EN-284 the price in ads", () => {
  it("a rank and requirements use what a processor-hour costs now", () => {
    const play = priced();
    expect(placed(play, "cheap", { rank: "-other.UnitPrice" })).toBe("a");
    expect(placed(play, "over", { requirements: "other.UnitPrice > 1.5" })).toBe("b");
    play.now = 3 * HOUR;
    expect(placed(play, "later", { rank: "-other.UnitPrice" })).toBe("b");
    expect(placed(play, "none", { requirements: "other.UnitPrice < 2" })).toBeNull();
    play.now = 5 * HOUR;
    play.settle();
    expect(play.records.get("none")?.site).toBe("a");
  });

  it("the price is that of the job's consumer; the ad that is shown has that of all", () => {
    const play = priced([{ ...RULE, fromMs: 0, untilMs: 24 * HOUR, consumers: ["vo"] }]);
    expect(placed(play, "j", { rank: "-other.UnitPrice" })).toBe("b");
    const ad = query(play.projection, { name: "siteAds", question: "a" }, play.now);
    expect(ad.classad).toContain("  UnitPrice = 1.5;\n");
    expect(JSON.stringify(ad.glue2)).toContain('"OtherInfo":["UnitPrice=1.5"]');
  });
});
