export { ALLOWED_IN, answer } from "./answer.ts";
export { type Decision, decide } from "./decide.ts";
export { explain, freeNow } from "./explain.ts";
export { type AttemptReport, observe } from "./observe.ts";
export { apply, createProjection, type Projection, type RecordChange, type SiteState } from "./projection.ts";
export { restore, type StoredState } from "./restore.ts";
export { type Action, type JobSight, jobsWithin, mayDo, mayEver, type Subject } from "./rights.ts";
