/**
 * The sites that a broker works with, by name.
 */
import { messageOf } from "../base/index.ts";
import type { SiteSpec } from "../model/index.ts";
import type { AttachedSite, SiteWorld } from "./attached-site.ts";
import { driveForeign } from "./foreign-site.ts";
import { driveManaged } from "./managed-site.ts";
import type { BrokerParts } from "./parts.ts";

/** A site that could not be opened is tried again after this time, then more and more seldom … */
const TRY_AGAIN_MS = 10_000;
/** … but at least this often. */
const SELDOM_MS = 600_000;

/** The sites at work. */
export interface Sites {
  get(name: string): AttachedSite | undefined;
  /** Opens and attaches a site; an open one of this name is detached first. */
  attach(name: string, spec: SiteSpec): Promise<void>;
  /** Attaches a site of the log: one that cannot be opened is in trouble, and retried. */
  attachKnown(name: string, spec: SiteSpec): Promise<void>;
  detach(name: string): Promise<void>;
  detachAll(): Promise<void>;
}

/** No site yet. */
export function createSites(openSite: BrokerParts["openSite"], world: SiteWorld): Sites {
  return new SitesOf(openSite, world);
}

class SitesOf implements Sites {
  readonly #openSite: BrokerParts["openSite"];
  readonly #world: SiteWorld;
  readonly #attached = new Map<string, AttachedSite>();
  /** Latest attachment by name: a late continuation of an older one finds another value here. */
  readonly #latest = new Map<string, symbol>();
  readonly #cancelRetry = new Map<string, () => void>();

  constructor(openSite: BrokerParts["openSite"], world: SiteWorld) {
    this.#openSite = openSite;
    this.#world = world;
  }

  get(name: string): AttachedSite | undefined {
    return this.#attached.get(name);
  }

  async attach(name: string, spec: SiteSpec): Promise<void> {
    const mine = await this.#letGo(name);
    const open = await this.#openSite(name, spec);
    if (this.#latest.get(name) !== mine) {
      await open.site.close();
      return;
    }
    const site =
      open.kind === "managed" ? driveManaged(open.site, this.#world) : driveForeign(open.site, this.#world);
    this.#attached.set(name, site);
    const history = open.kind === "foreign" ? open.site.history?.bind(open.site) : undefined;
    this.#world.predictions.attached(name, { spec, look: site.snapshot, ...(history && { history }) });
    await site.begin();
  }

  attachKnown(name: string, spec: SiteSpec): Promise<void> {
    return this.#attachOrRetry(name, spec, TRY_AGAIN_MS);
  }

  async detach(name: string): Promise<void> {
    await this.#letGo(name);
  }

  async detachAll(): Promise<void> {
    await Promise.all([...this.#latest.keys()].map((name) => this.#letGo(name)));
  }

  async #letGo(name: string): Promise<symbol> {
    const mine = Symbol(name);
    this.#latest.set(name, mine);
    this.#cancelRetry.get(name)?.();
    const site = this.#attached.get(name);
    this.#attached.delete(name);
    this.#world.predictions.detached(name);
    await site?.detach();
    return mine;
  }

  async #attachOrRetry(name: string, spec: SiteSpec, waitMs: number): Promise<void> {
    const attaching = this.attach(name, spec);
    const mine = this.#latest.get(name);
    try {
      await attaching;
    } catch (error) {
      const { round, warn, clock } = this.#world;
      if (this.#latest.get(name) === mine) {
        round.trouble(name, messageOf(error));
        warn(`site ${name}: ${messageOf(error)}`);
        const next = Math.min(SELDOM_MS, waitMs * 2);
        const again = () => void this.#attachOrRetry(name, spec, next).catch(() => undefined);
        this.#cancelRetry.set(name, clock.wakeAt(clock.nowMs() + waitMs, again));
      }
      throw error;
    }
  }
}
