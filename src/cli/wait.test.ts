import { describe, expect, it } from "vitest";
import { aFault, aJob, capturedProgram } from "../../test/captured-program.ts";
import type { JobView, StintClient } from "../api/client/index.ts";

const ok = { state: "DONE", result: "ok", exitCode: 0 } as const;
const failed = { state: "DONE", result: "failed", exitCode: 3 } as const;

/** A broker whose jobs end as said, or, without an end, never. */
function programWith(ends: Readonly<Record<string, Partial<JobView> | null>>, over: readonly string[] = []) {
  const stateNow = (id: string): JobView => {
    const end = ends[id];
    if (end === undefined) throw aFault("notFound");
    return aJob({ id, ...(over.includes(id) ? end : {}) });
  };
  const watch: StintClient["watch"] = async (id, _, signal) => {
    const end = ends[id];
    if (end) return aJob({ id, ...end });
    return new Promise((_, reject) => {
      signal?.addEventListener("abort", () => reject(new Error("aborted")), { once: true });
    });
  };
  const jobs: StintClient["jobs"] = async (query) => ({
    items: query?.name === "night" ? Object.keys(ends).map(stateNow).reverse() : [],
    next: null,
  });
  return capturedProgram({ job: async (id) => stateNow(id), jobs, watch });
}

describe("stint wait", () => {
  it.each([
    { ends: { a: ok, b: ok }, code: 0 },
    { ends: { a: ok, b: failed }, code: 1 },
    { ends: { a: ok, b: { state: "CANCELLED" } as const }, code: 1 },
    { ends: { a: ok, b: { state: "ABORTED" } as const }, code: 1 },
    { ends: { a: ok, b: { state: "DONE", result: "imitated" } as const }, code: 0 },
  ])("ends with $code for $ends, watched or over before", async ({ ends, code }) => {
    expect(await programWith(ends).call("wait", "a", "b")).toMatchObject({ code, err: "" });
    expect(await programWith(ends, ["a", "b"]).call("wait", "a", "b")).toMatchObject({ code, err: "" });
    expect(await programWith(ends, ["b"]).call("wait", "--name", "night")).toMatchObject({ code });
  });

  it("prints each job as it ends", async () => {
    const { out } = await programWith({ a: ok, b: failed }).call("wait", "a", "b");
    expect(out).toBe("a  DONE (ok)\nb  DONE (exit 3)\n");
    const { out: json } = await programWith({ a: ok }).call("wait", "a", "-o", "json");
    expect(JSON.parse(json)).toMatchObject({ items: [{ id: "a", result: "ok" }] });
  });

  it("--any ends with the first, and its code is that one's", async () => {
    const words = ["wait", "--any", "a", "b", "-o", "name"];
    expect(await programWith({ a: null, b: failed }).call(...words)).toEqual({
      code: 1,
      out: "b\n",
      err: "",
    });
    expect(await programWith({ a: failed, b: ok }, ["b"]).call(...words)).toMatchObject({
      code: 0,
      out: "b\n",
    });
  });

  it("ends with 124 when the timeout is over, told, with what has ended", async () => {
    for (const timeout of ["0", "50ms"]) {
      const program = programWith({ a: null, b: failed }, ["b"]);
      expect(await program.call("wait", "a", "b", "--timeout", timeout)).toMatchObject({
        ...{ code: 124, out: "b  DONE (exit 3)\n" },
        err: expect.stringContaining("1 job had not ended after"),
      });
    }
  });

  it.each([
    { words: ["no"], code: 3 },
    { words: ["--name", "day"], code: 3 },
    { words: [], code: 2 },
    { words: ["a", "--timeout", "90"], code: 2 },
  ])("CL-3 $words: $code, and nothing is waited for", async ({ words, code }) => {
    expect(await programWith({ a: null }).call("wait", ...words)).toMatchObject({ code, out: "" });
  });
});
