/**
 * From the log to the views, for rebuilding them and for checking them.
 */
import { apply, beginAgainBehind, createProjection } from "../engine/index.ts";
import type { JobDescription, StintEvent } from "../model/index.ts";
import type { JsonObject, LoggedEvent, ViewChange } from "./logbook.ts";
import { rowOf } from "./views.ts";

/** A function that takes the log's events in order and gives the rows that each changes. */
export function projectLog(): (event: LoggedEvent) => readonly ViewChange[] {
  const projection = createProjection({ isRecorded: true });
  return (logged) => {
    const event = eventOf(logged);
    beginAgainBehind(projection, event);
    return apply(projection, event).map(rowOf);
  };
}

/** A recorded fact as the engine knows it today, whatever version of its kind was written. */
export function eventOf({ kind, version, atMs, body }: LoggedEvent): StintEvent {
  const isOld = kind === "jobAccepted" && version === 1;
  const today = isOld ? { ...body, description: descriptionOf(body.description as JsonObject) } : body;
  return { ...today, kind, atMs } as unknown as StintEvent;
}

/** A description stored by any version: processors were `cpuNumber` in the first. */
export function descriptionOf(kept: JsonObject): JobDescription {
  const { cpuNumber, ...rest } = kept;
  return { ...(cpuNumber === undefined ? {} : { procs: cpuNumber }), ...rest } as unknown as JobDescription;
}
