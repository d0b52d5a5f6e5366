/**
 * Reading the same text once: in ten thousand rows of a queue most fields say what others say, too.
 */

/** So many texts are kept; then all are forgotten. */
const MOST = 4096;

/** The reader, which gives the same value for the same text: it must not be changed by who gets it. */
export function remembered<Value>(read: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    let value = known.get(text);
    if (value !== undefined) return value;
    value = read(text);
    if (known.size >= MOST) known.clear();
    known.set(text, value);
    return value;
  };
}
