import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/stint.ts";
import type { StintClient } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import type { CommandContext } from "./command-context.ts";
import { executePlanned, executeSaved } from "./execute-plan.ts";
import type { PlanAnswer } from "./plan-tools.ts";

const file = join(temporaryFolder(), "plan.json");
const NOW = Date.parse("2026-11-28T08:00:00Z");
const tasks = [{ id: "a", runtimeSec: 1, executable: "true" }];

/** The refusal of a saved plan, which the broker refuses with this code. */
async function refused(execution: unknown, code = "slotTaken"): Promise<unknown> {
  writeFileSync(file, JSON.stringify({ execution }));
  const fault = new Fault({
    kind: "refused",
    code,
    what: "no",
    why: "tasks[0]: it is wrong",
    remedy: "mend it",
  });
  const client = {
    platform: async () => ({ beginAt: "2026-11-28T08:00:10Z", sites: [{ slots: [] }], link: {} }),
    startWorkflow: async () => {
      throw fault;
    },
  } as unknown as StintClient;
  const terminal = { nowMs: () => NOW } as CommandContext["terminal"];
  return executeSaved(file, { client: async () => client, terminal }).catch((error: unknown) => error);
}

describe("a saved plan", () => {
  it.each(["workflowInvalid", "invalidRequest"])(
    "that is wrong (%s) is refused by its file",
    async (code) => {
      expect(await refused({ name: "w", tasks }, code)).toMatchObject({
        ...{ kind: "badInput", code: "planFileInvalid", what: `the plan in ${file} cannot be executed` },
        why: expect.stringMatching(/tasks\[0\]: it is wrong; the file was probably edited by hand$/),
      });
    },
  );

  it("whose slot was taken is refused as the broker says", async () => {
    expect(await refused({ name: "w", tasks })).toMatchObject({ code: "slotTaken", what: "no" });
  });

  it.each([
    ["2026-11-28T06:59:59Z", "planLapsed", /more than an hour ago/],
    ["soon", "planFileInvalid", /beginAt, soon, is not an instant/],
  ])("that was to begin at %s is refused", async (beginAt, code, why) => {
    const error = await refused({ name: "w", tasks, beginAt, reservations: [] });
    expect(error).toMatchObject({ code, why: expect.stringMatching(why) });
  });
});

it("a plan that is executed has its remarks on stderr, once", async () => {
  const remarks = ["a is assumed", "b is not requested"];
  const answer = { execution: { name: "w", tasks }, feasible: true, shortfalls: [], remarks };
  const refusal = new Fault({ kind: "refused", code: "slotTaken", what: "no", why: "gone", remedy: "" });
  let starts = 0;
  const client = {
    startWorkflow: async () => {
      if (++starts === 1) throw refusal;
      return { id: "w1" };
    },
  } as unknown as StintClient;
  const written: string[] = [];
  const terminal = {
    writeError: (text: string) => written.push(text),
  } as unknown as CommandContext["terminal"];
  await executePlanned(async () => answer as unknown as PlanAnswer, { client: async () => client, terminal });
  const [first, second, again] = written;
  expect([first, second]).toEqual(["note: a is assumed\n", "note: b is not requested\n"]);
  expect([written.length, again]).toEqual([3, expect.stringContaining("planning again (2 of 5)")]);
});
