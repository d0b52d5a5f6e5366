/** `--stdin -`: the standard input of the command becomes that of the job. */
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Terminal } from "./terminal.ts";

interface StdinOptions {
  readonly stdin?: string;
  readonly upload?: boolean;
}

/**
 * Runs `work` with the options, where `--stdin -` is a temporary file of what was piped in. It is uploaded,
 * since it does not outlive `work`.
 */
export async function withPipedInput<Options extends StdinOptions>(
  options: Options,
  { standardInput }: Pick<Terminal, "standardInput">,
  work: (options: Options) => Promise<void>,
): Promise<void> {
  if (options.stdin !== "-") return work(options);
  const folder = await mkdtemp(join(tmpdir(), "stint-stdin-"));
  try {
    const stdin = join(folder, "stdin");
    await pipeline(Readable.from(standardInput()), createWriteStream(stdin, { mode: 0o600 }));
    await work({ ...options, stdin, upload: true });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
