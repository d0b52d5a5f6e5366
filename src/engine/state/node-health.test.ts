import { describe, expect, it } from "vitest";
import { scene } from "../../../test/engine-scene.ts";
import type { AttemptEnd, JobRecord } from "../../model/index.ts";
import { nodeOf, takesPayload } from "./node-health.ts";
import { unknownHealth } from "./site-health.ts";

const PROBE_MS = 1000;
const END: AttemptEnd = {
  cause: "lost",
  exitCode: null,
  signal: null,
  cpuMs: null,
  detail: null,
  node: "n1",
};
const N3 = { site: "far", node: "n3", minutes: [], failures: [], sent: [] };
const ASIDE = { sinceMs: 0, quick: 5, ended: 6, pauseMs: PROBE_MS, probeAtMs: PROBE_MS, goodProbes: 0 };
const SENT = ["a", "b", "c", "d", "e"];

/** A site with a node in trouble, with jobs that may be there. */
function known(health: object, sent: readonly string[] = []) {
  const { projection } = scene({ far: 8 });
  const { books } = projection;
  books.siteHealth.set("far", { ...unknownHealth("far"), troubledNodes: ["n3"] });
  books.nodeHealth.set("far/n3", { ...N3, aside: null, endedWell: null, ...health, sent });
  const jobs = new Map(sent.map((id) => [id, { id, site: "far" } as JobRecord]));
  return { books, jobs, sites: projection.sites };
}

describe("EN-195 pilots on nodes in trouble", () => {
  const onN3 = { site: "far", node: "n3" };

  it("a node that is set aside is tested by one job in an empty pilot, once its pause is over", () => {
    const aside = known({ aside: ASIDE });
    expect(takesPayload(aside, onN3, true, PROBE_MS - 1)).toBe(false);
    expect(takesPayload(aside, onN3, true, PROBE_MS)).toBe(true);
    expect(takesPayload(aside, onN3, false, PROBE_MS)).toBe(false);
    expect(takesPayload(known({ aside: ASIDE }, ["a"]), onN3, true, PROBE_MS)).toBe(false);
    expect(takesPayload(aside, { site: "far", node: "n1" }, false, 0)).toBe(true);
  });

  it("a node that was readmitted takes five jobs at a time, whether or not its pilot is empty", () => {
    expect(takesPayload(known({ endedWell: 0 }, SENT.slice(1)), onN3, false, 0)).toBe(true);
    expect(takesPayload(known({ endedWell: 0 }, SENT), onN3, true, 0)).toBe(false);
  });

  it("the end of a job in a pilot is on the node of the pilot", () => {
    const { books, ...rest } = known({});
    const pilots = new Map([["p1", { node: "n3" }]]) as unknown as typeof books.pilots;
    const all = { ...rest, books: { ...books, pilots } };
    expect(nodeOf(all, { pilot: "p1" } as JobRecord, END)).toBe("n3");
    expect(nodeOf(all, { pilot: "p2" } as JobRecord, END)).toBeUndefined();
    expect(nodeOf(all, {} as JobRecord, END)).toBe("n1");
  });
});
