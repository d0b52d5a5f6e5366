/**
 * One test's site: its harness, the present life of its broker, and what was reported in it.
 */
import { assert } from "../../src/base/index.ts";
import type { SubmitOrder } from "../../src/runtime/index.ts";
import { ReportInbox } from "./report-inbox.ts";
import type { Behaviour, JobHarness, SiteFace } from "./site-harness.ts";

const NO_LIMIT_MS = 3_600_000;

/** Runs until it is let go, then exits with 7. */
export const gated: Behaviour = { kind: "gated", code: 7 };

/** A kind of site: how one is made for a test, and how the common face is put before it. */
export interface StageOptions<Site, Harness> {
  create(): Promise<Harness>;
  faceOf(site: Site): SiteFace;
}

interface Played<Site, Harness> {
  readonly harness: Harness;
  readonly site: Site;
  readonly face: SiteFace;
  readonly inbox: ReportInbox;
}

/** A site under test: by its own port, and by the common face. */
export class SiteStage<Site, Harness extends JobHarness & { open(): Promise<Site> }> {
  readonly #options: StageOptions<Site, Harness>;
  #played: Played<Site, Harness> | undefined;

  constructor(options: StageOptions<Site, Harness>) {
    this.#options = options;
  }

  get harness(): Harness {
    return this.#now.harness;
  }

  get site(): Site {
    return this.#now.site;
  }

  get face(): SiteFace {
    return this.#now.face;
  }

  get inbox(): ReportInbox {
    return this.#now.inbox;
  }

  /** Makes a site that nobody has used, and opens it. */
  async set(): Promise<void> {
    await this.#open(await this.#options.create());
  }

  /** Another life of the broker on what this one leaves; in between, `meanwhile`. */
  async nextLife(meanwhile: () => Promise<void> = async () => undefined): Promise<void> {
    await this.face.close();
    await meanwhile();
    await this.#open(this.harness);
  }

  /** Leaves nothing behind. */
  async strike(): Promise<void> {
    const played = this.#played;
    this.#played = undefined;
    await played?.face.close();
    await played?.harness.dispose();
  }

  order(token: string, behaviour: Behaviour, limitMs?: number): SubmitOrder {
    return orderOf(this.harness, token, behaviour, limitMs);
  }

  get #now(): Played<Site, Harness> {
    assert(this.#played !== undefined, "a test plays on a stage that is set");
    return this.#played;
  }

  async #open(harness: Harness): Promise<void> {
    const site = await harness.open();
    const face = this.#options.faceOf(site);
    this.#played = { harness, site, face, inbox: new ReportInbox(face, harness.deadlineMs) };
  }
}

/** An order of one processor for an hour, unless said otherwise. */
export function orderOf(
  harness: JobHarness,
  token: string,
  behaviour: Behaviour,
  limitMs = NO_LIMIT_MS,
): SubmitOrder {
  const command = harness.command(token, behaviour);
  const environment = harness.environment?.(behaviour) ?? {};
  const streams = { stdOutput: "stdout", stdError: "stderr" };
  const size = { procs: 1, memoryBytes: 0, limitMs, reservation: null, name: "n" };
  return { token, command, environment, inputFiles: [], ...streams, ...size };
}
