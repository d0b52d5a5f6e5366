import { describe, expect, it } from "vitest";
import { capturedProgram } from "../../test/captured-program.ts";
import type { SlotSetView } from "../api/client/index.ts";

const HOUR = 3_600_000;

function setOf(site: string): SlotSetView {
  const price = { priceSu: 5, priceProcMs: 5 * HOUR, fixedSu: 0.5, fixedProcMs: HOUR / 2, unitPrice: 1 };
  const slot = { startAt: "2026-05-31T12:00:00.000Z", procs: 3, durationSec: 5400, ...price };
  return {
    site,
    sequence: 7,
    at: slot.startAt,
    slots: [
      { ...slot, divisible: false, extensible: false },
      { ...slot, divisible: true, extensible: true },
    ],
    resources: [],
  };
}

describe("stint slots", () => {
  const program = capturedProgram({
    slots: async (site) => setOf(site),
    allSlots: async () => [setOf("here"), setOf("far")],
  });

  it("of all sites in a table, a line each", async () => {
    const lines = (await program.call("slots")).out.trimEnd().split("\n");
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/^SITE +START +PROCS +LENGTH +PRICE$/);
    expect(lines[1]).toMatch(/^here +now, .* +3 +1h30m +5 SU$/);
    expect(lines[4]).toMatch(/^far .* 1h30m\+ +5 SU$/);
  });

  it("of the sites named; JSON is the sets, CSV and the wide table have the numbers", async () => {
    const { out } = await program.call("slots", "near", "-o", "json");
    expect(JSON.parse(out)).toEqual({ items: [setOf("near")], next: null });
    expect((await program.call("slots", "near", "-o", "wide")).out).toMatch(/ 5 SU +0.5 SU +1 +7\n/);
    expect((await program.call("slots", "near", "-o", "csv")).out.split("\r\n")[1]).toBe(
      "near,7,2026-05-31T12:00:00.000Z,3,5400,false,false,,,5,0.5,1",
    );
  });

  it("says on stderr that there are none", async () => {
    const none = await capturedProgram({ allSlots: async () => [] }).call("slots");
    expect(none).toEqual({ code: 0, out: "", err: "stint: no site has a free slot\n" });
  });

  it("watched, each set is written as it comes: a table, or a line of JSON", async () => {
    const watching = capturedProgram({
      watchSlots: async (site, onChange) => {
        onChange(setOf(site));
        onChange({ ...setOf(site), sequence: 8, slots: [] });
      },
    });
    const { out } = await watching.call("slots", "far", "--watch");
    expect(out).toMatch(/ far {2}sequence 7\nSITE .* far {2}sequence 8\nno free slot\n/s);
    const lines = (await watching.call("slots", "far", "-w", "-o", "json")).out.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).sequence)).toEqual([7, 8]);
    const unfit = await watching.call("slots", "far", "-w", "-o", "csv");
    expect(unfit).toMatchObject({ code: 2, err: expect.stringContaining("--watch does not write csv") });
  });

  it("those of stores and links stand under the site's name and theirs", async () => {
    const free = {
      startAt: "2026-05-31T12:00:00.000Z",
      durationSec: 5400,
      ...{ divisible: true, extensible: false, unitPrice: 1 },
      ...{ priceSu: 0.2, priceProcMs: 0.2 * HOUR, fixedSu: 0, fixedProcMs: 0 },
    };
    const set: SlotSetView = {
      ...{ ...setOf("far"), slots: [] },
      resources: [{ kind: "store", name: "scratch", slots: [{ ...free, amount: 50 * 1024 ** 3 }] }],
    };
    const here = capturedProgram({ slots: async () => set });
    const lines = (await here.call("slots", "far")).out.trimEnd().split("\n");
    expect(lines[1]).toMatch(/^far\/scratch +now, .* +50G +1h30m +0.2 SU$/);
    expect((await here.call("slots", "far", "-o", "csv")).out.split("\r\n")[1]).toBe(
      `far,7,2026-05-31T12:00:00.000Z,,5400,true,false,scratch,${50 * 1024 ** 3},0.2,0,1`,
    );
  });
});
