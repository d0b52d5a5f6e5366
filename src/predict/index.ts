export {
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
  type HistorySource,
  observeWaits,
  probabilityOfStart,
  type WaitHistory,
} from "./history.ts";
export type { JobEvent, JobFacts } from "./job-facts.ts";
export { minimumSample } from "./ranks.ts";
export { quantileOf } from "./recent-values.ts";

export {
  type ResponseTime,
  responseTimes,
  WORST_RESPONSE,
} from "./response-times.ts";
export {
  createRuntimes,
  forecastByTemplate,
  forecastRecent,
  observeRuntime,
  type RuntimeHistory,
} from "./runtimes.ts";
export { SCHEDULE_ASSUMPTIONS, scheduleStart } from "./schedule-start.ts";
export {
  choose,
  createScores,
  type Forecast,
  recordForecasts,
  type Score,
  type ScoredForecast,
  START_METHODS,
  type StartMethod,
  scoreForecasts,
  withScore,
} from "./scores.ts";
export {
  createPastStates,
  recordState,
  recordStateWait,
  similarWaits,
} from "./similarity.ts";
export {
  type SimulatedStarts,
  simulatedMean,
  simulatedQuantile,
  simulateStarts,
} from "./simulate-start.ts";
export { createHabits, hasHabits, recordArrival, recordRuntime } from "./site-habits.ts";
export {
  createSitePredictor,
  observe,
  type PromisedStart,
  predictStart,
  predictStarts,
  promisedStarts,
  recordOf,
  replaceStartForecast,
  type SitePredictor,
} from "./site-predictor.ts";
export type { SiteSnapshot, SnapshotJob } from "./snapshot.ts";
