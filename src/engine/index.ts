export { ALLOWED_IN, answer } from "./answer.ts";
export { type Decision, decide } from "./decide.ts";
export { explain, freeNow } from "./explain.ts";
export { type AttemptReport, observe } from "./observe.ts";
export { type Look, observeSurvey } from "./observe-survey.ts";
export { noteTrouble, takeSurvey } from "./picture.ts";
export {
  apply,
  createProjection,
  type Projection,
  type RecordChange,
  type SiteRecord,
} from "./projection.ts";
export { restore, type StoredState } from "./restore.ts";
export { type Action, type JobSight, jobsWithin, mayDo, mayEver, type Subject } from "./rights.ts";
export { isOpen, type SiteState } from "./site-state.ts";
export { type Advertisement, advertise } from "./slots.ts";
export type { Survey, SurveyedEnd, SurveyedJob, SurveyedState } from "./survey.ts";
