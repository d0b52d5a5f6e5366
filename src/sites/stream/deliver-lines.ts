/**
 * Hands over blocks as JSON lines on the application's stdin, and reads its acknowledgements from stdout.
 *
 * `{"kind": "block", "seq": 7, "path": …}` goes in, `{"kind": "ack", "seq": 7}` comes back, with `"results":
 * [path, …]` where the stream has a sink. Lines of another
 * kind are the application's own output and are passed on.
 */
import { createInterface } from "node:readline";
import type { Delivery, DeliveryWorld } from "./delivery.ts";

/** Longest text of an acknowledgement: it names up to 1,000 results, each with its path. */
export const MOST_CHARACTERS = 4 << 20;

/** Delivers over stdin and stdout. */
export function deliverLines({ child, acknowledge, print }: DeliveryWorld): Delivery {
  if (child.stdout !== null) {
    createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY }).on("line", (line) => {
      const seq = acknowledged(line);
      if (seq === undefined) print(line);
      else acknowledge(seq, resultsOf(line));
    });
  }
  return {
    offer: (block) => void child.stdin?.write(`${JSON.stringify({ kind: "block", ...block })}\n`),
    end: () => void child.stdin?.end(),
    close: () => Promise.resolve(),
  };
}

/** Number of the acknowledged block; undefined for any other line. */
function acknowledged(line: string): number | undefined {
  if (!line.startsWith("{") || line.length > MOST_CHARACTERS) return undefined;
  try {
    const { kind, seq } = JSON.parse(line) as { readonly kind?: unknown; readonly seq?: unknown };
    return kind === "ack" && Number.isSafeInteger(seq) ? Number(seq) : undefined;
  } catch {
    return undefined;
  }
}

/** Results that an acknowledgement names; none where it is unreadable. */
function resultsOf(text: string): readonly string[] {
  try {
    return resultsIn(text);
  } catch {
    return [];
  }
}

/** Results that an acknowledgement names. @throws SyntaxError where it is no JSON */
export function resultsIn(text: string): readonly string[] {
  const { results } = (JSON.parse(text) ?? {}) as { readonly results?: unknown };
  return Array.isArray(results) ? results.filter((it) => typeof it === "string") : [];
}
