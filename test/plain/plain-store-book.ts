/**
 * A site's stores and links and what is promised of them, as MK-11, MK-12, MK-15, MK-26, EN-34 to EN-36,
 * EN-41 and EN-96 say it: a list of promises, looked through anew at every millisecond of a question.
 */

/** A store or a link. */
export interface PlainThing {
  readonly name: string;
  capacity: number;
  /** So much of it counts as a processor. */
  readonly perProc: number;
  /** c in thousandths, and f₀. */
  readonly unitPrice: number;
  readonly transaction: number;
}

/** What the site's rules allow; parts in millionths. */
export interface PlainRules {
  readonly noticeMs: number;
  readonly aheadMs: number;
  readonly longestMs: number;
  readonly sharePpm: number;
  readonly consumerSharePpm: number;
  readonly farMs: number;
  readonly farSharePpm: number;
  readonly offerMs: number;
  readonly offerSharePpm: number;
  readonly penaltyPpm: number;
  readonly basePenaltyPpm: number;
}

/** What is wanted of one thing. */
export interface PlainRequest {
  readonly id: string;
  readonly thing: string;
  readonly amount: number;
  readonly consumer: string;
  readonly startMs: number;
  readonly durationMs: number;
}

/** A promise, and what became of it. */
export interface PlainPromise extends PlainRequest {
  durationMs: number;
  /** Those that are had together have the same. */
  readonly group: string;
  readonly offeredMs: number;
  state: "OFFERED" | "ACCEPTED" | "ACTIVE" | string;
  base: number;
  fixed: number;
}

/** The book of a site. */
export class PlainStoreBook {
  readonly promises: PlainPromise[] = [];
  /** What each consumer has paid and not got back. */
  readonly paid = new Map<string, number>();
  private readonly things: readonly PlainThing[];
  private readonly rules: PlainRules;

  constructor(things: readonly PlainThing[], rules: PlainRules) {
    this.things = things;
    this.rules = rules;
  }

  /** What is taken of a thing at an instant by those that hold, or by those of them that count. */
  taken(thing: string, atMs: number, counts: (one: PlainPromise) => boolean = () => true): number {
    const there = this.promises.filter(
      (one) =>
        isHolding(one) && one.thing === thing && one.startMs <= atMs && atMs < endOf(one) && counts(one),
    );
    return there.reduce((sum, { amount }) => sum + amount, 0);
  }

  /** MK-26: whether it fits at each of its instants. */
  fits({ thing, amount, startMs, durationMs }: PlainRequest): boolean {
    const { capacity } = this.thing(thing);
    return instants(startMs, durationMs).every((atMs) => this.taken(thing, atMs) + amount <= capacity);
  }

  /** MK-11, MK-12: every rule of the site that speaks against it, or against so much more. */
  hindrances(request: PlainRequest, nowMs: number, of?: PlainPromise): ReadonlySet<string> {
    const { startMs, durationMs, thing, consumer, amount } = request;
    const { rules } = this;
    const { capacity } = this.thing(thing);
    const most = (ppm: number, counts: (one: PlainPromise) => boolean, atMs: number): boolean =>
      (this.taken(thing, atMs, counts) + amount) * 1_000_000 > ppm * capacity;
    const own = (one: PlainPromise): boolean => one.consumer === consumer;
    const isOwnOffer = (one: PlainPromise): boolean => own(one) && one.state === "OFFERED";
    const checks: readonly (readonly [string, boolean])[] = [
      ["tooSoon", startMs < nowMs + rules.noticeMs],
      ["tooFarAhead", startMs + durationMs > nowMs + rules.aheadMs],
      ["tooLong", durationMs + (of?.durationMs ?? 0) > rules.longestMs],
      ...instants(startMs, durationMs).flatMap((atMs): readonly (readonly [string, boolean])[] => [
        ["tooMuchReserved", most(rules.sharePpm, () => true, atMs)],
        ["consumerTooMuchReserved", most(rules.consumerSharePpm, own, atMs)],
        ["farTooMuchReserved", atMs >= nowMs + rules.farMs && most(rules.farSharePpm, () => true, atMs)],
        ["tooMuchOffered", of === undefined && most(rules.offerSharePpm, isOwnOffer, atMs)],
      ]),
    ];
    return new Set(checks.filter(([, isSo]) => isSo).map(([rule]) => rule));
  }

  /** Charges are rounded up, refunds down. */
  price(
    { thing, amount, durationMs }: PlainRequest,
    whole: (amount: number) => number = Math.ceil,
  ): { readonly base: number; readonly fixed: number } {
    const { perProc, unitPrice, transaction } = this.thing(thing);
    return { base: whole((amount * durationMs * unitPrice) / (1000 * perProc)), fixed: transaction };
  }

  /** The starts that are possible, whenever that is; f is the same for all. */
  starts(request: Omit<PlainRequest, "startMs" | "id" | "consumer">, nowMs: number): readonly number[] {
    const holding = this.promises.filter((one) => isHolding(one) && one.thing === request.thing);
    const changes = holding.flatMap((one) => [one.startMs, endOf(one)]).filter((atMs) => atMs >= nowMs);
    const candidates = [...new Set([nowMs, ...changes])].sort((one, other) => one - other);
    return candidates.filter((startMs) => this.fits({ ...request, startMs, id: "", consumer: "" }));
  }

  /** EN-34: all of them, or none. */
  offer(requests: readonly PlainRequest[], nowMs: number): void {
    const [first] = requests;
    for (const request of requests) {
      const of = { group: first?.id ?? "", offeredMs: nowMs, state: "OFFERED" };
      this.promises.push({ ...request, ...of, ...this.price(request) });
    }
  }

  /** EN-34. */
  accept(id: string): void {
    for (const one of this.together(id)) {
      one.state = "ACCEPTED";
      this.pay(one, one.base + one.fixed);
    }
  }

  /** EN-36, MK-15: an offer is withdrawn, a reservation cancelled for its penalty. */
  cancel(id: string): void {
    const { penaltyPpm, basePenaltyPpm } = this.rules;
    for (const one of this.together(id)) {
      const penalty =
        Math.ceil((one.fixed * penaltyPpm) / 1_000_000) + Math.ceil((one.base * basePenaltyPpm) / 1_000_000);
      if (one.state === "ACCEPTED") this.pay(one, penalty - one.base - one.fixed);
      one.state = one.state === "OFFERED" ? "WITHDRAWN" : "CANCELLED";
    }
  }

  /** The refund of one reservation: the base price of the remaining time, less p of it. */
  relinquish(id: string, nowMs: number): void {
    const one = this.find(id);
    const { thing, amount, consumer } = one;
    const rest = { id, thing, amount, consumer, startMs: nowMs, durationMs: endOf(one) - nowMs };
    const left = this.price(rest, Math.floor).base;
    this.pay(one, Math.ceil((left * this.rules.penaltyPpm) / 1_000_000) - left);
    one.state = "RELINQUISHED";
  }

  /** EN-36: a slot of its own, at its end, of this one alone. */
  extend(id: string, moreMs: number): void {
    const one = this.find(id);
    const { base, fixed } = this.price({ ...one, durationMs: moreMs });
    this.pay(one, base + fixed);
    one.durationMs += moreMs;
    one.base += base;
    one.fixed += fixed;
  }

  /** EN-96: in the order in which they were offered; what was paid for one that no longer fits comes back. */
  resize(thing: string, capacity: number, nowMs: number): void {
    this.thing(thing).capacity = capacity;
    const all = this.promises.filter((one) => isHolding(one) && one.thing === thing);
    const before = all.map(({ state }) => state);
    for (const one of all) one.state = "asking";
    for (const [at, one] of all.entries()) {
      const fromMs = Math.max(nowMs, one.startMs);
      const rest = { ...one, startMs: fromMs, durationMs: Math.max(0, endOf(one) - fromMs) };
      const isKept = this.fits(rest);
      one.state = isKept ? before[at] : "VIOLATED";
      if (isKept) continue;
      if (before[at] !== "OFFERED") this.pay(one, -one.base - one.fixed);
      if (before[at] !== "ACTIVE") this.giveUpOthers(one);
    }
  }

  /** EN-41: the others that have not begun are given up without a penalty. */
  private giveUpOthers({ group }: PlainPromise): void {
    for (const other of this.promises) {
      if (other.group !== group || !/OFFERED|ACCEPTED/.test(other.state)) continue;
      if (other.state === "ACCEPTED") this.pay(other, -other.base - other.fixed);
      other.state = "GIVEN UP";
    }
  }

  /** EN-34, EN-37: what the passing of time does. */
  pass(nowMs: number): void {
    for (const one of this.promises) {
      if (one.state === "OFFERED" && nowMs >= one.offeredMs + this.rules.offerMs) one.state = "LAPSED";
      if (one.state === "ACCEPTED" && nowMs >= one.startMs) one.state = "ACTIVE";
      if (one.state === "ACTIVE" && nowMs >= endOf(one)) one.state = "FULFILLED";
    }
  }

  /** A promise by its id. */
  find(id: string): PlainPromise {
    const found = this.promises.find((one) => one.id === id);
    if (found === undefined) throw new Error(`nothing was promised as ${id}`);
    return found;
  }

  /** Those that are had together with one, itself included, and are as it is. */
  together(id: string): readonly PlainPromise[] {
    const { group, state } = this.find(id);
    return this.promises.filter((one) => one.group === group && one.state === state);
  }

  private thing(name: string): PlainThing {
    const found = this.things.find((thing) => thing.name === name);
    if (found === undefined) throw new Error(`there is no ${name}`);
    return found;
  }

  private pay({ consumer }: PlainPromise, amount: number): void {
    this.paid.set(consumer, (this.paid.get(consumer) ?? 0) + amount);
  }
}

function isHolding({ state }: PlainPromise): boolean {
  return state === "OFFERED" || state === "ACCEPTED" || state === "ACTIVE";
}

function endOf({ startMs, durationMs }: Pick<PlainRequest, "startMs" | "durationMs">): number {
  return startMs + durationMs;
}

function instants(startMs: number, durationMs: number): readonly number[] {
  return Array.from({ length: durationMs }, (_, at) => startMs + at);
}
