/** A point as a program chose it. */
import { accepted, type Result, refused } from "../../base/index.ts";
import type { SweepParameter } from "../../model/index.ts";

/** Values of all parameters, each one of its list or in its range; or why they are none. */
export function programPoint(
  parameters: readonly SweepParameter[],
  given: unknown,
): Result<Readonly<Record<string, string>>, string> {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    return refused("a point is a JSON object of the values of the parameters");
  }
  const texts = new Map(Object.entries(given).map(([name, value]) => [name, String(value)]));
  const values: [string, string][] = [];
  for (const parameter of parameters) {
    const text = texts.get(parameter.name);
    if (text === undefined) return refused(`the point has no value of ${parameter.name}`);
    if (!isOne(parameter, text)) return refused(`${parameter.name} is none of its values or out of range`);
    values.push([parameter.name, text]);
  }
  return accepted(Object.fromEntries(values));
}

function isOne(parameter: SweepParameter, text: string): boolean {
  if ("values" in parameter) return parameter.values.includes(text);
  const number = text.trim() === "" ? Number.NaN : Number(text);
  const last = parameter.from + (parameter.count - 1) * parameter.step;
  // The last value is a sum: as much beyond it as its rounding is still in range.
  const slack = Math.abs(last - parameter.from) * 1e-9;
  return number >= Math.min(parameter.from, last) - slack && number <= Math.max(parameter.from, last) + slack;
}
