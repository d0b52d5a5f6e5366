/** Passes a message to the system's `sendmail`, which is started without a shell. */
import { spawn } from "node:child_process";
import type { Socket } from "node:net";

/** A message to be sent, and how. */
interface Handing {
  /** Absolute path of the program. */
  readonly sendmail: string;
  readonly from: string;
  readonly to: string;
  readonly message: string;
  readonly timeoutMs: number;
}

/** `refused`: the message was certainly not accepted; `unknown`: it may have been. */
export type HandedOver =
  | { readonly kind: "taken" }
  | { readonly kind: "refused" | "unknown"; readonly why: string };

/** Maximum length of the program's error output that is kept, in characters. */
const MOST_SAID = 300;

/** Wait for more error output after the exit; a process that `sendmail` left may keep the pipe open. */
const REST_MS = 500;

/** Passes a message to `sendmail`. */
export function handOver({ sendmail, from, to, message, timeoutMs }: Handing): Promise<HandedOver> {
  return new Promise((resolve) => {
    const program = spawn(sendmail, ["-i", "-f", from, "--", to], {
      env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
      stdio: ["pipe", "ignore", "pipe"],
      timeout: timeoutMs,
      killSignal: "SIGKILL",
    });
    let said = "";
    program.stderr.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(0, MOST_SAID);
    });
    program.once("error", ({ message: why }) => resolve({ kind: "refused", why }));
    // A program that ends without reading the message says why by its exit code.
    program.stdin.on("error", () => undefined);
    program.stdin.end(message);
    program.once("exit", (...how) => {
      const end = (): void => told(...how);
      const timer = setTimeout(end, REST_MS);
      program.once("close", () => {
        clearTimeout(timer);
        end();
      });
    });
    const told = (code: number | null, signal: NodeJS.Signals | null): void => {
      // The pipe stays open, since a process left by sendmail may write to it; the broker can end anyway.
      (program.stderr as Socket).unref();
      const words = said.trim().replace(/\s+/g, " ");
      if (code === 0) resolve({ kind: "taken" });
      else if (code === null) resolve({ kind: "unknown", why: `${sendmail} was ended by ${signal}` });
      else resolve({ kind: "refused", why: `exit code ${code}${words === "" ? "" : `: ${words}`}` });
    };
  });
}
