import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/stint.ts";
import { orderFor, reportOf } from "../../../test/stream-scene.ts";
import { runStream } from "./index.ts";

const WAIT = 'until [ -e "$STINT_STREAM_INBOX/end" ]; do sleep 0.02; done; cd "$STINT_STREAM_INBOX"';

it("SW-13 a stage that acknowledges its last block and ends at once has not crashed", async () => {
  const folder = temporaryFolder();
  const data = join(folder, "data");
  writeFileSync(data, "d".repeat(50_000));
  const pass = 'n=${b%.block}; cp $b "$STINT_STREAM_RESULTS/$n"; echo "{\\"results\\":[\\"$n\\"]}" > $n.ack';
  const stage = (work: string) => ["/bin/sh", "-c", `${WAIT}; for b in *.block; do ${work}; done`];
  const order = orderFor(folder, pathToFileURL(data).href, {
    application: {
      ...{ delivery: "directory", restarts: 0, command: stage(pass) },
      next: [{ name: "last", command: stage(": > ${b%.block}.ack"), storageBytes: 1_000_000 }],
    },
  });
  const world = { signal: new AbortController().signal, print: () => undefined };
  expect(await runStream(order, world)).toBe("done");
  expect(reportOf(folder)).toMatchObject({ state: "done", ackedBytes: 50_000, crashes: 0 });
});
