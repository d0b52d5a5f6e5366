/** Confirmation of plans: a broker that dies in the middle has made all reservations of a plan, or none. */
import { describe, expect, it } from "vitest";
import { BOTH_SITES } from "../../../test/both-sites.ts";
import { draws } from "../../../test/draws.ts";
import { foreignSpec } from "../../../test/engine-scene.ts";
import {
  add,
  beginWorld,
  clock,
  dying,
  pass,
  queue,
  start,
  worldForEach,
} from "../../../test/foreign-broker.ts";
import { RULES } from "../../../test/reservation-scene.ts";
import {
  type ScriptedQueue,
  SURVEY_EVERY,
  scriptedForeignSite,
  scriptedQueue,
} from "../../../test/scripted-foreign-site.ts";
import type { Command, OfKind } from "../../model/index.ts";
import type { Broker, OpenSite } from "../index.ts";

worldForEach();

const HOUR = 3_600_000;
/** An offer has lapsed by then. */
const OFFER_MS = 70_000;
const ID = "wwwwwwwwwwww";
type Start = OfKind<Command, "startWorkflow">;

/** A task in each of so many reservations, at two sites in turn. */
function plan(count: number): Start {
  const beginMs = clock.nowMs() + HOUR;
  const numbers = Array.from({ length: count }, (_, at) => at);
  const slot = (at: number) => ({ startMs: beginMs + at * HOUR, endMs: beginMs + (at + 1) * HOUR });
  return {
    ...{ kind: "startWorkflow", workflow: ID, name: "flow", owner: "u1", consumer: "vo/user" },
    ...{ retries: 0, directory: null, isBestEffort: false, mostProcMs: null },
    tasks: numbers.map((at) => ({
      ...{ id: `t${at}`, procs: 1, runtimeMs: HOUR / 2, parents: [] },
      program: { executable: "true", arguments: [], environment: {} },
    })),
    pilots: numbers.map((at) => ({
      ...{
        job: `${ID}-p${at}`,
        reservation: `${ID}-r${at}`,
        site: BOTH_SITES[at % 2],
        procs: 2,
        ...slot(at),
      },
    })),
    places: numbers.map((at) => ({ task: at, pilot: at, ...slot(at) })),
  };
}

function sites(away: ScriptedQueue, step: () => Promise<void> | void) {
  return async (name: string): Promise<OpenSite> => {
    const its = name === "far" ? queue : away;
    return {
      kind: "foreign",
      site: { ...scriptedForeignSite(its, clock, { before: step, after: step }), name },
    };
  };
}

/** A broker with two sites of which everybody may reserve all. */
async function begun(away: ScriptedQueue): Promise<Broker> {
  const broker = await start({ openSite: sites(away, () => undefined) });
  for (const name of BOTH_SITES) await add(broker, name, { ...foreignSpec(4), reservations: RULES });
  await pass(10);
  return broker;
}

/** State when no offer is open any more: reservations by state, and the state of the workflow. */
async function standing({ brokerApi }: Broker, waitMs = OFFER_MS) {
  await pass(waitMs);
  const { items } = await brokerApi.reservations({});
  const open = items.filter(({ state }) => state !== "LAPSED" && state !== "WITHDRAWN");
  return {
    states: [...new Set(open.map(({ state }) => state))],
    count: open.length,
    workflow: brokerApi.query("workflows")[0]?.state,
  };
}

/** Kills a broker at a step of the confirmation and starts another. @returns whether it died in time */
async function killedAt(atStep: number, count: number): Promise<boolean> {
  beginWorld();
  const away = scriptedQueue();
  await (await begun(away)).stop();
  const { over, at, step, isDead, live } = dying(atStep);
  const doomed = await start({ over, at, openSite: sites(away, step) });
  await pass(10);
  void doomed.brokerApi.ask(plan(count)).catch(() => undefined);
  await pass(3 * SURVEY_EVERY);
  const wasKilled = isDead();
  if (!wasKilled) live();
  const next = wasKilled ? await start({ openSite: sites(away, () => undefined) }) : doomed;
  const came = await standing(next);
  const all = { states: ["ACCEPTED"], count, workflow: "RUNNING" };
  const none = { states: [], count: 0, workflow: undefined };
  expect({ atStep, ...came }).toEqual({ atStep, ...(came.count > 0 ? all : none) });
  if (!wasKilled) expect(came.count).toBe(count);
  await next.stop();
  return wasKilled;
}

describe("EN-210 the confirmation of a plan", { timeout: 600_000 }, () => {
  it("makes all reservations or none, whenever the broker is killed", async () => {
    let left = draws(10).numRuns;
    for (let count = 2; left > 0; count++) {
      for (let atStep = 6; left > 0 && (await killedAt(atStep, count)); atStep++) left--;
    }
  });

  it("holds nothing where one of its slots is taken meanwhile", async () => {
    const away = scriptedQueue();
    const broker = await begun(away);
    const { pilots, ...rest } = plan(3);
    const [, , last] = pilots;
    const taken = { ...last, startMs: pilots[0].startMs, endMs: pilots[0].endMs, procs: 4 };
    const places = rest.places.map((place, at) =>
      at === 2 ? { ...rest.places[0], task: 2, pilot: 2 } : place,
    );
    const answer = await broker.brokerApi.ask({ ...rest, pilots: [...pilots.slice(0, 2), taken], places });
    expect(answer).toMatchObject({ ok: false });
    expect(await standing(broker, 10)).toEqual({ states: [], count: 0, workflow: undefined });
  });
});
