/**
 * One conformance suite for both kinds of site: the ports of src/runtime/site.ts and foreign-site.ts.
 *
 * An implementation brings a harness: how a few behaviours become commands of its site, how a job is let
 * go, how often one was begun. What both kinds promise is tested over one face (site-attempts.ts), what only
 * one kind promises over its own port (managed-site.ts, foreign-site.ts).
 */
import { afterEach, beforeEach, describe } from "vitest";
import type { ForeignSite, ManagedSite } from "../../src/runtime/index.ts";
import { ForeignDriver } from "./foreign-driver.ts";
import { describeForeign } from "./foreign-site.ts";
import { describeManaged } from "./managed-site.ts";
import { describeAttempts } from "./site-attempts.ts";
import {
  type Circumstances,
  type ForeignSiteHarness,
  faceOfManaged,
  type ManagedSiteHarness,
} from "./site-harness.ts";
import { SiteStage } from "./site-stage.ts";

/** What is tested, and how one is made for a test. */
export type TestedSite =
  | { readonly kind: "managed"; create(): Promise<ManagedSiteHarness> }
  | {
      readonly kind: "foreign";
      /** What is tested: attempts, where real programs run, and the site's queue. */
      readonly parts: readonly ("attempts" | "queue")[];
      /** Those in which it can be made; "plain" is one of them. */
      readonly circumstances: readonly Circumstances[];
      create(circumstances: Circumstances): Promise<ForeignSiteHarness>;
    };

/** Runs the suite against the sites that `tested` makes. */
export function siteConformance(name: string, tested: TestedSite): void {
  describe(name, () => {
    if (tested.kind === "managed") managed(tested);
    else foreign(tested);
  });
}

function managed({ create }: Extract<TestedSite, { kind: "managed" }>): void {
  const stage = new SiteStage<ManagedSite, ManagedSiteHarness>({ create, faceOf: faceOfManaged });
  beforeEach(() => stage.set());
  afterEach(() => stage.strike());
  describeAttempts(stage);
  describeManaged(stage);
}

function foreign(tested: Extract<TestedSite, { kind: "foreign" }>): void {
  if (tested.parts.includes("attempts")) {
    describe("driven by a broker", () => {
      const stage = new SiteStage<ForeignSite, ForeignSiteHarness>({
        create: () => tested.create("plain"),
        faceOf: (site) => new ForeignDriver(site),
      });
      beforeEach(() => stage.set());
      afterEach(() => stage.strike());
      describeAttempts(stage);
    });
  }
  if (tested.parts.includes("queue")) describeForeign(tested.circumstances, tested.create);
}
