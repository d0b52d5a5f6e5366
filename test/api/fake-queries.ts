/**
 * What the state of a broker of plain objects can be asked.
 */
import type { AnswerTo, QueryName, Question } from "../../src/engine/index.ts";
import type { FakeBrokerApi } from "./fake-broker-api.ts";

type State = { readonly [Name in QueryName]: (question: Question<Name>) => AnswerTo<Name> };

/** What a test has put there; no other broker uses the same clusters. */
export function stateOf<Name extends QueryName>(
  brokerApi: FakeBrokerApi,
  { name, question }: { readonly name: Name; readonly question: Question<Name> },
): AnswerTo<Name> {
  const state: State = {
    tokens: () => [...brokerApi.tokenRecords.values()],
    token: (id) => brokerApi.tokenRecords.get(id),
    tickets: () => brokerApi.ticketRecords,
    ticketKeys: () => brokerApi.ticketKeyRecords,
    vos: () => brokerApi.voRecords,
    policies: () => brokerApi.policiesNow,
    providers: () => [...brokerApi.siteViews.keys()],
    followers: () => brokerApi.followersNow,
    dispatches: () => ({ asOfMs: 0, dispatched: [], leftOut: 0 }),
    peers: () => [],
  };
  const ask: State[Name] = state[name];
  return ask(question);
}
