import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { aFault, aJob, capturedProgram, NOW } from "../../test/captured-program.ts";
import type { EventFilter, EventView } from "../api/client/index.ts";

function anEvent(seq: number, change: Partial<EventView> = {}): EventView {
  const at = new Date(Date.parse(NOW) + 1000 * seq).toISOString();
  const usual = { kind: "jobHeld", job: "7f3a", site: null, by: "ann", state: "HELD", text: "held" } as const;
  return { seq, at, ...usual, facts: null, ...change };
}

/** A log of these events, newest first or oldest first as asked for. */
function logOf(events: EventView[]) {
  const asked: EventFilter[] = [];
  return {
    asked,
    events: async (query: EventFilter = {}) => {
      asked.push(query);
      const { order, cursor, limit = 100 } = query;
      const behind = Number(cursor ?? (order === "oldest" ? 0 : Number.POSITIVE_INFINITY));
      const fitting =
        order === "oldest"
          ? events.filter(({ seq }) => seq > behind)
          : events.filter(({ seq }) => seq < behind).reverse();
      const items = fitting.slice(0, limit);
      const next = fitting.length > limit ? String(items.at(-1)?.seq) : null;
      return { items, next, head: events.length, archives: [] };
    },
  };
}

describe("stint events", () => {
  it("shows the newest, oldest first, and what was asked for is handed on", async () => {
    const log = logOf([anEvent(1, { text: "submitted for cms", state: "WAITING" }), anEvent(2), anEvent(3)]);
    const program = capturedProgram(log);
    const { out } = await program.call("events", "7f3a", "--since", "1h", "--until", NOW, "--limit", "2");
    const [head, ...rows] = out.trimEnd().split("\n");
    expect(head).toMatch(/^TIME +AGE +JOB +STATE +BY +EVENT$/);
    expect(rows).toEqual([
      expect.stringMatching(/:02 UTC\S* +in 2s +7f3a +HELD +ann +held$/),
      expect.stringMatching(/:03 UTC\S* +in 3s +7f3a +HELD +ann +held$/),
    ]);
    expect(log.asked).toEqual([{ job: "7f3a", since: "2026-05-31T11:00:00.000Z", until: NOW, limit: 2 }]);
    const json = JSON.parse((await program.call("events", "-o", "json")).out);
    expect(json.items.map(({ seq }: EventView) => seq)).toEqual([1, 2, 3]);
    expect(json.next).toBeNull();
  });

  it("goes on through pages that are short or empty", async () => {
    const pages = [
      { items: [], next: "50", head: 60, archives: [] },
      { items: [anEvent(40)], next: "40", head: 60, archives: [] },
      { items: [anEvent(3)], next: null, head: 60, archives: [] },
    ];
    const { out } = await capturedProgram({ events: async () => pages.shift() ?? Promise.reject() }).call(
      "events",
    );
    expect(out.trimEnd().split("\n")).toHaveLength(3);
  });

  it("nothing is told to people; an unknown job ends with 3", async () => {
    const none = await capturedProgram(logOf([])).call("events");
    expect(none).toMatchObject({ code: 0, out: "", err: "stint: no events found\n" });
    const unknown = capturedProgram({ events: () => Promise.reject(aFault("notFound")) });
    expect((await unknown.call("events", "nope")).code).toBe(3);
  });

  it("--follow prints what comes, each once, until the job has ended", async () => {
    const events = [anEvent(1)];
    let endedAt: string | null = null;
    const program = capturedProgram({
      ...logOf(events),
      job: async () => aJob({ endedAt }),
    });
    const following = program.call("events", "7f3a", "--follow");
    await new Promise((resolve) => setTimeout(resolve, 50));
    events.push(anEvent(2, { by: null, text: "cancelled", state: "CANCELLED" }));
    await expect.poll(() => program.soFar().out).toContain("CANCELLED");
    endedAt = "2026-11-20T08:30:00Z";
    events.push(anEvent(3, { by: null, text: "ended with exit code 0", state: "DONE" }));
    const { code, out } = await following;
    expect(code).toBe(0);
    expect(
      out
        .trimEnd()
        .split("\n")
        .map((line) => line.split("  ").slice(1).join("  ")),
    ).toEqual([
      "7f3a  HELD  held  by ann",
      "7f3a  CANCELLED  cancelled",
      "7f3a  DONE  ended with exit code 0",
    ]);
  });

  it("--follow of everything ends when it is asked to; -o json has an event a line", async () => {
    const program = capturedProgram(logOf([anEvent(1)]));
    const following = program.call("events", "-f", "-o", "json");
    await new Promise((resolve) => setTimeout(resolve, 50));
    program.request("interrupt");
    expect(JSON.parse((await following).out)).toEqual(anEvent(1));
    const csv = await program.call("events", "-f", "-o", "csv");
    expect(csv).toMatchObject({ code: 2, err: expect.stringContaining("--follow does not write csv") });
  });

  it("--from shows states by the sequence codes of a file, without a broker", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "stint-events-")), "job.l");
    writeFileSync(file, '-s NetworkServer, -e Accepted\n-s LRMS, -e Running, --node="n7"\n');
    const { out, err } = await capturedProgram({}).call("events", "--from", file);
    expect(out).toMatch(/^JOB +STATE .*\njob +RUNNING .* n7 +3\n$/);
    expect(err).toBe(`stint: 1 job in ${file}\n`);
    const json = await capturedProgram({}).call("events", "--from", file, "-o", "json");
    expect(JSON.parse(json.out).items).toMatchObject([
      { id: "job", state: "RUNNING", node: "n7", events: 3 },
    ]);
  });
});
