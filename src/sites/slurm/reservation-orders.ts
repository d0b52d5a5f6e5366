/**
 * Makes, changes and removes reservations at a cluster, which needs an operator's rights.
 *
 * Slurm's answers are verified: it grants cores that a later reservation by nodes overlaps, and moves an
 * end over other reservations (both seen with 22.05). So a reservation is read back and removed if it is
 * less than was ordered, and an end is moved later only if no other reservation has one of its nodes.
 */
import { setTimeout as delay } from "node:timers/promises";
import { Fault } from "../../base/index.ts";
import type { ExternalReservation, Survey, SurveyedReservation } from "../../engine/index.ts";
import {
  NODES_COMMAND,
  RESERVATIONS_COMMAND,
  readNodes,
  readReservations,
} from "../../formats/slurm/index.ts";
import type { ClusterReservation, SlurmSiteSpec } from "../../model/index.ts";
import {
  type Clock,
  checkReservationOrder,
  checkReservationToken,
  type ReservationOrder,
  reservationConflict,
} from "../../runtime/index.ts";
import { type Ask, askWith } from "./ask.ts";
import type { AttemptBook } from "./attempt-book.ts";
import type { CommandResult, RunCommand } from "./command.ts";
import { ORDER_TIMEOUT_MS } from "./job-orders.ts";
import {
  creationWords,
  endChangeWords,
  endingMs,
  isWhole,
  neighboursOf,
  reservationNameOf,
  reservationTokenOf,
  setAsideForOthers,
} from "./reservation-words.ts";
import { slurmFault, troubleOf } from "./slurm-fault.ts";

/** Functions and records that orders need. */
export interface ReservationParts {
  readonly spec: Pick<SlurmSiteSpec, "account" | "partition">;
  readonly book: AttemptBook;
  readonly run: RunCommand;
  readonly clock: Pick<Clock, "nowMs">;
  /** Readings now, and readings that may come from the cache; default: `run`. */
  readonly looks?: { readonly now: Ask; readonly seldom: Ask };
}

/** Tries to delete, one a quarter second: longer than Slurm's usual KillWait of 30 s. */
const DELETE_TRIES = 120;
const DELETE_EVERY_MS = 500;

const BUSY = /Requested nodes are busy/i;
const SECOND_MS = 1000;
/** Interval in ms between readings of others' reservations, which change rarely. */
const OTHERS_EVERY_MS = 60_000;

/** Reservations of one site; see the header. */
export class ReservationOrders {
  readonly #parts: ReservationParts;
  readonly #ask: Ask;
  #user: string | undefined;
  #others: readonly ExternalReservation[] = [];
  #othersAgainMs = Number.NEGATIVE_INFINITY;

  constructor(parts: ReservationParts) {
    this.#parts = parts;
    this.#ask = parts.looks?.now ?? askWith(parts.run);
  }

  /** Makes the reservation or moves its end; returns its name. See `ForeignSite.reserve`. */
  async reserve(order: ReservationOrder): Promise<string> {
    checkReservationOrder(order);
    const { token, memoryBytes, gpus = 0 } = order;
    if (memoryBytes > 0 || gpus > 0) throw processorsOnly(token, memoryBytes > 0 ? "memory" : "gpus");
    const { book } = this.#parts;
    const name = reservationNameOf(book.mark, order.token);
    const all = await this.#look();
    const before = all.find((it) => it.name === name);
    const known = book.reservations.find(order.token);
    await book.reservations.write(order);
    try {
      if (before === undefined) await this.#make(name, order);
      else await this.#moveEnd(before, order, all);
    } catch (error) {
      const isCertain = error instanceof Fault && error.kind !== "unreachable";
      if (isCertain && known !== undefined) await book.reservations.write(known);
      if (isCertain && known === undefined) await book.reservations.remove(order.token);
      throw error;
    }
    return name;
  }

  /** Releases the reservation and cancels its jobs. See `ForeignSite.unreserve`. */
  async unreserve(token: string): Promise<void> {
    checkReservationToken(token);
    const { book } = this.#parts;
    await this.#remove(reservationNameOf(book.mark, token));
    await book.reservations.remove(token);
  }

  /**
   * Our reservations, and those of others. Read with every survey while one is ours, and else once a
   * minute; a failed reading leaves the last state.
   */
  async shown(): Promise<Pick<Survey, "reservations" | "setAside">> {
    const { book, clock } = this.#parts;
    const nowMs = clock.nowMs();
    if ([...book.reservations.all()].length > 0) {
      const all = await this.#look();
      this.#noteOthers(all, nowMs);
      return { reservations: await this.#ours(all, nowMs), setAside: this.#others };
    }
    if (nowMs >= this.#othersAgainMs) await this.#lookForOthers(nowMs);
    return { reservations: [], setAside: this.#others };
  }

  async #ours(all: readonly ClusterReservation[], nowMs: number): Promise<SurveyedReservation[]> {
    const { book } = this.#parts;
    const found = all.flatMap(({ name, procs, startAtMs, endAtMs }) => {
      const token = reservationTokenOf(book.mark, name);
      if (token === null || endAtMs <= nowMs) return [];
      return [{ token, siteReservation: name, procs, startMs: startAtMs, endMs: endAtMs }];
    });
    for (const { token, endMs } of book.reservations.all()) {
      const isOver = endMs <= nowMs && !found.some((it) => it.token === token);
      if (isOver) await book.reservations.remove(token);
    }
    return found;
  }

  async #lookForOthers(nowMs: number): Promise<void> {
    this.#othersAgainMs = nowMs + OTHERS_EVERY_MS;
    try {
      const ask = this.#parts.looks?.seldom ?? this.#ask;
      const text = await ask("reservations", RESERVATIONS_COMMAND);
      this.#noteOthers(readReservations(text), nowMs);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
    }
  }

  #noteOthers(all: readonly ClusterReservation[], nowMs: number): void {
    const { book, spec } = this.#parts;
    this.#othersAgainMs = nowMs + OTHERS_EVERY_MS;
    this.#others = setAsideForOthers(all, { mark: book.mark, partition: spec.partition, nowMs });
  }

  /** Removes every reservation with our mark; returns their names. @throws Fault if one stays */
  async removeAll(): Promise<readonly string[]> {
    const { book } = this.#parts;
    const names = (await this.#look())
      .map(({ name }) => name)
      .filter((name) => reservationTokenOf(book.mark, name) !== null);
    for (const name of names) await this.#remove(name);
    for (const { token } of book.reservations.all()) await book.reservations.remove(token);
    return names;
  }

  async #look(): Promise<readonly ClusterReservation[]> {
    return readReservations(await this.#ask("reservations", RESERVATIONS_COMMAND));
  }

  async #make(name: string, order: ReservationOrder): Promise<void> {
    const { spec, clock } = this.#parts;
    this.#user ??= (await this.#ask("user", ["id", "-un"])).trim();
    const about = { name, user: this.#user, nowMs: clock.nowMs() };
    const first = await this.#do(creationWords(order, about, spec));
    // What begins in the very second in which a job's limit ends is in that job's way, for Slurm.
    const isLate = first.code !== 0 && BUSY.test(first.stderr) && order.startMs + SECOND_MS < order.endMs;
    const later = { ...order, startMs: order.startMs + SECOND_MS };
    const result = isLate ? await this.#do(creationWords(later, about, spec)) : first;
    // Somebody asked for the same at the same time: us, of whom one call was taken for lost.
    if (result.code !== 0 && !/Duplicate reservation name/i.test(result.stderr)) {
      throw reservationFault(order.token, result, about.user);
    }
    const all = await this.#look();
    const made = all.find((it) => it.name === name);
    const why = made === undefined ? undefined : await this.#shortcoming(made, order, all);
    if (why === undefined) return;
    await this.#remove(name);
    throw reservationConflict(order.token, why);
  }

  /** Reason for which a made reservation is less than was ordered. */
  async #shortcoming(
    made: ClusterReservation,
    { procs }: ReservationOrder,
    all: readonly ClusterReservation[],
  ): Promise<string | undefined> {
    if (made.procs < procs) return `Slurm set ${made.procs} processors aside where ${procs} were asked for`;
    const neighbours = neighboursOf(made, all, { fromMs: made.startAtMs, endMs: made.endAtMs });
    if (neighbours.length === 0) return undefined;
    const nodes = readNodes(await this.#ask("nodes", NODES_COMMAND));
    const procsOf = new Map(nodes.map((node) => [node.name, node.procs]));
    const whole = neighbours.find((other) => isWhole(made, procsOf) || isWhole(other, procsOf));
    return whole === undefined ? undefined : `it would overlap the reservation ${whole.name} of whole nodes`;
  }

  async #moveEnd(
    before: ClusterReservation,
    { token, endMs }: ReservationOrder,
    all: readonly ClusterReservation[],
  ): Promise<void> {
    const newEndMs = endingMs(endMs, this.#parts.clock.nowMs());
    if (newEndMs === before.endAtMs) return;
    const [neighbour] = neighboursOf(before, all, { fromMs: before.endAtMs, endMs: newEndMs });
    if (neighbour !== undefined) {
      throw reservationConflict(token, `the reservation ${neighbour.name} follows on one of its nodes`);
    }
    const result = await this.#do(endChangeWords(before.name, newEndMs));
    if (result.code !== 0) throw reservationFault(token, result, "this account");
  }

  /** Cancels the jobs first, as Slurm deletes no reservation that is in use. */
  async #remove(name: string): Promise<void> {
    const words = ["scontrol", "delete", `ReservationName=${name}`];
    for (let tries = 1; ; tries++) {
      const result = await this.#do(words);
      const trouble = troubleOf(result);
      if (trouble === undefined || trouble === "unknownReservation") return;
      if (trouble !== "reservationInUse" || tries === DELETE_TRIES) {
        throw slurmFault(`cannot give up the reservation ${name}`, result);
      }
      if (tries === 1) await this.#cancelIn(name);
      await delay(DELETE_EVERY_MS);
    }
  }

  async #cancelIn(name: string): Promise<void> {
    const result = await this.#do(["scancel", `--reservation=${name}`]);
    if (result.code !== 0) throw slurmFault(`cannot cancel the jobs in ${name}`, result);
  }

  #do(words: readonly string[]): Promise<CommandResult> {
    return this.#parts.run({ words, timeoutMs: ORDER_TIMEOUT_MS });
  }
}

/** Fault of a reservation that was not made or changed. */
function reservationFault(token: string, result: CommandResult, user: string): Fault {
  const fault = slurmFault(`cannot reserve ${token}`, result);
  const { what, why } = fault;
  switch (troubleOf(result)) {
    case "notOwner": {
      const remedy =
        `an administrator of the cluster grants it to ${user}: ` +
        "sacctmgr modify user USER set AdminLevel=Operator";
      return new Fault({ kind: "notAllowed", code: "siteMayNotReserve", what, why, remedy });
    }
    case "noCores": {
      const remedy =
        "with SelectType=select/cons_tres Slurm can reserve processors; at present only whole nodes";
      return new Fault({ kind: "refused", code: "siteMayNotReserve", what, why, remedy });
    }
    case "reservationConflict":
      return reservationConflict(token, why);
    default:
      return fault;
  }
}

function processorsOnly(token: string, asked: "memory" | "gpus"): Fault {
  const inIt = "; a job in the reservation can still request memory of its nodes";
  return new Fault({
    kind: "refused",
    code: `${asked}NotReservable`,
    what: `cannot reserve ${token}`,
    why: `Slurm reserves processors, not ${asked === "memory" ? "memory" : "GPUs"}`,
    remedy: `request processors only${asked === "memory" ? inIt : ""}`,
  });
}
