/** Readings of a host sensor on the processes of jobs, as sent to the broker. */

/** The processes of one job on a host. */
export interface HostJobReading {
  /** Job of Stint; null for others. */
  readonly job: string | null;
  /** The batch system's own id; null where there is none, or an unknown one. */
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
  /** Readings dropped before this one, because too many waited to be sent. */
  readonly dropped: number;
}

/** Report of a sensor. */
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
  /** Readings dropped in all. */
  readonly droppedInAll: number;
}
