import { imitatingHarness, runningHarness } from "../../../test/conformance/simulated-harness.ts";
import { siteConformance } from "../../../test/conformance/site.ts";

const circumstances = ["plain", "doubtful", "vanishing", "others"] as const;

siteConformance("a simulated site that runs programs", {
  kind: "foreign",
  parts: ["attempts", "queue"],
  circumstances,
  create: runningHarness,
});

siteConformance("a simulated site that imitates, in played time", {
  kind: "foreign",
  parts: ["queue"],
  circumstances,
  create: imitatingHarness,
});
