/**
 * The next points of a search whose method is one of ours: random points, or simulated annealing.
 *
 * Annealing after Kirkpatrick, Gelatt and Vecchi 1983, as in Nimrod/O [WMS slide 47]: a worse point is taken
 * with probability exp(-Δ/T), and T falls from point to point. Departs from it: as many chains as points at a
 * time, each with every k-th index and a generator of its own, so that the order in which jobs end does not
 * matter; neighbours are nearer as T falls. Cost: the chains are played again, O(points).
 */
import { createRandom, drawFraction, type Random } from "../../base/index.ts";
import {
  type Search,
  type SearchMethod,
  type SearchPoint,
  type Sweep,
  type SweepParameter,
  sweepValue,
  valueCount,
} from "../../model/index.ts";
import { costOf } from "./summary.ts";

type Values = ReadonlyMap<number, number | null | undefined>;

/** Points to begin now; none where values are waited for, all are chosen, or a program is to be asked. */
export function nextPoints(
  { parameters, search }: Pick<Sweep, "parameters" | "search">,
  points: readonly SearchPoint[],
): readonly SearchPoint[] {
  if (search === undefined || search.method.kind === "exec") return [];
  const values: Values = new Map(points.map(({ index, value }) => [index, value]));
  if (search.method.kind === "random") return randomPoints(parameters, search, search.method, values);
  const { method } = search;
  return Array.from({ length: Math.min(search.parallel, search.evaluations) }, (_, chain) => chain).flatMap(
    (chain) => chainPoint({ parameters, search, method, chain }, values) ?? [],
  );
}

/** A place in the space of points: for each parameter the number of its value. */
type Place = readonly number[];

function pointOf(parameters: readonly SweepParameter[], index: number, place: Place): SearchPoint {
  const values = parameters.map((one, at) => [one.name, sweepValue(one, place[at])] as const);
  return { index, values: Object.fromEntries(values) };
}

function anywhere(parameters: readonly SweepParameter[], random: Random): Place {
  return parameters.map((one) => Math.floor(drawFraction(random) * valueCount(one)));
}

function randomPoints(
  parameters: readonly SweepParameter[],
  { parallel, evaluations }: Search,
  { seed }: Extract<SearchMethod, { kind: "random" }>,
  values: Values,
): readonly SearchPoint[] {
  const open = [...values.values()].filter((value) => value === undefined).length;
  const next = Math.max(0, Math.min(parallel - open, evaluations - values.size));
  return Array.from({ length: next }, (_, at) => {
    const index = values.size + at;
    return pointOf(parameters, index, anywhere(parameters, createRandom((seed + index) | 0)));
  });
}

interface Chain {
  readonly parameters: readonly SweepParameter[];
  readonly search: Search;
  readonly method: Extract<SearchMethod, { kind: "annealing" }>;
  readonly chain: number;
}

/** Part of the first temperature that is left at the end where nothing else is said. */
const LAST_HEAT = 0.01;

/** The next point of a chain; undefined where its last one has no value yet, or there are no more. */
function chainPoint({ parameters, search, method, chain }: Chain, values: Values): SearchPoint | undefined {
  const { goal, parallel, evaluations } = search;
  const random = createRandom((method.seed + chain) | 0);
  const steps = Math.ceil((evaluations - chain) / parallel);
  const perRun = Math.max(1, Math.ceil(steps / (method.restarts + 1)));
  const cooling = method.cooling ?? LAST_HEAT ** (1 / perRun);
  let t0 = method.t0;
  let place: Place = [];
  let cost = Number.POSITIVE_INFINITY;
  for (let step = 0; step < steps; step++) {
    const index = step * parallel + chain;
    const heat = cooling ** (step % perRun);
    if (step % perRun === 0) cost = Number.POSITIVE_INFINITY;
    const isFresh = cost === Number.POSITIVE_INFINITY;
    const proposed = isFresh ? anywhere(parameters, random) : near(parameters, place, { random, heat });
    const draw = drawFraction(random);
    if (!values.has(index)) return pointOf(parameters, index, proposed);
    const value = values.get(index);
    if (value === undefined) return undefined;
    if (value === null) continue;
    const next = costOf(goal, value);
    t0 ??= Math.max(Math.abs(value) / 10, Number.MIN_VALUE);
    if (next > cost && draw >= Math.exp((cost - next) / (t0 * heat))) continue;
    place = proposed;
    cost = next;
  }
  return undefined;
}

/** A neighbour: each parameter moves by at most half its range, less as it grows cold; one moves at least. */
function near(
  parameters: readonly SweepParameter[],
  from: Place,
  { random, heat }: { readonly random: Random; readonly heat: number },
): Place {
  const moving = Math.floor(drawFraction(random) * parameters.length);
  return parameters.map((one, at) => {
    const last = valueCount(one) - 1;
    const reach = Math.max(1, Math.round((last * heat) / 2));
    const draw = 2 * drawFraction(random) - 1;
    const step = Math.round(draw * reach);
    const moved = at === moving && step === 0 ? Math.sign(draw) || 1 : step;
    return within(from[at] + moved, last);
  });
}

/** Values beyond a bound are reflected. */
function within(place: number, last: number): number {
  const back = place > last ? 2 * last - place : Math.abs(place);
  return Math.min(last, Math.max(0, back));
}
