/** Dependencies between jobs: why one waits for others. */
import { dependenciesText } from "../dependency.ts";
import type { FeatureModel } from "../feature.ts";

interface DependenciesTypes {
  readonly cause: { readonly kind: "waitsForJobs"; readonly after: readonly string[] };
}

export const dependencies: FeatureModel<DependenciesTypes> = {
  events: {},
  refusals: {},
  causes: { waitsForJobs: ({ after }) => `it can start once ${dependenciesText(after)}` },
};
