/**
 * What virtual organisations want done with their own jobs.
 */
import type { FeatureModel } from "../feature.ts";
import type { VoSettings } from "../vo.ts";

export const organisations: FeatureModel<{
  /** An organisation says how its jobs are placed, and whether whose turn it is. */
  readonly command: { readonly kind: "changeVo"; readonly by: string } & VoSettings;
  readonly event: { readonly kind: "voChanged"; readonly by: string } & VoSettings;
}> = { events: { voChanged: 1 }, refusals: {} };
