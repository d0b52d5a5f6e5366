/**
 * Requests with one idempotency key, one after the other: the second one finds what the first one did.
 */
import type { BrokerApi } from "../runtime/index.ts";
import { ProblemError } from "./problem.ts";

/** Whose turn it is, by broker: a broker that listens in several places takes each key once. */
const turnsAt = new WeakMap<BrokerApi, Map<string, Promise<unknown>>>();

/** Does it when what was begun before under the same owner and key is over. */
export function inTurn<Value>(
  brokerApi: BrokerApi,
  ownerAndKey: readonly [string, string],
  action: () => Promise<Value>,
): Promise<Value> {
  const turns = turnsAt.get(brokerApi) ?? new Map<string, Promise<unknown>>();
  turnsAt.set(brokerApi, turns);
  const owned = JSON.stringify(ownerAndKey);
  const before = turns.get(owned) ?? Promise.resolve();
  const turn = before.then(action);
  const settled = turn.then(
    () => {},
    () => {},
  );
  turns.set(owned, settled);
  settled.then(() => {
    if (turns.get(owned) === settled) turns.delete(owned);
  });
  return turn;
}

/** The key names another request than this one. @param noun what was requested: `submission` */
export function keyReused(key: string, noun: string): ProblemError {
  return new ProblemError({
    status: 409,
    code: "idempotencyKeyReused",
    what: `the idempotency key belongs to another ${noun}`,
    why: "under this key something else was asked for before",
    remedy: `choose a new key for a new ${noun}`,
    facts: { key },
  });
}
