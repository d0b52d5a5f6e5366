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
import { JOB_DEFAULTS } from "../model/index.ts";
import { type ForeignSite, projectLog, VIEWS } from "../runtime/index.ts";
import { compareViews } from "../store/index.ts";
import type { Broker, OpenSite } from "./index.ts";

worldForEach();

const HOUR = 3_600_000;
/** After which the first death the second one comes. */
const SECOND_DEATHS = [1, 4, 8, 13];
type Step = () => Promise<void> | void;

/** What sites do that is not what was asked: it outlives brokers. */
interface Mishaps {
  /** So often `away` cannot be reached when it is to make its part; then … */
  slow: number;
  /** … it refuses it. */
  readonly isRefusing: boolean;
  /** So many answers of `away` are lost, though it has made its part. */
  lostAnswers: number;
  /** So often `far` cannot be reached when it is to give its part up. */
  unreached: number;
  /** Jobs that went into one part before the other was there. */
  early: number;
}

function opener(away: ScriptedQueue, mishaps: Mishaps, step: Step) {
  return async (name: string): Promise<OpenSite> => {
    const before = async (call: string): Promise<void> => {
      await step();
      if (name === "away" && call.startsWith("reserve")) {
        if (mishaps.slow-- > 0) throw fault("unreachable");
        if (mishaps.isRefusing) throw fault("refused");
      }
      if (name === "far" && call.startsWith("unreserve") && mishaps.unreached-- > 0)
        throw fault("unreachable");
    };
    const after = async (call: string): Promise<void> => {
      if (call.includes(" in t-far") && away.reservations.size === 0) mishaps.early++;
      await step();
      if (name === "away" && call.startsWith("reserve") && mishaps.lostAnswers-- > 0)
        throw fault("unreachable");
    };
    const its = name === "far" ? queue : away;
    const site: ForeignSite = { ...scriptedForeignSite(its, clock, { before, after }), name };
    return { kind: "foreign", site };
  };
}

function fault(kind: "refused" | "unreachable"): Fault {
  return new Fault({
    kind,
    code: "reservationConflict",
    what: "no",
    why: "so it is",
    remedy: "another time",
  });
}

async function takeBoth({ brokerApi }: Broker): Promise<void> {
  const startMs = clock.nowMs();
  const parts = BOTH_SITES.map((site) => ({
    reservation: `t-${site}`,
    ...{ site, consumer: "vo/user", owner: "u1", procs: 2, memoryBytes: 0, startMs, durationMs: HOUR },
  }));
  const offered = await brokerApi.ask({ kind: "offerTogether", together: "t", parts });
  if (!offered.ok) return;
  await brokerApi.ask({ kind: "acceptOffer", reservation: "t-far", by: "u1" });
  const description = { ...JOB_DEFAULTS, executable: "true", site: "far", reservation: "t-far" };
  await brokerApi.ask({ kind: "submit", job: "inside", description, consumer: "vo/user", owner: "u1" });
}

/** All, or nothing; and what was paid is for what is there. */
function expected(states: readonly string[], { isRefusing }: Mishaps) {
  const none = { there: [0, 0], paid: [0, 0] };
  if (states.length === 0) return { states, ...none };
  if (states[0] === "LAPSED") return { states: ["LAPSED", "LAPSED"], ...none };
  if (isRefusing) return { states: ["CANCELLED", "VIOLATED"], ...none };
  return { states: ["ACTIVE", "ACTIVE"], there: [1, 1], paid: [-2 * HOUR, -2 * HOUR] };
}

/** A world in which a broker dies at a step, the next one at another; says whether the first one died. */
async function played(atStep: number, next: number, mishaps: Mishaps): Promise<boolean> {
  beginWorld();
  const away = scriptedQueue();
  const first = await start({ openSite: opener(away, mishaps, () => undefined) });
  for (const name of BOTH_SITES) await add(first, name);
  await pass(10);
  await first.stop();
  const once = dying(atStep);
  const doomed = await start({ over: once.over, at: once.at, openSite: opener(away, mishaps, once.step) });
  await pass(10);
  void takeBoth(doomed).catch(() => undefined);
  await pass(2 * SURVEY_EVERY);
  const hasDied = once.isDead();
  if (hasDied) {
    const twice = dying(next);
    void start({ over: twice.over, at: twice.at, openSite: opener(away, mishaps, twice.step) }).catch(
      () => undefined,
    );
    await pass(2 * SURVEY_EVERY);
    if (!twice.isDead()) twice.die();
  } else once.die();
  const last = await start({ openSite: opener(away, mishaps, () => undefined) });
  await pass(8 * SURVEY_EVERY);
  const came = await standingAtBoth(last, away);
  expect({ atStep, next, came, early: mishaps.early }).toEqual({
    ...{ atStep, next, early: 0 },
    came: expected(came.states, mishaps),
  });
  await last.stop();
  return hasDied;
}

describe("slots at two sites, twice", { timeout: 400_000 }, () => {
  it.each([
    {
      what: "both have them though an answer was lost",
      isRefusing: false,
      slow: 1,
      lostAnswers: 1,
      unreached: 0,
    },
    {
      what: "one refuses, and the other cannot be told",
      isRefusing: true,
      slow: 2,
      lostAnswers: 0,
      unreached: 2,
    },
  ])("BR-67 whenever brokers die: $what, or nothing was accepted", async ({ what: _, ...mishaps }) => {
    let deaths = 0;
    for (let atStep = 6, isOver = false; !isOver; atStep++) {
      for (const next of SECOND_DEATHS) isOver = !(await played(atStep, next, { ...mishaps, early: 0 }));
      deaths++;
    }
    expect(deaths).toBeGreaterThan(10);
    expect(await compareViews({ logbook, schemas: VIEWS, project: projectLog() })).toEqual([]);
  });
});
