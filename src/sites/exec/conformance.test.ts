import { execHarness } from "../../../test/conformance/exec-harness.ts";
import { siteConformance } from "../../../test/conformance/site.ts";

siteConformance("a batch system behind an adapter", {
  kind: "foreign",
  parts: ["attempts", "queue"],
  circumstances: ["plain"],
  create: execHarness,
});
