/** `stint sensor`: reports the resource use of jobs on this host to the broker. */
import { Command, Option } from "commander";
import type { HostReportRequest } from "../api/client/index.ts";
import { type HostReport, inSeconds } from "../model/index.ts";
import type { CommandContext } from "./command-context.ts";
import { durationValue } from "./quantity-values.ts";

/** Options of a sensor. */
interface SensorOrder {
  readonly site: string;
  /** Name of the host; its own where absent. */
  readonly host?: string;
  readonly everyMs: number;
  /** Directory of unsent readings; one in the state directory where absent. */
  readonly spool?: string;
  readonly isOnce: boolean;
}

/** Environment of a sensor. */
interface SensorSurroundings {
  readonly send: (report: HostReport) => Promise<{ readonly lastSeq: number }>;
  /** Prints a line, given without its end. */
  readonly tell: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Runs a sensor until it is stopped. */
export type RunSensor = (order: SensorOrder, surroundings: SensorSurroundings) => Promise<void>;

interface Options {
  readonly site: string;
  readonly host?: string;
  readonly every: number;
  readonly spool?: string;
  readonly once: boolean;
}

const EXAMPLES = `
Examples:
  $ stint sensor
  $ stint sensor --site west --every 30s
  $ stint sensor --once
  $ stint token create --role sensor --site west --vo west/sensors --expires 365d > sensor.token

The sensor reads /proc. It needs no privileges and changes nothing. For the
processes of jobs (of Stint and of Slurm) it reports their number, processor
time, memory and owner. Processes whose job cannot be determined are only
counted. While the broker does not answer, readings are kept in the spool, at
most those of one day, and are then sent in order; each counts once. On other
hosts the sensor finds the broker by STINT_URL and STINT_TOKEN. A token of the
role sensor can do nothing else. stint usage SITE --hosts shows the readings.
`;

/** Command definition of `stint sensor`. */
export function sensorCommand(load: () => Promise<RunSensor>, context: CommandContext): Command {
  return new Command("sensor")
    .summary("report the resource use of jobs on this host to the broker")
    .description(
      "Measures the resource use of the processes of jobs on this host, and reports it to the broker " +
        "until stopped.",
    )
    .option("--site <name>", "the site of this host", "local")
    .option("--host <name>", "name of this host (default: its own)")
    .addOption(
      new Option("--every <time>", "interval between readings: 10s to 5m")
        .argParser(durationValue("--every"))
        .default(10_000, "10s"),
    )
    .option("--spool <folder>", "directory for unsent readings (default: in the state directory)")
    .option("--once", "take one reading, send all unsent ones, and end", false)
    .addHelpText("after", EXAMPLES)
    .action(async ({ once: isOnce, every, ...place }: Options) => {
      const { terminal, client } = context;
      const ending = new AbortController();
      const giveBack = terminal.onEndRequest(() => ending.abort());
      try {
        const run = await load();
        await run(
          { ...place, everyMs: every, isOnce },
          {
            send: async (report) => (await client()).reportHost(requestOf(report)),
            tell: (line) => terminal.writeError(`stint: ${line}\n`),
            signal: ending.signal,
          },
        );
      } finally {
        giveBack();
      }
    });
}

function requestOf({ readings, ...same }: HostReport): HostReportRequest {
  return {
    ...same,
    readings: readings.map(({ atMs, ...reading }) => ({
      ...inSeconds(reading),
      at: new Date(atMs).toISOString(),
    })),
  };
}
