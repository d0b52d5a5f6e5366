/**
 * Lets jobs that wait in the queue of a site use nodes that were readmitted (rule BR-292).
 *
 * The nodes that a job avoids are given at its submission. Later only readmitted nodes are taken out: a job
 * gets no further ones, else nothing that waits could test a node. After a restart it is not known what jobs
 * avoid; they are then told once, when a node is readmitted.
 */
import { Fault, messageOf } from "../base/index.ts";
import { avoidedNodes, type Projection } from "../engine/index.ts";
import { attemptToken, type JobRecord } from "../model/index.ts";
import type { ForeignSite } from "../runtime/index.ts";

/** Nodes that jobs at one site avoid. */
export interface AvoidedNodes {
  /** Notes the nodes given at the submission of a job. */
  submitted(job: JobRecord, nodes: readonly string[]): void;
  /** Changes the jobs that avoid nodes which have been readmitted. */
  update(): void;
}

interface Parts {
  readonly site: Pick<ForeignSite, "name" | "avoidNodes">;
  readonly projection: Projection;
  /** Gives an order for a job after the earlier ones. */
  readonly inTurn: (job: string, order: () => Promise<void>) => void;
  readonly warn: (text: string) => void;
}

/** The nodes that jobs at a site avoid. */
export function avoidedNodesAt(parts: Parts): AvoidedNodes {
  return new AvoidedNodesOf(parts);
}

class AvoidedNodesOf implements AvoidedNodes {
  readonly #parts: Parts;
  /** Nodes that attempts avoid; attempts of an earlier broker are missing. */
  readonly #given = new Map<string, readonly string[]>();
  #troubled: readonly string[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  submitted(job: JobRecord, nodes: readonly string[]): void {
    this.#given.set(attemptToken(job.id, job.attempt), nodes);
  }

  update(): void {
    const { site, projection, inTurn } = this.#parts;
    if (site.avoidNodes === undefined) return;
    const before = this.#troubled;
    this.#troubled = projection.books.siteHealth.get(site.name)?.troubledNodes ?? [];
    for (const token of this.#given.keys()) if (!this.#isNeeded(token)) this.#given.delete(token);
    const isReadmitted = before.some((node) => !this.#troubled.includes(node));
    for (const id of projection.sites.get(site.name)?.own ?? []) {
      const job = this.#waiting(id);
      if (job === undefined) continue;
      const given = this.#given.get(attemptToken(id, job.attempt));
      const isOld = given?.some((node) => !this.#troubled.includes(node)) ?? isReadmitted;
      if (isOld) inTurn(id, () => this.#change(id));
    }
  }

  async #change(id: string): Promise<void> {
    const { site, projection, warn } = this.#parts;
    const job = this.#waiting(id);
    if (job?.siteJob == null) return;
    const token = attemptToken(id, job.attempt);
    const given = this.#given.get(token);
    const now = avoidedNodes(projection, job);
    const nodes = given?.filter((node) => now.includes(node)) ?? now;
    if (given !== undefined && nodes.length === given.length) return;
    // A change that the site refuses is not repeated.
    this.#given.set(token, nodes);
    try {
      await site.avoidNodes?.({ token, siteJob: job.siteJob }, nodes);
    } catch (error) {
      if (error instanceof Fault && error.kind === "unreachable" && given !== undefined) {
        this.#given.set(token, given);
      }
      warn(`job ${id}: ${site.name} did not change the nodes that it avoids: ${messageOf(error)}`);
    }
  }

  /** A job that waits in the queue of the site. */
  #waiting(id: string): JobRecord | undefined {
    const job = this.#parts.projection.jobs.get(id);
    if (job?.site !== this.#parts.site.name || job.siteJob === null) return undefined;
    return job.startedAtMs === null && job.pilot === undefined ? job : undefined;
  }

  /** True for an attempt that is not over: it is being submitted, or waits. */
  #isNeeded(token: string): boolean {
    const [id = ""] = token.split("/");
    const job = this.#parts.projection.jobs.get(id);
    const isHere = job?.site === this.#parts.site.name && job.startedAtMs === null;
    return isHere && attemptToken(id, job.attempt) === token;
  }
}
