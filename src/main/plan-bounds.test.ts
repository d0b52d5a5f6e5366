import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { capturedProgram } from "../../test/captured-program.ts";
import { planWorkflow } from "./plan-workflow.ts";

const example = (name: string): string =>
  fileURLToPath(new URL(`../../examples/workflows/${name}`, import.meta.url));
const program = capturedProgram({}, { planWorkflow: async () => planWorkflow });
const plan = (...words: string[]) =>
  program.call("plan", example("survey.yaml"), "--platform", example("sites.yaml"), ...words);

describe("a plan that misses a limit", () => {
  it.each([
    ["--budget 10", "by 47.5 SU; the cheapest plan found costs 38.33 SU, 28.33 SU too much"],
    ["--budget 40", "by 17.5 SU; --planner greedy --alpha 1 finds a plan for 38.33 SU"],
    ["--deadline 30m", "by 22m30s; the earliest end found is after 52m30s, 22m30s too late"],
    [
      "--deadline 1h --planner greedy --alpha 1",
      "by 1h05m; --planner heft --alpha 0 finds a plan that ends after 52m30s",
    ],
  ])("PL-28 %s: the least that was found, and by how much it is too much", async (words, text) => {
    const { code, err } = await plan(...words.split(" "));
    expect({ code, err }).toEqual({ code: 5, err: expect.stringContaining(text) });
  });

  it("PL-28 -o json has both bounds; a plan within its limits has none", async () => {
    const { out } = await plan("--budget", "10", "-o", "json");
    const bounds = { earliestSec: 3150, earliestBy: "heft", leastCostBy: "greedy" };
    expect(JSON.parse(out).bounds).toMatchObject(bounds);
    expect(JSON.parse((await plan("-o", "json")).out).bounds).toBeUndefined();
  });
});
