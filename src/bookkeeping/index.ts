export { addEvent, type BookedEvent, emptyBook, type JobBook, MOST_BOOKED } from "./job-book.ts";
export { type JobStatus, statusOf } from "./job-status.ts";
export {
  COMPONENTS,
  type Component,
  codeText,
  raised,
  readCode,
  type SequenceCode,
} from "./sequence-code.ts";
