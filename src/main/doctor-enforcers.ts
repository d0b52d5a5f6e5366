/**
 * Whether the enforcers of sites can act as their policies ask for.
 */
import type { Examination } from "../cli/index.ts";

/** An enforcer, in part. */
export interface ExaminedEnforcer {
  readonly site: string;
  readonly version: number | null;
  readonly cannotAct?: string;
}

/** Undefined where no enforcer has anything to enforce. */
export function examineEnforcers(enforcers: readonly ExaminedEnforcer[]): Examination | undefined {
  const busy = enforcers.filter(({ version }) => version !== null);
  if (busy.length === 0) return undefined;
  const name = "enforcers";
  const hindered = busy.filter(({ cannotAct }) => cannotAct !== undefined);
  if (hindered.length === 0) return { name, isWell: true, found: "nothing keeps any of them from acting" };
  return {
    ...{ name, isWell: false },
    found: hindered.map(({ site, cannotAct }) => `that of ${site} cannot act: ${cannotAct}`).join("; "),
    remedy:
      "budgets are actionsPerHour and suspendedShare in the site's settings; stint site test shows rights; " +
      "limits that must hold at every instant are for the cluster itself: stint policy compile",
  };
}
