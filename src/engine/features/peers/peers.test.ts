import { describe, expect, it } from "vitest";
import type { DispatchedJob, StintEvent } from "../../../model/index.ts";
import { countedAt, noteShownThere, type PeerState } from "../../state/peer-use.ts";
import { applyPeer, forgetPeer, hearPeer } from "./peer-book.ts";

const HOUR = 3_600_000;

function dispatch(change: Partial<DispatchedJob> = {}): DispatchedJob {
  return {
    ...{ id: "a/1", site: "blue", siteJob: "17", consumer: "atlas/ann", procs: 4, gpus: 0, memoryBytes: 0 },
    ...{ startedAtMs: null, limitMs: HOUR },
    ...change,
  };
}

/** Hears a list at an instant of both clocks; gives the events. */
function hear(
  peers: Map<string, PeerState>,
  dispatched: readonly DispatchedJob[],
  nowMs: number,
): readonly StintEvent[] {
  const request = {
    kind: "hearPeer",
    peer: "east",
    by: "ann",
    leftOut: 0,
    asOfMs: nowMs,
    dispatched,
  } as const;
  const answer = hearPeer({ peers }, request, nowMs);
  const events = answer.ok ? answer.value : [];
  for (const event of events) if (event.kind === "peerHeard") applyPeer({ peers }, event);
  return events;
}

const idsAt = (peers: Map<string, PeerState>, nowMs: number) =>
  countedAt(peers, "blue", nowMs).map(({ id }) => id);

describe("what another broker has sent", () => {
  it("is recorded as what came and what went; an older list changes nothing", () => {
    const peers = new Map<string, PeerState>();
    const [one, two] = [dispatch(), dispatch({ id: "b/1", siteJob: null })];
    expect(hear(peers, [one, two], 10)).toMatchObject([{ came: [one, two], gone: [] }]);
    const queued = { ...two, siteJob: "18" };
    expect(hear(peers, [queued], 20)).toMatchObject([{ came: [queued], gone: ["a/1"] }]);
    expect(hear(peers, [one], 15)).toEqual([]);
    expect(idsAt(peers, 30)).toEqual(["b/1"]);
  });

  it("counts until its expected end: of what waits its limit after it was last told of", () => {
    const peers = new Map<string, PeerState>();
    hear(peers, [dispatch(), dispatch({ id: "b/1", startedAtMs: 0 })], 1000);
    expect(idsAt(peers, HOUR - 1)).toEqual(["a/1", "b/1"]);
    expect(idsAt(peers, HOUR)).toEqual(["a/1"]);
    expect(idsAt(peers, HOUR + 1000)).toEqual([]);
    hear(peers, [dispatch()], HOUR);
    expect(idsAt(peers, HOUR + 1000)).toEqual(["a/1"]);
  });

  it("counts no more once a look has shown it, also when the look no longer does", () => {
    const peers = new Map<string, PeerState>();
    hear(peers, [dispatch(), dispatch({ id: "b/1", siteJob: null })], 0);
    noteShownThere(peers, "green", new Set(["17"]));
    expect(idsAt(peers, 1)).toEqual(["a/1", "b/1"]);
    noteShownThere(peers, "blue", new Set(["17"]));
    noteShownThere(peers, "blue", new Set());
    hear(peers, [dispatch(), dispatch({ id: "b/1", siteJob: null })], 1);
    expect(idsAt(peers, 1)).toEqual(["b/1"]);
  });

  it("counts no more when its broker is forgotten, of which there must be one", () => {
    const peers = new Map<string, PeerState>();
    hear(peers, [dispatch()], 0);
    const request = { kind: "forgetPeer", peer: "east", by: "ann" } as const;
    applyPeer({ peers }, { ...request, kind: "peerForgotten", atMs: 1 });
    expect(idsAt(peers, 1)).toEqual([]);
    expect(forgetPeer({ peers }, request, 1)).toMatchObject({ ok: false, refusal: { kind: "unknownPeer" } });
  });
});
