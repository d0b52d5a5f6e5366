/** Predicted starts of a job, as the API writes them. */

import { MS_PER_HOUR, MS_PER_SECOND } from "../base/index.ts";
import type { ChoiceView, ForecastView, ProspectView, UnrecordedView } from "../contract/index.ts";
import {
  honouredPpm,
  policyVerdictText,
  type StartForecast,
  type UnrecordedForecast,
  unfitText,
} from "../engine/index.ts";
import type { LivePrice, Policy } from "../model/index.ts";
import type { Choice, Prospect } from "../runtime/index.ts";
import { factsView } from "./facts-view.ts";
import { isoInstant } from "./iso-instant.ts";
import { peersThere } from "./peer-view.ts";
import { pricedStartView } from "./reservation-view.ts";

/** A prospect in the API's words, with the price of a reservation at its likeliest start. */
export function prospectView(
  { unfit, when, policy, choice, peers, ...same }: Prospect,
  price: LivePrice | undefined,
): ProspectView {
  const { site, partition, takesJobs, imitates, trouble } = same;
  return {
    ...{ site, partition, takesJobs },
    ...(imitates === true ? { imitates } : {}),
    fits: fitsOf(unfit !== null, when !== null),
    refusal: unfit === null ? null : { ...factsView(unfit), text: unfitText(unfit, isoInstant) },
    trouble,
    forecast: when?.forecast ? forecastView(when.forecast) : null,
    otherMethods: (when?.otherMethods ?? []).map(forecastView),
    noRecord: unrecordedView(when?.noRecord ?? null),
    probabilityByDeadline: when?.probabilityByDeadline ?? null,
    slot: price === undefined ? null : pricedStartView(price),
    learnt: when?.learnt ?? null,
    ...(policy ? { policy: policyView(policy) } : {}),
    ...peersThere(peers),
    ...(choice === undefined ? {} : { choice: choiceView(choice) }),
  };
}

function unrecordedView(noRecord: UnrecordedForecast | null): UnrecordedView | null {
  if (noRecord === null || noRecord.scheduled === null) return noRecord && { ...noRecord, scheduled: null };
  const { waitMs, startAtMs, assumptions } = noRecord.scheduled;
  return {
    ...noRecord,
    scheduled: { waitSec: waitMs / MS_PER_SECOND, startAt: isoInstant(startAtMs), assumptions },
  };
}

function choiceView({ row, isRecommended, isChosen }: Choice): ChoiceView {
  const { honoured, because, costProcMs, usedPpm, freeProcs, score } = row;
  const ratePpm = honouredPpm(score);
  return {
    ...{ honoured, limit: because?.limit ?? null, level: because?.level ?? null },
    policy: because === null || because.policy === null ? null : policyNamed(because.policy),
    priceSu: costProcMs === null ? null : costProcMs / MS_PER_HOUR,
    usedShare: usedPpm / 1_000_000,
    freeProcs,
    honouredRate: ratePpm === null ? null : ratePpm / 1_000_000,
    ...{ followed: score.kept + score.missed, isRecommended, isChosen },
  };
}

function policyNamed({ resource, provider, consumer }: Policy) {
  return { resource, provider, consumer };
}

function fitsOf(isUnfit: boolean, isAnswered: boolean): boolean | null {
  if (isUnfit) return false;
  return isAnswered ? true : null;
}

function forecastView({ method, promises, score, hasBeenWrong, assumptions }: StartForecast): ForecastView {
  return {
    method,
    promises: promises.map(({ probability, waitMs, startAtMs }) => ({
      ...{ probability, waitSec: waitMs / MS_PER_SECOND, startAt: isoInstant(startAtMs) },
    })),
    score: scoreView(score),
    ...{ hasBeenWrong, assumptions },
  };
}

/** Record of such predictions. */
export function scoreView({ of, kept, medianErrorMs }: StartForecast["score"]): ForecastView["score"] {
  return { of, kept, medianErrorSec: medianErrorMs / MS_PER_SECOND };
}

function policyView(verdict: NonNullable<Prospect["policy"]>): NonNullable<ProspectView["policy"]> {
  const { when, because } = verdict;
  const text = policyVerdictText(verdict);
  return { when, limit: because?.limit ?? null, level: because?.level ?? null, text };
}
