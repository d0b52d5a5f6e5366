import { describe, expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";
import { aSite, capturedProgram } from "../../test/captured-program.ts";

const note = { text: "new disks", since: "2026-05-31T11:00:00.000Z", until: null, by: "ann" };

describe("stint site note", () => {
  it("leaves a note, with an end where one is said, and takes it away", async () => {
    const { client, brokerApi } = await serve();
    const program = capturedProgram(client);
    const sinceMs = Date.parse(note.since);
    brokerApi.siteNotes.set("local", { site: "local", text: "new disks", sinceMs, untilMs: null, by: "ann" });
    const left = await program.call("site", "note", "local", "new disks");
    expect(left.out).toBe("local: new disks (ann)\n");
    const asked = { kind: "noteSite", site: "local", text: "new disks", by: "me" };
    expect(brokerApi.asked.at(-1)).toEqual({ ...asked, untilMs: null });
    await program.call("site", "note", "local", "new disks", "--until", "2026-06-01T12:00:00Z");
    expect(brokerApi.asked.at(-1)).toEqual({ ...asked, untilMs: Date.UTC(2026, 5, 1, 12) });
    brokerApi.siteNotes.clear();
    expect((await program.call("site", "note", "local", "--clear")).out).toBe("local: no note\n");
    expect(brokerApi.asked.at(-1)).toEqual({ kind: "clearSiteNote", site: "local", by: "me" });
  });

  it("wants a text or --clear, and not both", async () => {
    const program = capturedProgram({});
    for (const words of [["here"], ["here", "new disks", "--clear"]]) {
      const { code, err } = await program.call("site", "note", ...words);
      expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("--clear") });
    }
  });

  it("stint site list says the notes below the sites", async () => {
    const noted = aSite({ name: "far", note: { ...note, until: "2026-06-01T12:00:00.000Z" } });
    const { out } = await capturedProgram({ sites: async () => [aSite(), noted] }).call("site", "list");
    expect(out).toMatch(/\nfar: new disks \(ann, until [^)]+\)\n$/);
  });

  it("stint site list says why sites take few jobs or none", async () => {
    const aside = {
      state: "setAside",
      since: note.since,
      nextTest: note.since,
      quickFailures: 6,
      ended: 8,
    } as const;
    const trial = { state: "onTrial", most: 5, endedWell: 3, needed: 20 } as const;
    const node = { node: "n3", ...aside, nextTest: note.since, quickFailures: 5 } as const;
    const nodeHealth = [node, { node: "n4", state: "onTrial", endedWell: 2 } as const];
    const sites = [aSite({ name: "far", health: aside }), aSite({ name: "near", health: trial, nodeHealth })];
    const { out } = await capturedProgram({ sites: async () => sites }).call("site", "list");
    expect(out).toMatch(/\nfar: set aside since [^\n]+, because 6 of 8 jobs failed there as soon/);
    expect(out).toMatch(/\nnear: readmitted, takes 5 jobs at a time until 20 have ended well \(3 so far\)\n/);
    expect(out).toMatch(/\nnear: node n3 set aside since [^\n]+, because 5 of 8 jobs failed there as soon/);
    expect(out).toMatch(
      /\nnear: node n4 readmitted, takes a few jobs at a time \(2 have ended well so far\)\n$/,
    );
  });
});
