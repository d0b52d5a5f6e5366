import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../../test/draws.ts";
import { HOUR, type Scene, scene } from "../../../../test/engine-scene.ts";
import { JOB_DEFAULTS, SLURM_DEFAULTS } from "../../../model/index.ts";
import { explain } from "../../explain.ts";

const GIB = 2 ** 30;
const rule = { executable: null, fromMs: 0, untilMs: 24 * HOUR };

/** A cluster with a pilot of 64 processors that runs, and a pool of accounts for everybody. */
function cluster(pool: readonly string[]): Scene {
  const play = scene({});
  const rules = [{ ...rule, path: "vo", account: null, pool }];
  const identity = { mode: "sudo" as const, rules, banned: ["vo/group/eve"] };
  const pilots = { max: 1, procs: 64, wallTimeMs: 9 * HOUR, idleMs: 9 * HOUR, consumer: "pilots", identity };
  const size = { procs: 64, memoryBytes: 64 * GIB, readOnly: false, submitDirectory: "/jobs" };
  play.ask({ kind: "addSite", site: "west", spec: { ...SLURM_DEFAULTS, type: "slurm", ...size, pilots } });
  play.look("west");
  submit(play, "first", "nobody");
  for (const { job } of [...play.projection.books.pilots.values()]) {
    play.running(job);
    play.ask({ kind: "openPilot", pilot: job, procs: 64, memoryBytes: 64 * GIB, gpus: 0, node: "n1" });
  }
  play.settle();
  end(play, "first");
  return play;
}

function submit(play: Scene, job: string, owner: string): void {
  const description = { ...JOB_DEFAULTS, executable: "/bin/true", wallTimeMs: HOUR };
  play.ask({ kind: "submit", job, description, consumer: `vo/group/${owner}`, owner });
  play.settle();
}

function end(play: Scene, job: string): void {
  play.running(job);
  play.ended(job);
  play.settle();
}

const accountOf = (play: Scene, job: string) => play.projection.jobs.get(job)?.account;

describe("EN-308 pool accounts", () => {
  it("each owner has one of her own while she has jobs, and gets it again", () => {
    const play = cluster(["p1", "p2", "p3"]);
    submit(play, "a1", "ann");
    submit(play, "b1", "bob");
    submit(play, "a2", "ann");
    expect(["a1", "b1", "a2"].map((id) => accountOf(play, id))).toEqual(["p2", "p3", "p2"]);
    end(play, "a1");
    submit(play, "c1", "cat");
    expect(accountOf(play, "c1")).toBe("p1");
    end(play, "a2");
    submit(play, "a3", "ann");
    expect(accountOf(play, "a3")).toBe("p2");
  });

  it("a job waits while others use all of them, with the reason, and gets the one that comes free", () => {
    const play = cluster(["p1"]);
    submit(play, "a", "ann");
    submit(play, "b", "bob");
    submit(play, "eve", "eve");
    const waiting = play.projection.jobs.get("b") ?? expect.fail("no job");
    expect([waiting.site, accountOf(play, "a")]).toEqual([null, "p1"]);
    expect(explain(play.projection, waiting, play.now).causes).toContainEqual({
      ...{ kind: "identityRefused", site: "west", why: "poolInUse", rule: 1, accounts: 1 },
    });
    end(play, "a");
    expect(accountOf(play, "b")).toBe("p1");
    expect(play.state("eve")).toBe("WAITING");
  });

  it("jobs of several owners that are placed at once get different accounts", () => {
    const play = cluster(["p1", "p2"]);
    play.ask({ kind: "drainSite", site: "west", by: "admin" });
    for (const owner of ["ann", "bob", "cat"]) submit(play, owner, owner);
    play.ask({ kind: "reopenSite", site: "west", by: "admin" });
    play.settle();
    expect(["ann", "bob", "cat"].map((id) => accountOf(play, id))).toEqual(["p2", "p1", undefined]);
    expect(play.state("cat")).toBe("WAITING");
  });

  it("no account is ever that of two owners, whatever begins and ends", () => {
    const steps = fc.array(fc.record({ isEnd: fc.boolean(), pick: fc.nat(19) }), { maxLength: 40 });
    fc.assert(
      fc.property(steps, (drawn) => {
        const play = cluster(["p1", "p2", "p3"]);
        for (const [at, { isEnd, pick }] of drawn.entries()) {
          const before = [...play.projection.jobs.values()].filter(({ account }) => account !== undefined);
          if (isEnd && before.length > 0) end(play, before[pick % before.length].id);
          else submit(play, `j${at}`, `user${pick % 5}`);
          const owners = new Map<string, Set<string>>();
          for (const { account, owner } of play.projection.jobs.values()) {
            if (account !== undefined) owners.set(account, (owners.get(account) ?? new Set()).add(owner));
          }
          expect([...owners.values()].filter(({ size }) => size > 1)).toEqual([]);
          // Nobody waits while an account is free.
          if (play.projection.unplaced.size > 0) expect(owners.size).toBe(3);
        }
      }),
      draws(60),
    );
  });
});
