/** Settings of virtual organisations for their own jobs. */
import type { FeatureModel } from "../feature.ts";
import type { VoSettings } from "../vo.ts";

export const organisations: FeatureModel<{
  /** Changes an organisation's placement of its jobs, and the order of its groups. */
  readonly command: { readonly kind: "changeVo"; readonly by: string } & VoSettings;
  readonly event: { readonly kind: "voChanged"; readonly by: string } & VoSettings;
}> = { events: { voChanged: 1 }, refusals: {} };
