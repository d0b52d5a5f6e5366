/**
 * The client of a broker, loaded when a command first needs it: HTTP costs `--help` nothing (rule CL-6).
 *
 * Here and not in main, because the house's rules open `src/api/client` to the command line alone.
 */
import type { BrokerPlace, StintClient } from "../api/client/index.ts";

/** A client of the broker at this place; nothing is asked of it yet. */
export async function reachBroker(place: BrokerPlace): Promise<StintClient> {
  const { createClient } = await import("../api/client/index.ts");
  return createClient(place);
}
