/**
 * What the state of a broker of plain objects can be asked.
 */
import {
  type AnswerTo,
  createProjection,
  type PoliciesNow,
  type QueryName,
  type Question,
  query,
} from "../../src/engine/index.ts";
import type { TokenRecord, VoRecord } from "../../src/model/index.ts";
import type { FakeTickets } from "./fake-tickets.ts";

/** What a test puts there. */
export interface FakeState extends Pick<FakeTickets, "ticketRecords" | "ticketKeyRecords"> {
  readonly tokenRecords: Map<string, TokenRecord>;
  /** Sites by name. */
  readonly siteViews: ReadonlyMap<string, unknown>;
  voRecords: readonly VoRecord[];
  followersNow: AnswerTo<"followers">;
  readonly siteNotes: Map<string, NonNullable<AnswerTo<"siteNote">>>;
  readonly siteTroubles: Map<string, NonNullable<AnswerTo<"siteHealth">>>;
  policiesNow: PoliciesNow;
  matches: AnswerTo<"matchTable">;
  pilotsThere: AnswerTo<"pilots">;
  /** What planners of workflows are given. */
  platformNow: AnswerTo<"livePlatform">;
  /** Jobs that every pilot runs. */
  payloadsThere: AnswerTo<"payloads">;
}

/** Answers that tests set; all other queries are answered as by a broker in which nothing has happened. */
type State = { readonly [Name in QueryName]?: (question: Question<Name>) => AnswerTo<Name> };

/** What a test has put there; no other broker uses the same clusters. */
export function stateOf<Name extends QueryName>(
  brokerApi: FakeState,
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
    siteNote: (site) => brokerApi.siteNotes.get(site),
    siteHealth: (site) => brokerApi.siteTroubles.get(site),
    followers: () => brokerApi.followersNow,
    matchTable: () => brokerApi.matches,
    waitingMatches: () => 0,
    pilots: () => brokerApi.pilotsThere,
    payloads: () => brokerApi.payloadsThere,
    livePlatform: () => brokerApi.platformNow,
    siteAds: () => ({ classad: '[\n  Name = "local";\n]', glue2: {}, atMs: null, lifetimeMs: 300_000 }),
  };
  const set: State[Name] = state[name];
  return set === undefined ? query(createProjection(), { name, question }, 0) : set(question);
}
