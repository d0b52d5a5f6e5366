/**
 * What the daily commands share: the way to the broker, and how a command says its exit code.
 */
import type { StintClient } from "../api/client/index.ts";
import type { ReadJobFile } from "./check.ts";
import type { Terminal } from "./terminal.ts";
import { UNPRINTABLE } from "./text-table.ts";

/** What a daily command works with. */
export interface CommandContext {
  /** Opens the way to the broker when it is first asked for (rule CL-6). */
  readonly client: () => Promise<StintClient>;
  readonly readJobFile: () => Promise<ReadJobFile>;
  readonly terminal: Terminal;
  /** Makes the program end with this exit code, unless an error says another. */
  readonly endWith: (code: number) => void;
}

/** A way to the broker that is opened at most once. */
export interface SharedClient {
  readonly open: () => Promise<StintClient>;
  /** Closes it where it was opened; its failure to open is told by whoever opened it. */
  readonly close: () => Promise<void>;
}

/** Remembers the client, so that one connection serves a whole command and is closed after it. */
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

/** A result as JSON, with two blanks of indentation. */
export function jsonText(value: unknown): string {
  return `${escapedUnprintable(JSON.stringify(value, undefined, 2))}\n`;
}

/** JSON may hold the control characters above ASCII as they are, and a terminal would obey them. */
function escapedUnprintable(json: string): string {
  return json.replace(UNPRINTABLE, (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
