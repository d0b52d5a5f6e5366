/** Commits run in parallel, and never during a replacement of the views. */
import { expect, it } from "vitest";
import { createWriteGate } from "./write-gate.ts";

it("a replacement begins when the writes before it have ended; later ones wait", async () => {
  const gate = createWriteGate();
  const told: string[] = [];
  const step = (name: string) => async () => {
    told.push(`${name} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    told.push(`${name} ends`);
  };
  const failing = gate.pass(async () => {
    await step("a")();
    throw new Error("refused");
  });
  const all = [
    gate.alone(step("replacement")),
    gate.pass(step("b")),
    gate.alone(step("second")),
    gate.pass(step("c")),
  ];
  await expect(failing).rejects.toThrow("refused");
  await Promise.all(all);
  const names = ["a", "replacement", "b", "second", "c"];
  expect(told).toEqual(names.flatMap((name) => [`${name} begins`, `${name} ends`]));
});

it("a replacement that fails lets the waiting writes go on", async () => {
  const gate = createWriteGate();
  const failing = gate.alone(async () => {
    throw new Error("the projection failed");
  });
  const waiting = gate.pass(async () => "written");
  await expect(failing).rejects.toThrow("the projection failed");
  expect(await waiting).toBe("written");
});
