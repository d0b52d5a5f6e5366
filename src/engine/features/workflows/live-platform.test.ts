import { describe, expect, it } from "vitest";
import { HOUR } from "../../../../test/engine-scene.ts";
import { accept, RULES, request, START, site, USER } from "../../../../test/reservation-scene.ts";
import { advertise, query } from "../../index.ts";

const LEAD = 10_000;

describe("EN-210 the platform of a plan on live sites", () => {
  it("has the memory and GPUs that are free at each time, as far as they may be reserved", () => {
    const play = site();
    const spec = play.projection.sites.get("here")?.spec;
    if (spec === undefined) throw new Error("no site");
    const reservations = { ...RULES, consumerSharePpm: 750_000 };
    const changed = { ...spec, memoryBytes: 100, gpus: 4, reservations };
    expect(play.ask({ kind: "changeSite", site: "here", spec: changed })).toBe("ok");
    play.settle();
    expect(play.ask(request("r0", { procs: 1, memoryBytes: 30, gpus: 2 }))).toBe("ok");
    expect(play.ask(accept("r0"))).toBe("ok");
    const now = play.projection.sites.get("here");
    if (now === undefined) throw new Error("no site");
    const sets = [advertise(now, START)];
    const { platform } = query(
      play.projection,
      { name: "livePlatform", question: { sets, consumer: USER } },
      START,
    );
    expect(platform.sites).toMatchObject([
      {
        ...{ memoryBytes: 100, gpus: 4 },
        freeBeside: [
          { fromMs: 0, memoryBytes: 100, gpus: 3 },
          { fromMs: HOUR - LEAD, memoryBytes: 70, gpus: 1 },
          { fromMs: 2 * HOUR - LEAD, memoryBytes: 100, gpus: 3 },
        ],
      },
    ]);
  });
});
