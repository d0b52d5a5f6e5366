/**
 * Where and when a job could start, as the API writes it.
 */
import { policyVerdictText, type StartForecast, unfitText } from "../engine/index.ts";
import type { LivePrice } from "../model/index.ts";
import type { Prospect } from "../runtime/index.ts";
import type { ForecastView, ProspectView } from "./client/types.ts";
import { isoInstant } from "./iso-instant.ts";
import { pricedStartView } from "./reservation-view.ts";

/** A prospect in the API's words, with what a reservation at its likeliest start costs. */
export function prospectView(
  { unfit, when, policy, ...same }: Prospect,
  price: LivePrice | undefined,
): ProspectView {
  const { site, partition, takesJobs, trouble } = same;
  return {
    ...{ site, partition, takesJobs },
    fits: fitsOf(unfit !== null, when !== null),
    refusal: unfit === null ? null : { ...unfit, text: unfitText(unfit, isoInstant) },
    trouble,
    forecast: when?.forecast ? forecastView(when.forecast) : null,
    otherMethods: (when?.otherMethods ?? []).map(forecastView),
    noRecord: when?.noRecord ?? null,
    probabilityByDeadline: when?.probabilityByDeadline ?? null,
    slot: price === undefined ? null : pricedStartView(price),
    learnt: when?.learnt ?? null,
    ...(policy ? { policy: policyView(policy) } : {}),
  };
}

function fitsOf(isUnfit: boolean, isAnswered: boolean): boolean | null {
  if (isUnfit) return false;
  return isAnswered ? true : null;
}

function forecastView({ method, promises, score, hasBeenWrong, assumptions }: StartForecast): ForecastView {
  const { of, kept, medianErrorMs } = score;
  return {
    method,
    promises: promises.map(({ probability, waitMs, startAtMs }) => ({
      ...{ probability, waitMs, startAt: isoInstant(startAtMs) },
    })),
    score: { of, kept, medianErrorMs },
    ...{ hasBeenWrong, assumptions },
  };
}

function policyView(verdict: NonNullable<Prospect["policy"]>): NonNullable<ProspectView["policy"]> {
  const { when, because } = verdict;
  const text = policyVerdictText(verdict);
  return { when, limit: because?.limit ?? null, level: because?.level ?? null, text };
}
