/**
 * What a host sensor sees of the processes of jobs on its host, and sends to the broker.
 */

/** The processes of one job on a host. */
export interface HostJobReading {
  /** The job of Stint that it is; null where nothing says so. */
  readonly job: string | null;
  /** The batch system's own id; null where it has none, or nothing says so. */
  readonly siteJob: string | null;
  /** The local account that the processes run under. */
  readonly owner: string;
  readonly processes: number;
  /** Processor time so far, of these processes and of all that they waited for. */
  readonly cpuMs: number;
  /** The part of it since the reading before; null where there was none of this job. */
  readonly usedMs: number | null;
  readonly memoryBytes: number;
}

/** One look at a host. */
export interface HostReading {
  /** 1, 2, 3 … of its sensor, without gaps but for what was dropped. */
  readonly seq: number;
  /** Unix time. */
  readonly atMs: number;
  /** Since the reading before; null where this is the sensor's first. */
  readonly overMs: number | null;
  readonly jobs: readonly HostJobReading[];
  /** Processes of which could not be read whose job they are. */
  readonly unreadable: number;
  /** How many readings were dropped before this one, because too many waited to be sent. */
  readonly dropped: number;
}

/** What a sensor sends. */
export interface HostReport {
  readonly site: string;
  readonly host: string;
  /** Which sensor numbers these readings: one that has lost its spool is another. */
  readonly sensor: string;
  readonly readings: readonly HostReading[];
}

/** The last reading of a host. */
export interface HostSeen extends Pick<HostReport, "site" | "host" | "sensor"> {
  readonly reading: HostReading;
  /** How many readings were dropped in all. */
  readonly droppedInAll: number;
}
