/**
 * Drives a foreign site: submits jobs, passes on orders, and surveys its queue.
 *
 * Submission has two phases: a job is submitted held, its place in the site's queue is recorded, and only
 * then it is released. After a submission with unknown outcome the queue is searched before anything is sent
 * again, so that nothing runs twice (rule BR-8).
 */
import { Fault, messageOf } from "../base/index.ts";
import { awaitedParts, endOf as endOfReservation, partsOf, type Survey } from "../engine/index.ts";
import { attemptToken, type JobRecord, type StintEvent } from "../model/index.ts";
import type { ForeignSite, PlacedAttempt, SubmitOrder } from "../runtime/index.ts";
import type { AttachedSite, SiteWorld } from "./attached-site.ts";
import { type AvoidedNodes, avoidedNodesAt } from "./avoided-nodes.ts";
import { type EnforcementDriver, enforcementDriver } from "./enforcement-driver.ts";
import { cameToNothing, limitOf, nameOf, orderOf, placeOf } from "./job-order.ts";
import { endOf } from "./managed-site.ts";
import { createOutbox } from "./outbox.ts";
import { type ReservationDriver, reservationDriver } from "./reservation-driver.ts";
import { isKeptBack, wantedOf } from "./site-orders.ts";
import { type Snapshots, snapshotsOf } from "./snapshots.ts";
import { type Stagings, stagingsAt } from "./staging.ts";
import { createWatch } from "./watch.ts";

/**
 * So many submissions are under way at once, and so many orders: what is there need not wait until all
 * others are there too, and adapters give orders that come together in one command.
 */
const AT_ONCE = [8, 32, 1000, 1000] as const;
const ORDERS = 1;
/** Elements of arrays at a site that submits them together: those that wait for each other. */
const ELEMENTS = 2;
/** Orders for elements: a release does not wait until the next elements are submitted. */
const ELEMENT_ORDERS = 3;
const LEAST_LIMIT_MS = 60_000;
/** Largest factor by which repeated failures slow down retries. */
const SLOWEST = 32;

/**
 * A site that shows a job as held this soon after its release has lost the release (a killed controller had
 * not saved it); later, somebody holds it.
 */
const FORGETFUL_MS = 60_000;

/** A foreign site to work with. `begin` does not wait for it. */
export function driveForeign(site: ForeignSite, world: SiteWorld): AttachedSite {
  return new ForeignHandles(site, world);
}

class ForeignHandles implements AttachedSite {
  readonly files: ForeignSite;
  readonly snapshot: Snapshots | undefined;
  readonly shares: AttachedSite["shares"];
  readonly setPriority: AttachedSite["setPriority"];
  readonly lookAtPilots: AttachedSite["lookAtPilots"];
  readonly canSuspend: AttachedSite["canSuspend"];
  readonly #site: ForeignSite;
  readonly #world: SiteWorld;
  readonly #outbox;
  readonly #stagings: Stagings;
  readonly #watch;
  readonly askForQueues = (): void => this.#watch.askForQueues();
  /** Consecutive failures by job. */
  readonly #failures = new Map<string, number>();
  /** Instants of releases within the last minute, by job. */
  readonly #letGo = new Map<string, number>();
  readonly #lettingGo = new Set<string>();
  readonly #reservations: ReservationDriver;
  readonly #enforcement: EnforcementDriver;
  readonly #avoided: AvoidedNodes;
  #isDetached = false;

  constructor(site: ForeignSite, world: SiteWorld) {
    this.files = site;
    this.shares = site.shares;
    const hasPriorities = site.abilities.has("setPriority");
    const { lookAtPilots } = site;
    this.canSuspend = () => site.abilities.has("suspend");
    this.lookAtPilots = lookAtPilots?.bind(site);
    this.setPriority = hasPriorities ? (...order) => this.#rank(...order) : undefined;
    this.#site = site;
    this.#world = world;
    this.#stagings = stagingsAt(site, world);
    this.#outbox = createOutbox(AT_ONCE, (job, error) => world.warn(`job ${job}: ${messageOf(error)}`));
    this.#watch = createWatch(site, world, (survey) => {
      this.#letGoAgain(survey);
      this.#avoided.update();
      this.#reservations.seen(survey);
      this.#enforcement.seen(survey);
      this.#dropShared();
    });
    const { round, warn, clock } = world;
    const inTurn = (job: string, order: () => Promise<void>) => this.#outbox.send(job, order, ORDERS);
    this.#avoided = avoidedNodesAt({ site, projection: round.projection, inTurn, warn });
    this.snapshot = snapshotsOf(site, { clock, seenAt: (atMs) => this.#watch.seenAt(atMs) });
    this.#enforcement = enforcementDriver({ site, round, warn, outbox: this.#outbox });
    this.#reservations = reservationDriver({
      site,
      round: world.round,
      outbox: this.#outbox,
      warn: world.warn,
      again: (name) => this.#watch.seenAt(this.#later(name, site.surveyEveryMs)),
      isDetached: () => this.#isDetached,
    });
  }

  /** Surveys the queue before anything is sent again (after a restart). */
  async begin(): Promise<void> {
    this.#watch.start();
    void this.#watch.seenAt(this.#world.round.nowMs()).then(() => this.#sendAgain());
  }

  dispatch(event: StintEvent): void {
    switch (event.kind) {
      case "jobPlaced":
        this.askForQueues();
        this.#stage(event.job);
        return;
      case "attemptQueued":
      case "cancelRequested":
      case "virtualGivenUp":
      case "queueTimeOver":
      case "jobEditRequested":
      case "payloadRecalled":
      case "jobHeld":
      case "jobReleased":
      case "jobSuspended":
      case "jobResumed":
        this.#orderFor(event.job);
        return;
      case "attemptHeld":
        if (this.#living(event.job)?.isLeaving === true) this.#orderFor(event.job);
        else this.#enforcement.dispatch(event);
        return;
      case "strayFound": {
        const stray = { token: attemptToken(event.job, event.attempt), siteJob: event.siteJob };
        this.#outbox.send(duplicateName(stray), () => this.#cancelStray(stray));
        return;
      }
      // An offer has no jobs yet; whatever else happens to a reservation may concern those in it.
      case "offerAccepted":
      case "reservationMade":
      case "reservationBegan":
      case "reservationFulfilled":
      case "reservationCancelled":
      case "reservationRelinquished":
      case "reservationExtended":
      case "extensionRefused":
      case "reservationDebited":
      case "reservationViolated":
      case "reservationSettled":
        this.#reservations.dispatch(event);
        this.#sendJobsOf(event.reservation);
        return;
      default:
        this.#enforcement.dispatch(event);
    }
  }

  #orderFor(id: string): void {
    this.#outbox.send(id, () => this.#passOn(id), this.#laneOf(id, ORDERS));
  }

  /** Waits for its turn on the site's links before submission, without delaying other jobs. */
  #stage(id: string): void {
    const job = this.#living(id);
    const send = (): void => this.#outbox.send(id, () => this.#handOver(id), this.#laneOf(id));
    if (job?.inputBytes === undefined) send();
    else void this.#stagings.pass(job).then(send);
  }

  /** Removes input files that elements of arrays shared; those that cannot be removed now are later. */
  #dropShared(): void {
    const { sharedInputs } = this.#site;
    const { arrays } = this.#world.round.projection;
    for (const array of sharedInputs?.arrays() ?? []) {
      if (!arrays.has(array)) this.#outbox.send(`inputs of ${array}`, () => this.#dropInputs(array), ORDERS);
    }
  }

  async #dropInputs(array: string): Promise<void> {
    const { sharedInputs } = this.#site;
    if (this.#isDetached || sharedInputs?.arrays().includes(array) !== true) return;
    try {
      await sharedInputs.drop(array);
      this.#failures.delete(array);
      this.#stagings.forget(array);
    } catch (error) {
      if (this.#failures.has(array)) return;
      this.#failures.set(array, 1);
      this.#world.warn(`${this.#site.name} still has the input files of array ${array}: ${messageOf(error)}`);
    }
  }

  #laneOf(id: string, other: 0 | typeof ORDERS = 0): number {
    const job = this.#living(id);
    if (this.#site.hasArrays !== true || job?.array === undefined) return other;
    return job.siteJob === null ? ELEMENTS : ELEMENT_ORDERS;
  }

  /** The jobs of all that is had together with it here: they may have waited for what was made elsewhere. */
  #sendJobsOf(reservation: string): void {
    const parts = partsOf(this.#world.round.projection.reserved, reservation);
    const here = parts.filter(({ id, site }) => id !== reservation && site === this.#site.name);
    for (const id of [reservation, ...here.map((part) => part.id)]) this.#sendJobsIn(id);
  }

  /** The jobs of a reservation that has been made, or is over: they go there, or come back. */
  #sendJobsIn(reservation: string): void {
    for (const id of this.#world.round.projection.sites.get(this.#site.name)?.own ?? []) {
      const job = this.#living(id);
      if (job?.description.reservation !== reservation) continue;
      const isHandedOver = job.siteJob !== null;
      this.#outbox.send(id, () => (isHandedOver ? this.#passOn(id) : this.#handOver(id)), ORDERS);
    }
  }

  async detach(): Promise<void> {
    this.#isDetached = true;
    await this.#watch.stop();
    await this.#outbox.idle();
    await this.#site.close();
  }

  /**
   * Repeats orders decided before the broker ended, which may not have been carried out. All of them are
   * idempotent.
   */
  #sendAgain(): void {
    this.#reservations.sendAgain();
    for (const id of this.#world.round.projection.sites.get(this.#site.name)?.own ?? []) {
      const isHandedOver = this.#living(id)?.siteJob !== null;
      const send = () => (isHandedOver ? this.#passOn(id) : this.#handOver(id));
      this.#outbox.send(id, send, this.#laneOf(id));
    }
  }

  /** A job that is not over and at this site. */
  #living(id: string): JobRecord | undefined {
    const job = this.#world.round.projection.jobs.get(id);
    return job?.site === this.#site.name ? job : undefined;
  }

  async #handOver(id: string): Promise<void> {
    const job = this.#living(id);
    if (job === undefined || job.siteJob !== null || this.#isDetached) return;
    const { round } = this.#world;
    const isUnwanted = job.isCancelRequested || job.isRecalled === true || job.isLeaving === true;
    if (isUnwanted) return round.report(endOf(cameToNothing(job, "cancelled", undefined)));
    const reservation = round.projection.reserved.records.get(job.description.reservation ?? "");
    if (reservation !== undefined && awaitedParts(round.projection, reservation).length > 0) return;
    try {
      await this.#world.carry(job);
      const pilot = await this.#pilotOf(job);
      const account = job.account === undefined ? {} : { account: job.account };
      const order = this.#order(job);
      const siteJob = await this.#site.submit({ ...order, ...pilot, ...account });
      this.#avoided.submitted(job, order.avoidedNodes ?? []);
      this.#failures.delete(id);
      await round.report({ kind: "queued", job: id, attempt: job.attempt, siteJob, atMs: round.nowMs() });
    } catch (error) {
      if (isCertain(error)) {
        await round.report(endOf(cameToNothing(job, "launchFailed", messageOf(error))));
      } else this.#findOut(id, error);
    }
  }

  /** The pilot of a payload, over or not. */
  async #pilotOf({ pilot: id }: JobRecord): Promise<Pick<SubmitOrder, "pilot">> {
    const pilot = id === undefined ? undefined : await this.#world.find(id);
    if (pilot === undefined) return {};
    return { pilot: { token: attemptToken(pilot.id, pilot.attempt), siteJob: pilot.siteJob ?? "" } };
  }

  #order(job: JobRecord) {
    const { round, sandboxes } = this.#world;
    const { procs, memoryBytes = 0, gpus = 0, reservation } = job.description;
    const { array } = job;
    const element = array === undefined ? {} : { element: { array: array.id, index: array.index } };
    const place = placeOf(job, round.projection);
    const size = { procs, memoryBytes, ...(gpus === 0 ? {} : { gpus }), ...place, ...element };
    const name = nameOf(job.description);
    const world = { sandboxes, sites: round.projection.sites };
    const limitMs = limitOf(job, round.projection.sites);
    const record = round.projection.reserved.records.get(reservation ?? "");
    if (record === undefined) return { ...orderOf(job, limitMs, world), name, ...size, reservation: null };
    // It is to be over with its reservation, and the site looks at its limit.
    const mostMs = Math.max(
      LEAST_LIMIT_MS,
      endOfReservation(record) - Math.max(round.nowMs(), record.startMs),
    );
    const cut = orderOf(job, Math.min(limitMs, mostMs), world);
    return { ...cut, name, ...size, reservation: record.id };
  }

  /** Waits until a look at the queue would show the job if it had been accepted; else it is sent again. */
  #findOut(id: string, error: unknown): void {
    this.#world.warn(`job ${id}: ${this.#site.name} did not confirm it: ${messageOf(error)}`);
    void this.#watch.seenAt(this.#later(id, this.#site.lostAfterMs)).then(() => {
      if (this.#living(id)?.siteJob === null) {
        this.#outbox.send(id, () => this.#handOver(id), this.#laneOf(id));
      }
    });
  }

  /** When to try again: after a while at first, then slower each time. */
  #later(name: string, firstMs: number): number {
    const failures = this.#failures.get(name) ?? 0;
    this.#failures.set(name, failures + 1);
    return this.#world.round.nowMs() + firstMs * Math.min(SLOWEST, 2 ** failures);
  }

  /** Gives the order that the job's state asks for; one that fails is given again while it is wanted. */
  async #passOn(id: string): Promise<void> {
    // Commit, then respond: what memory says may be on its way to the log.
    await this.#world.round.durable();
    const job = this.#living(id);
    if (job === undefined || job.siteJob === null || this.#isDetached) return;
    const verb = wantedOf(job);
    if (verb === undefined) return;
    const attempt = {
      token: attemptToken(id, job.attempt),
      siteJob: job.siteJob,
      ...(await this.#pilotOf(job)),
    };
    try {
      // One that ran before may be suspended there, or, put back into its queue, held.
      if (verb === "resume") await this.#site.act("release", attempt);
      await this.#site.act(verb, attempt);
      this.#failures.delete(id);
      if (verb === "release") this.#letGo.set(id, this.#world.round.nowMs());
    } catch (error) {
      this.#world.warn(`job ${id}: ${this.#site.name} did not ${verb} it: ${messageOf(error)}`);
      void this.#watch.seenAt(this.#later(id, this.#site.surveyEveryMs)).then(() => {
        this.#outbox.send(id, () => this.#passOn(id), ORDERS);
      });
    }
  }

  /** Sets a priority after the earlier orders for the job. */
  #rank(id: string, priority: number, mayRaise: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const rank = async (): Promise<void> => {
        const job = this.#living(id);
        if (job === undefined || job.siteJob === null || this.#isDetached) return;
        const attempt = { token: attemptToken(id, job.attempt), siteJob: job.siteJob };
        await this.#site.setPriority?.(attempt, priority, mayRaise);
      };
      this.#outbox.send(id, () => rank().then(resolve, reject), ORDERS);
    });
  }

  /** Repeats releases that the site has lost (rule BR-11). */
  #letGoAgain({ jobs, atMs }: Survey): void {
    for (const [id, sinceMs] of this.#letGo) if (atMs - sinceMs > FORGETFUL_MS) this.#letGo.delete(id);
    for (const { token, siteJob, state } of jobs) {
      if (token === null || state !== "held") continue;
      const [id] = token.split("/");
      const job = this.#living(id);
      const isOurs = job?.siteJob === siteJob && attemptToken(id, job.attempt) === token;
      if (!isOurs || isKeptBack(job) || this.#lettingGo.has(id)) continue;
      const sinceMs = Math.max(this.#letGo.get(id) ?? 0, job.startedAtMs ?? 0);
      if (sinceMs >= atMs || atMs - sinceMs > FORGETFUL_MS) continue;
      this.#lettingGo.add(id);
      const again = (): Promise<void> =>
        this.#site.act("release", { token, siteJob }).finally(() => this.#lettingGo.delete(id));
      this.#outbox.send(id, again, ORDERS);
    }
  }

  async #cancelStray(stray: PlacedAttempt): Promise<void> {
    if (this.#isDetached) return;
    const name = duplicateName(stray);
    try {
      await this.#site.act("cancel", stray);
      this.#failures.delete(name);
    } catch (error) {
      this.#world.warn(`${name}: ${this.#site.name} did not cancel it: ${messageOf(error)}`);
      void this.#watch.seenAt(this.#later(name, this.#site.surveyEveryMs)).then(() => {
        this.#outbox.send(name, () => this.#cancelStray(stray));
      });
    }
  }
}

function duplicateName({ token, siteJob }: PlacedAttempt): string {
  return `stray ${siteJob} of ${token}`;
}

/** True where certainly nothing was accepted, and a retry would not help. */
function isCertain(error: unknown): boolean {
  return error instanceof Fault && (error.kind === "refused" || error.kind === "badInput");
}
