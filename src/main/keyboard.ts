/** This process's standard input as a keyboard. */
import { spawnSync } from "node:child_process";
import type { Keyboard } from "../cli/index.ts";

/** Keys of this process's terminal, or what a pipe has. */
export function keyboardHere(): Keyboard {
  const { stdin, stdout } = process;
  const isTerminal = stdin.isTTY === true && stdout.isTTY === true;
  return {
    isTerminal,
    size() {
      const { rows, columns } = stdout;
      // A terminal that was made by a program may not know its size, and says that it has none.
      return isTerminal && rows > 0 && columns > 0 ? { rows, columns } : undefined;
    },
    open({ typed, resized, ended }) {
      let isOpen = true;
      const read = (bytes: Uint8Array): void => {
        const room = typed(bytes);
        if (room === undefined) return;
        stdin.pause();
        void room.then(() => isOpen && stdin.resume());
      };
      if (isTerminal) makeRaw();
      stdin.on("data", read).once("end", ended).resume();
      stdout.on("resize", resized);
      return () => {
        isOpen = false;
        stdin.off("data", read).off("end", ended).pause();
        stdout.off("resize", resized);
        if (isTerminal) stdin.setRawMode(false);
        // A pipe that nobody closes would keep the process.
        stdin.unref?.();
      };
    },
  };
}

/** Hands keys and output through unchanged; Node restores what was, also where the program fails. */
function makeRaw(): void {
  process.stdin.setRawMode(true);
  // Node lets every new line begin at the left, which a program that draws does not expect.
  spawnSync("stty", ["-opost"], { stdio: ["inherit", "ignore", "ignore"] });
}
