/** Slots of one query are alternatives: [PROV] figure 50. */
import { describe, expect, it } from "vitest";
import { HOUR, type Scene } from "../../../test/engine-scene.ts";
import { cancel, RULES, record, request, START, site, USER } from "../../../test/reservation-scene.ts";
import type { Answer } from "../../engine/index.ts";
import type { Command, OfKind } from "../../model/index.ts";
import { confirmPlan } from "./confirm-plan.ts";

const ID = "wwwwwwwwwwww";
const NAMES = ["r0", "r1", "r2"];

/** The source's resource: five processors, two tasks that run on four until t1, and two that wait for two. */
function resource(): Scene {
  const play = site();
  const spec = play.projection.sites.get("here")?.spec;
  if (spec === undefined) throw new Error("no site");
  play.ask({ kind: "changeSite", site: "here", spec: { ...spec, procs: 5, reservations: RULES } });
  for (const job of ["A", "B"]) play.submit(job, 2, { wallTimeMs: HOUR / 2 });
  play.settle();
  for (const job of ["C", "D"]) play.submit(job, 2, { wallTimeMs: HOUR });
  play.settle();
  return play;
}

/** The slot of two processors for three hours that begins at t1, t2, … */
const slot = (reservation: string, t: number) =>
  request(reservation, { procs: 2, startMs: START + t * HOUR, durationMs: 3 * HOUR });

/** A plan with a task in each of the slots that begin at these times. */
function plan(starts: readonly number[]): OfKind<Command, "startWorkflow"> {
  const pilots = starts.map((t, at) => {
    const { startMs, durationMs } = slot(NAMES[at], t);
    const span = { startMs, endMs: startMs + durationMs };
    return { job: `${ID}-p${at}`, reservation: NAMES[at], site: "here", procs: 2, ...span };
  });
  return {
    ...{ kind: "startWorkflow", workflow: ID, name: "flow", owner: "u1", consumer: USER, pilots },
    ...{ retries: 0, directory: null, isBestEffort: false, mostProcMs: null },
    tasks: pilots.map((_, at) => ({
      ...{ id: `t${at}`, procs: 2, runtimeMs: HOUR, parents: [] },
      program: { executable: "true", arguments: [], environment: {} },
    })),
    places: pilots.map(({ startMs, endMs }, at) => ({ task: at, pilot: at, startMs, endMs })),
  };
}

/** Confirms a plan: "ok", or the kind of the refusal. */
async function confirmed(play: Scene, starts: readonly number[]): Promise<string> {
  let refusal = "ok";
  const ask = async (command: Command): Promise<Answer> => {
    const answer = play.ask(command);
    if (command.kind !== "cancelReservation" && answer !== "ok") refusal = answer;
    return (answer === "ok" ? { ok: true, value: [] } : { ok: false, refusal: { kind: answer } }) as Answer;
  };
  await confirmPlan({ round: { ask, projection: play.projection } }, plan(starts), {
    owner: "u1",
    consumer: USER,
  });
  return refusal;
}

const held = (play: Scene) => NAMES.filter((name) => record(play, name) !== undefined);

describe("EN-210 slots of one query", () => {
  it("can each be had: at t1, at t2, at t3", () => {
    const play = resource();
    for (const t of [1, 2, 3]) {
      expect(play.ask(slot("r0", t))).toBe("ok");
      expect(play.ask(cancel("r0"))).toBe("ok");
    }
  });

  it("cannot be had together: a plan on all three is refused, and holds none of them", async () => {
    const play = resource();
    expect(await confirmed(play, [1, 2, 3])).toBe("slotTaken");
    expect(held(play)).toEqual([]);
  });

  it("can be had together where they do not overlap", async () => {
    const play = resource();
    expect(await confirmed(play, [1, 4])).toBe("ok");
    expect(held(play)).toEqual(["r0", "r1"]);
  });
});
