/**
 * Changes of a simulation as server-sent events, until it has ended or is gone. The first event is how it is
 * now, so a watcher that reconnects needs no memory. A slow reader gets the newest state, not every one.
 */
import type { ServerResponse } from "node:http";
import type { Identity } from "../model/index.ts";
import type { Simulations } from "../runtime/index.ts";
import { simulationView } from "./simulation-view.ts";
import { HEARTBEAT_MS } from "./watch-stream.ts";

/** Simulation of a stream, and its reader. */
export interface SimulationWatcher {
  readonly id: string;
  readonly who: Identity;
}

/** Writes the events to `response`; resolves when the stream has ended. */
export async function streamSimulation(
  simulations: Simulations,
  { id, who }: SimulationWatcher,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  let told = "";
  const tell = (): void => {
    if (response.writableEnded || response.writableNeedDrain) return;
    const record = simulations.find(id);
    if (record === undefined) {
      response.end();
      return;
    }
    const data = JSON.stringify(simulationView(record, who, simulations));
    if (data !== told) response.write(`event: simulation\ndata: ${data}\n\n`);
    told = data;
    if (record.endedAtMs !== null) response.end();
  };
  // The place in the queue changes with others, too.
  const untell = simulations.onChange(tell);
  response.on("drain", tell);
  const heartbeat = setInterval(() => {
    if (!response.writableEnded && !response.writableNeedDrain) response.write(":\n\n");
  }, HEARTBEAT_MS);
  const over = new Promise<void>((resolve) => response.once("close", resolve));
  try {
    tell();
    await over;
  } finally {
    untell();
    clearInterval(heartbeat);
  }
}
