/** `stint up`: starts a broker on this machine and runs until it is stopped. */
import { Command } from "commander";
import { portValue } from "./option-values.ts";
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
}

/** Environment of a broker. */
interface UpSurroundings {
  /** Prints addresses and other notices; a line with its end. */
  readonly tell: (line: string) => void;
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
}

const EXAMPLES = `
Examples:
  $ stint up
  $ stint up --state-dir /data/stint &
  $ stint up --config cluster.yaml     with the sites that it names
  $ stint up --port 0                  on any port that is free

Its sites are those of stint.yaml ($STINT_CONFIG, or ~/.config/stint/stint.yaml); where there are none,
this machine, under the name local, unless it is a login node where a batch system answers. stint config
show says what counts, and who says it.

The other commands find the broker by its state directory: $STINT_STATE_DIR, else server.stateDir in
stint.yaml, else ~/.local/state/stint. Other programs of this machine use the URL that it prints, with a
token: yours is in the file admin.token of the state directory, and stint token create makes others. With
STINT_URL and STINT_TOKEN set, so do the commands.

With server.tls and server.host in stint.yaml it speaks https, also to other machines; there STINT_CA names
the certificates by which it is known, where the system does not know them.

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
    .option("--this-machine", "add this machine as a site, also where a batch system answers", false)
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
          signal: stop.signal,
        });
      } finally {
        handBack();
      }
    });
}

function requestFrom({ config, stateDir, port, tcp, thisMachine }: UpOptions): UpRequest {
  return {
    ...(config === undefined ? {} : { configuration: config }),
    ...(stateDir === undefined ? {} : { stateDirectory: stateDir }),
    ...(tcp ? {} : { port: null }),
    ...(tcp && port !== undefined ? { port } : {}),
    isThisMachineOffered: thisMachine,
  };
}
