/** What two sites and their buyer have, when brokers have died while slots at both were had together. */
import type { Broker } from "../src/broker/index.ts";
import { pass, queue } from "./foreign-broker.ts";
import type { ScriptedQueue } from "./scripted-foreign-site.ts";

/** Their names; the first has the queue of the world. */
export const BOTH_SITES = ["far", "away"] as const;

/** How it stands when no offer is open any more: states, what the sites keep free, and what was paid. */
export async function standingAtBoth({ brokerApi }: Broker, away: ScriptedQueue) {
  const { items: offered } = await brokerApi.reservations({ states: ["OFFERED"] });
  // Nobody takes it any more: it lapses.
  if (offered.length > 0) await pass(60_000);
  const { items } = await brokerApi.reservations({});
  const { levels } = await brokerApi.account("vo/user");
  return {
    states: items.map(({ state }) => state).sort(),
    there: [queue.reservations.size, away.reservations.size],
    paid: levels.filter(({ consumer }) => consumer === "vo/user").map((it) => it.balanceProcMs ?? 0),
  };
}
