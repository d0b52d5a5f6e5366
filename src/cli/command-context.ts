/** Context of the commands that use the broker: its client, and the exit code. */
import type { StintClient } from "../api/client/index.ts";
import type { ReadJobFile } from "./check.ts";
import type { Terminal } from "./terminal.ts";
import { UNPRINTABLE } from "./text-table.ts";

/** Client, terminal and exit code of a command. */
export interface CommandContext {
  /** Opens the client on first use. */
  readonly client: () => Promise<StintClient>;
  readonly readJobFile: () => Promise<ReadJobFile>;
  readonly terminal: Terminal;
  /** Sets the exit code of the program, unless an error sets another. */
  readonly endWith: (code: number) => void;
}

/** A client that is opened at most once. */
export interface SharedClient {
  readonly open: () => Promise<StintClient>;
  /** Closes the client if it was opened; a failure to open was reported by the command that opened it. */
  readonly close: () => Promise<void>;
}

/** Caches the client: one connection serves a whole command, and is closed after it. */
export function shareClient(load: () => Promise<StintClient>): SharedClient {
  let opened: Promise<StintClient> | undefined;
  return {
    open: () => {
      opened ??= load();
      return opened;
    },
    close: async () => {
      const client = await opened?.catch(() => undefined);
      client?.close();
    },
  };
}

/** JSON with an indentation of two. */
export function jsonText(value: unknown): string {
  return `${escapedUnprintable(JSON.stringify(value, undefined, 2))}\n`;
}

/** JSON may contain control characters above ASCII, which a terminal would interpret. */
function escapedUnprintable(json: string): string {
  return json.replace(UNPRINTABLE, (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
