/** Reads the commands out of a page of the documentation, so that a test can run them. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

/** A command with the beginning of its output, as a page shows them. */
export interface Shown {
  readonly command: string;
  readonly output: string;
}

/** The commands of a page with what it shows of their output, in order. */
export function commandsOf(page: string): Shown[] {
  const text = readFileSync(join(root, page), "utf8");
  const blocks = [...text.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map(([, block]) => block);
  const fromShell = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block]) =>
    block.split("\n").filter((line) => line.startsWith("npx stint")),
  );
  const shown = blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const [command, ...output] = part.split("\n");
        return { command, output: output.join("\n").trimEnd() };
      }),
  );
  return [...shown, ...fromShell.map((command) => ({ command, output: "" }))];
}
