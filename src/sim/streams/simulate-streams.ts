/** Simulates a scenario of streams from a file, once for each way to share the pool. */
import { readStreamScenarioFile } from "../../formats/stream-scenario/index.ts";
import type { StreamSimulation } from "../../stream/index.ts";
import { drawStreams } from "./draw-streams.ts";
import { playStreams } from "./play-streams.ts";

/**
 * One report for each variant of the scenario, in its order.
 *
 * @throws Fault with what is wrong about the file
 */
export async function simulateStreams(file: string): Promise<StreamSimulation> {
  const { scene: said, seed, variants, load } = await readStreamScenarioFile(file);
  const drawn = load === undefined ? [] : drawStreams({ ...said, load, seed }).streams;
  const scene = { ...said, streams: [...said.streams, ...drawn] };
  const reports = variants.map((variant) => playStreams({ scene, variant, seed }));
  return { streams: scene.streams.length, horizonSec: scene.horizonMs / 1000, seed, reports };
}
