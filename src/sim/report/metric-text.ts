/**
 * The metrics of a scenario in words, and their values as people read them.
 */
import type { Interval, ScenarioMetric } from "../../model/index.ts";
import { type Axis, numberAxis, shareAxis, timeAxis } from "./ticks.ts";

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

/** What the metric is called. */
export function metricLabel(metric: ScenarioMetric): string {
  return WORDS[metric][1];
}

/** A value of it, or a difference of two. */
export function metricValue(metric: ScenarioMetric, value: number): string {
  const sign = value < 0 ? "−" : "";
  const amount = Math.abs(value);
  switch (WORDS[metric][0]) {
    case "time":
      return `${sign}${lengthText(amount)}`;
    case "share":
      return `${sign}${(amount * 100).toFixed(2)} %`;
    case "number":
      return `${sign}${amount.toFixed(2)}`;
    case "count":
      return `${sign}${Number(amount.toFixed(1))}`;
  }
}

/** The interval alone: `11m02s to 13m58s`; undefined where there is none. */
export function rangeText(metric: ScenarioMetric, { low, high }: Interval): string | undefined {
  if (low === null || high === null) return undefined;
  return `${metricValue(metric, low)} to ${metricValue(metric, high)}`;
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

/** Seconds in the two largest units: `45s`, `12m30s`, `3h05m`, `2d04h`. */
export function lengthText(sec: number): string {
  if (sec < 60) return `${Number(sec.toFixed(sec < 10 ? 1 : 0))}s`;
  const whole = Math.round(sec);
  const [days, hours] = [Math.floor(whole / 86_400), Math.floor((whole % 86_400) / 3600)];
  const minutes = Math.floor((whole % 3600) / 60);
  if (days > 0) return `${days}d${two(hours)}h`;
  return hours > 0 ? `${hours}h${two(minutes)}m` : `${minutes}m${two(whole % 60)}s`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
