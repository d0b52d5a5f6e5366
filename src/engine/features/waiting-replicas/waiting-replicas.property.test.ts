/**
 * Replicas whatever happens to their holders, the broker and its answers: at most one begins, and in the end
 * one has begun. The world here keeps what really happened: wrappers begin by an atomic claim, orders and
 * reports arrive late or twice, and the broker forgets everything but its views.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../../test/draws.ts";
import { type Scene, scene } from "../../../../test/engine-scene.ts";
import { attemptToken, SLURM_DEFAULTS } from "../../../model/index.ts";

const MINUTE = 60_000;
const SITES = ["west", "east", "south"] as const;
const KINDS = [
  ...["start", "start", "ask", "ask", "give", "give", "begin", "begin", "tell", "tell"],
  ...["lose", "giveUp", "confirmLoss", "leave", "free", "kill", "hold", "release", "wait"],
] as const;
type Step = { readonly kind: (typeof KINDS)[number]; readonly pick: number };

const steps = fc.array(fc.record({ kind: fc.constantFrom(...KINDS), pick: fc.nat({ max: 5 }) }), {
  ...{ maxLength: 40, size: "max" },
}) as fc.Arbitrary<Step[]>;

/** What a wrapper of an attempt of the job did. `fenced`: it will never begin. */
type Wrapper = "ordered" | "running" | "lost" | "fenced";

class World {
  readonly play: Scene;
  readonly alive = new Set<string>();
  readonly wrappers = new Map<string, Wrapper>();
  begun = 0;
  lost = 0;

  constructor(managedProcs: number) {
    this.play = scene(managedProcs === 0 ? {} : { local: managedProcs });
    for (const site of SITES) {
      const spec = {
        ...SLURM_DEFAULTS,
        ...({ type: "slurm", readOnly: false, submitDirectory: "/jobs", procs: 16 } as const),
        memoryBytes: 2 ** 34,
      };
      this.play.ask({ kind: "addSite", site, spec });
      this.play.look(site);
    }
    if (managedProcs > 0) this.play.submit("busy", managedProcs, { site: "local" });
    this.settle();
    this.play.submit("a", 2, { wallTimeMs: 10 * MINUTE, replicas: 4 });
    this.settle();
  }

  /** A job started at the managed site has begun, since no wrapper asks there. */
  settle(): void {
    if (this.play.settle().includes("a")) this.#begin(this.token());
  }

  token(): string {
    return attemptToken("a", this.play.records.get("a")?.attempt ?? 0);
  }

  job() {
    return this.play.projection.jobs.get("a");
  }

  holders() {
    const { pilots } = this.play.projection.books;
    return [...pilots.values()].filter((it) => it.replicaOf === "a" && it.state !== "ENDED");
  }

  do({ kind, pick }: Step): void {
    const { play } = this;
    const holders = this.holders();
    const holder = holders[pick % Math.max(1, holders.length)];
    const record = play.projection.jobs.get(holder?.job ?? "");
    switch (kind) {
      case "start":
        if (record === undefined || record.site === null || record.startedAtMs !== null) break;
        this.alive.add(record.id);
        play.running(record.id);
        break;
      case "ask":
        if (!this.alive.has(holder?.job ?? "")) break;
        play.ask({ kind: "openPilot", pilot: holder.job, procs: 2, memoryBytes: 1, gpus: 0, node: "n" });
        break;
      case "give":
        this.#give();
        break;
      case "begin": {
        const job = this.job();
        const isReady = job?.pilot !== undefined && this.wrappers.get(this.token()) === "ordered";
        if (isReady && this.alive.has(job.pilot ?? "")) this.#begin(this.token());
        // Where its replicas failed everywhere, it waits at one cluster like any other job.
        const isAlone = job?.state === "READY" && job.pilot === undefined && !this.wrappers.has(this.token());
        if (isAlone) this.#begin(this.token());
        break;
      }
      case "tell":
        if (this.wrappers.get(this.token()) === "running") play.running("a");
        break;
      case "lose":
        this.#die(holder?.job);
        break;
      case "leave":
        if (record?.isCancelRequested === true) this.#die(holder?.job, "cancelled");
        break;
      case "giveUp":
        // The holder has waited for two minutes without an answer, and ends without having begun the job.
        if (this.wrappers.get(this.token()) !== "running") this.#die(holder?.job);
        break;
      case "confirmLoss":
        this.#confirmLoss();
        break;
      case "free":
        if (play.state("busy") === "RUNNING" || play.state("busy") === "SCHEDULED") play.ended("busy");
        break;
      case "kill":
        // What it was told and had not recorded is gone, and it knows nothing of the sites yet.
        play.restart();
        for (const site of SITES) play.look(site);
        break;
      case "hold":
      case "release":
        play.act(kind, "a");
        break;
      case "wait":
        play.now += pick * MINUTE;
    }
    this.settle();
  }

  /** The order reaches the directory of the holder, however late; it is carried out by a claim. */
  #give(): void {
    const job = this.job();
    if (job?.pilot === undefined || this.wrappers.has(this.token()) || job.isRecalled === true) return;
    this.wrappers.set(this.token(), "ordered");
  }

  #begin(token: string): void {
    expect([...this.wrappers.values()].filter((it) => it === "running")).toEqual([]);
    const isGranted = this.play.log.some(
      (it) =>
        (it.kind === "jobPlaced" && it.job === "a") ||
        (it.kind === "queueSettled" && it.starts.includes("a")),
    );
    expect(isGranted).toBe(true);
    this.wrappers.set(token, "running");
    this.begun++;
  }

  #die(id: string | undefined, cause: "lost" | "cancelled" = "lost"): void {
    if (id === undefined || (!this.alive.delete(id) && cause === "lost")) return;
    const isBound = this.job()?.pilot === id;
    if (isBound && this.wrappers.get(this.token()) === "running") {
      this.wrappers.set(this.token(), "lost");
      this.lost++;
    }
    this.play.ended(id, { cause, exitCode: null });
  }

  /** The site says of an attempt whose holder is gone that it did not begin and never will, or is over. */
  #confirmLoss(): void {
    const job = this.job();
    if (job?.pilot === undefined) return;
    const wrapper = this.wrappers.get(this.token());
    const isRecalled = job.isRecalled === true && wrapper !== "running" && wrapper !== "lost";
    if (!isRecalled && (this.alive.has(job.pilot) || wrapper === "running")) return;
    if (wrapper !== "lost") this.wrappers.set(this.token(), "fenced");
    this.play.ended("a", { cause: isRecalled ? "cancelled" : "lost", exitCode: null });
  }
}

describe("replicas of a waiting job", () => {
  it("EN-313 at most one begins, and one has begun in the end", () => {
    fc.assert(
      fc.property(steps, fc.constantFrom(0, 2), (all, managedProcs) => {
        const world = new World(managedProcs);
        for (const step of all) world.do(step);
        expect(world.begun - world.lost).toBeLessThanOrEqual(1);
        if (world.job()?.state === "HELD") world.do({ kind: "release", pick: 0 });
        for (let round = 0; round < 30 && world.begun === world.lost && world.job() !== undefined; round++) {
          world.do({ kind: "wait", pick: 1 });
          for (const kind of ["leave", "confirmLoss", "start", "ask", "give", "begin", "tell"] as const) {
            for (let pick = 0; pick < 6; pick++) world.do({ kind, pick });
          }
        }
        const isOver = world.job() === undefined;
        expect(isOver || world.begun - world.lost === 1).toBe(true);
      }),
      draws(60),
    );
  });
});
