import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/stint.ts";
import { orderFor } from "../../../test/stream-scene.ts";
import { openSink, RESULTS } from "./sink.ts";

it("SW-16 results that are named out of order are appended in the order of their blocks", async () => {
  const folder = temporaryFolder();
  const target = join(folder, "target");
  const sink = { href: pathToFileURL(target).href, storageBytes: 100, mode: "append" as const };
  const order = orderFor(folder, "file:///data", { sink });
  const position = { next: { seq: 4, source: 0, offset: 0 }, appendedBytes: 0 };
  const opened = await openSink(order, position, new AbortController().signal);
  if (opened === undefined) throw new Error("no sink");
  const confirmed: number[] = [];
  const failures: unknown[] = [];
  const send = (seq: number): void => {
    writeFileSync(join(order.directory, RESULTS, `r${seq}`), `${seq};`);
    const done = (): void => {
      confirmed.push(seq);
      opened.reached(seq + 1);
    };
    opened.send({ seq, results: [`r${seq}`] }, done, (cause) => failures.push(cause));
  };
  send(6);
  send(5);
  // Nothing is due: an application that crashes now is not waited for.
  await opened.settled();
  expect(confirmed).toEqual([]);
  send(4);
  await opened.settled();
  expect({ confirmed, failures }).toEqual({ confirmed: [4, 5, 6], failures: [] });
  expect(readFileSync(join(target, "test"), "utf8")).toBe("4;5;6;");
  expect(opened.kept()).toEqual({ appendedBytes: 6 });
});
