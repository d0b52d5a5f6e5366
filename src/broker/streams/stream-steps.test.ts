import { expect, it } from "vitest";
import { createStreamSteps } from "./stream-steps.ts";

it("a step that fails is known since its first failure, until it succeeds", async () => {
  let now = 1000;
  const warnings: string[] = [];
  const steps = createStreamSteps({ nowMs: () => now, warn: (text) => void warnings.push(text) });
  const fail = async () => {
    throw new Error("EACCES");
  };
  const pass = async () => undefined;
  await steps.take("a", "start", fail);
  now = 2000;
  await steps.take("a", "start", fail);
  // Another step, and another stream, are not concerned.
  await steps.take("a", "report", pass);
  await steps.take("b", "start", pass);
  expect([steps.problem("a"), steps.problem("b")]).toEqual([{ why: "EACCES", sinceMs: 1000 }, undefined]);
  expect(warnings).toEqual(["stream a: EACCES"]);
  await steps.take("a", "start", pass);
  expect(steps.problem("a")).toBeUndefined();
  await steps.take("a", "orders", fail);
  steps.forget("a");
  expect(steps.problem("a")).toBeUndefined();
});
