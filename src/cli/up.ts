/** `stint up`: starts a broker on this machine and runs until it is stopped. */
import { resolve } from "node:path";
import { Command } from "commander";
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from "../model/index.ts";
import { oneOf, portValue } from "./option-values.ts";
import { durationValue } from "./quantity-values.ts";
import type { Terminal } from "./terminal.ts";

/** Options of a broker. */
interface UpRequest {
  /** Path of `stint.yaml`: null for none, the default path where absent. */
  readonly configuration?: string | null;
  /** State directory; the default where absent. */
  readonly stateDirectory?: string;
  /** The port: 0 for any free one, null for none, the default where absent. */
  readonly port?: number | null;
  /** Adds this machine as a site, whatever else is configured. */
  readonly isThisMachineOffered: boolean;
  /** Age in ms at which events leave the log for archives; the setting of the file where absent. */
  readonly retentionMs?: number;
}

/** Settings of the log; absent ones depend on whether the log goes to a terminal. */
export interface LogSettings {
  readonly level?: LogLevel;
  readonly format?: LogFormat;
  /** File to append to; stderr where absent. */
  readonly file?: string;
}

/** Environment of a broker. */
interface UpSurroundings {
  /** Prints addresses and other notices; a line with its end. */
  readonly tell: (line: string) => void;
  /** Settings of the log above those of the file; absent: notices alone, by `tell`. */
  readonly log?: LogSettings;
  /** Aborts when the broker is asked to stop: Ctrl-C or SIGTERM. Jobs continue. */
  readonly signal: AbortSignal;
}

/** Runs a broker; resolves after an orderly stop. */
export type Up = (request: UpRequest, surroundings: UpSurroundings) => Promise<void>;

interface UpOptions {
  readonly config?: string;
  readonly stateDir?: string;
  readonly port?: number;
  readonly tcp: boolean;
  readonly thisMachine: boolean;
  readonly retention?: number;
  readonly logLevel?: LogLevel;
  readonly logFormat?: LogFormat;
  readonly logFile?: string;
}

const EXAMPLES = `
Examples:
  $ stint up
  $ stint up --state-dir /data/stint &
  $ stint up --config cluster.yaml     with the sites that it names
  $ stint up --port 0                  on any port that is free

Its sites are those in stint.yaml ($STINT_CONFIG, or ~/.config/stint/stint.yaml). If there are none, this
machine is the site, with the name local, unless a batch system answers on it (a login node). stint config
show prints every setting and its origin.

The other commands find the broker by its state directory: $STINT_STATE_DIR, else server.stateDir in
stint.yaml, else ~/.local/state/stint. Other programs on this machine use the URL that it prints, with a
token: yours is in the file admin.token of the state directory, and stint token create makes others. The
commands do so, too, if STINT_URL and STINT_TOKEN are set.

With server.tls and server.host in stint.yaml it serves https, also to other machines. There STINT_CA names a
file with the certificates to trust, if the system does not trust the broker's.

The log goes to stderr: to a terminal as text, warnings and notices only; otherwise as JSON, one line per
request and per decision (which job starts, where a job is placed, what is refused, what an enforcer does).
It contains ids, routes and names, but no tokens. server.log in stint.yaml has the same settings as the
options.

With a retention, older events are moved from the log to files, at the start and once a day; see stint
archive.

Ctrl-C or stint down stops the broker, not the jobs: the next stint up finds them again.
`;

/** Command definition of `stint up`. */
export function upCommand(load: () => Promise<Up>, terminal: Terminal): Command {
  return new Command("up")
    .summary("start a broker on this machine")
    .description("Starts a broker on this machine with its sites, and runs until it is stopped.")
    .option("--config <file>", "the configuration (default: $STINT_CONFIG)")
    .option("--state-dir <directory>", "its state directory (default: $STINT_STATE_DIR)")
    .option("--port <n>", "listen on this port (default: 7846; 0: any)", portValue("--port"))
    .option("--no-tcp", "listen only on the socket in the state directory")
    .option("--this-machine", "add this machine as a site, even if it has a batch system", false)
    .option("--retention <time>", "archive events older than this, such as 90d", durationValue("--retention"))
    .option("--log-level <level>", `${LOG_LEVELS.join(", ")}`, oneOf("--log-level", LOG_LEVELS))
    .option("--log-format <format>", LOG_FORMATS.join(" or "), oneOf("--log-format", LOG_FORMATS))
    .option("--log-file <file>", "append log messages to this file; SIGHUP reopens it")
    .addHelpText("after", EXAMPLES)
    .action(async (options: UpOptions) => {
      const up = await load();
      const stop = new AbortController();
      const handBack = terminal.onEndRequest((request) => {
        if (request === "readerGone") return;
        stop.abort();
        // A second request ends the process at once.
        handBack();
      });
      try {
        await up(requestFrom(options), {
          tell: terminal.writeError,
          log: logSettings(options, terminal),
          signal: stop.signal,
        });
      } catch (error) {
        if (!isStop(error, stop.signal)) throw error;
        terminal.writeError("stint: stopped before it was ready\n");
      } finally {
        handBack();
      }
    });
}

/** True for an error by which a wait ended because the broker was asked to stop. */
function isStop(error: unknown, { aborted, reason }: AbortSignal): boolean {
  return aborted && (error === reason || (error instanceof Error && error.cause === reason));
}

function logSettings({ logLevel, logFormat, logFile }: UpOptions, { directory }: Terminal): LogSettings {
  return {
    ...(logLevel !== undefined && { level: logLevel }),
    ...(logFormat !== undefined && { format: logFormat }),
    ...(logFile !== undefined && { file: resolve(directory, logFile) }),
  };
}

function requestFrom(options: UpOptions): UpRequest {
  const { config, stateDir, port, tcp, thisMachine, retention } = options;
  return {
    ...(config === undefined ? {} : { configuration: config }),
    ...(stateDir === undefined ? {} : { stateDirectory: stateDir }),
    ...(tcp ? {} : { port: null }),
    ...(tcp && port !== undefined ? { port } : {}),
    ...(retention === undefined ? {} : { retentionMs: retention }),
    isThisMachineOffered: thisMachine,
  };
}
