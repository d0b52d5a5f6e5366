/** An object with some of its members: using one that is left out throws an error that names it. */
export function standIn<Whole extends object>(part: Partial<Whole>): Whole {
  return new Proxy(part, {
    get(target, name) {
      // A promise looks for `then`.
      if (name in target || typeof name === "symbol" || name === "then") return Reflect.get(target, name);
      throw new Error(`the stand-in has no ${name}: add it where a test needs it`);
    },
  }) as Whole;
}
