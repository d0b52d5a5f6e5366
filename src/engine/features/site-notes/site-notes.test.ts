import { describe, expect, it } from "vitest";
import { HOUR, NOTHING_STORED, scene } from "../../../../test/engine-scene.ts";
import { explain, query, restore } from "../../index.ts";

const note = (text: string, untilMs: number | null = null) =>
  ({ kind: "noteSite", site: "here", text, untilMs, by: "ann" }) as const;

describe("notes at sites", () => {
  it("a note is shown until its end, the next note or its removal; a repeated one changes nothing", () => {
    const it = scene({ here: 4 });
    const shown = () => query(it.projection, { name: "siteNote", question: "here" }, it.now)?.text;
    expect(it.ask(note("new disks on Monday", it.now + HOUR))).toBe("ok");
    expect(it.log.at(-1)).toMatchObject({ kind: "siteNoted", untilMs: it.now + HOUR });
    const before = it.log.length;
    expect(it.ask(note("new disks on Monday", it.now + HOUR))).toBe("ok");
    expect(it.log).toHaveLength(before);
    expect(shown()).toBe("new disks on Monday");
    it.now += HOUR;
    expect(shown()).toBeUndefined();
    it.ask(note("the network is slow"));
    expect(shown()).toBe("the network is slow");
    expect(it.ask({ kind: "clearSiteNote", site: "here", by: "ann" })).toBe("ok");
    expect(it.log.at(-1)?.kind).toBe("siteNoteCleared");
    expect(shown()).toBeUndefined();
    expect(it.ask({ kind: "clearSiteNote", site: "here", by: "ann" })).toBe("ok");
    expect(it.log.at(-2)?.kind).not.toBe("siteNoteCleared");
  });

  it("a note needs an existing site and an end in the future", () => {
    const it = scene({ here: 4 });
    expect(it.ask({ ...note("x"), site: "there" })).toContain("unknownSite");
    expect(it.ask(note("x", it.now))).toContain("noteOver");
  });

  it("a note is kept over a restart and removed with its site", () => {
    const it = scene({ here: 4 });
    it.ask(note("x"));
    const [record] = [...it.projection.books.siteNotes.values()];
    const again = restore({ ...NOTHING_STORED, siteNotes: [record] }, it.now);
    expect(again.books.siteNotes.get("here")).toEqual(record);
    it.ask({ kind: "removeSite", site: "here", by: "ann" });
    expect(it.projection.books.siteNotes.size).toBe(0);
  });

  it("the note is a cause for a waiting job, not for a running one", () => {
    const it = scene({ here: 4 });
    it.submit("runs", 4);
    it.submit("waits", 4);
    it.settle();
    it.running("runs");
    it.ask(note("the network is slow"));
    const causes = (id: string) => {
      const job = it.projection.jobs.get(id);
      return job === undefined ? [] : explain(it.projection, job, it.now).causes;
    };
    const said = { kind: "siteNoted", site: "here", text: "the network is slow", by: "ann" };
    expect(causes("waits")).toContainEqual(said);
    expect(causes("waits").length).toBeGreaterThan(1);
    expect(causes("runs")).not.toContainEqual(said);
  });
});
