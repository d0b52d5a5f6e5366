export {
  forecastByHistory,
  forecastBySchedule,
  forecastBySimilarity,
  forecastBySimulation,
  PROMISED,
} from "./forecasts.ts";
export {
  boundWait,
  boundWaitBelow,
  classesOf,
  classOfJob,
  createHistory,
  type FromHistory,
  type HistoryLevel,
  type HistorySource,
  observeWaits,
  probabilityOfStart,
  type WaitHistory,
} from "./history.ts";
export type { JobEvent, JobFacts } from "./job-facts.ts";
export { type Assurance, minimumSample } from "./ranks.ts";
export type { WaitPromise } from "./recalibrate.ts";
export {
  type KnownStarts,
  type ResponseTime,
  type ResponseTimes,
  responseTimes,
  WORST_RESPONSE,
} from "./response-times.ts";
export {
  createRuntimes,
  forecastByTemplate,
  forecastRecent,
  observeRuntime,
  type RuntimeForecast,
  type RuntimeHistory,
  type RuntimeMethod,
} from "./runtimes.ts";
export { SCHEDULE_ASSUMPTIONS, type ScheduledStart, scheduleStart } from "./schedule-start.ts";
export {
  choose,
  createScores,
  type Forecast,
  type KeptScore,
  type NoRecord,
  noteForecasts,
  type Place,
  type Score,
  type ScoreBook,
  type ScoredForecast,
  START_METHODS,
  type StartMethod,
  settleForecasts,
  withScore,
} from "./scores.ts";
export {
  createPastStates,
  type PastStates,
  rememberState,
  settleState,
  similarWaits,
} from "./similarity.ts";
export {
  type SimulatedQuestion,
  type SimulatedStarts,
  simulatedMean,
  simulatedQuantile,
  simulateStarts,
} from "./simulate-start.ts";
export { createHabits, hasHabits, noteArrival, noteRuntime, type SiteHabits } from "./site-habits.ts";
export {
  createSitePredictor,
  observe,
  predictStart,
  predictStarts,
  recordOf,
  type Sight,
  type SitePredictor,
  type StartForecasts,
  sayAnew,
} from "./site-predictor.ts";
export type { SiteSnapshot, SnapshotJob } from "./snapshot.ts";
