/**
 * Drives the pilots of clusters: reads what they advertise and the states of their payloads, and tells
 * drained pilots to end.
 *
 * Everything that is needed after a restart is in the records and in the files of the site; an order that is
 * given again is executed once. A payload whose pilot has ended counts as lost only when that is certain: its
 * report says so, or it never began, or the site has had enough time to end all processes of the pilot.
 */
import { messageOf } from "../../base/index.ts";
import { attemptToken, isFinal, type JobRecord, type PilotRecord } from "../../model/index.ts";
import type { Clock, PayloadState, PilotSight, Round } from "../../runtime/index.ts";
import type { Sites } from "../sites.ts";

const LOOK_EVERY_MS = 2000;
/** Time from the end of a pilot, or the loss of a wrapper, until a payload without a report is lost. */
const PATIENCE_MS = 45_000;

/** Dependencies on the broker. */
interface PilotWorld {
  readonly round: Round;
  readonly sites: Pick<Sites, "get">;
  readonly clock: Clock;
  readonly find: (id: string) => Promise<JobRecord | undefined>;
  readonly warn: (message: string) => void;
}

/** Driver of all pilots. */
interface PilotDriver {
  /** Checks the pilots at once, because something may have to be done. */
  look(): void;
  stop(): void;
}

/** Starts the driver of pilots. */
export function createPilotDriver(world: PilotWorld): PilotDriver {
  return new DriverOf(world);
}

interface Payload {
  readonly job: JobRecord;
  readonly pilot: PilotRecord;
}

class DriverOf implements PilotDriver {
  readonly #world: PilotWorld;
  readonly #busy = new Set<string>();
  readonly #dismissed = new Set<string>();
  /** Instants since when payloads are missing without a report, by token. */
  readonly #goneSince = new Map<string, number>();
  readonly #troubles = new Map<string, string>();
  #cancelAlarm: (() => void) | undefined;
  #hasStopped = false;

  constructor(world: PilotWorld) {
    this.#world = world;
  }

  look(): void {
    if (this.#hasStopped) return;
    const { clock, warn } = this.#world;
    this.#cancelAlarm?.();
    this.#cancelAlarm = undefined;
    const names = this.#sitesToLookAt();
    for (const site of names) {
      if (this.#busy.has(site)) continue;
      this.#busy.add(site);
      void this.#lookAt(site)
        .then(() => this.#troubles.delete(site))
        .catch((error: unknown) => {
          const text = messageOf(error);
          if (!this.#hasStopped && this.#troubles.get(site) !== text) warn(`pilots at ${site}: ${text}`);
          this.#troubles.set(site, text);
        })
        .finally(() => this.#busy.delete(site));
    }
    if (names.size > 0) this.#cancelAlarm = clock.wakeAt(clock.nowMs() + LOOK_EVERY_MS, () => this.look());
  }

  stop(): void {
    this.#hasStopped = true;
    this.#cancelAlarm?.();
  }

  async #lookAt(name: string): Promise<void> {
    const { round, sites } = this.#world;
    const site = sites.get(name);
    if (site?.lookAtPilots === undefined) return;
    await round.durable();
    const here = [...round.projection.books.pilots.values()].filter((it) => it.site === name);
    const pilots = here.flatMap((pilot) => this.#placedOf(pilot));
    const payloads = this.#payloadsAt(name);
    const asked = await Promise.all(payloads.map((payload) => this.#askedOf(payload)));
    const question = { pilots, payloads: asked.flatMap((it) => it ?? []) };
    if (question.pilots.length === 0 && question.payloads.length === 0) return;
    const sight = await site.lookAtPilots(question);
    if (this.#hasStopped) return;
    await this.#notePilots(sight);
    for (const payload of payloads) await this.#notePayload(payload, sight);
    for (const pilot of here) await this.#dismiss(pilot);
  }

  /** A pilot that runs, by its token. */
  #placedOf({ job: id, state }: PilotRecord) {
    const job = this.#world.round.projection.jobs.get(id);
    if (job === undefined || job.siteJob === null || job.startedAtMs === null || state === "ENDED") return [];
    return [{ token: attemptToken(id, job.attempt), siteJob: job.siteJob }];
  }

  /** Sites with pilots or payloads that have not ended. (Most pilots of a site have.) */
  #sitesToLookAt(): ReadonlySet<string> {
    const names = new Set<string>();
    const others = new Set<string>();
    for (const { state, site } of this.#world.round.projection.books.pilots.values()) {
      (state === "ENDED" ? others : names).add(site);
    }
    for (const site of others) if (!names.has(site) && this.#payloadsAt(site).length > 0) names.add(site);
    return names;
  }

  #payloadsAt(site: string): readonly Payload[] {
    const { jobs, sites, books } = this.#world.round.projection;
    return [...(sites.get(site)?.own ?? [])].flatMap((id) => {
      const job = jobs.get(id);
      const pilot = job?.pilot === undefined ? undefined : books.pilots.get(job.pilot);
      return job === undefined || pilot === undefined ? [] : [{ job, pilot }];
    });
  }

  async #askedOf({ job, pilot: { job: id, state } }: Payload) {
    const pilot = await this.#world.find(id);
    if (job.siteJob === null || pilot === undefined) return undefined;
    const place = { token: attemptToken(id, pilot.attempt), siteJob: pilot.siteJob ?? "" };
    const isOrphan = state === "ENDED" && isFinal(pilot.state);
    return { token: attemptToken(job.id, job.attempt), siteJob: job.siteJob, pilot: place, isOrphan };
  }

  async #notePilots({ pilots }: PilotSight): Promise<void> {
    const { round } = this.#world;
    for (const { token, allocation, isDraining } of pilots) {
      const [pilot] = token.split("/");
      const { state } = round.projection.books.pilots.get(pilot) ?? {};
      if (state === "WAITING" && allocation !== null) {
        await round.ask({ kind: "openPilot", pilot, ...allocation });
        this.#warnOfClaim(pilot);
        round.wake();
      }
      if (isDraining && (state === "WAITING" || state === "RUNNING")) {
        await round.ask({ kind: "drainPilot", pilot, why: "signal" });
      }
    }
  }

  #warnOfClaim(id: string): void {
    const { round, warn } = this.#world;
    const { claimed, procs, memoryBytes, gpus } = round.projection.books.pilots.get(id) ?? {};
    if (claimed === undefined) return;
    const has = `${procs} processors, ${memoryBytes} bytes of memory and ${gpus} GPUs`;
    const said = `${claimed.procs}, ${claimed.memoryBytes} and ${claimed.gpus}`;
    warn(`pilot ${id} claims more than was requested for it: ${said}; it is used with ${has}`);
  }

  async #notePayload({ job, pilot }: Payload, { payloads }: PilotSight): Promise<void> {
    const { round, clock } = this.#world;
    const { id, attempt } = job;
    const token = attemptToken(id, attempt);
    const seen = payloads.find((it) => it.token === token);
    if (seen === undefined) return;
    const { state, sha256 } = seen;
    const nowMs = clock.nowMs();
    if (state.kind !== "gone") this.#goneSince.delete(token);
    const since = this.#goneSince.get(token) ?? nowMs;
    if (state.kind === "gone") this.#goneSince.set(token, since);
    const about = { job: id, attempt };
    const begun = startOf(state);
    if (begun !== null && !round.projection.books.audit.has(token)) {
      await round.ask({ kind: "auditPayload", ...about, sha256, startedAtMs: begun });
    }
    const isResumed = state.kind === "running" && job.state === "SCHEDULED";
    if (begun !== null && (job.startedAtMs === null || isResumed)) {
      await round.report({ kind: "running", ...about, atMs: begun });
    }
    if (state.kind === "ended") {
      await round.report({ kind: "ended", ...about, atMs: state.endedAtMs, end: state.end });
    } else if (isCertainlyLost(state, { pilot, since }, nowMs)) {
      await round.report({ kind: "ended", ...about, atMs: nowMs, end: LOST });
    } else return;
    this.#goneSince.delete(token);
    round.wake();
  }

  async #dismiss({ job: id, site }: PilotRecord): Promise<void> {
    const { round, sites } = this.#world;
    const job = round.projection.jobs.get(id);
    const isDue = round.projection.books.pilots.get(id)?.state === "DRAINING" && job?.startedAtMs != null;
    if (!isDue || job === undefined || this.#dismissed.has(id)) return;
    const bytes = new TextEncoder().encode("dismiss\n");
    await sites.get(site)?.files.addFile?.(attemptToken(id, job.attempt), "order.dismiss", bytes);
    this.#dismissed.add(id);
  }
}

const LOST = {
  ...({ cause: "lost", exitCode: null, signal: null, cpuMs: null } as const),
  detail: "the pilot that ran it ended",
};

function startOf(state: PayloadState): number | null {
  return "startedAtMs" in state ? state.startedAtMs : null;
}

function isCertainlyLost(
  { kind }: PayloadState,
  { pilot, since }: { readonly pilot: PilotRecord; readonly since: number },
  nowMs: number,
): boolean {
  if (kind === "never") return true;
  const endedLongAgo = pilot.endedAtMs !== null && nowMs >= pilot.endedAtMs + PATIENCE_MS;
  const isThere = kind === "running" || kind === "suspended";
  return (isThere && endedLongAgo) || (kind === "gone" && nowMs >= since + PATIENCE_MS);
}
