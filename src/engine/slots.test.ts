import { describe, expect, it } from "vitest";
import { HOUR, type Scene, scene } from "../../test/engine-scene.ts";
import { RESERVATION_DEFAULTS } from "../model/index.ts";
import { type Advertisement, advertise } from "./index.ts";

function slotsOf(play: Scene, name: string, before?: Advertisement): Advertisement {
  const site = play.projection.sites.get(name);
  if (site === undefined) throw new Error("the test's site is there");
  return advertise(site, play.now, before);
}

const procsAndStarts = ({ slots }: Advertisement, fromMs: number) =>
  slots.map(({ procs, startAt }) => `${procs} at ${startAt - fromMs}`);

describe("advertised slots", () => {
  it("EN-22 running and waiting jobs are taken out, and no job is started for it", () => {
    const play = scene({ here: 4 });
    play.submit("a", 3);
    play.settle();
    play.submit("b", 4);
    play.settle();
    const before = play.log.length;
    const limitMs = HOUR + 15_000;
    expect(procsAndStarts(slotsOf(play, "here"), play.now)).toEqual(["1 at 0", `4 at ${2 * limitMs}`]);
    expect(play.log).toHaveLength(before);
  });

  it("EN-22 every slot is divisible, also a gap before a job", () => {
    const play = scene({ here: 4 });
    play.submit("a", 3);
    play.settle();
    play.submit("b", 4);
    play.settle();
    const divided = slotsOf(play, "here").slots.map(({ divisible, extensible }) => [divisible, extensible]);
    expect(divided).toEqual([
      [true, false],
      [true, true],
    ]);
  });

  it("EN-22 has its site's price rules, and a new number when they change", () => {
    const play = scene({ here: 4 });
    const first = slotsOf(play, "here");
    expect(first.priceBook).toMatchObject({ unitPriceThousandths: 1000, transactionProcMs: 0 });
    const spec = play.projection.sites.get("here")?.spec;
    if (spec === undefined) throw new Error("no site");
    const reservations = { ...RESERVATION_DEFAULTS, unitPriceThousandths: 2000 };
    play.ask({ kind: "changeSite", site: "here", spec: { ...spec, reservations } });
    const then = slotsOf(play, "here", first);
    expect(then.priceBook.unitPriceThousandths).toBe(2000);
    expect(then.sequence).toBeGreaterThan(first.sequence);
    expect(slotsOf(play, "here", then).sequence).toBe(then.sequence);
  });

  it("EN-22 the number stays while only time passes, and grows with changes and over a restart", () => {
    const play = scene({ here: 4 });
    play.submit("a", 3);
    play.settle();
    const first = slotsOf(play, "here");
    expect(first.sequence).toBe(play.now);
    play.now += 60_000;
    const second = slotsOf(play, "here", first);
    expect(second).toMatchObject({ sequence: first.sequence, atMs: play.now });
    play.running("a");
    play.ended("a");
    play.settle();
    const third = slotsOf(play, "here", second);
    expect(third.sequence).toBeGreaterThan(second.sequence);
    expect(procsAndStarts(third, play.now)).toEqual(["4 at 0"]);
    expect(slotsOf(play, "here").sequence).toBeGreaterThanOrEqual(third.sequence);
  });

  it("EN-22 an end at its planned time changes nothing", () => {
    const play = scene({ here: 4 });
    play.submit("a", 3);
    play.settle();
    const first = slotsOf(play, "here");
    play.now += 2 * HOUR;
    expect(slotsOf(play, "here", first)).toMatchObject({ sequence: first.sequence, slots: [{ procs: 4 }] });
  });

  it("EN-22 a foreign site's slots are those of its snapshot; an unseen or drained one has none", () => {
    const play = scene({});
    play.foreign("far", 8);
    expect(slotsOf(play, "far").slots).toEqual([]);
    const running = { state: "running", procs: 5, memoryBytes: 0, token: null, reason: null } as const;
    const job = { ...running, siteJob: "1", submittedAtMs: 0, startedAtMs: play.now, limitMs: 1000 };
    play.look("far", { jobs: [job] });
    expect(procsAndStarts(slotsOf(play, "far"), play.now)).toEqual(["3 at 0", "5 at 1000"]);
    play.ask({ kind: "drainSite", site: "far", by: "u1" });
    expect(slotsOf(play, "far").slots).toEqual([]);
  });
});
