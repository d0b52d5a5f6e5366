import pc from "picocolors";
import { describe, expect, it } from "vitest";
import { stateColour } from "./colours.ts";

const [on, off] = [pc.createColors(true), pc.createColors(false)];

describe("CL-5 the colour of a state", () => {
  it.each([
    ["RUNNING", on.green],
    ["DONE (ok)", on.green],
    ["DONE (exit 3)", on.red],
    ["DONE (time limit)", on.red],
    ["ABORTED", on.red],
    ["HELD", on.yellow],
    ["SUSPENDED", on.yellow],
    ["open, cannot enforce", on.yellow],
    ["trouble", on.red],
    ["violated: burst", on.red],
    ["CANCELLED", on.dim],
    ["WAITING", String],
  ] as const)("%s", (state, colour) => {
    expect(stateColour(state, on)).toBe(colour(state));
    expect(stateColour(`${state}  `, on)).toBe(colour(`${state}  `));
    expect(stateColour(state, off)).toBe(state);
  });
});
