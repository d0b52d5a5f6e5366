/**
 * Reads server-sent events (WHATWG HTML, 9.2): as much of it as the broker writes.
 */

/** The data of each event, as they come. Comments and other fields are passed over. */
export async function* eventData(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of bytes) {
    const events = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    // What follows the last blank line is not whole yet.
    rest = events.pop() ?? "";
    for (const event of events) {
      const data = event.split("\n").flatMap((line) => (line.startsWith("data: ") ? line.slice(6) : []));
      if (data.length > 0) yield data.join("\n");
    }
  }
}
