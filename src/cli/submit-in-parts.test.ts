/** Parts of a submission: within the limits of a request, the same whenever it is tried again. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aFault } from "../../test/captured-program.ts";
import type { JobSubmission, StintClient } from "../api/client/index.ts";
import { LostConnection } from "../api/client/server-fault.ts";
import { partsOf, submitInParts } from "./submit-in-parts.ts";

const jobs = (count: number): JobSubmission[] =>
  Array.from({ length: count }, (_, at) => ({ executable: "x", arguments: [String(at)] }));

describe("parts of a submission", () => {
  it("have all jobs in order, within both limits; jobs behind change no full part", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ maxLength: 40 }).map((executable) => ({ executable })),
          { maxLength: 30 },
        ),
        fc.nat(30),
        (all, cut) => {
          const limits = { mostJobs: 4, mostBytes: 150 };
          const parts = partsOf(all, limits);
          expect(parts.flat()).toEqual(all);
          for (const part of parts) {
            expect(part.length).toBeLessThanOrEqual(4);
            if (part.length > 1) expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThanOrEqual(151);
          }
          const before = partsOf(all.slice(0, cut), limits);
          expect(parts.slice(0, Math.max(0, before.length - 1))).toEqual(before.slice(0, -1));
        },
      ),
    );
  });

  it("have keys that follow from one; a failure names it, and the next try uses the same", async () => {
    const asked: (readonly [string | undefined, number])[] = [];
    const said: string[] = [];
    let isUp = false;
    const submit: StintClient["submit"] = async (part, { idempotencyKey } = {}) => {
      asked.push([idempotencyKey, part.length]);
      if (!isUp && asked.length === 2) throw new LostConnection("here", "closed");
      return part.map((_, at) => `${idempotencyKey}:${at}`);
    };
    const ids: string[] = [];
    const submission = {
      jobs: jobs(2500),
      key: "k",
      submitted: (some: readonly string[]) => ids.push(...some),
    };
    const terminal = { showsProgress: false, writeError: (text: string) => said.push(text) };
    await expect(submitInParts({ submit }, submission, terminal)).rejects.toThrow();
    expect(ids).toHaveLength(1000);
    expect(said.join("")).toBe(
      "stint: 1000 of 2500 jobs were submitted; it is not known whether more were: " +
        "the same command with --key k submits each job once\n",
    );
    isUp = true;
    ids.length = 0;
    await submitInParts({ submit }, submission, { ...terminal, showsProgress: true });
    expect(asked.slice(2)).toEqual([
      ["k", 1000],
      ["k/2", 1000],
      ["k/3", 500],
    ]);
    expect(new Set(ids).size).toBe(2500);
    expect(said.at(-2)).toBe("\rstint: 2500 of 2500 jobs submitted");
  });

  it("that reached nobody are in no doubt, and need no key", async () => {
    const said: string[] = [];
    const submit = () => Promise.reject(aFault("unreachable", "no broker is running here"));
    const terminal = { showsProgress: false, writeError: (text: string) => said.push(text) };
    const submission = { jobs: jobs(3), key: "k", submitted: () => {} };
    await expect(submitInParts({ submit }, submission, terminal)).rejects.toThrow("no broker is running");
    expect(said).toEqual([]);
  });
});
