/** Reader of server-sent events (WHATWG HTML, 9.2), as far as the broker uses them. */

/** Data of each event. Comments and other fields are ignored. */
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
