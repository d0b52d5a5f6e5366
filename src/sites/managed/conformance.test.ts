import { localHarness } from "../../../test/conformance/local-harness.ts";
import { siteConformance } from "../../../test/conformance/site.ts";

siteConformance("this machine", { kind: "managed", create: () => localHarness() });
