import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { choiceScene } from "../choice-scene.ts";
import { plainVerdict } from "./plain-choice.ts";

describe("choice tables", () => {
  it("EN-73 PO-21 give the same as counting everything again, after every event", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 0, max: 8 }), (seed, jobsPerSite) => {
        const size = { sites: 11, vos: 4, groups: 2, vosPerSite: 2, jobsPerSite, procs: 16 };
        const scene = choiceScene(size, seed);
        for (let round = 0; round < 6; round++) {
          const consumer = scene.consumer();
          for (const procs of [1, 5, 17]) {
            const asked = { policies: scene.policies, jobs: scene.jobs(), consumer, procs };
            const told = scene.table(consumer, procs).map(({ honoured, because }) => {
              const whose = because?.level ?? null;
              return [honoured, because?.limit, whose].filter((it) => it != null).join(" ");
            });
            expect(told).toEqual(scene.sites.map((site) => plainVerdict(asked, site, scene.procs)));
          }
          if (jobsPerSite > 0) scene.change();
        }
      }),
      { numRuns: 25 },
    );
  });
});
