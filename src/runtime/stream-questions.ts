/** Requests about streams that are more than a command. */
import type { Answer } from "../engine/index.ts";
import type { LiveStream, StreamFigures } from "../model/index.ts";

/** A stream to be submitted, with the id of its job. */
export interface SubmitStreamRequest {
  readonly job: string;
  readonly site: string;
  readonly stream: LiveStream;
  /** Files that go with it, as those of jobs. */
  readonly inputSandbox: readonly string[];
  readonly owner: string;
  readonly consumer: string;
  readonly isByToken: boolean;
}

/** A step of the broker for a stream that fails, such as its start; it is repeated each second. */
export interface StreamProblem {
  readonly why: string;
  readonly sinceMs: number;
}

/** The requests. */
export interface StreamApi {
  /** Records a stream and submits its job, held until its minima are free. */
  submitStream(request: SubmitStreamRequest): Promise<Answer>;
  /** Last report of its wrapper; undefined before the first. */
  streamFigures(job: string): StreamFigures | undefined;
  /** Problem of the broker with a stream; undefined without one. */
  streamProblem(job: string): StreamProblem | undefined;
  /** Notes the end of a stream whose job is over at once, with the last report of its wrapper. */
  noteStreamEnd(job: string): Promise<void>;
}
