export { type Account, beginAccount, beginJob, type JobDraft } from "./draft.ts";
export {
  LETTERS_OF_MAIL,
  type MailWords,
  mailOutcome,
  mailToOutcome,
  WORDS_OF_MAIL,
} from "./mail-outcomes.ts";
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
  consumerOutcome,
  countOutcome,
  dependencyOutcome,
  directoryOutcome,
  LACKING,
  lacking,
  memoryOutcome,
  nameOutcome,
  outputOutcome,
  queueOutcome,
  retryOutcome,
  signalOutcome,
  variablesOutcome,
  WHOLE_ENVIRONMENT,
  type WrittenDependency,
} from "./value-outcomes.ts";
export {
  clockMs,
  countIn,
  executableOutcome,
  inputOutcome,
  limitOutcome,
  minutesMs,
  sentFiles,
  siteExecutableOutcome,
  sizeIn,
} from "./values.ts";
