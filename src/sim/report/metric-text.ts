/**
 * The metrics of a scenario in words, and their values as people read them.
 */
import { lengthText, percentText } from "../../base/index.ts";
import type { ScenarioMetric } from "../../model/index.ts";
import { type Axis, numberAxis, shareAxis, timeAxis } from "../../report/index.ts";

type Kind = "time" | "share" | "number" | "count";

const WORDS: Readonly<Record<ScenarioMetric, readonly [Kind, string]>> = {
  waitMeanSec: ["time", "mean wait"],
  waitMedianSec: ["time", "median wait"],
  waitP95Sec: ["time", "95th percentile of waits"],
  waitP99Sec: ["time", "99th percentile of waits"],
  waitMaxSec: ["time", "longest wait"],
  responseMeanSec: ["time", "mean response"],
  responseMedianSec: ["time", "median response"],
  responseP95Sec: ["time", "95th percentile of responses"],
  responseP99Sec: ["time", "99th percentile of responses"],
  responseMaxSec: ["time", "longest response"],
  boundedSlowdownMean: ["number", "mean bounded slowdown"],
  boundedSlowdownMedian: ["number", "median bounded slowdown"],
  boundedSlowdownP95: ["number", "95th percentile of bounded slowdowns"],
  boundedSlowdownP99: ["number", "99th percentile of bounded slowdowns"],
  boundedSlowdownMax: ["number", "largest bounded slowdown"],
  utilisation: ["share", "utilisation"],
  queueLengthMean: ["number", "mean queue length"],
  queueLengthMax: ["count", "longest queue"],
  backfilled: ["count", "jobs backfilled"],
  makespanSec: ["time", "makespan"],
};

/** Name of the metric. */
export function metricLabel(metric: ScenarioMetric): string {
  return WORDS[metric][1];
}

/** Name of the metric as a heading or at the beginning of a sentence. */
export function metricHeading(metric: ScenarioMetric): string {
  const label = metricLabel(metric);
  return `${label[0].toUpperCase()}${label.slice(1)}`;
}

/** A value of it, or a difference of two. */
export function metricValue(metric: ScenarioMetric, value: number): string {
  const sign = value < 0 ? "−" : "";
  const amount = Math.abs(value);
  switch (WORDS[metric][0]) {
    case "time":
      return `${sign}${lengthText(amount)}`;
    case "share":
      return `${sign}${percentText(amount, 2)}`;
    case "number":
      return `${sign}${amount.toFixed(2)}`;
    case "count":
      return `${sign}${Number(amount.toFixed(1))}`;
  }
}

/** An axis for values of it from 0 to `most`. */
export function metricAxis(metric: ScenarioMetric, most: number): Axis {
  const wanted = 5;
  switch (WORDS[metric][0]) {
    case "time":
      return timeAxis(most, wanted);
    case "share":
      return shareAxis(most, wanted);
    case "number":
    case "count":
      return numberAxis(most, wanted, "");
  }
}
