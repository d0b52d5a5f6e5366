import { localHarness } from "../../../test/conformance/local-harness.ts";
import { managedSiteConformance } from "../../../test/conformance/managed-site.ts";

managedSiteConformance("this machine", localHarness);
