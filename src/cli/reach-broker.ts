/**
 * The client of a broker, loaded when a command first needs it: HTTP costs `--help` nothing. It is here and
 * not in main, because only the command line may import `src/api/client`.
 */
import type { BrokerPlace, StintClient } from "../api/client/index.ts";

/** A client of the broker at this address; sends no request yet. */
export async function reachBroker(place: BrokerPlace): Promise<StintClient> {
  const { createClient } = await import("../api/client/index.ts");
  return createClient(place);
}
