/**
 * The claims of [UP] on enforcement, held against our runs. The deck gives no numbers: bounds are ours.
 */
import type { Verdict } from "../verdict.ts";
import { brokerVerdicts } from "./broker-verdicts.ts";
import type { Brokered, BrokerWay } from "./brokers.ts";
import { enforcerVerdicts } from "./enforcer-verdicts.ts";
import type { Enforced } from "./enforcers.ts";
import type { FiveSites, FiveWay } from "./five-sites.ts";
import type { GridThree, GridWay } from "./grid-three.ts";
import { fiveSitesVerdicts, gridVerdicts, twoSitesVerdicts } from "./site-verdicts.ts";
import type { TwoSites } from "./two-sites.ts";

/** Everything that was measured, beside its controls. */
export interface Measured {
  readonly twoSites: readonly TwoSites[];
  readonly fiveSites: ReadonlyMap<FiveWay, FiveSites>;
  readonly enforcers: Enforced;
  readonly gridThree: ReadonlyMap<GridWay, GridThree>;
  readonly brokers: ReadonlyMap<BrokerWay, Brokered>;
}

/** Every verdict, in the order of the figures. */
export function verdictsOf(measured: Measured): readonly Verdict[] {
  return [
    ...twoSitesVerdicts(measured.twoSites),
    ...fiveSitesVerdicts(measured.fiveSites),
    ...enforcerVerdicts(measured.enforcers),
    ...gridVerdicts(measured.gridThree),
    ...brokerVerdicts(measured.brokers),
  ];
}
