import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../../test/draws.ts";
import { HOUR, type Scene, scene, shown } from "../../../../test/engine-scene.ts";
import { nextEnd, type PlainAnswer, whyNotAsked } from "../../../../test/plain/plain-refusals.ts";
import {
  ENFORCEMENT_DEFAULTS,
  type EnforcementAction,
  type EnforcementStep,
  POLICY_DEFAULTS,
  type Policy,
  type RefusalAbout,
} from "../../../model/index.ts";
import { decide } from "../../index.ts";

const { numRuns: RUNS } = draws(120);
const MINUTE = 60_000;

const grants = fc.constantFrom<readonly EnforcementStep[]>(
  ["hold", "suspend"],
  ["hold", "suspend", "requeue"],
  ["hold", "suspend", "requeue"],
  ["priority"],
);

const sizes = fc.record({
  running: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 5 }),
  waiting: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }),
});

/** What the site says to the orders of a look, in turn; and how long it is until the next look. */
const steps = fc.array(
  fc.record({
    says: fc.array(fc.constantFrom<RefusalAbout | "done">("done", "job", "job", "right", "site"), {
      minLength: 3,
      maxLength: 3,
    }),
    isOneByOne: fc.boolean(),
    passMs: fc.constantFrom(0, 0, MINUTE / 2, MINUTE, 20 * MINUTE, HOUR),
  }),
  { minLength: 3, maxLength: 10, size: "max" },
);

const policy = (consumer: string): Policy => ({
  ...POLICY_DEFAULTS,
  ...{ provider: "here", consumer, mode: "preempting", carry: "repay" },
  epoch: { window: { kind: "sliding", lengthMs: HOUR }, sharePpm: 500_000 },
});

function cluster(granted: readonly EnforcementStep[]): Scene {
  const play = scene({});
  play.foreign("here", 10);
  const spec = play.projection.sites.get("here")?.spec;
  if (spec === undefined) throw new Error("it was just added");
  const enforcement = { ...ENFORCEMENT_DEFAULTS, granted, minRunMs: 1000, maxSuspensions: 1000 };
  play.ask({ kind: "changeSite", site: "here", spec: { ...spec, enforcement } });
  play.ask({
    ...{ kind: "applyPolicies", policies: [policy("a"), policy("b")] },
    ...{ effectiveFromMs: null, onVersion: null, by: "admin", note: "" },
  });
  play.now += MINUTE;
  return play;
}

/** The site goes on showing what it showed first: whatever it was asked, nothing came of it. */
function look(play: Scene, { running, waiting }: typeof sizes extends fc.Arbitrary<infer One> ? One : never) {
  const usual = { user: "u", eligibleAtMs: 0 };
  const jobs = [
    ...running.map((procs, at) =>
      shown(`r${at}`, null, { ...usual, account: "a", procs, state: "running", startedAtMs: at + 1 }),
    ),
    ...waiting.map((procs, at) => shown(`w${at}`, null, { ...usual, account: "b", procs })),
  ];
  play.look("here", { jobs });
}

function asked(play: Scene): readonly EnforcementAction[] {
  const before = play.log.length;
  play.settle();
  return play.log.slice(before).flatMap((event) => (event.kind === "enforced" ? event.actions : []));
}

/** The site's answer to an order. */
function answerTo(
  play: Scene,
  verb: EnforcementAction["verb"],
  told: ReadonlyMap<string, RefusalAbout | "done">,
) {
  const refused = [...told].flatMap(([job, about]) => (about === "done" ? [] : [{ job, about, why: "no" }]));
  const jobs = [...told.keys()];
  if (refused.length === 0) return [];
  play.tell({ kind: "enforcementAnswered", site: "here", verb, jobs, commands: [], refused });
  return [{ atMs: play.now, verb, jobs, refused }];
}

describe("a site that refuses", () => {
  it("EN-106 is not asked again for what it refused until the delay is over", () => {
    fc.assert(
      fc.property(grants, sizes, steps, (granted, size, siteEvents) => {
        const play = cluster(granted);
        const answers: PlainAnswer[] = [];
        for (const { says, isOneByOne, passMs } of siteEvents) {
          look(play, size);
          const actions = asked(play);
          for (const { verb, job } of actions) {
            expect({ verb, job, why: whyNotAsked(answers, { verb, job }, play.now) }).toEqual({ verb, job });
          }
          const verbs = [...new Set(actions.map(({ verb }) => verb))];
          const orders = isOneByOne
            ? actions.map((action) => [action])
            : verbs.map((verb) => actions.filter((action) => action.verb === verb));
          for (const order of orders) {
            const told = new Map(order.map(({ job }, at) => [job, says[at % says.length]]));
            answers.push(...answerTo(play, order[0].verb, told));
          }
          const { wakeAtMs } = decide(play.projection, play.now);
          expect(wakeAtMs ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(nextEnd(answers, play.now));
          play.now += passMs;
        }
      }),
      { numRuns: RUNS },
    );
  });
});
