import { describe, expect, it, vi } from "vitest";
import { aStart, capturedProgram, NOW } from "../../test/captured-program.ts";
import type { ForecastView, ProspectView, StintClient } from "../api/client/index.ts";

const MINUTE = 60_000;

function forecast(minutes: readonly number[], more: Partial<ForecastView> = {}): ForecastView {
  const probabilities = [0.5, 0.8, 0.95];
  return {
    method: "history",
    promises: minutes.map((count, at) => ({
      ...{ probability: probabilities[at], waitSec: (count * MINUTE) / 1000, startAt: NOW },
    })),
    score: {
      of: "class",
      kept: probabilities.map((probability) => ({
        probability,
        promises: 400,
        kept: 0.96,
        fellShort: false,
      })),
      medianErrorSec: 300,
    },
    hasBeenWrong: false,
    assumptions: ["waitsAsOfLate"],
    ...more,
  };
}

function prospect(site: string, more: Partial<ProspectView> = {}): ProspectView {
  return {
    ...{ site, partition: null, takesJobs: true, fits: true, refusal: null, trouble: null, forecast: null },
    ...{ otherMethods: [], noRecord: null, probabilityByDeadline: null, learnt: { past: 0, live: 0 } },
    slot: null,
    ...more,
  };
}

const asking = (...prospects: readonly ProspectView[]) =>
  vi.fn<StintClient["assess"]>(async () => ({ items: prospects }));

describe("stint when", () => {
  it("a row a site, earliest first, what reserving costs, then the best in words", async () => {
    const assess = asking(
      prospect("slow", {
        forecast: forecast([60, 130, 300], { method: "schedule", hasBeenWrong: true }),
        slot: aStart(),
      }),
      prospect("quick", {
        forecast: forecast([5, 35, 130]),
        probabilityByDeadline: 0.9,
        slot: aStart({ fixedProcMs: 0 }),
      }),
    );
    const { out, err, code } = await capturedProgram({ assess }).call("when", "-n", "8", "-t", "2h");
    expect({ err, code }).toEqual({ err: "", code: 0 });
    const lines = out.trimEnd().split("\n");
    expect(lines[0]).toMatch(/^SITE +50 % +80 % +95 % +RESERVED +METHOD +KEPT$/);
    expect(lines[1]).toMatch(/^quick +5m00s +35m00s +2h10m +free +history +96 % of 400$/);
    expect(lines[2]).toMatch(/^slow +1h00m +2h10m +5h00m +2 SU +schedule \(has been wrong\) +96 % of 400$/);
    expect(lines.slice(3)).toEqual([
      "at quick it starts within 35m00s (80 %), 2h10m (95 %); " +
        "of the last 400 such promises here 96 % were kept",
      "by the deadline it has started there with at least 90 %",
    ]);
  });

  it("says in words that the best has been wrong", async () => {
    const wrong = forecast([1, 2, 3], { hasBeenWrong: true });
    const { out } = await capturedProgram({ assess: asking(prospect("a", { forecast: wrong })) }).call(
      "when",
    );
    expect(out).toContain("96 % were kept; the method has been wrong here lately\n");
  });

  it("CL-16 JSON is everything; CSV and the wide table have the figures", async () => {
    const items = [prospect("a", { partition: "main", forecast: forecast([1, 2, 3]) })];
    const program = capturedProgram({ assess: asking(...items) });
    expect(JSON.parse((await program.call("when", "-o", "json")).out)).toEqual({ items, next: null });
    expect((await program.call("when", "-o", "csv")).out.split("\r\n")[1]).toBe(
      "a,main,true,true,history,60,120,180,400,0.96,false,,,,,,,,,,,,,,,,,,",
    );
    expect((await program.call("when", "-o", "wide")).out).toMatch(/^a +main +1m00s .* 5m00s\n/m);
    expect((await program.call("when", "-o", "name")).out).toBe("a\n");
  });

  it("PO-21 shows why policies exclude a site", async () => {
    const policy = { when: "later", limit: "burst", level: "cms", text: "the burst limit of cms is in use" };
    const assess = asking(prospect("a", { policy: { ...policy, when: "later" } }));
    expect((await capturedProgram({ assess }).call("when")).out).toContain(
      "a: the burst limit of cms is in use\n",
    );
    expect((await capturedProgram({ assess }).call("when", "-o", "wide")).out).toMatch(/POLICY.*\n.* later /);
  });

  it("shows no number without a record, and why a site is out", async () => {
    const scheduled = { waitSec: 600, startAt: NOW, assumptions: [] };
    const assess = asking(
      prospect("new", { noRecord: { settled: 3, needed: 20, scheduled: null } }),
      prospect("young", { noRecord: { settled: 3, needed: 20, scheduled } }),
      prospect("small", {
        fits: false,
        refusal: { kind: "siteTooSmall", procs: 4, memoryBytes: 1, text: "it has 4 processors in all" },
      }),
      prospect("away", { fits: null, trouble: "it hangs" }),
      prospect("shut", { takesJobs: false, forecast: forecast([1, 1, 1]) }),
    );
    const { out } = await capturedProgram({ assess }).call("when");
    expect(out).toMatch(/^new +- +- +- +- +-$/m);
    expect(out).toMatch(
      /^new says nothing \(no record yet: 20 such forecasts are needed; 3 have been scored\)/m,
    );
    expect(out).toMatch(/^young +10m00s +- +- +schedule +no record yet$/m);
    expect(out).toMatch(/^at young it starts within 10m00s if every job runs .* \(no record yet: 20 /m);
    expect(out).toContain("small would never start it: it has 4 processors in all\n");
    expect(out).toContain("away could not be reached: it hangs\n");
    expect(out).toContain("shut takes no jobs now");
    const none = await capturedProgram({ assess: asking() }).call("when");
    expect(none).toEqual({ code: 0, out: "", err: "stint: there is no site to ask\n" });
  });

  it("asks what the file says, and the options before it", async () => {
    const assess = asking();
    const preferredQueues = ["long"];
    const description = { executable: "x", procs: 2, memoryBytes: 5, wallTimeMs: 9, preferredQueues };
    const readJobFile = async () => async () =>
      ({ jobs: [{ description }], warnings: [], problems: [], translations: [] }) as never;
    const program = capturedProgram({ assess }, { readJobFile });
    await program.call("when", "job.yaml", "-n", "8", "--gpus", "1", "--partition", "p", "--deadline", "2h");
    await program.call("when", "--mem", "4G", "--deadline", "2026-06-01T00:00Z", "--site", "a", "b");
    const deadline = new Date(Date.parse(NOW) + 120 * MINUTE).toISOString();
    expect(assess.mock.calls).toEqual([
      [
        {
          ...{ executable: "x", inputSandbox: [], preferredQueues },
          ...{ procs: 8, memoryBytes: 5, wallTimeSec: 0.009, gpus: 1, partition: "p", deadline },
        },
      ],
      [{ memoryBytes: 4 * 2 ** 30, sites: ["a", "b"], deadline: "2026-06-01T00:00:00.000Z" }],
    ]);
    expect((await program.call("when", "--deadline", "2026-02-31x")).code).toBe(2);
  });

  it("--requirements and --rank are asked with it, and each clause is told for each site", async () => {
    const match = {
      sites: [
        { name: "a", takesJobs: true },
        { name: "b", takesJobs: true },
      ],
      clauses: [{ of: "job", text: "other.Gpus >= 1", verdicts: ["true", "undefined"] }],
      matches: [{ name: "a", rank: 2 }],
      changes: [],
    } as const;
    const assess = vi.fn<StintClient["assess"]>(async () => ({ items: [], match }));
    const program = capturedProgram({ assess });
    const words = ["--requirements", "other.Gpus >= 1", "--rank", "other.Gpus", "--application", "blast"];
    const { out } = await program.call("when", ...words);
    const applications = ["blast"];
    expect(assess.mock.calls).toEqual([
      [{ requirements: "other.Gpus >= 1", rank: "other.Gpus", applications }],
    ]);
    expect(out).toContain("a  rank 2\n\nother.Gpus >= 1: excludes 1 of 2\n  b: undefined\n");
    const { out: json } = await program.call("when", ...words, "-o", "json");
    expect(JSON.parse(json)).toEqual({ items: [], next: null, match });
    const wrong = await program.call("when", "--rank", "1 +");
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining("--rank, line 1, column 4: ") });
    expect(assess).toHaveBeenCalledTimes(2);
  });

  it("one job it is that is asked of", async () => {
    const readJobFile = async () => async () =>
      ({ jobs: [], warnings: [], problems: [], translations: [] }) as never;
    const { code, err } = await capturedProgram({ assess: asking() }, { readJobFile }).call(
      "when",
      "no.yaml",
    );
    expect(code).toBe(2);
    expect(err).toContain("no.yaml describes 0 jobs");
  });
});
