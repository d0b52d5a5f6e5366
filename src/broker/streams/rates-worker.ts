/** The thread of the genetic algorithm: rates of one site's streams, one question after the other. */
import { parentPort } from "node:worker_threads";
import { assert, createRandom } from "../../base/index.ts";
import { allocateBandwidth } from "../../stream/index.ts";
import type { RatesAsked, RatesFound } from "./rates-thread.ts";

/** Seed of every search: one question has one answer. */
const SEED = 1;

const port = parentPort;
assert(port !== null, "this runs in a worker thread");
port.on("message", ({ id, sessions, inboundBytesPerSec }: RatesAsked) => {
  const random = createRandom(SEED);
  const { bytesPerSec } = allocateBandwidth(sessions, { inboundBytesPerSec, random });
  port.postMessage({ id, bytesPerSec } satisfies RatesFound);
});
