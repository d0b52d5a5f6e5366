/**
 * What a job asks of its nodes' features: `a100&ib`, `(intel|amd)&ssd`, `[rack1|rack2]`, `rack1*2&rack2*4`.
 *
 * Source: sbatch(1), --constraint. Departs from it: with counts or in brackets not every node needs the
 * same features, so there a node counts that has any of them.
 */

/** Whether a node with these features can be one of the job's nodes; true for what cannot be read. */
export function matchesFeatures(expression: string, features: ReadonlySet<string>): boolean {
  const names = namesIn(expression);
  if (/[*[]/.test(expression)) return names.some((name) => features.has(name));
  const words = expression.match(/[()&|,]|[^()&|,\s]+/g) ?? [];
  const rest = [...words];
  const holds = anyOf(rest, features);
  return rest.length > 0 ? true : holds;
}

function namesIn(expression: string): readonly string[] {
  return (expression.match(/[^()[\]&|,*\s]+/g) ?? []).filter((word) => !/^\d+$/.test(word));
}

function anyOf(rest: string[], features: ReadonlySet<string>): boolean {
  let holds = allOf(rest, features);
  while (rest[0] === "|") {
    rest.shift();
    const next = allOf(rest, features);
    holds = holds || next;
  }
  return holds;
}

function allOf(rest: string[], features: ReadonlySet<string>): boolean {
  let holds = one(rest, features);
  while (rest[0] === "&" || rest[0] === ",") {
    rest.shift();
    const next = one(rest, features);
    holds = holds && next;
  }
  return holds;
}

function one(rest: string[], features: ReadonlySet<string>): boolean {
  const word = rest.shift();
  if (word !== "(") return word !== undefined && features.has(word);
  const holds = anyOf(rest, features);
  if (rest[0] === ")") rest.shift();
  return holds;
}
