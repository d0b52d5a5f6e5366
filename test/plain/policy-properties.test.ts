import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  admitInOrder,
  changeUse,
  createUseHistory,
  divideFairly,
  enforce,
  fallsBelowAtMs,
  levelsOf,
  limitOver,
  reachesAtMs,
  shareTree,
  usedOver,
  WHOLE_SHARE,
} from "../../src/policy/index.ts";
import { draws } from "../draws.ts";
import { policy, siteOf, told } from "../enforced-scene.ts";
import { enforcedScenes, NOW_MS } from "./enforced-arbitrary.ts";
import { type PlainBooking, plainAdmits } from "./plain-admission.ts";
import { plainEnforce } from "./plain-enforcement.ts";
import { plainEnforceLiterally } from "./plain-literal.ts";
import { plainCrossing, plainFairParts, plainShares, plainUsedOver } from "./plain-windows.ts";

const { numRuns: RUNS } = draws(400);

const inWords = (actions: readonly { readonly verb: string; readonly job: string }[]) =>
  actions.map(({ verb, job }) => `${verb} ${job}`).sort();

describe("the enforcer does what the plain one does", () => {
  it("by need", () => {
    fc.assert(
      fc.property(enforcedScenes, (scene) => {
        const site = siteOf(scene, NOW_MS);
        const ours = enforce(site, NOW_MS);
        const plain = plainEnforce(site, NOW_MS);
        expect([...told(ours)].sort()).toEqual(inWords(plain.actions));
      }),
      { numRuns: RUNS },
    );
  });

  it("literally", () => {
    fc.assert(
      fc.property(enforcedScenes, (scene) => {
        const site = siteOf({ ...scene, rules: { ...scene.rules, form: "literal" } }, NOW_MS);
        const plain = plainEnforceLiterally(site, NOW_MS);
        expect([...told(enforce(site, NOW_MS))].sort()).toEqual(inWords(plain.actions));
      }),
      { numRuns: RUNS },
    );
  });
});

describe("windows are as a count tick by tick says", () => {
  const courses = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 25 });
  const lengths = fc.integer({ min: 1, max: 12 });

  it("use, and when it crosses a limit", () => {
    fc.assert(
      fc.property(courses, lengths, fc.integer({ min: 0, max: 100 }), (course, lengthMs, percent) => {
        const history = createUseHistory(lengthMs);
        for (const [tick, amount] of course.entries()) changeUse(history, tick, amount);
        const nowMs = course.length - 1;
        const window = { kind: "sliding", lengthMs } as const;
        expect(usedOver(history, window, nowMs)).toBe(BigInt(plainUsedOver(course, lengthMs, nowMs)));
        const limit = { window, share: (WHOLE_SHARE / 100) * percent, capacity: 4 };
        const amount = course[course.length - 1];
        const bound = Number(limitOver(limit, nowMs));
        const crosses = (isReached: boolean) =>
          plainCrossing(course, { limit: bound, lengthMs, isReached }, nowMs);
        expect(reachesAtMs(history, limit, nowMs, amount)).toBe(crosses(true));
        expect(fallsBelowAtMs(history, limit, nowMs, amount)).toBe(crosses(false));
      }),
      { numRuns: RUNS },
    );
  });

  it("shares down a path", () => {
    const percent = fc.constantFrom(0, 10, 25, 50, 100);
    const some = fc.subarray(["a", "a/x", "a/x/u", "a/y"]);
    fc.assert(
      fc.property(some, fc.array(percent, { minLength: 4, maxLength: 4 }), (named, percents) => {
        const policies = named.map((consumer, at) => policy(consumer, percents[at], { burst: 100 }));
        const whole = policies.every(({ provider }) => provider === "site" || named.includes(provider));
        fc.pre(whole);
        const tree = shareTree(policies, "site");
        for (const consumer of ["a", "a/x", "a/x/u", "a/y", "b"]) {
          const plain = plainShares(policies, "site", consumer);
          const last = levelsOf(tree, "cpu", consumer).at(-1);
          expect(last === undefined).toBe(plain === null);
          expect((last?.epochShare ?? 0) / WHOLE_SHARE).toBeCloseTo(plain?.epoch ?? 0, 9);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it("fair parts, but for what does not divide", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 6 }),
        lengths,
        (wants, more) => {
          const whole = more * 7;
          const ours = divideFairly(wants, whole);
          const plain = plainFairParts(wants, whole);
          expect(ours.reduce((sum, it) => sum + it, 0)).toBe(
            Math.min(
              whole,
              wants.reduce((sum, it) => sum + it, 0),
            ),
          );
          for (const [at, part] of plain.entries()) expect([part, part + 1]).toContain(ours[at]);
        },
      ),
      { numRuns: RUNS },
    );
  });
});

describe("admission is as a look at every tick of every window says", () => {
  const bookings: fc.Arbitrary<PlainBooking> = fc
    .record({
      consumer: fc.constantFrom("a", "a/x", "a/y", "b", "stranger"),
      amount: fc.integer({ min: 1, max: 8 }),
      start: fc.integer({ min: 0, max: 15 }),
      lasts: fc.option(fc.integer({ min: 1, max: 12 })),
    })
    .map(({ lasts, ...it }) => ({ ...it, end: lasts === null ? null : it.start + lasts }));

  const policies = fc
    .tuple(fc.constantFrom(25, 50, 100), fc.constantFrom(20, 50, 80), fc.constantFrom(3, 5, 8), fc.boolean())
    .map(([first, second, windowMs, isDeep]) => [
      policy("a", first, { burst: 100, windowMs }),
      policy("b", second, { burst: 80, windowMs }),
      ...(isDeep ? [policy("a/x", 50, { burst: 75, windowMs })] : []),
    ]);

  it("request after request", () => {
    fc.assert(
      fc.property(policies, fc.array(bookings, { maxLength: 6 }), (said, requests) => {
        const rules = {
          tree: shareTree(said, "site"),
          resource: "cpu",
          capacity: 10n,
          ticksPerMs: 1n,
        } as const;
        const asked = requests.map(({ amount, start, end, consumer }) => ({
          consumer,
          amount: BigInt(amount),
          start: BigInt(start),
          end: end === null ? null : BigInt(end),
        }));
        const ours = admitInOrder(rules, asked);
        const booked: PlainBooking[] = [];
        for (const [at, request] of requests.entries()) {
          const plain = plainAdmits(
            { policies: said, site: "site", capacity: 10, horizon: 48 },
            booked,
            request,
          );
          const { kind = null, ...facts } = ours[at] ?? {};
          expect(kind).toBe(plain?.kind ?? null);
          if (plain !== undefined && "level" in plain) expect(facts).toMatchObject({ level: plain.level });
          if (plain === undefined) booked.push(request);
        }
      }),
      { numRuns: RUNS },
    );
  });
});
