/**
 * A map that lies over another one: what is changed in it is its own, and the one below stays as it is.
 *
 * Equivalent to a copy of the one below as long as that does not change; differs for speed in that nothing is
 * copied. Its entries are not in the order in which they were set.
 */
export class LayeredMap<Key, Value> extends Map<Key, Value> {
  readonly #below: ReadonlyMap<Key, Value>;
  /** Keys that were set anew or deleted here; what the map below has for them is ignored. */
  readonly #hidden = new Set<Key>();

  constructor(below: ReadonlyMap<Key, Value>) {
    super();
    this.#below = below;
  }

  override get(key: Key): Value | undefined {
    return this.#hidden.has(key) ? super.get(key) : this.#below.get(key);
  }

  override has(key: Key): boolean {
    return this.#hidden.has(key) ? super.has(key) : this.#below.has(key);
  }

  override set(key: Key, value: Value): this {
    this.#hidden.add(key);
    return super.set(key, value);
  }

  override delete(key: Key): boolean {
    const wasThere = this.has(key);
    this.#hidden.add(key);
    super.delete(key);
    return wasThere;
  }

  override clear(): void {
    for (const key of [...this.keys()]) this.delete(key);
  }

  override get size(): number {
    let hidden = 0;
    for (const key of this.#hidden) if (this.#below.has(key)) hidden++;
    return this.#below.size - hidden + super.size;
  }

  override *entries(): MapIterator<[Key, Value]> {
    for (const entry of this.#below) if (!this.#hidden.has(entry[0])) yield entry;
    yield* super.entries();
  }

  override *keys(): MapIterator<Key> {
    for (const [key] of this.entries()) yield key;
  }

  override *values(): MapIterator<Value> {
    for (const [, value] of this.entries()) yield value;
  }

  override [Symbol.iterator](): MapIterator<[Key, Value]> {
    return this.entries();
  }

  override forEach(visit: (value: Value, key: Key, map: Map<Key, Value>) => void): void {
    for (const [key, value] of this.entries()) visit(value, key, this);
  }
}
