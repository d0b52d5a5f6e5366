/** Serialises requests with one idempotency key: the second one finds the result of the first. */
import type { BrokerApi } from "../runtime/index.ts";
import { ProblemError } from "./problem.ts";

/** Queues by broker: a broker with several listeners handles each key once. */
const turnsAt = new WeakMap<BrokerApi, Map<string, Promise<unknown>>>();

/** Runs after all earlier requests of the same owner and key. */
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

/** Problem for a key of another request. @param noun the requested object: `submission` */
export function keyReused(key: string, noun: string): ProblemError {
  return new ProblemError({
    status: 409,
    code: "idempotencyKeyReused",
    what: `the idempotency key was used for another ${noun}`,
    why: "an earlier request with this key had different content",
    remedy: `use a new key for each new ${noun}`,
    facts: { key },
  });
}
