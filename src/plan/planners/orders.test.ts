import { describe, expect, it } from "vitest";
import { instanceOf } from "../platform/index.ts";
import { workflowOf } from "../workflow/index.ts";
import { orderBy } from "./orders.ts";

/** a sends nothing to b and c; the path a, c, e is the longest by time, d is alone and long. */
const workflow = workflowOf({
  name: "five",
  tasks: [
    { id: "a", procs: 1, runtimeMs: 1000, parents: [] },
    { id: "b", procs: 1, runtimeMs: 2000, parents: [{ id: "a", bytes: 0 }] },
    { id: "c", procs: 1, runtimeMs: 5000, parents: [{ id: "a", bytes: 0 }] },
    { id: "d", procs: 1, runtimeMs: 7000, parents: [] },
    { id: "e", procs: 1, runtimeMs: 3000, parents: [{ id: "c", bytes: 0 }] },
  ],
});
const instance = workflow.ok
  ? instanceOf(workflow.value, { sites: [{ name: "s", procs: 2, speed: 1, price: 1 }], pairs: [] })
  : workflow;
if (!instance.ok) throw new Error("five tasks fit");
const names = (order: Int32Array): string => [...order].map((task) => "abcde"[task]).join("");

describe("orders of tasks", () => {
  it("PL-33 CPOP takes the longest path first, then what lies on shorter ones", () => {
    expect(names(orderBy("cpop", instance.value))).toBe("acedb");
  });

  it("PL-33 PEFT orders by what follows a task, its own runtime left out", () => {
    expect(names(orderBy("peft", instance.value))).toBe("acbde");
  });
});
