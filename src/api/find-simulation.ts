/**
 * Finds a simulation by its id, or by a prefix that is unique. Those that the caller may not see do not
 * count: they are answered as if they did not exist.
 */
import type { FastifyRequest } from "fastify";
import { mayDo } from "../engine/index.ts";
import type { Identity } from "../model/index.ts";
import type { BrokerApi, SimulationRecord } from "../runtime/index.ts";
import { whoOf } from "./identity.ts";
import { ProblemError } from "./problem.ts";
import type { RouteWorld } from "./routes/api.ts";

const CANDIDATES_SHOWN = 5;

/** The simulations that the caller finds in a list: those within their rights. */
export function seenSimulations(
  { simulations, brokerApi }: Pick<RouteWorld, "simulations" | "brokerApi">,
  who: Identity,
): readonly SimulationRecord[] {
  return simulations
    .list()
    .filter((record) => mayDo(who, "seeSimulation", record) && maySeeItsSite(brokerApi, who, record));
}

/**
 * The simulation with the id or unique prefix `given`; one that is shared is found by its whole id.
 *
 * @throws ProblemError `unknownSimulation`, `ambiguousId`
 */
export function findSimulation(
  world: Pick<RouteWorld, "simulations" | "brokerApi">,
  request: FastifyRequest,
  given: string,
): SimulationRecord {
  const who = whoOf(request);
  const exact = world.simulations.find(given);
  if (exact?.isShared === true && maySeeItsSite(world.brokerApi, who, exact)) return exact;
  const seen = seenSimulations(world, who);
  const [found, ...others] = seen.filter(({ id }) => id.startsWith(given));
  if (found === undefined) throw unknownSimulation(given);
  if (found.id === given || others.length === 0) return found;
  throw ambiguous(given, [found, ...others]);
}

/** A simulation of a live queue shows that queue: its reader must be one who may see it now. */
function maySeeItsSite(brokerApi: BrokerApi, who: Identity, { owner, workload }: SimulationRecord): boolean {
  const { site } = workload;
  if (site === null || owner === who.owner) return true;
  const isThere = brokerApi.sites().some(({ name }) => name === site);
  if (!isThere || workload.isPrivate) return mayDo(who, "changeSite", { site });
  return mayDo(who, "seeSite", { site });
}

/** Problem for a simulation that does not exist for the caller. */
export function unknownSimulation(given: string): ProblemError {
  return new ProblemError({
    status: 404,
    code: "unknownSimulation",
    what: `there is no simulation ${given}`,
    why: "no simulation that you may see has an id with this prefix; it may have been deleted",
    remedy: "list the simulations, or ask its owner to share it",
    facts: { simulation: given },
  });
}

function ambiguous(given: string, found: readonly SimulationRecord[]): ProblemError {
  const candidates = found.slice(0, CANDIDATES_SHOWN).map(({ id }) => id);
  const more = found.length > CANDIDATES_SHOWN ? " and more" : "";
  return new ProblemError({
    status: 409,
    code: "ambiguousId",
    what: `several simulation ids begin with ${given}`,
    why: `candidates: ${candidates.join(", ")}${more}`,
    remedy: "give a longer prefix",
    facts: { simulation: given, candidates },
  });
}
