export { type Account, beginAccount, beginJob, type JobDraft } from "./draft.ts";
export {
  noEffect,
  notTranslated,
  type Outcome,
  sets,
  sizes,
  wrong,
} from "./outcome.ts";
export type { Size } from "./size.ts";
export {
  clockMs,
  countIn,
  executableOutcome,
  inputOutcome,
  limitOutcome,
  minutesMs,
  sentFiles,
  sizeIn,
  streamOutcome,
} from "./values.ts";
