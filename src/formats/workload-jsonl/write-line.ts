/** A line of a workload file as it is written: absent values are left out. */

type Value = string | number | readonly string[] | undefined;
/** Fields of a line in their order. */
export type Line = Readonly<Record<string, Value>>;

/** Unix ms as a date in UTC. */
export function instant(ms: number): string {
  return new Date(ms).toISOString();
}

/** Text of a line, without its end. */
export function written(line: Line): string {
  const said = Object.entries(line).filter(([, value]) => value !== undefined);
  return `{${said.map(([name, value]) => `"${name}": ${JSON.stringify(value)}`).join(", ")}}`;
}
