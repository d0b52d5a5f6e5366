/** Gives a message to the system's `sendmail`: a program and its words, without a shell. */
import { spawn } from "node:child_process";
import type { Socket } from "node:net";

/** A message on its way. */
interface Handing {
  /** Absolute path of the program. */
  readonly sendmail: string;
  readonly from: string;
  readonly to: string;
  readonly message: string;
  readonly timeoutMs: number;
}

/** `refused`: it was certainly not taken; `unknown`: it may have been. */
export type HandedOver =
  | { readonly kind: "taken" }
  | { readonly kind: "refused" | "unknown"; readonly why: string };

/** Most of what the program says that is kept, in characters. */
const MOST_SAID = 300;

/** After its exit so long for the rest of what it says: a program that it has left behind may never close. */
const REST_MS = 500;

/** Hands a message over. */
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
    // One that ends without reading says why by its exit code.
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
      // Left open: the other program may write to it. It keeps no broker from ending.
      (program.stderr as Socket).unref();
      const words = said.trim().replace(/\s+/g, " ");
      if (code === 0) resolve({ kind: "taken" });
      else if (code === null) resolve({ kind: "unknown", why: `${sendmail} was ended by ${signal}` });
      else resolve({ kind: "refused", why: `exit code ${code}${words === "" ? "" : `: ${words}`}` });
    };
  });
}
