/**
 * Changes of a cluster's own shares, made for the policies that hold there.
 */
import type { FeatureModel } from "../feature.ts";
import type { OrderedShareChange, ShareChange, ShareChangeOutcome } from "../native-shares.ts";

interface NativeSharesTypes {
  readonly command: /** Records changes before they are made; `order` is what their ids begin with. */
    | {
        readonly kind: "orderShares";
        readonly site: string;
        readonly order: string;
        readonly changes: readonly ShareChange[];
        readonly by: string;
      }
    | {
        readonly kind: "takeBackShares";
        readonly site: string;
        /** Ids of the changes, in the order of reversal. */
        readonly changes: readonly string[];
        readonly isForced: boolean;
        readonly by: string;
      };
  readonly event: /** They are to be changed: with what takes each change back, before anything is run. */
    | {
        readonly kind: "sharesOrdered";
        readonly site: string;
        readonly by: string;
        readonly changes: readonly Pick<OrderedShareChange, "id" | "change">[];
      }
    /** They are to be taken back, in this order; `isForced`: whoever has changed them since. */
    | {
        readonly kind: "sharesTakeBackOrdered";
        readonly site: string;
        readonly by: string;
        readonly changes: readonly string[];
        readonly isForced: boolean;
      }
    /** What came of such changes, as the cluster then stood. */
    | {
        readonly kind: "sharesAnswered";
        readonly site: string;
        readonly outcomes: readonly ShareChangeOutcome[];
      };
}

export const nativeShares: FeatureModel<NativeSharesTypes> = {
  events: { sharesOrdered: 1, sharesTakeBackOrdered: 1, sharesAnswered: 1 },
  refusals: {},
};
