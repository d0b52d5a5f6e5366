/**
 * From the log to the views, for rebuilding them and for checking them.
 */
import { apply, beginAgainBehind, createProjection } from "../engine/index.ts";
import type { StintEvent } from "../model/index.ts";
import type { LoggedEvent, ViewChange } from "./logbook.ts";
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

/** A recorded fact as the engine knows it. */
function eventOf({ kind, atMs, body }: LoggedEvent): StintEvent {
  return { ...body, kind, atMs } as unknown as StintEvent;
}
