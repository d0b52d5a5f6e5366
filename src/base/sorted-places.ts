/** Places of numbers in ascending order; equal ones stay as they stand. Fast for whole numbers. */
export function sortedPlaces(keys: Float64Array): Uint32Array {
  const places = new Uint32Array(keys.length);
  let isSorted = true;
  let areWhole = keys.length < PLACES;
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at];
    if (key < most) isSorted = false;
    if (!Number.isInteger(key)) areWhole = false;
    least = Math.min(least, key);
    most = Math.max(most, key);
    places[at] = at;
  }
  if (isSorted) return places;
  if (!areWhole || most - least >= MOST) return places.sort((a, b) => keys[a] - keys[b] || a - b);
  // One number for a key and its place: sorted without a comparison that has to be called.
  const packed = keys.map((key, at) => (key - least) * PLACES + at).sort();
  for (let at = 0; at < packed.length; at++) places[at] = packed[at] % PLACES;
  return places;
}

/** A number holds a place below this, and a key below {@link MOST}. */
const PLACES = 2 ** 17;
const MOST = 2 ** 36;
