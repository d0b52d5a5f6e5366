/** Parameters of a model: published values, each of which can be replaced. */
import { Fault, nearestWord } from "../../base/index.ts";

/**
 * `published` with the values of `changes` in their places.
 *
 * @throws Fault `parameterUnknown` for a name that the model does not have
 */
export function withChanges<Names extends string>(
  published: Readonly<Record<Names, number>>,
  changes: Readonly<Record<string, number>>,
): Readonly<Record<Names, number>> {
  const names = Object.keys(published);
  for (const name of Object.keys(changes)) if (!names.includes(name)) throw unknown(name, names);
  return { ...published, ...changes };
}

/**
 * Throws where a parameter is not within [least, most].
 *
 * @throws Fault `parameterOutOfRange`
 */
export function mustLie(name: string, value: number, [least, most]: readonly [number, number]): void {
  if (value >= least && value <= most) return;
  throw new Fault({
    kind: "badInput",
    code: "parameterOutOfRange",
    what: `--set ${name}: ${value} is not possible`,
    why: `${name} lies between ${least} and ${most}`,
    remedy: "choose a value in between",
  });
}

function unknown(name: string, names: readonly string[]): Fault {
  const nearest = nearestWord(name, names);
  return new Fault({
    kind: "badInput",
    code: "parameterUnknown",
    what: `--set ${name.slice(0, 40)}: the model has no such parameter`,
    why: `its parameters are ${names.join(", ")}`,
    remedy: nearest === undefined ? "choose one of these" : `did you mean ${nearest}?`,
  });
}
