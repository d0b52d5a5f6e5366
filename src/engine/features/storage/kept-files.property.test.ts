import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../../test/draws.ts";
import { HOUR, type Scene, scene } from "../../../../test/engine-scene.ts";
import { PlainKeptFiles } from "../../../../test/plain/plain-kept-files.ts";
import {
  type EpochWindow,
  JOB_DEFAULTS,
  POLICY_DEFAULTS,
  type Policy,
  type SiteSpec,
} from "../../../model/index.ts";
import { answer, decide, explain } from "../../index.ts";

const { numRuns: RUNS } = draws(100);
const CAPACITY = 20;
const BEGIN_MS = 10 * HOUR;
const LEVELS = ["a", "a/x", "a/x/u", "b"];

/** Providers that a level may have: the place, or a level above it. */
const PROVIDERS = [["here"], ["here", "a"], ["here", "a/x"], ["here"]];

const terms = fc.record({
  which: fc.nat(1),
  epoch: fc.constantFrom(0, 20, 50, 100),
  burst: fc.constantFrom(30, 50, 80, 100),
  rule: fc.constantFrom<Policy["rule"]>("cap", "entitlement"),
  units: fc.integer({ min: 1, max: 6 }),
});

const STEPS = fc.record({
  does: fc.constantFrom("submit", "submit", "submit", "end", "end", "clear", "clear", "wait", "wait"),
  which: fc.nat(7),
  bytes: fc.constantFrom(0, 1, 2, 3, 5, 8, 13),
  consumer: fc.constantFrom("a/u", "a/x/u", "a/x/u", "a/x/v", "b/u", "c/u"),
  units: fc.integer({ min: 0, max: 4 }),
});
type Step = typeof STEPS extends fc.Arbitrary<infer One> ? One : never;

/** A store of a site, and what is played there. */
const plays = fc.record({
  named: fc.subarray(LEVELS),
  each: fc.array(terms, { minLength: LEVELS.length, maxLength: LEVELS.length }),
  isCalendar: fc.boolean(),
  steps: fc.array(STEPS, { minLength: 8, maxLength: 30, size: "max" }),
});

function policiesOf(
  {
    named,
    each,
    isCalendar,
  }: Pick<typeof plays extends fc.Arbitrary<infer One> ? One : never, "named" | "each" | "isCalendar">,
  unitMs: number,
): readonly Policy[] {
  return LEVELS.flatMap((consumer, index) => {
    if (!named.includes(consumer)) return [];
    const { which, epoch, burst, rule, units } = each[index];
    const sliding: EpochWindow = { kind: "sliding", lengthMs: units * unitMs };
    const window: EpochWindow = isCalendar ? { kind: "fixed", unit: "hour", offsetMs: 0 } : sliding;
    const asked = PROVIDERS[index][which] ?? "here";
    const provider = asked === "here" || named.includes(asked) ? asked : "here";
    const shares = { epoch: { window, sharePpm: Math.min(epoch, burst) * 10_000 }, rule };
    const policy = { ...POLICY_DEFAULTS, resource: "storage", provider, consumer, ...shares } as const;
    return [{ ...policy, burst: { bucketMs: 1000, sharePpm: burst * 10_000 } }];
  });
}

const voOf = (consumer: string): string => consumer.split("/")[0];

/** A broker with one site, and the plain place, to which the same happens. */
class Both {
  readonly broker: Scene = scene({});
  readonly place: PlainKeptFiles;
  private readonly unitMs: number;
  private readonly asked = new Map<string, { readonly consumer: string; readonly bytes: number }>();
  /** Organisations with jobs that wait, the one served longest ago first. */
  private readonly turns: string[] = [];
  private readonly placed: string[] = [];
  private readonly ended: string[] = [];
  private submitted = 0;

  constructor(policies: readonly Policy[], unitMs: number) {
    this.unitMs = unitMs;
    this.broker.now = BEGIN_MS;
    const spec: SiteSpec = {
      ...{ type: "managed", procs: 100, memoryBytes: 2 ** 30, discipline: "fcfs", defaultWallTimeMs: HOUR },
      stores: { scratch: { sizeBytes: CAPACITY - 8 }, home: { sizeBytes: 8 } },
    };
    expect(this.broker.ask({ kind: "addSite", site: "here", spec })).toBe("ok");
    const whole = { effectiveFromMs: null, onVersion: null, by: "admin", note: "" };
    expect(this.broker.ask({ kind: "applyPolicies", policies, ...whole })).toBe("ok");
    this.place = new PlainKeptFiles(policies, CAPACITY);
  }

  step({ does, which, bytes, consumer, units }: Step): void {
    if (does === "submit") this.submit(consumer, bytes);
    else if (does === "wait") this.wait(units);
    else if (does === "end") this.end(which, bytes);
    else this.clear(which);
    this.settle();
    this.compare();
  }

  private submit(consumer: string, bytes: number): void {
    const job = `j${this.submitted++}`;
    const description = { ...JOB_DEFAULTS, executable: "true", site: "here" };
    const command = { kind: "submit", job, description, consumer, owner: "u1", inputBytes: bytes } as const;
    const answered = answer(this.broker.projection, command, this.broker.now);
    const said = answered.ok ? "ok" : answered.refusal.kind;
    expect(said).toBe(bytes > 0 && this.place.isNever(consumer, bytes) ? "filesOverQuota" : "ok");
    if (this.broker.ask(command) !== "ok") return;
    this.asked.set(job, { consumer, bytes });
    if (!this.turns.includes(voOf(consumer))) this.turns.push(voOf(consumer));
  }

  /** Looks at nothing but the instants that the broker names; in between nothing may have become possible. */
  private wait(units: number): void {
    const { broker } = this;
    const untilMs = broker.now + units * this.unitMs;
    for (;;) {
      const { wakeAtMs } = decide(broker.projection, broker.now);
      const nextMs = Math.min(untilMs, Math.max(wakeAtMs ?? untilMs, broker.now + 1));
      for (let atMs = broker.now; atMs < nextMs; atMs += Math.max(1, this.unitMs / 8)) this.expectFull(atMs);
      if (nextMs > broker.now) this.expectFull(nextMs - 1);
      broker.now = nextMs;
      if (nextMs === untilMs) return;
      this.settle();
    }
  }

  private expectFull(atMs: number): void {
    for (const { consumer, bytes } of this.asked.values()) {
      expect(this.place.limit(consumer, bytes, atMs)).toBeDefined();
    }
  }

  private end(which: number, bytes: number): void {
    const { broker, place, placed } = this;
    const [job] = placed.splice(which % Math.max(placed.length, 1), 1);
    if (job === undefined) return;
    broker.ended(job);
    broker.ask({ kind: "countFiles", files: `${job}/1`, bytes });
    place.remove(job, broker.now);
    place.keep(`${job}/1`, broker.records.get(job)?.consumer ?? "", bytes, broker.now);
    this.ended.push(job);
  }

  private clear(which: number): void {
    const [job] = this.ended.splice(which % Math.max(this.ended.length, 1), 1);
    if (job === undefined) return;
    this.broker.ask({ kind: "clearFiles", files: `${job}/1`, site: "here", by: "ada" });
    this.place.remove(`${job}/1`, this.broker.now);
  }

  /** Jobs that wait, round-robin over their organisations (EN-321). */
  private inTurn(): readonly string[] {
    const ofVo = (vo: string) =>
      [...this.asked].flatMap(([job, it]) => (voOf(it.consumer) === vo ? [job] : []));
    const queues = this.turns.map(ofVo);
    return [...this.asked.keys()].flatMap((_, round) =>
      queues.flatMap((jobs) => jobs.slice(round, round + 1)),
    );
  }

  /** Counts a turn of the job's organisation, which moves to the end if it has more jobs. */
  private took(job: string): void {
    const vo = voOf(this.asked.get(job)?.consumer ?? "");
    this.asked.delete(job);
    this.turns.splice(this.turns.indexOf(vo), 1);
    if ([...this.asked.values()].some(({ consumer }) => voOf(consumer) === vo)) this.turns.push(vo);
  }

  /** Admits waiting jobs in turn, each beside those admitted before. */
  private settle(): void {
    const { asked, broker, place } = this;
    for (const job of broker.settle()) broker.running(job);
    const order = this.inTurn();
    const taken = order.filter((job) => {
      const { consumer, bytes } = asked.get(job) ?? { consumer: "", bytes: 0 };
      const isTaken = place.limit(consumer, bytes, broker.now) === undefined;
      if (isTaken) place.keep(job, consumer, bytes, broker.now);
      return isTaken;
    });
    expect(order.filter((job) => broker.records.get(job)?.site === "here")).toEqual(taken);
    for (const job of taken) this.took(job);
    this.placed.push(...taken);
  }

  /** Who waits is told what the plain place says. */
  private compare(): void {
    const { broker, place } = this;
    for (const [job, { consumer, bytes }] of this.asked) {
      const record = broker.projection.jobs.get(job);
      const causes = record === undefined ? [] : explain(broker.projection, record, broker.now).causes;
      const full = causes.find((cause) => cause.kind === "storeFull");
      const told = full?.kind === "storeFull" ? full.limits[0] : undefined;
      const plain = place.limit(consumer, bytes, broker.now);
      expect({ limit: told?.limit, level: told?.level }).toEqual({
        limit: plain?.limit,
        level: plain?.level,
      });
      if (plain?.limit !== "epoch") expect(told?.usedBytes).toBe(plain?.usedBytes);
    }
  }
}

describe("what is kept at a site", () => {
  it("PO-57 EN-102 is accepted, refused or kept waiting as in a plain model", () => {
    fc.assert(
      fc.property(plays, ({ steps, ...shape }) => {
        const unitMs = shape.isCalendar ? HOUR / 4 : 8;
        const both = new Both(policiesOf(shape, unitMs), unitMs);
        for (const step of steps) both.step(step);
      }),
      { numRuns: RUNS },
    );
  });
});
