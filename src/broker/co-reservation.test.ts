import { describe, expect, it } from "vitest";
import { BOTH_SITES, standingAtBoth } from "../../test/both-sites.ts";
import {
  add,
  beginWorld,
  clock,
  dying,
  logbook,
  pass,
  queue,
  start,
  worldForEach,
} from "../../test/foreign-broker.ts";
import {
  type ScriptedQueue,
  SURVEY_EVERY,
  scriptedForeignSite,
  scriptedQueue,
} from "../../test/scripted-foreign-site.ts";
import { Fault } from "../base/index.ts";
import { type ForeignSite, projectLog, VIEWS } from "../runtime/index.ts";
import { compareViews } from "../store/index.ts";
import type { Broker, OpenSite } from "./index.ts";

worldForEach();

const HOUR = 3_600_000;
type Step = () => Promise<void> | void;

/** Sites "far" and "away", each with a queue of its own; `away` may refuse what it is asked to keep free. */
function twoSites(away: ScriptedQueue, isRefusing: boolean, step: Step) {
  return async (name: string): Promise<OpenSite> => {
    const before = async (call: string): Promise<void> => {
      await step();
      if (name === "away" && isRefusing && call.startsWith("reserve")) throw refusal();
    };
    const its = name === "far" ? queue : away;
    const site: ForeignSite = { ...scriptedForeignSite(its, clock, { before, after: step }), name };
    return { kind: "foreign", site };
  };
}

function refusal(): Fault {
  const why = "another reservation is in its way";
  return new Fault({ kind: "refused", code: "reservationConflict", what: "no", why, remedy: "another time" });
}

const part = (site: string, startMs: number) => ({
  reservation: `t-${site}`,
  site,
  consumer: "vo/user",
  owner: "u1",
  procs: 2,
  memoryBytes: 0,
  startMs,
  durationMs: HOUR,
});

async function offerAndAccept(broker: Broker): Promise<void> {
  const startMs = clock.nowMs() + HOUR;
  const parts = BOTH_SITES.map((site) => part(site, startMs));
  const offered = await broker.brokerApi.ask({ kind: "offerTogether", together: "t", parts });
  if (offered.ok) await broker.brokerApi.ask({ kind: "acceptOffer", reservation: "t-far", by: "u1" });
}

describe("slots at two sites", { timeout: 400_000 }, () => {
  it.each([
    { isRefusing: false, what: "both have them" },
    { isRefusing: true, what: "one refuses, and neither has any" },
  ])("BR-22 whenever the broker dies: $what, or nothing was accepted", async ({ isRefusing }) => {
    let crashes = 0;
    for (let atStep = 6; ; atStep++) {
      beginWorld();
      const away = scriptedQueue();
      const first = await start({ openSite: twoSites(away, isRefusing, () => undefined) });
      for (const name of BOTH_SITES) await add(first, name);
      await pass(10);
      await first.stop();
      const { over, at, step, isDead, live } = dying(atStep);
      const doomed = await start({ over, at, openSite: twoSites(away, isRefusing, step) });
      await pass(10);
      void offerAndAccept(doomed).catch(() => undefined);
      await pass(3 * SURVEY_EVERY);
      // Whoever has come so far has done everything.
      const isOver = !isDead();
      if (isOver) live();
      const second = !isOver
        ? await start({ openSite: twoSites(away, isRefusing, () => undefined) })
        : doomed;
      await pass(8 * SURVEY_EVERY);
      const came = await standingAtBoth(second, away);
      expect({ atStep, came }).toEqual({ atStep, came: expected(came.states, isRefusing) });
      if (isOver) break;
      crashes++;
      await second.stop();
    }
    expect(crashes).toBeGreaterThan(10);
    expect(await compareViews({ logbook, schemas: VIEWS, project: projectLog() })).toEqual([]);
  });
});

/** All, or nothing; and what was paid is for what is there. */
function expected(states: readonly string[], isRefusing: boolean) {
  if (states.length === 0) return { states: [], there: [0, 0], paid: [0, 0] };
  if (states[0] === "LAPSED") return { states: ["LAPSED", "LAPSED"], there: [0, 0], paid: [0, 0] };
  return isRefusing
    ? { states: ["CANCELLED", "VIOLATED"], there: [0, 0], paid: [0, 0] }
    : { states: ["ACCEPTED", "ACCEPTED"], there: [1, 1], paid: [-2 * HOUR, -2 * HOUR] };
}
