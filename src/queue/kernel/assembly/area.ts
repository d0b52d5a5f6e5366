/**
 * Memory for what is laid out anew each time: a board, or a queue to be played.
 */

let area: usize = 0;
let areaBytes: usize = 0;

/** Memory of this many bytes, valid until the next call. Its former content is not cleared. */
export function areaOf(bytes: usize): usize {
  if (bytes > areaBytes) {
    areaBytes = bytes * 2;
    area = heap.alloc(areaBytes);
  }
  return area;
}
