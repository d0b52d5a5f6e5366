import { expect, it } from "vitest";
import { HOUR, scene } from "../../../../test/engine-scene.ts";
import { SLURM_DEFAULTS } from "../../../model/index.ts";

it("EN-305 each refusal is recorded once, however many jobs wait before the refused ones", () => {
  const play = scene({});
  const GIB = 1024 ** 3;
  const rule = { path: null, executable: "/bin/good", account: "anna", fromMs: 0, untilMs: 24 * HOUR };
  const identity = { mode: "verify", rules: [rule], banned: [] } as const;
  const pilots = { max: 1, procs: 4, wallTimeMs: HOUR, idleMs: 0, consumer: "pilots", identity };
  const access = { type: "slurm", readOnly: false, submitDirectory: "/jobs", pilots } as const;
  const spec = { ...SLURM_DEFAULTS, ...access, procs: 64, memoryBytes: 64 * GIB };
  play.ask({ kind: "addSite", site: "west", spec });
  play.look("west");
  for (const executable of ["/bin/good", "/bin/bad"]) {
    for (let at = 0; at < 1100; at++)
      play.submit(`${executable}${at}`, 1, { executable, wallTimeMs: 600_000 });
  }
  play.settle();
  play.settle();
  const denied = play.log.flatMap((event) => (event.kind === "identityDenied" ? [event.job] : []));
  expect(denied).toHaveLength(1100);
  expect(new Set(denied).size).toBe(1100);
});
