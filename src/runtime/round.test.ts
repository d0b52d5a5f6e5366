import { describe, expect, it } from "vitest";
import { foreignSpec, scene } from "../../test/engine-scene.ts";
import { steppableClock } from "../../test/steppable-clock.ts";
import { createMemoryLogbook } from "../store/index.ts";
import { createRound, VIEWS } from "./index.ts";

describe("a round", () => {
  it("does not record the late answer of a site that was removed, and says why", async () => {
    const logbook = createMemoryLogbook(VIEWS);
    const warnings: string[] = [];
    const { projection } = scene({});
    const round = createRound({
      ...{
        projection,
        logbook,
        clock: steppableClock(1_000_000),
        warn: (line: string) => warnings.push(line),
      },
      dispatch: () => undefined,
      onJobChange: () => undefined,
      onBroken: (error) => warnings.push(String(error)),
    });
    await round.ask({ kind: "addSite", site: "far", spec: foreignSpec(4) });
    const report = { site: "far", verb: "hold", jobs: ["7"], commands: [], refused: [] } as const;
    await round.enforcement(report);
    await round.ask({ kind: "removeSite", site: "far", by: "ann" });
    await round.enforcement(report);
    await round.shares("far", [{ id: "1/1", standing: "made", why: null }]);
    await round.survey({
      ...{ site: "far", patienceMs: 0 },
      survey: { atMs: 1_000_000, jobs: [], ended: [], reservations: [] },
    });
    round.trouble("far", "it does not answer");
    await round.stop();
    const kinds: string[] = [];
    for await (const { kind } of logbook.events(1)) kinds.push(kind);
    expect(kinds).toEqual(["siteAdded", "enforcementAnswered", "siteRemoved"]);
    expect(warnings).toEqual([
      "enforcementAnswered is not recorded: site far has been removed",
      "sharesAnswered is not recorded: site far has been removed",
    ]);
  });
});
