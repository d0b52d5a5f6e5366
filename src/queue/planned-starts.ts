/**
 * Which waiting job has the next planned start: a heap of handles by their start, in which each knows its
 * place, so that a job that moves is moved in it and nothing stale is left behind.
 *
 * The keys are the starts in the job table itself. Ties are in no order: what is due starts together.
 * Cost: O(log n) for each change, O(1) to look.
 */

/** Plain data, so that it can be copied to a worker thread. */
export interface PlannedStarts {
  handles: Int32Array;
  /** Place in `handles` by handle; −1 where it is not in it. */
  place: Int32Array;
  size: number;
}

/** No job is planned. */
export function createPlannedStarts(): PlannedStarts {
  return {
    handles: new Int32Array(8),
    place: new Int32Array(8).fill(-1),
    size: 0,
  };
}

/** A copy that shares nothing. */
export function copyPlannedStarts({ handles, place, size }: PlannedStarts): PlannedStarts {
  return { handles: handles.slice(), place: place.slice(), size };
}

/** The handle with the next planned start, or −1. */
export function nextPlanned({ handles, size }: PlannedStarts): number {
  return size === 0 ? -1 : handles[0];
}

/** Puts a job in, or to its new place after its start has changed. */
export function schedule(planned: PlannedStarts, startMs: Float64Array, handle: number): void {
  if (handle >= planned.place.length) growPlaces(planned, handle);
  let at = planned.place[handle];
  if (at < 0) {
    at = planned.size++;
    if (at === planned.handles.length) growHandles(planned);
    planned.handles[at] = handle;
  }
  settle(planned, startMs, at);
}

/** Takes a job out; one that is not in it is left alone. */
export function unschedule(planned: PlannedStarts, startMs: Float64Array, handle: number): void {
  const at = handle < planned.place.length ? planned.place[handle] : -1;
  if (at < 0) return;
  planned.place[handle] = -1;
  const last = --planned.size;
  if (at === last) return;
  planned.handles[at] = planned.handles[last];
  settle(planned, startMs, at);
}

/** Moves what is at a place up or down until it is where it belongs. */
function settle({ handles, place, size }: PlannedStarts, startMs: Float64Array, from: number): void {
  const handle = handles[from];
  const key = startMs[handle];
  let at = from;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (startMs[handles[parent]] <= key) break;
    handles[at] = handles[parent];
    place[handles[at]] = at;
    at = parent;
  }
  if (at === from) {
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && startMs[handles[child + 1]] < startMs[handles[child]]) child++;
      if (startMs[handles[child]] >= key) break;
      handles[at] = handles[child];
      place[handles[at]] = at;
      at = child;
    }
  }
  handles[at] = handle;
  place[handle] = at;
}

function growHandles(planned: PlannedStarts): void {
  const grown = new Int32Array(planned.handles.length * 2);
  grown.set(planned.handles);
  planned.handles = grown;
}

function growPlaces(planned: PlannedStarts, handle: number): void {
  const grown = new Int32Array(Math.max(handle + 1, planned.place.length * 2)).fill(-1);
  grown.set(planned.place);
  planned.place = grown;
}
