/** A text by lines and columns, and by offsets. */

/** A place in a text: line and column, from 1. */
interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Both ways of naming a place in one text. */
export interface TextPositions {
  readonly positionOf: (offset: number) => TextPosition;
  readonly offsetOf: (position: TextPosition) => number;
}

/** The positions of a text; each is found by a search among the beginnings of its lines. */
export function textPositions(text: string): TextPositions {
  const starts = [0];
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", end + 1)) starts.push(end + 1);
  return {
    positionOf: (offset) => {
      let low = 0;
      let high = starts.length;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (starts[middle] <= offset) low = middle;
        else high = middle;
      }
      return { line: low + 1, column: offset - starts[low] + 1 };
    },
    offsetOf: ({ line, column }) => (starts[line - 1] ?? 0) + column - 1,
  };
}
